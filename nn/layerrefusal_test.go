package nn_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/quant"
)

// createsNothing checks that a refused call panics with an error, before it has created a parameter. It reports whether
// the call was refused.
func createsNothing(t *testing.T, what string, params *nn.Scope, call func()) bool {
	t.Helper()
	err := nd.Catch(call)
	if refusal := new(nd.Error); err != nil && !errors.As(err, &refusal) {
		t.Errorf("%s: %v", what, err)
	}
	if names := params.Names(); err != nil && names != nil {
		t.Errorf("%s: created %q before %v", what, names, err)
	}
	return err != nil
}

// Calls layers with operands of all kinds, many of which they refuse.
func TestRefusedOperandsCreateNothing(t *testing.T) {
	odd := map[string]*nd.Array{"nil": nil, "a scalar": nd.Scalar(2)}
	for _, dt := range []dtype.DType{dtype.Float32, dtype.Complex64, dtype.Int32, dtype.Bool} {
		for _, shape := range [][]int{{}, {0}, {3}, {2, 0}, {0, 4}, {3, 0, 4}, {0, 2, 4}, {3, 2, 0}, {2, 4, 2, 2}, {2, 0, 5, 5}, {0, 4, 5, 5},
			{2, 4, 5, 0}, {2, 4, 5, 5, 1}} {
			odd[fmt.Sprint(dt, shape)] = nd.Zeros(shape, dt)
		}
	}
	for _, dt := range []dtype.DType{dtype.Float32, dtype.Complex64} {
		for _, l := range allLayers() {
			for k := range l.shapes {
				for kind, x := range odd {
					in := l.operands(nd.ArrayOptions{})
					in[k] = x
					what := fmt.Sprintf("%s of %s parameters with %s as operand %d", l.name, dt, kind, k)
					params := nn.NewScope(nn.ScopeOptions{DType: dt})
					createsNothing(t, what, params, func() { l.call(params, in) })
					params.Clear()
					model := params.Watch(grad.NewTape(), nn.WatchOptions{Rand: nd.NewRand(1)})
					createsNothing(t, what+", in training", params, func() { l.call(model, in) })
				}
			}
		}
	}
}

// call is a call with invalid arguments.
type call struct {
	what string
	call func(s scope)
}

