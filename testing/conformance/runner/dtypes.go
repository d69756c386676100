package runner

import (
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// otherDType is a dtype that results have here instead of the recorded one.
type otherDType struct {
	dtype     dtype.DType
	reason    string
	functions []string
}

// otherDTypes are all functions with results of another dtype than the recorded one. Gradients have no exceptions: their
// dtype is that of the argument.
var otherDTypes = []otherDType{
	{dtype.Bool, "NNabla has no bools: its truth values are float32", []string{
		"nnabla.functions.equal", "nnabla.functions.equal_scalar", "nnabla.functions.not_equal", "nnabla.functions.not_equal_scalar",
		"nnabla.functions.greater", "nnabla.functions.greater_scalar", "nnabla.functions.greater_equal", "nnabla.functions.greater_equal_scalar",
		"nnabla.functions.less", "nnabla.functions.less_scalar", "nnabla.functions.less_equal", "nnabla.functions.less_equal_scalar",
		"nnabla.functions.logical_and", "nnabla.functions.logical_and_scalar", "nnabla.functions.logical_or", "nnabla.functions.logical_or_scalar",
		"nnabla.functions.logical_xor", "nnabla.functions.logical_xor_scalar", "nnabla.functions.logical_not",
		"nnabla.functions.isinf", "nnabla.functions.isnan", "nnabla.functions.one_hot"}},
	{dtype.Int64, "indices, lengths and drawn integers are int64", []string{
		"chainer.functions.argmax", "chainer.functions.argmin", "chainer.functions.argmax_crf1d", "chainer.links.CRF1d",
		"mxnet.npx.bipartite_matching", "nnabla.functions.pack_padded_sequence", "nnabla.functions.pad_packed_sequence",
		"nnabla.functions.randint", "nnabla.functions.searchsorted", "nnabla.functions.shape", "torch.linalg.ldl_factor",
		"torch.linalg.lu_factor"}},
	{dtype.Float64, "the norm is a Go number", []string{"chainer.Optimizer.compute_grads_norm"}},
	{dtype.Float32, "the state has the parameter's dtype; NumPy 1 made a float64 of Chainer's 0-d state", []string{"chainer.optimizers.SMORMS3"}},
}

// OtherDType returns the dtype that the results of a function have here instead of the documented one, with the reason;
// Unspecified for other functions.
func OtherDType(function string) (dt dtype.DType, reason string) {
	for _, o := range otherDTypes {
		if slices.Contains(o.functions, function) {
			return o.dtype, o.reason
		}
	}
	return dtype.Unspecified, ""
}

// hasDTypeOf returns an error unless a gradient has the dtype of the argument or parameter of that name.
func (t *trial) hasDTypeOf(name string, gradient *nd.Array) error {
	x := t.after(name)
	if x == nil {
		return fmt.Errorf("no argument has this name")
	}
	if gradient.DType() != x.DType() {
		return fmt.Errorf("dtype %s for an argument of %s", gradient.DType(), x.DType())
	}
	return nil
}
