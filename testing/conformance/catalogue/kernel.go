package catalogue

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// kernelRows is the chapter of user-defined kernels, and of dropout.
var kernelRows = []Row{
	{Signature: "cupy.ElementwiseKernel(in_params, out_params, operation, name='kernel', reduce_dims=True, options=(), preamble='', " +
		"loop_prep='', after_loop='', x=None, y=None)",
		Ignores: []string{"reduce_dims", "options", "preamble", "loop_prep", "after_loop"},
		Func: func(in, out, body, name string, x, y *nd.Array) ([]*nd.Array, error) {
			k, err := ops.NewKernel(in, out, body, ops.KernelOptions{Name: name})
			if err != nil {
				return nil, err
			}
			return k.CallMany(given(x, y)...), nil
		}},
	{Signature: "cupy.ReductionKernel(in_params, out_params, map_expr, reduce_expr, post_map_expr, identity, name='kernel', reduce_type=None, " +
		"reduce_dims=True, preamble='', options=(), x=None, y=None, axis=None, keepdims=False)",
		Ignores: []string{"reduce_dims", "preamble", "options"},
		Func: func(in, out, mapping, reduce, post, identity, name, reduceType string, x, y *nd.Array, axis []int, keepDims bool) (*nd.Array, error) {
			k, err := ops.NewReductionKernel(in, out, mapping, reduce, post, identity, ops.ReductionKernelOptions{Name: name, ReduceType: reduceType})
			if err != nil {
				return nil, err
			}
			return k.Call(given(x, y), ops.ReduceOptions{Axes: axis, KeepDims: keepDims}), nil
		}},
	{Signature: "nnabla.functions.dropout(x, p=0.5, seed=-1)", Func: ops.Dropout, Ignores: []string{"seed"}, Random: true},
	{Signature: "chainer.functions.dropout(x, ratio=0.5, train=True)", Func: func(x *nd.Array, p float64, rng *nd.Rand, train bool) *nd.Array {
		if !train {
			return x
		}
		return ops.Dropout(x, p, rng)
	}, Random: true},
	{Signature: "mxnet.npx.dropout(data, p=0.5, mode='training', axes=[], cudnn_off=False, is_train=False)", Func: func(x *nd.Array, p float64, mode string, axes []int, train bool, rng *nd.Rand) *nd.Array {
		requireOneOf("dropout", "mode", mode, "training", "always")
		if !train && mode != "always" {
			return x
		}
		return ops.Dropout(x, p, rng, ops.DropoutOptions{Axes: axes})
	}, Ignores: []string{"cudnn_off"}, Random: true},
}

// given returns the arrays that are not nil.
func given(xs ...*nd.Array) []*nd.Array {
	return slices.DeleteFunc(xs, func(x *nd.Array) bool { return x == nil })
}
