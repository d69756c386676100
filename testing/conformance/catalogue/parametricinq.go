package catalogue

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/quant"
)

// parametricINQRows is the chapter of layers with a step count. The documents keep the state in a function object and
// call it several times with a list of inputs; updates are added to W after each call.
var parametricINQRows = []Row{
	{Signature: "nnabla.parametric_functions.inq_affine(inp, n_outmaps, base_axis=1, num_bits=4, inq_iterations=(), selection_algorithm='random', seed=-1, w_init=None, i_init=None, b_init=None, fix_parameters=False, rng=None, with_bias=True, name=None, updates=None)",
		Func: func(s *nn.Scope, x any, out []int, rng *nd.Rand, opts ...inqAffine) []*nd.Array {
			o := options.Read(parametric, opts)
			o.OutShape = out
			state := o.state(rng)
			defer state.Release()
			return o.steps(s, x, "inq_affine/W", func(x *nd.Array) *nd.Array {
				return quant.INQAffine(s, x, broadcast.Size(out), state, o.INQAffineOptions)
			})
		}, StraightThrough: true, Ignores: ownStream, Note: parametricINQNote},
	{Signature: "nnabla.parametric_functions.inq_convolution(inp, outmaps, kernel, pad=None, stride=None, dilation=None, group=1, num_bits=4, inq_iterations=(), selection_algorithm='random', seed=-1, w_init=None, i_init=None, b_init=None, base_axis=1, fix_parameters=False, rng=None, with_bias=True, name=None, updates=None)",
		Func: func(s *nn.Scope, x any, out int, kernel []int, rng *nd.Rand, opts ...inqConvolution) []*nd.Array {
			o := options.Read(parametric, opts)
			state := o.state(rng)
			defer state.Release()
			return o.steps(s, x, "inq_conv/W", func(x *nd.Array) *nd.Array {
				return quant.INQConvolution(s, x, out, kernel, state, o.INQConvolutionOptions)
			})
		}, StraightThrough: true, Ignores: ownStream, Note: parametricINQNote},
}

const parametricINQNote = "the options of quantisation are those of the state, `quant.NewINQ`"

type inqAffine struct {
	quant.INQAffineOptions
	inqSteps
}

type inqConvolution struct {
	quant.INQConvolutionOptions
	inqSteps
}

// inqSteps holds the options of the state, and the updates between its steps.
type inqSteps struct {
	NumBits            int
	INQIterations      []int
	SelectionAlgorithm string
	Seed               *int
	Updates            []*nd.Array
}

func (o *inqSteps) state(rng *nd.Rand) *quant.INQ {
	if o.Seed != nil && *o.Seed >= 0 {
		rng = nd.NewRand(uint64(*o.Seed))
	}
	if o.SelectionAlgorithm == "" {
		o.SelectionAlgorithm = "random"
	}
	return quant.NewINQ(quantize.INQOptions{NumBits: o.NumBits, Iterations: o.INQIterations, SelectionAlgorithm: quantize.INQSelection(o.SelectionAlgorithm), Rand: rng})
}

// steps calls a layer with one input, or with each input of a list.
func (o *inqSteps) steps(s *nn.Scope, inputs any, weights string, layer func(x *nd.Array) *nd.Array) []*nd.Array {
	xs, ok := inputs.([]*nd.Array)
	if !ok {
		x, ok := inputs.(*nd.Array)
		if !ok {
			panic(parametric.Errorf(nil, "inp is a %T: want an array, or a list of arrays", inputs))
		}
		xs = []*nd.Array{x}
	}
	var ys []*nd.Array
	for i, x := range xs {
		ys = append(ys, layer(x))
		if i < len(o.Updates) && s.Training() {
			updated := ops.Add(s.Param(weights).Value(), o.Updates[i])
			s.Set(weights, updated)
			updated.Release()
		}
	}
	return ys
}
