package nnabla

import (
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// create makes the parameter of a variable, with the initial value that the variable states.
func (v *variable) create(params *nn.Scope) error {
	if v.Initializer == nil {
		return fmt.Errorf("the parameter %q is missing in the file, and has no initial value", v.Name)
	}
	lengths, ok := v.Shape.upTo(largestParameter)
	if !ok {
		return fmt.Errorf("the parameter %q has shape %v", v.Name, v.Shape.Dim)
	}
	if err := params.CheckParameter(v.Name, lengths); err != nil {
		return err
	}
	start, err := v.Initializer.of(lengths)
	if err != nil {
		return fmt.Errorf("the parameter %q: %w", v.Name, err)
	}
	params.Parameter(v.Name, lengths, start, true)
	return nil
}

// largestParameter is the largest number of elements that an initial value fills.
const largestParameter = 1 << 30

// of returns the initializer for a shape. Those of affine layers have the inputs in the first axis; those of convolutions
// have the outputs there, the inputs in the third axis from the end, or in the last axis for CL (channel last).
func (i *initial) of(shape []int) (initializer.Initializer, error) {
	scale := float64(i.Multiplier)
	switch i.Type {
	case "Constant":
		return initializer.Constant(scale), nil
	case "Range":
		return initializer.Range(0, scale), nil
	case "Normal":
		return initializer.Normal(scale), nil
	case "Uniform":
		return initializer.Uniform(-scale, scale), nil
	}
	distribution, rest := "", ""
	for _, d := range []string{"Normal", "Uniform"} {
		if after, ok := strings.CutPrefix(i.Type, d); ok {
			distribution, rest = d, after
		}
	}
	var in, out int
	var kernel []int
	switch n := len(shape); {
	case strings.HasPrefix(rest, "Affine") && n > 0:
		in, out, rest = shape[0], broadcast.Size(shape[1:]), rest[len("Affine"):]
	case strings.HasPrefix(rest, "Convolution") && n > 3:
		in, out, kernel, rest = shape[n-3], shape[0], shape[n-2:], rest[len("Convolution"):]
	case strings.HasPrefix(rest, "CLConv") && n > 3:
		in, out, kernel, rest = shape[n-1], shape[0], shape[1:3], rest[len("CLConv"):]
		rest = strings.TrimPrefix(rest, "olution")
	default:
		rest = ""
	}
	if size := int64(in) * int64(out); rest == "" || size == 0 {
		return nil, fmt.Errorf("the initializer %q of shape %s is unknown", i.Type, broadcast.FormatShape(shape))
	}
	var start initializer.Initializer
	switch distribution + rest {
	case "NormalHe", "NormalHeForward":
		start = initializer.NormalHeForward(in, out, kernel...)
	case "NormalHeBackward":
		start = initializer.NormalHeBackward(in, out, kernel...)
	case "NormalGlorot":
		start = initializer.NormalGlorot(in, out, kernel...)
	case "UniformGlorot":
		start = initializer.UniformGlorot(in, out, kernel...)
	default:
		return nil, fmt.Errorf("the initializer %q is unknown", i.Type)
	}
	return func(rng *nd.Rand, shape []int, like nd.ArrayOptions) *nd.Array {
		x := start(rng, shape, like)
		return ops.Multiply(x, scale, ops.Into(x))
	}, nil
}