func TestRefusedArgumentsCreateNothing(t *testing.T) {
	x, rows, steps := waves(2, 4, 5, 5), waves(4, 6), waves(3, 2, 4)
	offset := waves(2, 18, 3, 3)
	window := []int{3, 3}
	var calls []call
	add := func(what string, f func(s scope)) { calls = append(calls, call{what, f}) }

	for _, o := range []nn.ConvolutionOptions{{Pad: []int{-1}}, {Pad: []int{1, 1, 1}}, {Stride: []int{0}}, {Stride: []int{1, -2}}, {Dilation: []int{0}},
		{Dilation: []int{9}}, {Dilation: []int{math.MaxInt}}, {Pad: []int{math.MaxInt}}, {Pad: []int{1 << 40}}, {BaseAxis: new(0)}, {BaseAxis: new(7)}} {
		p := fmt.Sprintf("%+v", o)
		same := nn.DepthwiseConvolutionOptions{BaseAxis: o.BaseAxis, Pad: o.Pad, Stride: o.Stride, Dilation: o.Dilation}
		svd := nn.SVDConvolutionOptions{BaseAxis: o.BaseAxis, Pad: o.Pad, Stride: o.Stride, Dilation: o.Dilation}
		cpd := nn.CPD3ConvolutionOptions{BaseAxis: o.BaseAxis, Pad: o.Pad, Stride: o.Stride, Dilation: o.Dilation}
		add("Convolution"+p, func(s scope) { nn.Convolution(s, x, 4, window, o) })
		add("DepthwiseConvolution"+p, func(s scope) { nn.DepthwiseConvolution(s, x, window, same) })
		add("SVDConvolution"+p, func(s scope) { nn.SVDConvolution(s, x, 4, window, 2, svd) })
		add("CPD3Convolution"+p, func(s scope) { nn.CPD3Convolution(s, x, 4, window, 2, cpd) })
		add("DeformableConvolution"+p, func(s scope) {
			nn.DeformableConvolution(s, x, 4, window, offset, nn.DeformableConvolutionOptions{ConvolutionOptions: o})
		})
		add("BinaryWeightConvolution"+p, func(s scope) {
			quant.BinaryWeightConvolution(s, x, 4, window, quant.BinaryConvolutionOptions{ConvolutionOptions: o})
		})
		add("INQConvolution"+p, func(s scope) {
			quant.INQConvolution(s, x, 4, window, quant.NewINQ(), quant.INQConvolutionOptions{ConvolutionOptions: o})
		})
	}
	for _, o := range []nn.DeconvolutionOptions{{Pad: []int{-1}}, {Pad: []int{9}}, {Pad: []int{1, 1, 1}}, {Stride: []int{0}}, {Dilation: []int{0}},
		{Stride: []int{math.MaxInt}}, {OutputPadding: []int{1}}, {OutputPadding: []int{-1}}, {Stride: []int{2}, OutputPadding: []int{1, 2}},
		{OutSize: []int{99}}, {OutSize: []int{-1}}, {OutSize: []int{4}, Pad: []int{0}}, {OutSize: []int{7, 7, 7}}, {OutSize: []int{7}, OutputPadding: []int{0}}} {
		p := fmt.Sprintf("%+v", o)
		add("Deconvolution"+p, func(s scope) { nn.Deconvolution(s, x, 4, window, o) })
		if o.OutputPadding == nil && o.OutSize == nil {
			same := nn.DepthwiseDeconvolutionOptions{Pad: o.Pad, Stride: o.Stride, Dilation: o.Dilation}
			add("DepthwiseDeconvolution"+p, func(s scope) { nn.DepthwiseDeconvolution(s, x, window, same) })
		}
	}
	for _, o := range []nn.DeformableConvolutionOptions{{DeformableGroup: -1}, {DeformableGroup: 3}, {DeformableGroup: 2},
		{Mask: waves(2, 18, 3, 3)}, {Mask: waves(2, 9, 3, 3).AsType(dtype.Complex64)}} {
		add(fmt.Sprintf("DeformableConvolution%+v", o), func(s scope) { nn.DeformableConvolution(s, x, 4, window, offset, o) })
	}
	for _, n := range []int{-1, 5} {
		add(fmt.Sprint("groups ", n), func(s scope) { nn.Convolution(s, x, 4, window, nn.ConvolutionOptions{Group: n}) })
		add(fmt.Sprint("groups ", n), func(s scope) { nn.Deconvolution(s, x, 4, window, nn.DeconvolutionOptions{Group: n}) })
		add(fmt.Sprint("divisor ", n), func(s scope) {
			nn.DepthwiseDeconvolution(s, x, window, nn.DepthwiseDeconvolutionOptions{Divisor: n})
		})
		add(fmt.Sprint("groups ", n), func(s scope) { nn.GroupNormalization(s, x, n) })
	}
	add("Affine of -1 outputs", func(s scope) { nn.Affine(s, rows, -1) })
	add("Affine of another OutShape", func(s scope) { nn.Affine(s, rows, 3, nn.AffineOptions{OutShape: []int{2, 2}}) })
	add("SVDAffine of rank 0", func(s scope) { nn.SVDAffine(s, rows, 3, 0) })
	add("SVDAffine of rank 9", func(s scope) { nn.SVDAffine(s, rows, 3, 9) })
	add("Embed of no inputs", func(s scope) { nn.Embed(s, rows.AsType(dtype.Int64), 0, 2) })
	add("Embed of another row", func(s scope) { nn.Embed(s, nd.FromSlice([]int{0, 3}), 3, 2) })
	add("Embed of another row from the end", func(s scope) { nn.Embed(s, nd.FromSlice([]int{0, -4}), 3, 2) })
	add("INQAffine without a state", func(s scope) { quant.INQAffine(s, rows, 3, nil) })
	add("Pow2Affine of -1 bits", func(s scope) {
		o := quant.Pow2AffineOptions{}
		o.W.N = -1
		quant.Pow2Affine(s, rows, 3, o)
	})
	add("FixedPointAffine of a step of -1", func(s scope) {
		o := quant.FixedPointAffineOptions{}
		o.B.Delta = -1
		quant.FixedPointAffine(s, rows, 3, o)
	})
	add("PrunedAffine by a rate of 2", func(s scope) {
		o := quant.PrunedAffineOptions{}
		o.W.Rate = new(2.)
		quant.PrunedAffine(s, rows, 3, o)
	})
	for _, p := range []float64{-1, 2, math.NaN()} {
		o := fmt.Sprint(" with probability ", p)
		add("Dropout"+o, func(s scope) { nn.Dropout(s, rows, p) })
		add("MultiHeadAttention"+o, func(s scope) {
			nn.MultiHeadAttention(s, steps, steps, steps, nn.MultiHeadAttentionOptions{NumHeads: 2, Dropout: p})
		})
		add("TransformerEncode"+o, func(s scope) { nn.TransformerEncode(s, steps, 2, nn.TransformerEncodeOptions{Dropout: &p}) })
		add("LSTM"+o, func(s scope) { nn.LSTM(s, steps, nil, 3, nn.RecurrentOptions{Dropout: p}) })
	}
	add("MultiHeadAttention of 3 heads", func(s scope) {
		nn.MultiHeadAttention(s, steps, steps, steps, nn.MultiHeadAttentionOptions{NumHeads: 3})
	})
	add("Transformer of 3 heads", func(s scope) { nn.Transformer(s, steps, steps, nn.TransformerOptions{NumHeads: 3}) })
	add("LSTM of a state of another shape", func(s scope) { nn.LSTM(s, steps, &nn.State{H: waves(2, 2)}, 3) })
	add("LSTMCell without a state", func(s scope) { nn.LSTMCell(s, rows, nil, 3) })

	for _, c := range calls {
		params := nn.NewScope()
		if !createsNothing(t, c.what, params, func() { c.call(params) }) {
			t.Errorf("%s is not refused", c.what)
		}
		params.Clear()
		model := params.Watch(grad.NewTape(), nn.WatchOptions{Rand: nd.NewRand(1)})
		if !createsNothing(t, c.what, params, func() { c.call(model) }) {
			t.Errorf("%s is not refused in training", c.what)
		}
	}
}
