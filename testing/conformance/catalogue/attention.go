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
		Func: softmaxWithLength(ops.Softmax)},
	{Signature: "mxnet.npx.log_softmax(data, length=None, axis=-1, temperature=None, dtype=None, use_length=False)",
		Func: softmaxWithLength(ops.LogSoftmax)},
}

// softmaxWithLength ignores the length unless use_length is set. MXNet has no 0-d arrays: the length of a vector is a vector.
func softmaxWithLength(f func(x *nd.Array, opts ...ops.SoftmaxOption) *nd.Array) any {
	return func(x, length *nd.Array, axis int, temperature *float64, to dtype.DType, useLength bool) *nd.Array {
		switch {
		case !useLength:
			length = nil
		case length == nil:
			panic(nd.Func("softmax").Errorf([]*nd.Array{x}, "use_length: want a length"))
		case x.Rank() == 1:
			length = length.Reshape()
		}
		return f(x, ops.SoftmaxOptions{Axis: ops.Over(axis), Temperature: temperature, Length: length, DType: to})
	}
}
