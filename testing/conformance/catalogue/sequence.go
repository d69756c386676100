package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
)

// sequenceRows is the chapter of sequences: recurrent layers, packing, and masks along time.
var sequenceRows = []Row{
	{Signature: "nnabla.functions.rnn(x, h, weight_l0, weight=None, bias=None, num_layers=1, nonlinearity='tanh', dropout=None, bidirectional=False, training=True)",
		Func: sequence.RNN},
	{Signature: "nnabla.functions.lstm(x, h, c, weight_l0, weight=None, bias=None, num_layers=1, dropout=None, bidirectional=False, training=True)",
		Func: sequence.LSTM},
	{Signature: "nnabla.functions.gru(x, h, weight_l0, weight=None, bias=None, num_layers=1, dropout=None, bidirectional=False, training=True)",
		Func: sequence.GRU},
	{Signature: "nnabla.functions.pack_padded_sequence(padded_sequence, lengths, batch_first=False)", Func: sequence.PackPadded},
	{Signature: "nnabla.functions.pad_packed_sequence(packed_sequence, batch_sizes, batch_first=False, padding_value=None, total_length=None)",
		Func: sequence.PadPacked, Ignores: []string{"padding_value"},
		Note: "NNabla 1.35 always pads with 0 and ignores padding_value; the option PaddingValue follows the document"},

	{Signature: "chainer.functions.lstm(c_prev, x)", Func: sequence.LSTMGates},
	{Signature: "chainer.functions.slstm(c_prev1, c_prev2, x1, x2)", Func: sequence.SLSTMGates},
	{Signature: "chainer.functions.n_step_lstm(n_layers, dropout_ratio, hx, cx, ws, bs, xs, train=True, use_cudnn=True)",
		Func: nStepLSTM(false), Ignores: useCuDNN},
	{Signature: "chainer.functions.n_step_bilstm(n_layers, dropout_ratio, hx, cx, ws, bs, xs, train=True, use_cudnn=True)",
		Func: nStepLSTM(true), Ignores: useCuDNN},
	{Signature: "chainer.functions.n_step_gru(n_layers, dropout_ratio, hx, ws, bs, xs, train=True, use_cudnn=True)",
		Func: nStepGRU(false), Ignores: useCuDNN},
	{Signature: "chainer.functions.n_step_bigru(n_layers, dropout_ratio, hx, ws, bs, xs, train=True, use_cudnn=True)",
		Func: nStepGRU(true), Ignores: useCuDNN},
	{Signature: "chainer.functions.n_step_rnn(n_layers, dropout_ratio, hx, ws, bs, xs, train=True, use_cudnn=True, activation='tanh')",
		Func: nStepRNN(false), Ignores: useCuDNN},
	{Signature: "chainer.functions.n_step_birnn(n_layers, dropout_ratio, hx, ws, bs, xs, train=True, use_cudnn=True, activation='tanh')",
		Func: nStepRNN(true), Ignores: useCuDNN},
	{Signature: "chainer.functions.transpose_sequence(xs)", Func: sequence.Transpose},

	{Signature: "mxnet.npx.rnn(data, parameters, state, state_cell=None, sequence_length=None, state_size, num_layers, bidirectional=False, mode, p=0, " +
		"state_outputs=False, projection_size=None, lstm_state_clip_min=None, lstm_state_clip_max=None, lstm_state_clip_nan=False, " +
		"use_sequence_length=False, is_train=False)", Func: recurrentPacked},
	{Signature: "mxnet.npx.sequence_mask(data, sequence_length=None, use_sequence_length=False, value=0, axis=0)",
		Func: func(x, lengths *nd.Array, use bool, value float64, axis int) *nd.Array {
			if !use {
				return ops.Positive(x)
			}
			return sequence.Mask(x, lengths, sequence.MaskOptions{Value: value, Axis: ops.Over(axis)})
		}},
	{Signature: "mxnet.npx.sequence_last(data, sequence_length=None, use_sequence_length=False, axis=0)",
		Func: func(x, lengths *nd.Array, use bool, axis int) *nd.Array {
			if !use {
				return ops.Take(x, nd.FromSliceOn(x.Device(), []int{x.Dim(axis) - 1}), ops.Over(axis)).Squeeze(axis)
			}
			return sequence.Last(x, lengths, ops.Over(axis))
		}},
	{Signature: "mxnet.npx.sequence_reverse(data, sequence_length=None, use_sequence_length=False, axis=0)",
		Func: func(x, lengths *nd.Array, use bool, axis int) *nd.Array {
			if !use {
				return x.Flip(axis)
			}
			return sequence.Reverse(x, lengths, ops.Over(axis))
		}},
}

// wantLayers refuses a number of layers that does not match the states.
func wantLayers(layers int, both bool, hx *nd.Array) {
	directions := 1
	if both {
		directions = 2
	}
	if hx.Rank() != 3 || hx.Dim(0) != layers*directions {
		panic(nd.Func("n_layers").Errorf([]*nd.Array{hx}, "want states of %d layers in %d directions", layers, directions))
	}
}

func nStepLSTM(both bool) any {
	return func(layers int, dropout float64, hx, cx *nd.Array, ws, bs [][]*nd.Array, xs []*nd.Array, train bool, rng *nd.Rand) (hy, cy *nd.Array, ys []*nd.Array) {
		wantLayers(layers, both, hx)
		return sequence.NStepLSTM(hx, cx, ws, bs, xs, sequence.NStepOptions{Bidirectional: both, Dropout: dropout, Train: &train, Rand: rng})
	}
}

func nStepGRU(both bool) any {
	return func(layers int, dropout float64, hx *nd.Array, ws, bs [][]*nd.Array, xs []*nd.Array, train bool, rng *nd.Rand) (hy *nd.Array, ys []*nd.Array) {
		wantLayers(layers, both, hx)
		return sequence.NStepGRU(hx, ws, bs, xs, sequence.NStepOptions{Bidirectional: both, Dropout: dropout, Train: &train, Rand: rng})
	}
}

func nStepRNN(both bool) any {
	return func(layers int, dropout float64, hx *nd.Array, ws, bs [][]*nd.Array, xs []*nd.Array, train bool, activation string, rng *nd.Rand) (hy *nd.Array, ys []*nd.Array) {
		wantLayers(layers, both, hx)
		return sequence.NStepRNN(hx, ws, bs, xs, sequence.NStepRNNOptions{Activation: sequence.Nonlinearity(activation), Bidirectional: both, Dropout: dropout, Train: &train, Rand: rng})
	}
}

// recurrentPacked returns the states if state_outputs is set.
func recurrentPacked(x, parameters, state, cell, lengths *nd.Array, size, layers int, both bool, mode string, p float64, states bool,
	projection *int, low, high *float64, clipNaN, useLengths, training bool, rng *nd.Rand) []*nd.Array {
	o := sequence.RecurrentOptions{StateCell: cell, NumLayers: layers, Bidirectional: both, P: p, Training: &training, Rand: rng,
		LSTMStateClipMin: low, LSTMStateClipMax: high, LSTMStateClipNaN: clipNaN}
	if projection != nil {
		o.ProjectionSize = *projection
	}
	if useLengths {
		o.SequenceLength = lengths
	}
	y, hn, cn := sequence.Recurrent(x, parameters, state, sequence.RecurrentMode(mode), size, o)
	switch {
	case !states:
		return []*nd.Array{y}
	case cn == nil:
		return []*nd.Array{y, hn}
	}
	return []*nd.Array{y, hn, cn}
}
