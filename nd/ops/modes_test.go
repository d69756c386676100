package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/fft"
	"github.com/ndgrad/ndgrad/nd/ops/image"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
	"github.com/ndgrad/ndgrad/nd/ops/window"
)

// TestUnknownWordsAreRefused passes a word that no mode has. The refusal lists the words that the mode has.
func TestUnknownWordsAreRefused(t *testing.T) {
	const wild = "wild"
	v, a := nd.Ones([]int{2}), nd.Ones([]int{2, 2})
	images, labels := nd.Ones([]int{1, 1, 2, 2}), nd.Zeros([]int{2}, dtype.Int64)
	bytes := nd.Zeros([]int{2}, dtype.Uint8)
	grid := nd.Zeros([]int{1, 2, 2, 2})
	states := nd.Zeros([]int{1, 1, 2})
	for want, f := range map[string]func(){
		"full, same or valid":             func() { conv.Convolve1D(v, v, conv.ConvolveOptions{Mode: wild}) },
		"mean, sum or max":                func() { ops.EmbeddingBag(labels.Reshape(1, 2), a, ops.EmbeddingBagOptions{Mode: wild}) },
		"ortho or forward":                func() { fft.FFT(v, fft.Options{Norm: wild}) },
		"hamming or rectangular":          func() { fft.STFT(a, 2, 1, 2, fft.STFTOptions{WindowType: wild}) },
		"reflect, constant, edge or wrap": func() { fft.STFT(a, 2, 1, 2, fft.STFTOptions{PadMode: wild}) },
		"want reflect, constant":          func() { fft.ComplexSTFT(v, 2, 1, fft.ComplexSTFTOptions{PadMode: wild}) },
		"want auto, fd, doane, scott, stone, rice, sturges or sqrt": func() { ops.Histogram(v, ops.HistogramOptions{Rule: wild}) },
		"linear, nearest or cubic":                                  func() { image.Interpolate(images, []int{3, 3}, image.InterpolateOptions{Mode: wild}) },
		"symmetric or periodic":                                     func() { window.Hanning(3, window.Form("wild")) },
		"want linear, nearest or cubic":                             func() { image.WarpByGrid(images, grid, image.WarpByGridOptions{Mode: wild}) },
		"zero, repeat or reflect":                                   func() { image.WarpByGrid(images, grid, image.WarpByGridOptions{Padding: wild}) },
		"L or U":                                                    func() { linalg.Eigh(a, linalg.EighOptions{UPLO: wild}) },
		"fro, nuc or a number":                                      func() { linalg.Norm(a, linalg.NormOptions{Kind: wild}) },
		"reduced or complete":                                       func() { linalg.QR(a, linalg.QROptions{Mode: wild}) },
		"no, sum, mean, countmean or batchmean":                     func() { loss.SoftmaxCrossEntropy(a, labels, loss.CrossEntropyOptions{Reduction: wild}) },
		"L1 or L2":                                                  func() { loss.Hinge(a, labels, loss.HingeOptions{Norm: wild}) },
		"big or little":                                             func() { ops.PackBits(bytes, ops.BitsOptions{BitOrder: wild}) },
		"minimum, linear_ramp or empty":                             func() { ops.Pad(v, [][2]int{{1, 1}}, ops.PadOptions{Mode: wild}) },
		"even or odd": func() {
			ops.Pad(v, [][2]int{{1, 1}}, ops.PadOptions{Mode: ops.PadReflect, ReflectType: wild})
		},
		"raise, wrap or clip":      func() { ops.Take(v, labels, ops.TakeOptions{Mode: wild}) },
		"want raise, wrap or clip": func() { ops.RavelMultiIndex([]*nd.Array{labels}, []int{2}, ops.RavelOptions{Mode: wild}) },
		"C or F":                   func() { ops.UnravelIndex(labels, []int{2}, ops.RavelOptions{Order: wild}) },
		"f, b or fb":               func() { ops.TrimZeros(v, ops.TrimOptions{Trim: wild}) },
		"averaged_inverted_cdf, closest_observation": func() { ops.Quantile(v, nd.Scalar(0.5), ops.QuantileOptions{Method: wild}) },
		"largest_abs or random":                      func() { quantize.NewINQ(quantize.INQOptions{SelectionAlgorithm: wild}) },
		"nearest, reflect or constant":               func() { random.Shift(nd.NewRand(1), a, random.ShiftOptions{BorderMode: wild}) },
		"svd, eigh or cholesky": func() {
			random.MultivariateNormal(nd.NewRand(1), v, a, nil, random.MultivariateNormalOptions{Method: wild, Unchecked: true})
		},
		"sum, prod, mean, max or min":                   func() { ops.ReduceAlongAxis(v, labels, v, ops.Over(0), wild) },
		"tanh or relu":                                  func() { sequence.RNN(states, states, states, sequence.RNNOptions{Nonlinearity: wild}) },
		"want rnn_tanh, rnn_relu, lstm or gru":          func() { sequence.Recurrent(states, v, states, wild, 2) },
		"xy or ij":                                      func() { nd.Meshgrid([]*nd.Array{v}, nd.MeshgridOptions{Indexing: wild}) },
		`"fixed", "unique", "maxprec", "maxprec_equal"`: func() { v.Text(nd.PrintOptions{FloatMode: wild}) },
		`"-", "+", " "`:                                 func() { v.Text(nd.PrintOptions{Sign: wild}) },
		`"k", ".", "0", "-"`:                            func() { nd.Ones(nil).Positional(nd.FloatFormat{Trim: wild}) },
	} {
		opstest.Refuses(t, want, f)
	}
}

// TestWordsAreTheDefaults compares results for the word of the default with results without one.
func TestWordsAreTheDefaults(t *testing.T) {
	x, labels := opstest.Normal(1, dtype.Float64, 3, 4), nd.FromSlice([]int64{0, 3, 1})
	opstest.Close(t, fft.FFT(x, fft.Options{Norm: fft.NormBackward}), fft.FFT(x), 0)
	opstest.Close(t, ops.Pad(x, [][2]int{{1, 1}, {2, 2}}, ops.PadOptions{Mode: ops.PadConstant}), ops.Pad(x, [][2]int{{1, 1}, {2, 2}}), 0)
	half := nd.Scalar(0.3)
	opstest.Close(t, ops.Quantile(x, half, ops.QuantileOptions{Method: ops.QuantileLinear}), ops.Quantile(x, half), 0)
	opstest.Close(t, loss.SoftmaxCrossEntropy(x, labels, loss.CrossEntropyOptions{Reduction: loss.NoReduction}), loss.SoftmaxCrossEntropy(x, labels), 0)
}
