package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
)

// quantizeRows is the chapter of quantisation in training.
var quantizeRows = []Row{
	{Signature: "nnabla.functions.fixed_point_quantize(x, sign=True, n=8, delta=0.0625, quantize=True, ste_fine_grained=True)",
		Func: quantize.FixedPoint, StraightThrough: true},
	{Signature: "nnabla.functions.pow2_quantize(x, sign=True, with_zero=True, n=8, m=1, quantize=True, ste_fine_grained=True)",
		Func: quantize.Pow2, StraightThrough: true},
	{Signature: "nnabla.functions.min_max_quantize(x, qr_min, qr_max, ql_min, ql_max, decay=0.999, x_min_max=False, ema=False, " +
		"ste_fine_grained=True, eps=0.01, quantize=True)", Func: quantize.MinMax, StraightThrough: true, Writes: []string{"qr_min", "qr_max"}},
	{Signature: "nnabla.functions.prune(x, rate=0.9)", Func: quantize.Prune, StraightThrough: true},

	{Signature: "nnabla.functions.binary_connect_affine(x, weight, binary_weight, bias=None, base_axis=1, quantize_zero_to=1.0)",
		Func: func(x, w, binary, bias *nd.Array, base int, zero float64) *nd.Array {
			return binaryConnect(w, binary, zero, affineNNabla(x, bias, base))
		}, StraightThrough: true, Writes: binaryWrites[:1]},
	{Signature: "nnabla.functions.binary_connect_convolution(x, weight, binary_weight, bias=None, base_axis=1, pad=None, stride=None, " +
		"dilation=None, group=1, quantize_zero_to=1.0)",
		Func: func(x, w, binary, bias *nd.Array, base int, pad, stride, dilation []int, group int, zero float64) *nd.Array {
			return binaryConnect(w, binary, zero, convolutionNNabla(x, bias, base, pad, stride, dilation, group))
		}, StraightThrough: true, Writes: binaryWrites[:1]},
	{Signature: "nnabla.functions.binary_weight_affine(x, weight, binary_weight, alpha, bias=None, base_axis=1, quantize_zero_to=1.0)",
		Func: func(x, w, binary, alpha, bias *nd.Array, base int, zero float64) *nd.Array {
			return binaryWeight(w, binary, alpha, ops.Over(0), zero, affineNNabla(x, bias, base))
		}, StraightThrough: true, Writes: binaryWrites},
	{Signature: "nnabla.functions.binary_weight_convolution(x, weight, binary_weight, alpha, bias=None, base_axis=1, pad=None, stride=None, " +
		"dilation=None, group=1, quantize_zero_to=1.0)",
		Func: func(x, w, binary, alpha, bias *nd.Array, base int, pad, stride, dilation []int, group int, zero float64) *nd.Array {
			return binaryWeight(w, binary, alpha, nil, zero, convolutionNNabla(x, bias, base, pad, stride, dilation, group))
		}, StraightThrough: true, Writes: binaryWrites},

	{Signature: "nnabla.functions.inq_affine(x, weight, indicator_fixedweights, bias=None, base_axis=1, num_bits=4, inq_iterations=(), " +
		"selection_algorithm='largest_abs', seed=-1)",
		Func: func(x, w, fixed, bias *nd.Array, base, bits int, iterations []int, algorithm string, seed int, rng *nd.Rand) *nd.Array {
			return incremental(w, fixed, bits, iterations, algorithm, seed, rng, affineNNabla(x, bias, base))
		}, StraightThrough: true, Writes: inqWrites, Note: inqNote},
	{Signature: "nnabla.functions.inq_convolution(x, weight, indicator_fixedweights, bias=None, base_axis=1, pad=None, stride=None, " +
		"dilation=None, group=1, num_bits=4, inq_iterations=(), selection_algorithm='largest_abs', seed=-1)",
		Func: func(x, w, fixed, bias *nd.Array, base int, pad, stride, dilation []int, group, bits int, iterations []int, algorithm string,
			seed int, rng *nd.Rand) *nd.Array {
			return incremental(w, fixed, bits, iterations, algorithm, seed, rng, convolutionNNabla(x, bias, base, pad, stride, dilation, group))
		}, StraightThrough: true, Writes: inqWrites, Note: inqNote},

	{Signature: "torch.fake_quantize_per_tensor_affine(input, scale, zero_point, quant_min, quant_max)",
		Func: func(x *nd.Array, scale float64, zero, low, high int) *nd.Array {
			return quantize.FakeQuantize(x, nd.Scalar(scale), nd.Scalar(zero), low, high)
		}, StraightThrough: true},
	{Signature: "torch.fake_quantize_per_channel_affine(input, scale, zero_point, axis, quant_min, quant_max)",
		Func: func(x, scale, zero *nd.Array, axis, low, high int) *nd.Array {
			return quantize.FakeQuantize(x, scale, zero, low, high, ops.Over(axis))
		}, StraightThrough: true},
}

