package grad_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// Parts of an array that are used one by one give one gradient, however the array is split.
func TestPartsAddUp(t *testing.T) {
	cuts := map[string]func(x *nd.Array) *nd.Array{
		"rows": func(x *nd.Array) *nd.Array {
			y := nd.Zeros([]int{5})
			for i := range 4 {
				y = ops.Add(y, ops.Square(x.Index(nd.At(i))))
			}
			return y
		},
		"overlapping columns": func(x *nd.Array) *nd.Array {
			var y *nd.Array
			for i := range 3 {
				part := ops.Square(x.Index(nd.All(), nd.Span(i, i+3)))
				if y == nil {
					y = part
				} else {
					y = ops.Add(y, part)
				}
			}
			return y
		},
		"the array and its parts": func(x *nd.Array) *nd.Array {
			turned := x.T()
			return ops.Add(ops.Multiply(x, x), ops.Multiply(turned.Index(nd.At(1)), turned.Index(nd.At(0))).ExpandDims(1))
		},
	}
	for name, cut := range cuts {
		t.Run(name, func(t *testing.T) {
			x := ops.Divide(nd.ArangeInt(0, 20, 1).Reshape(4, 5), 7.0)
			gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return cut(xs[0]) }, x)
		})
	}
}

// Sums are not accumulated in gradients that the caller passed or receives.
func TestSumsLeaveGivenGradientsAlone(t *testing.T) {
	tape := grad.NewTape()
	x := tape.Watch(nd.Ones([]int{2, 3}))
	y := ops.Add(x.Reshape(6), x.Reshape(6))
	seed := nd.Ones([]int{6})
	g := tape.VJP([]*nd.Array{y}, []*nd.Array{seed}, x, y)
	if got := nd.Value[float64](ops.Sum(seed)); got != 6 {
		t.Errorf("the given gradient adds up to %v now, want 6", got)
	}
	if got := nd.Value[float64](ops.Sum(g[0])); got != 12 {
		t.Errorf("the gradient adds up to %v, want 12", got)
	}
	if got := nd.Value[float64](ops.Sum(g[1])); got != 6 {
		t.Errorf("the gradient of y adds up to %v, want 6", got)
	}
}

// If the caller passes a gradient for an array, gradients of the array's other uses are not added to it in place.
func TestGivenGradientsOfUsedArraysStay(t *testing.T) {
	uses := map[string]func(y *nd.Array) *nd.Array{
		"a part":    func(y *nd.Array) *nd.Array { return y.Index(nd.At(0)) },
		"the whole": func(y *nd.Array) *nd.Array { return ops.Exp(y) },
	}
	for name, use := range uses {
		t.Run(name, func(t *testing.T) {
			tape := grad.NewTape()
			defer tape.Release()
			x := tape.Watch(nd.Ones([]int{2, 3}))
			y := ops.Square(x)
			seed := nd.Ones([]int{2, 3})
			tape.VJP([]*nd.Array{y, use(y)}, []*nd.Array{seed, nil}, x)
			if got := nd.Value[float64](ops.Sum(seed)); got != 6 {
				t.Errorf("the given gradient adds up to %v now, want 6", got)
			}
		})
	}
}
