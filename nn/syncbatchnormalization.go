package nn

import (
	"context"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/comm"
)

// SyncBatchNormalizationOptions are the options of [SyncBatchNormalization].
type SyncBatchNormalizationOptions struct {
	BatchNormalizationOptions
	// Comm connects the ranks whose batches have common statistics, such as a group: c.Group("half"). nil is that of the
	// scope, which package train's Parallel and Distributed give it; without one, the statistics are those of x.
	Comm *comm.Communicator
}

// SyncBatchNormalization is [BatchNormalization], with the same parameters, whose statistics are those of the batches of
// all ranks together, which may have different numbers of examples. So n ranks compute what one does with n batches
// joined. The running statistics are the same on all ranks.
//
// In training, all ranks call it in the same order, and compute gradients in the same order: the forward pass gathers the
// means and variances of all ranks, and the backward pass adds their gradients. In evaluation nothing is exchanged. If
// another rank has ended, it panics with an *nd.Error.
// PyTorch: nn.SyncBatchNorm. NNabla: parametric_functions.sync_batch_normalization.
func SyncBatchNormalization(scope *Scope, x *nd.Array, opts ...SyncBatchNormalizationOptions) *nd.Array {
	const fn nd.Func = "nn.SyncBatchNormalization"
	o := options.Read(fn, opts)
	n := batchNormalization(fn, scope, x, o.BatchNormalizationOptions)
	c := o.Comm
	if c == nil {
		c = scope.Comm()
	}
	if c != nil && scope.Training() && *n.Options.BatchStat {
		n.Options.Gather = func(statistics *nd.Array) *nd.Array { return comm.Gather(context.Background(), c, statistics) }
	}
	return n.Apply(fn)
}
