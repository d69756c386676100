package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/view"
)

// UnwrapOptions are the options of Unwrap.
type UnwrapOptions struct {
	// Axis is the axis to work along, negative ones counted from the end; nil means the last one.
	Axis Axes
	// Period is a number, or an array without axes: 2π unless given. An integer, such as nd.Scalar(360), leaves integers
	// integers.
	Period *nd.Array
	// Discont is how far neighbours must be apart for a jump; nil means half a period, which is also the least that counts.
	Discont *float64
}

// UnwrapOption is an [UnwrapOptions], or the axis alone.
type UnwrapOption interface {
	unwrap(UnwrapOptions) UnwrapOptions
}

func (o UnwrapOptions) unwrap(UnwrapOptions) UnwrapOptions { return o }
func (a Axes) unwrap(o UnwrapOptions) UnwrapOptions        { o.Axis = a; return o }

// Unwrap returns x with multiples of a period added along an axis, so that neighbours are no more than half a period apart:
// angles that jump become angles that go on. What is added is a constant to gradients. numpy.unwrap.
func Unwrap(x *nd.Array, opts ...UnwrapOption) *nd.Array {
	const fn nd.Func = "ops.Unwrap"
	fn.Check(x)
	o := options.Of(fn, opts, Axes.unwrap)
	period := o.Period
	if period == nil {
		period = nd.Scalar(2 * math.Pi)
	}
	if period.Rank() > 0 || x.DType().IsComplex() || period.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{x, period}, "want a real array, and a real number as the period"))
	}
	axis := fn.Axis(x, o.Axis, -1)
	made := fn.Temporaries(&x, &period)
	defer made.Release()
	steps := Diff(x.Detach(), Over(axis))
	t := dtype.ResultType(steps.Operand(), period.Operand())
	if t.IsBool() {
		panic(fn.Errorf([]*nd.Array{x, period}, "bools have no period"))
	}
	period = made.Own(argument.OnDeviceOf(x, period)).AsType(t)
	half, halved := FloorDivide(period, nd.Scalar(2)), true
	if t.IsInteger() {
		halved = !nd.Value[bool](Remainder(period, nd.Scalar(2)))
	} else {
		half = Divide(period, nd.Scalar(2))
	}
	within := Subtract(Remainder(Add(steps, half), period), half)
	if halved { // half a period up stays so, and does not become one down
		up := LogicalAnd(Equal(within, Negative(half)), Greater(steps, nd.Scalar(0)))
		within = Where(up, half, within)
	}
	jump := half
	if o.Discont != nil {
		jump = nd.Scalar(*o.Discont)
	} else if t.IsInteger() {
		jump = Divide(period, nd.Scalar(2))
	}
	change := Where(Less(Absolute(steps), jump), nd.Scalar(0), Subtract(within, steps))
	n := x.Dim(axis)
	later := Add(view.Span(x, axis, min(n, 1), n), CumSum(change, Over(axis)))
	parts := []*nd.Array{view.Span(x, axis, 0, min(n, 1)), later.AsType(t)}
	return made.Keep(concatenate(fn, parts, JoinOptions{Axis: Over(axis), DType: t}))
}
