package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// likenessRows is the chapter of MXNet's reshaping functions: by codes, or to match another array.
var likenessRows = []Row{
	{Signature: "mxnet.npx.reshape(a, newshape, reverse=False, order='C')", Func: func(x *nd.Array, codes []int, reverse bool, order string) *nd.Array {
		requireOneOf("reshape", "order", order, "C")
		return ops.ReshapeCodes(x, codes, ops.ReshapeCodesOptions{Reverse: reverse})
	}},
	{Signature: "mxnet.npx.reshape_like(lhs, rhs, lhs_begin=None, lhs_end=None, rhs_begin=None, rhs_end=None)", Func: ops.ReshapeLike,
		Renames: map[string]string{"lhs_begin": "Begin", "lhs_end": "End", "rhs_begin": "LikeBegin", "rhs_end": "LikeEnd"}},
	{Signature: "mxnet.npx.broadcast_like(lhs, rhs, lhs_axes=None, rhs_axes=None)", Func: ops.BroadcastLike,
		Renames: map[string]string{"lhs_axes": "Axes", "rhs_axes": "LikeAxes"}},
	{Signature: "mxnet.npx.slice_like(data, shape_like, axes=[])", Func: func(x, like *nd.Array, axes []int) *nd.Array {
		if len(axes) == 0 {
			return ops.SliceLike(x, like)
		}
		return ops.SliceLike(x, like, axes)
	}},
	{Signature: "mxnet.npx.arange_like(data, start=0, step=1, repeat=1, ctx='', axis=None)", Func: ops.ArangeLike, Ignores: []string{"ctx"}, NoGrad: true},
}
