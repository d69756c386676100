package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// ReduceKind says how ReduceAlongAxis combines an element with the values for its index.
type ReduceKind string

const (
	ReduceSum  ReduceKind = "sum"  // the sum
	ReduceProd ReduceKind = "prod" // the product
	ReduceMean ReduceKind = "mean" // the mean, rounded down for integers
	ReduceMax  ReduceKind = "max"  // the largest
	ReduceMin  ReduceKind = "min"  // the smallest
)

// ReduceAlongOptions are the options of ReduceAlongAxis.
type ReduceAlongOptions struct {
	// ExcludeSelf leaves out x's own element if there are values for its index.
	ExcludeSelf bool
}

// ReduceAlongAxis returns x with each element combined with the values for its index, which the indices along an axis
// give as in AddAlongAxis. At a tie the gradient of an extreme goes to x's own element if it is among the equal
// elements, otherwise to the first of the values. NaN counts both as the largest and as the smallest. Second derivatives of products hold only if no factor is
// 0. For index_reduce, the indices have one axis and apply to all rows of values.
// PyTorch: scatter_reduce, index_reduce (with indices of one axis).
func ReduceAlongAxis(x, indices, values *nd.Array, axis Axes, how ReduceKind, opts ...ReduceAlongOptions) *nd.Array {
	const fn nd.Func = "ops.ReduceAlongAxis"
	combine, known := map[ReduceKind]device.Combine{ReduceSum: device.CombineSum, ReduceProd: device.CombineProd, ReduceMean: device.CombineSum,
		ReduceMax: device.CombineMax, ReduceMin: device.CombineMin}[how]
	if !known {
		panic(fn.Errorf([]*nd.Array{x, indices, values}, "%q: want sum, prod, mean, max or min", how))
	}
	exclude := options.Read(fn, opts).ExcludeSelf
	fn.Check(x, indices, values)
	given := indices
	if indices.Rank() == 1 && x.Rank() > 1 && x.Rank() == values.Rank() {
		at := oneAxis(fn, x, axis)
		along, shape := broadcast.Ones(x.Rank()), values.Shape()
		along[at], shape[at] = indices.Size(), indices.Size()
		indices = indices.Reshape(along...)
		indices = release.Replace(indices, indices.BroadcastTo(shape...))
	}
	defer release.Unless(indices, given)
	made, at, used := flatTargets(fn, &x, &indices, &values, axis)
	defer made.Release()
	r := scatterTargets{fn: fn, at: []*nd.Array{at}, n: x.Size()}
	shape, flat := x.Shape(), x.Reshape(-1)
	var y *nd.Array
	switch combine {
	case device.CombineSum:
		y = r.sum(flat, used, how == ReduceMean, exclude)
	case device.CombineProd:
		if exclude {
			flat = r.assign(flat, nd.OnesLike(used))
		}
		y = r.product(flat, used.AsType(x.DType()))
	default:
		if x.DType().IsComplex() {
			panic(fn.Errorf([]*nd.Array{x}, "complex numbers have no order here"))
		}
		y = r.extreme(combine, flat, used.AsType(x.DType()), exclude)
	}
	return made.Keep(release.Replace(y, y.Reshape(shape...)))
}

// scatterTargets holds the targets of the values: elements of a 1-d array with n elements.
type scatterTargets struct {
	fn nd.Func
	at []*nd.Array
	n  int
}

func (r scatterTargets) combine(combine device.Combine, x, values *nd.Array) *nd.Array {
	return r.fn.Scatter(combine, x, []int{0}, 0, r.at, values, device.BoundsRaise)
}

func (r scatterTargets) assign(x, values *nd.Array) *nd.Array {
	return r.combine(device.CombineAssign, x, values)
}

// gather returns the elements of x at the targets of the values.
func (r scatterTargets) gather(x *nd.Array) *nd.Array {
	return r.fn.Gather(x, []int{0}, 0, r.at, device.BoundsRaise)
}

func (r scatterTargets) sum(x, values *nd.Array, mean, exclude bool) *nd.Array {
	own := 1.0
	y := x
	if exclude {
		own, y = 0, r.assign(x, nd.ZerosLike(values))
	}
	y = r.combine(device.CombineSum, y, values)
	if !mean {
		return y
	}
	counts := r.fn.NewFilled(x.DType(), []int{r.n}, own, x)
	counts = Maximum(r.combine(device.CombineSum, counts, nd.OnesLike(values.Detach())), 1)
	if x.DType().IsInexact() {
		return Divide(y, counts)
	}
	return FloorDivide(y, counts)
}

// extreme takes the winning values: x itself, or the first of the values that equal the extreme.
func (r scatterTargets) extreme(combine device.Combine, x, values *nd.Array, exclude bool) *nd.Array {
	count := values.Size()
	if count == 0 {
		return x.Copy()
	}
	own, seen := x.Detach(), values.Detach()
	largest := own
	if exclude {
		largest = r.assign(own, seen)
	}
	largest = r.combine(combine, largest, seen)
	numbers := nd.ArangeInt(0, count, 1, nd.ArrayOptions{Device: x.Device()}).Reshape(values.Shape()...)
	first := r.fn.NewFilled(dtype.Int64, []int{r.n}, float64(count), x)
	first = r.combine(device.CombineMin, first, Where(same(seen, r.gather(largest)), numbers, count))
	untouched := Equal(first, count)
	if !exclude {
		untouched = LogicalOr(untouched, same(own, largest))
	}
	return Where(untouched, x, Take(values.Ravel(), Minimum(first, count-1)))
}

// same reports, per element, whether two arrays are equal or both NaN.
func same(a, b *nd.Array) *nd.Array {
	if !a.DType().IsFloat() {
		return Equal(a, b)
	}
	return LogicalOr(Equal(a, b), LogicalAnd(IsNaN(a), IsNaN(b)))
}

func (r scatterTargets) product(x, values *nd.Array) *nd.Array {
	y := r.combine(device.CombineProd, x.Detach(), values.Detach())
	r.fn.Record(productAlongOp{r.fn, r.n}, append([]*nd.Array{x, values}, r.at...), y)
	return y
}

// productAlongOp multiplies elements by the values for their indices.
type productAlongOp struct {
	fn nd.Func
	n  int
}

func (productAlongOp) Claims() nd.Claims { return nd.Claims{In: 7} }

// VJP: the gradient of a factor is the product of the others. It is computed as the product of all nonzero factors
// divided by this factor; it is 0 if another factor is 0.
func (op productAlongOp) VJP(c *nd.Call) {
	x, values, g := c.In(0), c.In(1), c.Gy(0)
	r := scatterTargets{op.fn, []*nd.Array{c.In(2)}, op.n}
	one, zero := nd.Scalar(1), nd.Scalar(0)
	nonzero := func(v *nd.Array) *nd.Array { return Where(Equal(v, zero), one, v) }
	isZero := func(v *nd.Array) *nd.Array { return Equal(v, zero).AsType(dtype.Int64) }
	rest := r.product(nonzero(x), nonzero(values))
	zeros := r.combine(device.CombineSum, isZero(x), isZero(values))
	others := func(v, rest, zeros *nd.Array) *nd.Array {
		left := Subtract(zeros, isZero(v))
		return Conj(Where(Equal(left, zero), Divide(rest, nonzero(v)), zero))
	}
	if c.Needs(0) {
		c.SetGx(0, Multiply(g, others(x, rest, zeros)))
	}
	if c.Needs(1) {
		c.SetGx(1, Multiply(r.gather(g), others(values, r.gather(rest), r.gather(zeros))))
	}
}
