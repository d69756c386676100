package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// quantizedRows is the chapter of integer networks.
var quantizedRows = []Row{
	{Signature: "mxnet.npx.contrib_quantize_v2(data, out_type='int8', min_calib_range=None, max_calib_range=None)", Func: quantizeV2, NoGrad: true},
	{Signature: "mxnet.npx.requantize(data, min_range, max_range, out_type='int8', min_calib_range=None, max_calib_range=None)", Func: requantize, NoGrad: true},
	{Signature: "mxnet.npx.quantized_act(data, min_data, max_data, act_type)", Func: func(x, low, high *nd.Array, kind string) (y, least, most *nd.Array) {
		wantBytes("quantized_act", x)
		if kind != "relu" {
			panic(nd.Func("quantized_act").Errorf([]*nd.Array{x}, "act_type %q: want relu", kind))
		}
		return unchanged("quantized_act", ops.ReLU(x), x, low, high)
	}, NoGrad: true},
	{Signature: "mxnet.npx.quantized_conv(data, weight, bias=None, min_data=None, max_data=None, min_weight=None, max_weight=None, min_bias=None, " +
		"max_bias=None, kernel=[], stride=[], dilate=[], pad=[], num_filter=0, num_group=1, workspace=1024, no_bias=False, cudnn_tune=None, " +
		"cudnn_off=False, layout=None)", Func: quantizedConv, Ignores: mxnetHints, NoGrad: true},
	{Signature: "mxnet.npx.quantized_elemwise_add(lhs, rhs, lhs_min, lhs_max, rhs_min, rhs_max, min_calib_range=None, max_calib_range=None)",
		Func: func(a, b, aMin, aMax, bMin, bMax *nd.Array, low, high *float64) (y, least, most *nd.Array) {
			wantAlike("quantized_elemwise_add", a, b)
			return quantizedAdd("quantized_elemwise_add", a, b, aMin, aMax, bMin, bMax, low, high)
		}, NoGrad: true},
	{Signature: "mxnet.npx.quantized_npi_add(lhs, rhs, lhs_min, lhs_max, rhs_min, rhs_max, min_calib_range=None, max_calib_range=None)",
		Func: func(a, b, aMin, aMax, bMin, bMax *nd.Array, low, high *float64) (y, least, most *nd.Array) {
			return quantizedAdd("quantized_npi_add", a, b, aMin, aMax, bMin, bMax, low, high)
		}, NoGrad: true},
	{Signature: "mxnet.npx.quantized_elemwise_mul(lhs, rhs, lhs_min, lhs_max, rhs_min, rhs_max, min_calib_range=None, max_calib_range=None, " +
		"enable_float_output=False)", Func: quantizedMul, NoGrad: true},
	{Signature: "mxnet.npx.quantized_embedding(data, weight, min_weight, max_weight, input_dim=0, output_dim=0, dtype=float32, sparse_grad=False)",
		Func: func(at, w, low, high *nd.Array) (y, least, most *nd.Array) {
			wantBytes("quantized_embedding", w)
			rows := ops.TakeOptions{Axis: ops.Over(0), Mode: ops.IndexClip}
			return unchanged("quantized_embedding", ops.Take(w, at.AsType(dtype.Int64), rows), w, low, high)
		}, Ignores: []string{"input_dim", "output_dim", "dtype", "sparse_grad"}, NoGrad: true},
	{Signature: "mxnet.npx.quantized_fully_connected(data, weight, bias=None, min_data=None, max_data=None, min_weight=None, max_weight=None, " +
		"min_bias=None, max_bias=None, num_hidden=0, no_bias=False, flatten=True)", Func: quantizedFullyConnected, NoGrad: true},
	{Signature: "mxnet.npx.quantized_pooling(data, min_data, max_data, kernel=[], pool_type='max', global_pool=False, cudnn_off=False, " +
		"pooling_convention='valid', stride=[], pad=[], p_value=None, count_include_pad=None)", Func: quantizedPooling,
		Ignores: []string{"cudnn_off", "p_value"}, FloatGradients: true, StraightThrough: true},
	{Signature: "mxnet.npx.quantized_reshape(data, min_data, max_data, newshape, reverse=False, order='C')",
		Func: func(x, low, high *nd.Array, codes []int, reverse bool, order string) (y, least, most *nd.Array) {
			wantBytes("quantized_reshape", x)
			if order != "C" {
				panic(nd.Func("quantized_reshape").Errorf([]*nd.Array{x}, "order %q: want C", order))
			}
			return unchanged("quantized_reshape", ops.ReshapeCodes(x, codes, ops.ReshapeCodesOptions{Reverse: reverse}), x, low, high)
		}, NoGrad: true},
	{Signature: "mxnet.npx.contrib_quantized_rnn(data, parameters, state, state_cell, data_scale, data_shift, state_size, num_layers, " +
		"bidirectional=False, mode, p=0, state_outputs=False, projection_size=None, lstm_state_clip_min=None, lstm_state_clip_max=None, " +
		"lstm_state_clip_nan=False, use_sequence_length=False)", Func: quantizedRNN,
		Ignores: []string{"p", "lstm_state_clip_nan"}, NoGrad: true, Note: "inference only, so p has no effect"},

	{Signature: "mxnet.npx.intgemm_maxabsolute(data)", Func: func(x *nd.Array) *nd.Array {
		return copied(ops.Max(ops.Absolute(x)).Reshape(1))
	}, NoGrad: true},
	{Signature: "mxnet.npx.intgemm_prepare_data(data, maxabs)", Func: func(x, most *nd.Array) *nd.Array {
		return prepared("intgemm_prepare_data", x, most)
	}, NoGrad: true},
	{Signature: "mxnet.npx.intgemm_prepare_weight(weight, maxabs=None, already_quantized=False)",
		Func: func(w, most *nd.Array, already bool) *nd.Array {
			if already {
				wantBytes("intgemm_prepare_weight", w)
				return ops.Positive(w)
			}
			return prepared("intgemm_prepare_weight", w, most)
		}, NoGrad: true, Note: "has the same memory layout as any array"},
	{Signature: "mxnet.npx.intgemm_fully_connected(data, weight, scaling=None, bias=None, num_hidden=0, no_bias=False, flatten=True, out_type='float32')",
		Func: intgemmFullyConnected, NoGrad: true},
}
