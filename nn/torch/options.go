package torch

import (
	"github.com/ndgrad/ndgrad/nn/archive"
)

// Options are the options of all functions of this package.
type Options struct {
	// Prefix is the path of the state dict in the file, such as "model" or "checkpoint/optimizer"; empty means that the
	// whole file is one. Save writes the state dict there.
	Prefix string
	// Modules gives layers and folders of the scope the names of PyTorch's modules:
	//
	//	{"conv1/conv": "features.0", "conv1/bn": "features.1", "head": "classifier"}
	//
	// The longest name in it that is the path of a layer, or the beginning of the path, decides. The name "" is the whole
	// scope: {"": "module"} puts "module." before all names.
	Modules map[string]string
	// Links says that the scope's parameters are those of package link: W, b, gamma, beta, avg_mean and avg_var are weight,
	// bias, weight, bias, running_mean and running_var, in the layouts that Chainer and PyTorch share. The recurrent links,
	// whose layouts differ, have no counterpart.
	Links bool
	// Report, if it is not nil, gets the names of tensors that the file lacks, and of those that no parameter needs. Neither
	// is an error then: see archive.LoadOptions. It is an option of Load.
	Report *archive.Report
	// Order are the names of the tensors in the order of PyTorch's model, by which optimizers number their parameters. Nil
	// means the order of the scope, which is that in which the first call of the model called Scope.Sub for its layers.
	// Names that no parameter has are ignored.
	Order []string
	// Model is the path in the file of the state dict of the model, which has that order. It is an option of
	// LoadOptimizer.
	Model string
	// AdamW says that the optimizer is AdamW. Files before version 2.7 of PyTorch do not say so themselves. It is an
	// option of LoadOptimizer.
	AdamW bool
}