var (
	binaryWrites = []string{"binary_weight", "alpha"}
	inqWrites    = []string{"weight", "indicator_fixedweights"}
)

// inqNote is the note of rows that show only one step, since they are called once.
const inqNote = "the first step of a quantize.INQ, which counts its steps"

// A layer is the function that NNabla combines with the quantizer of its weights.
type layer func(w *nd.Array) *nd.Array

func affineNNabla(x, bias *nd.Array, base int) layer {
	return func(w *nd.Array) *nd.Array { return ops.Affine(x, w, ops.AffineOptions{Bias: bias, BaseAxis: &base}) }
}

func convolutionNNabla(x, bias *nd.Array, base int, pad, stride, dilation []int, group int) layer {
	return func(w *nd.Array) *nd.Array {
		return conv.Convolution(x, w, bias, conv.ConvolutionOptions{BaseAxis: &base, Pad: pad, Stride: stride, Dilation: dilation, Group: group})
	}
}

func binaryConnect(w, binary *nd.Array, zero float64, through layer) *nd.Array {
	const fn nd.Func = "binary_connect"
	signs := quantize.BinaryConnect(w, quantize.BinaryConnectOptions{QuantizeZeroTo: &zero})
	defer signs.Release()
	wantReceiver(fn, w, binary, w.Shape())
	y := through(signs)
	receive(binary, signs)
	return y
}

func binaryWeight(w, binary, alpha *nd.Array, axes ops.Axes, zero float64, through layer) *nd.Array {
	const fn nd.Func = "binary_weight"
	scaled, scale := quantize.BinaryWeight(w, quantize.BinaryWeightOptions{QuantizeZeroTo: &zero, Axes: axes})
	defer scaled.Release()
	defer scale.Release()
	wantReceiver(fn, w, binary, w.Shape())
	if alpha == nil || alpha.IsReleased() || alpha.IsScalar() || alpha.Device() != w.Device() || alpha.Size() != scale.Size() {
		panic(fn.Errorf([]*nd.Array{w, alpha}, "want an array for the scales, one for each of %d outputs", scale.Size()))
	}
	y := through(scaled)
	receive(alpha, scale.Reshape(alpha.Shape()...))
	receive(binary, quantize.BinaryConnect(w.Detach(), quantize.BinaryConnectOptions{QuantizeZeroTo: &zero}))
	return y
}

// incremental performs the first call of a layer.
func incremental(w, fixed *nd.Array, bits int, iterations []int, algorithm string, seed int, rng *nd.Rand, through layer) *nd.Array {
	if seed >= 0 {
		rng = nd.NewRand(uint64(seed))
	}
	inq := quantize.NewINQ(quantize.INQOptions{NumBits: bits, Iterations: iterations, SelectionAlgorithm: quantize.INQSelection(algorithm), Rand: rng})
	defer inq.Release()
	wq, isFixed := inq.Step(w, fixed)
	defer wq.Release()
	defer isFixed.Release()
	wantReceiver("inq", w, fixed, w.Shape())
	y := through(wq)
	receive(w, wq)
	receive(fixed, isFixed)
	return y
}

// wantReceiver refuses an array that cannot receive the output of w's quantizer.
func wantReceiver(fn nd.Func, w, to *nd.Array, shape []int) {
	if to == nil || to.IsReleased() || to.IsScalar() || to.Device() != w.Device() || !broadcast.Equal(to.Shape(), shape) {
		panic(fn.Errorf([]*nd.Array{w, to}, "want an output array of shape %s, separate from the weights", broadcast.FormatShape(shape)))
	}
}

// receive writes to an argument without the tape's knowledge; no gradient reads the argument.
func receive(to, x *nd.Array) { to.Detach().Assign(x.Detach()) }
