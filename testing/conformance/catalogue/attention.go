package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// attentionRows is the chapter of attention, and of softmax with MXNet's options.
var attentionRows = []Row{
	{Signature: "nnabla.functions.multi_head_attention(query, key, value, num_heads, q_weight, k_weight, v_weight, out_weight, q_bias=None, k_bias=None, " +
		"v_bias=None, out_bias=None, attn_bias_k=None, attn_bias_v=None, dropout=0.0, additive_mask=None, key_padding_mask=None)",
		Func: ops.MultiHeadAttention, Fixed: []string{"key_padding_mask"}},
	{Signature: "mxnet.npx.interleaved_matmul_selfatt_qk(queries_keys_values, heads)", Func: ops.SelfAttentionScores},
	{Signature: "mxnet.npx.interleaved_matmul_selfatt_valatt(queries_keys_values, attention, heads)", Func: ops.SelfAttentionValues},
	{Signature: "mxnet.npx.sldwin_atten_score(query, key, dilation, w, symmetric)", Func: ops.WindowScores},
	{Signature: "mxnet.npx.sldwin_atten_context(score, value, dilation, w, symmetric)", Func: ops.WindowContext},
	{Signature: "mxnet.npx.sldwin_atten_mask_like(score, dilation, valid_length, w, symmetric)", Func: ops.WindowMask, NoGrad: true},
	{Signature: "mxnet.npx.softmax(data, length=None, axis=-1, temperature=None, dtype=None, use_length=False)",
		Func: softmaxWithLength(ops.Softmax, ops.MaskedSoftmax)},
	{Signature: "mxnet.npx.log_softmax(data, length=None, axis=-1, temperature=None, dtype=None, use_length=False)",
		Func: softmaxWithLength(ops.LogSoftmax, ops.MaskedLogSoftmax)},
}

// softmaxWithLength divides by a temperature, masks what lies beyond the lengths, and converts the result.
func softmaxWithLength(whole func(x *nd.Array, opts ...ops.Axes) *nd.Array, masked func(x, mask *nd.Array, opts ...ops.Axes) *nd.Array) any {
	return func(x, length *nd.Array, axis int, temperature *float64, to dtype.DType, useLength bool) *nd.Array {
		if to.Valid() && to.Size() > x.DType().Size() {
			x = x.AsType(to)
		}
		if temperature != nil {
			x = ops.Divide(x, *temperature)
		}
		along := ops.Over(axis)
		var y *nd.Array
		if useLength {
			if x.Rank() == 1 { // MXNet has no 0-d arrays
				length = length.Reshape()
			}
			n := x.Dim(axis)
			shape := make([]int, x.Rank())
			for k := range shape {
				shape[k] = 1
			}
			at := (axis + x.Rank()) % x.Rank()
			shape[at] = n
			positions := nd.ArangeInt(0, n, 1, nd.ArrayOptions{Device: x.Device()}).Reshape(shape...)
			y = masked(x, ops.Less(positions, length.ExpandDims(at)), along)
		} else {
			y = whole(x, along)
		}
		if to.Valid() {
			y = y.AsType(to)
		}
		return y
	}
}
