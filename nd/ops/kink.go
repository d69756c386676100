package ops

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// Kink chooses the gradient of a function where it has no derivative: at a corner, such as that of |x| at 0, and at a
// tie between the elements or operands of which the function returns one. Without it, every function follows its own
// convention. The section "At corners and ties" of docs/gradients.md lists the conventions, and what NNabla, Chainer
// and PyTorch choose. A function refuses a Kink that it does not have.
type Kink uint8

const (
	KinkLeft  Kink = iota + 1 // at a corner: the slope on its left
	KinkRight                 // at a corner: the slope on its right
	KinkLeast                 // at a corner: of all numbers from one slope to the other, that nearest 0
	KinkFirst                 // at a tie: everything to the first of the equal elements or operands
	KinkLast                  // at a tie: everything to the last of them
	KinkAll                   // at a tie: to each of them the whole gradient
	KinkEven                  // at a corner: the mean of both slopes; at a tie: to each the same part of the gradient
)

// String returns the last word of the constant's name, in lower case.
func (k Kink) String() string {
	names := [...]string{"", "left", "right", "least", "first", "last", "all", "even"}
	if int(k) >= len(names) {
		return fmt.Sprintf("Kink(%d)", uint8(k))
	}
	return names[k]
}

// atCorner returns the index of a Kink in the list left, right, least, even, which functions with corners have.
func (k Kink) atCorner(fn nd.Func, in ...*nd.Array) int {
	return argument.Choice(fn, in, "Kink", k, KinkLeft, KinkRight, KinkLeast, KinkEven)
}

// atTie returns the index of a Kink in the list first, last, all, even, which functions that choose have.
func (k Kink) atTie(fn nd.Func, in ...*nd.Array) int {
	return argument.Choice(fn, in, "Kink", k, KinkFirst, KinkLast, KinkAll, KinkEven)
}

// callAtCorner runs an elementwise function, by d without a Kink.
func callAtCorner(d *ufunc.Definition, cornered onDemand, x *nd.Array, opts []UfuncOption) *nd.Array {
	o, kink := kinkOptions(d.Fn, opts)
	if kink == 0 {
		return d.Call1(x, o)
	}
	d.Fn.Check(x)
	at := kink.atCorner(d.Fn, x)
	if !x.DType().IsInexact() {
		return d.Call1(x, o)
	}
	return cornered.definition().Call(o, []float64{float64(at)}, x)
}

// callAtTie runs an elementwise function that returns one of two operands, by d without a Kink.
func callAtTie(d *ufunc.Definition, tied onDemand, a, b *nd.Array, opts []UfuncOption) *nd.Array {
	o, kink := kinkOptions(d.Fn, opts)
	if kink == 0 {
		return d.Call2(a, b, o)
	}
	d.Fn.Check(a, b)
	at := kink.atTie(d.Fn, a, b)
	if !a.DType().IsInexact() && !b.DType().IsInexact() {
		return d.Call2(a, b, o)
	}
	return tied.definition().Call(o, [4][]float64{{1, 0}, {0, 1}, {1, 1}, {0.5, 0.5}}[at], a, b)
}

// extreme runs a reduction to the largest or smallest element.
func extreme(d *reduction.Definition, x *nd.Array, opts []ReduceOption) *nd.Array {
	o := tieOptions(d.Fn, opts)
	if o.Kink != 0 {
		d.Fn.Check(x)
		o.Kink.atTie(d.Fn, x)
		if o.Where != nil || o.Initial != nil {
			panic(d.Fn.Errorf([]*nd.Array{x}, "Kink excludes Where and Initial"))
		}
	}
	return combineWith(d, x, o)
}

// extremeVJP sends the gradient to the extreme elements that the Kink chooses; NaNs count as equal.
func extremeVJP(op reduction.Op, c *nd.Call) {
	x := c.In(0).Detach()
	switch kink := Kink(op.Kink); kink {
	case KinkAll, KinkEven:
		y := c.Out(0).Detach()
		tied := tiedElement.definition().Apply2(x.AsType(y.DType()), op.Spread(c, y))
		g := op.Spread(c, c.Gy(0))
		if kink == KinkEven {
			count := Sum(tied, ReduceOptions{Axes: op.Axes, KeepDims: true, DType: g.DType()})
			g = Divide(g, count)
		}
		c.SetGx(0, Where(tied, g, 0))
	default:
		sendToExtreme(op, c, x, kink == KinkLast)
	}
}
