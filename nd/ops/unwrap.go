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
	// Axis is the axis to work along; a negative axis counts from the end. Nil means the last one.
	Axis Axes
	// Period is a number, or a 0-d array; the default is 2π. With an integer, such as nd.Scalar(360), integer arrays
	// stay integers.
	Period *nd.Array
	// Discont is the smallest distance between neighbours that counts as a jump; nil means half a period. Smaller
	// values than half a period have no effect.
	Discont *float64
}

// UnwrapOption is an [UnwrapOptions], or the axis alone.
type UnwrapOption interface {
	unwrap(UnwrapOptions) UnwrapOptions
}

func (o UnwrapOptions) unwrap(UnwrapOptions) UnwrapOptions { return o }
func (a Axes) unwrap(o UnwrapOptions) UnwrapOptions        { o.Axis = a; return o }

// Unwrap returns x with multiples of a period added along an axis, so that neighbours differ by at most half a period:
// angles that jump become continuous. Gradients treat the added multiples as constants.
// NumPy: unwrap.
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
	period = made.Own(argument.As(fn, x, period, t))
	half, halved := FloorDivide(period, 2), true
	if t.IsInteger() {
		halved = !nd.Value[bool](Remainder(period, 2))
	} else {
		half = Divide(period, 2)
	}
	within := Subtract(Remainder(Add(steps, half), period), half)
	if halved { // a step of half a period up stays up
		up := LogicalAnd(Equal(within, Negative(half)), Greater(steps, 0))
		within = Where(up, half, within)
	}
	jump := half
	if o.Discont != nil {
		jump = nd.Scalar(*o.Discont)
	} else if t.IsInteger() {
		jump = Divide(period, 2)
	}
	change := Where(Less(Absolute(steps), jump), 0, Subtract(within, steps))
	n := x.Dim(axis)
	later := Add(view.Span(x, axis, min(n, 1), n), CumSum(change, Over(axis)))
	parts := []*nd.Array{view.Span(x, axis, 0, min(n, 1)), later.AsType(t)}
	return made.Keep(concatenate(fn, parts, JoinOptions{Axis: Over(axis), DType: t}))
}
