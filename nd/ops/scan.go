package ops

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/alongaxis"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
	"github.com/ndgrad/ndgrad/nd/ops/internal/view"
)

// ScanOptions are the options of running sums and products.
type ScanOptions struct {
	// Axis is the axis to run along; a negative axis counts from the end. Nil means the flattened array.
	Axis Axes
	// Exclusive leaves out the element itself, so that the first result is 0 or 1.
	Exclusive bool
	// Reverse runs from the end.
	Reverse bool
	// IncludeInitial puts the initial value, 0 or 1, before the first result (with Reverse, behind the last one), which
	// makes the axis longer by one.
	IncludeInitial bool
	// DType is the dtype of the result; by default that of Sum.
	DType dtype.DType
}

// CumSum returns the running sums along an axis.
// NumPy: cumsum, cumulative_sum. NNabla: cumsum.
func CumSum(x *nd.Array, opts ...ScanOption) *nd.Array {
	const fn nd.Func = "ops.CumSum"
	return scan(fn, device.CombineSum, x, options.Of(fn, opts, Axes.scan))
}

// CumProd returns the running products along an axis.
// NumPy: cumprod, cumulative_prod. NNabla: cumprod.
func CumProd(x *nd.Array, opts ...ScanOption) *nd.Array {
	const fn nd.Func = "ops.CumProd"
	return scan(fn, device.CombineProd, x, options.Of(fn, opts, Axes.scan))
}

func scan(fn nd.Func, combine device.Combine, x *nd.Array, o ScanOptions) *nd.Array {
	fn.Check(x)
	along, axis := flatOr(fn, x, o.Axis)
	defer release.Unless(along, x)
	t := o.DType
	if !t.Valid() {
		t = dtype.SumType(x.DType())
	}
	loaded := ufunc.Loaded(along, t)
	defer release.Unless(loaded, along)
	y := scanOp{fn, combine, axis, o.Exclusive, o.Reverse}.apply(loaded, t)
	if !o.IncludeInitial {
		return y
	}
	shape, initial := y.Shape(), 0.0
	if combine == device.CombineProd {
		initial = 1
	}
	shape[axis] = 1
	parts := []*nd.Array{fn.NewFilled(t, shape, initial, y), y}
	if o.Reverse {
		slices.Reverse(parts)
	}
	return release.Operands(concatenate(fn, parts, JoinOptions{Axis: Over(axis)}), parts...)
}

// scanOp is a resolved scan.
type scanOp struct {
	fn                 nd.Func
	combine            device.Combine
	axis               int
	exclusive, reverse bool
}

func (op scanOp) apply(x *nd.Array, t dtype.DType) *nd.Array {
	y := op.fn.NewLike(t, x.Shape(), x)
	l := alongaxis.New(op.fn, x.Device(), x.Shape(), op.axis)
	l.Combine, l.Exclusive = op.combine, op.exclusive
	l.Write(y)
	l.Read(x)
	if op.reverse {
		l.Reverse()
	}
	l.Run(device.Device.Scan)
	op.fn.Record(op, []*nd.Array{x}, y)
	return y
}

func (op scanOp) Claims() nd.Claims {
	if op.combine == device.CombineSum {
		return nd.Claims{}
	}
	return nd.Claims{In: 1}
}

func (op scanOp) Traced() any {
	return traced.Scan{Combine: op.combine, Axis: op.axis, Exclusive: op.exclusive, Reverse: op.reverse}
}

// VJP: the gradient of a running sum is a running sum in the other direction. For a running product y_i = Πx_j, the
// gradient of x_k is Σ gy_i·Π(other factors of y_i) over the y_i that contain x_k. It is computed as the product of the
// elements before x_k times the sum over the rest. That needs no division, so it is correct at zeros.
func (op scanOp) VJP(c *nd.Call) {
	g := c.Gy(0)
	if op.combine == device.CombineSum {
		back := scanOp{op.fn, device.CombineSum, op.axis, op.exclusive, !op.reverse}
		c.SetGx(0, back.apply(g, g.DType()))
		return
	}
	x := c.In(0)
	n := x.Dim(op.axis)
	if n == 0 {
		c.SetGx(0, g)
		return
	}
	factor := op.later(Conj(x), 1)
	if op.exclusive {
		g = op.later(g, 1)
	}
	rest := op.recurrence(factor, g, n)
	before := scanOp{op.fn, op.combine, op.axis, true, op.reverse}.apply(x, g.DType())
	c.SetGx(0, Multiply(Conj(before), rest))
}

// recurrence returns r with r_k = b_k + a_k·r_(k+1) along the axis (towards its beginning in a reversed scan), by
// doubling: after a step of d, b_k holds the next 2d terms, and a_k the product of their factors. Nothing is multiplied
// by a 0 beyond the end, since a factor may be infinite. It releases a.
func (op scanOp) recurrence(a, b *nd.Array, n int) *nd.Array {
	given := b
	for d := 1; d < n; d *= 2 {
		now, later, end := [2]int{0, n - d}, [2]int{d, n}, [2]int{n - d, n}
		if op.reverse {
			now, later, end = later, now, [2]int{0, d}
		}
		part := func(x *nd.Array, of [2]int) *nd.Array { return view.Span(x, op.axis, of[0], of[1]) }
		// join appends the end of x to y in the order of the scan, and releases y.
		join := func(y, x *nd.Array) *nd.Array {
			parts := []*nd.Array{y, part(x, end)}
			if op.reverse {
				slices.Reverse(parts)
			}
			return release.Operands(Concatenate(parts, Over(op.axis)), parts...)
		}
		factor, before, next := part(a, now), part(b, now), part(b, later)
		more := release.Operands(Multiply(factor, next), next)
		sum := join(release.Operands(Add(before, more), before, more), b)
		release.Unless(b, given)
		b = sum
		if 2*d < n {
			next = part(a, later)
			product := join(release.Operands(Multiply(factor, next), next), a)
			a.Release()
			a = product
		}
		factor.Release()
	}
	a.Release()
	return b
}

// later returns x shifted: the elements d positions later in the order of the scan, and 0 beyond the end.
func (op scanOp) later(x *nd.Array, d int) *nd.Array {
	n := x.Dim(op.axis)
	shape := x.Shape()
	shape[op.axis] = d
	end := op.fn.NewFilled(x.DType(), shape, 0, x)
	parts := []*nd.Array{view.Span(x, op.axis, d, n), end}
	if op.reverse {
		parts = []*nd.Array{end, view.Span(x, op.axis, 0, n-d)}
	}
	return release.Operands(Concatenate(parts, Over(op.axis)), parts...)
}
