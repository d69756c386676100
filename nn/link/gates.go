package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// Functions that several recurrent links use.

// linearOf returns a [Linear] layer inside another link. Its parameters below a name of the scope are W (out, in) and,
// unless noBias is set, b (out).
func linearOf(s *nn.Scope, name string, in, out int, noBias bool, w, b initializer.Initializer) layer.Product {
	p := layer.Weights{WInit: orDefault(w, initializer.LeCunNormal(1)), BInit: b, NoBias: noBias}
	weights, bias := p.Create(s.Sub(name), []int{out, in}, []int{out})
	return layer.Product{W: weights, B: bias, OutputsFirst: true}
}

// productOf is linearOf with a bias.
func productOf(s *nn.Scope, name string, in, out int, w, b initializer.Initializer) layer.Product {
	return linearOf(s, name, in, out, false, w, b)
}

// lateralOf is linearOf without a bias.
func lateralOf(s *nn.Scope, name string, in, out int, w initializer.Initializer) layer.Product {
	return linearOf(s, name, in, out, true, w, nil)
}

// temporaries replaces the arguments and the products' parameters by arrays for the function fn; see
// nd.Func.Temporaries.
func temporaries(fn nd.Func, arguments []**nd.Array, products ...*layer.Product) *nd.Temporaries {
	for _, p := range products {
		arguments = append(arguments, &p.W, &p.B)
	}
	return fn.Temporaries(arguments...)
}

// inputs checks the examples x of a link for the sizes of inputs and units, and returns the number of elements per
// example. A size of 0 accepts any number of elements.
func inputs(fn nd.Func, s *nn.Scope, x *nd.Array, size, units int) int {
	return inputsFrom(fn, s, x, 1, size, units)
}

// inputsFrom is inputs for examples that begin at an axis after the first.
func inputsFrom(fn nd.Func, s *nn.Scope, x *nd.Array, base, size, units int) int {
	layer.WantReal(fn, s.DType(), x)
	if x.Rank() < base+1 || units < 1 {
		panic(fn.Errorf([]*nd.Array{x}, "%d units: want at least one, and examples with at least one axis", units))
	}
	in := broadcast.Size(x.Shape()[base:])
	if size != 0 && size != in {
		panic(fn.Errorf([]*nd.Array{x}, "examples of %d numbers, want %d", in, size))
	}
	fn.CheckAllocatable(s.DType(), 4, units, max(in, units)) // of the weights of four gates, whose rows are counted
	return in
}

// inBlocks draws a weight in n blocks of rows, each with the shape of a separate weight.
func inBlocks(n int, initial initializer.Initializer) initializer.Initializer {
	initial = orDefault(initial, initializer.LeCunNormal(1))
	return func(rng *nd.Rand, shape []int, like nd.ArrayOptions) *nd.Array {
		blocks := make([]*nd.Array, n)
		for k := range blocks {
			blocks[k] = initial(rng, append([]int{shape[0] / n}, shape[1:]...), like)
		}
		return ops.Concatenate(blocks)
	}
}

// perUnit makes a bias of interleaved gates: initial makes the biases of one gate, forget those of gate 2.
func perUnit(initial, forget initializer.Initializer) initializer.Initializer {
	initial, forget = orDefault(initial, initializer.Constant(0)), orDefault(forget, initializer.Constant(0))
	return func(rng *nd.Rand, shape []int, like nd.ArrayOptions) *nd.Array {
		gates := make([]*nd.Array, 4)
		for k := range gates {
			of := initial
			if k == 2 {
				of = forget
			}
			gates[k] = of(rng, []int{shape[0] / 4}, like)
		}
		return ops.Stack(gates, ops.Over(1)).Ravel()
	}
}

// firstRows returns x[:n].
func firstRows(x *nd.Array, n int) *nd.Array {
	if x.Dim(0) == n {
		return x
	}
	return x.Index(nd.Until(n))
}
