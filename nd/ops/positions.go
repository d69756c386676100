package ops

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// DiagIndices returns the indices (int64) of the main diagonal of an array with the given number of axes of length n,
// as one array for each axis. Of the options only Device counts.
// NumPy: diag_indices.
func DiagIndices(n, axes int, opts ...nd.ArrayOption) []*nd.Array {
	const fn nd.Func = "ops.DiagIndices"
	if n < 0 || axes < 1 {
		panic(fn.Errorf(nil, "n = %d, %d axes: want at least 0, and at least one axis", n, axes))
	}
	at := nd.ArangeInt(0, n, 1, nd.ArrayOptions{Device: fn.ArrayOptions(opts).Device})
	return slices.Repeat([]*nd.Array{at}, axes)
}

// TrilIndices returns the rows and columns (int64) of the elements on and below diagonal k of a matrix. k counts from
// the main diagonal, positive to the right. Of the options only Device counts.
// NumPy: tril_indices.
func TrilIndices(rows, columns, k int, opts ...nd.ArrayOption) (row, column *nd.Array) {
	const fn nd.Func = "ops.TrilIndices"
	return triangleIndices(fn, rows, columns, k, fn.ArrayOptions(opts), false)
}

// TriuIndices returns the rows and columns (int64) of the elements on and above diagonal k of a matrix. k counts from
// the main diagonal, positive to the right. Of the options only Device counts.
// NumPy: triu_indices.
func TriuIndices(rows, columns, k int, opts ...nd.ArrayOption) (row, column *nd.Array) {
	const fn nd.Func = "ops.TriuIndices"
	return triangleIndices(fn, rows, columns, k-1, fn.ArrayOptions(opts), true)
}

func triangleIndices(fn nd.Func, rows, columns, k int, o nd.ArrayOptions, above bool) (row, column *nd.Array) {
	if rows < 0 || columns < 0 {
		panic(fn.Errorf(nil, "%d rows, %d columns: want at least 0", rows, columns))
	}
	on := nd.Tri(rows, columns, k, nd.ArrayOptions{DType: dtype.Bool, Device: o.Device})
	if above {
		on = release.Replace(on, LogicalNot(on))
	}
	at := fn.Nonzero(on)
	on.Release()
	return at[0], at[1]
}

// TrilIndicesFrom is TrilIndices for the rows and columns of a matrix, on its device.
// NumPy: tril_indices_from.
func TrilIndicesFrom(x *nd.Array, k int) (row, column *nd.Array) {
	const fn nd.Func = "ops.TrilIndicesFrom"
	checkMatrix(fn, x)
	return triangleIndices(fn, x.Dim(0), x.Dim(1), k, nd.ArrayOptions{Device: x.Device()}, false)
}

// TriuIndicesFrom is TriuIndices for the rows and columns of a matrix, on its device.
// NumPy: triu_indices_from.
func TriuIndicesFrom(x *nd.Array, k int) (row, column *nd.Array) {
	const fn nd.Func = "ops.TriuIndicesFrom"
	checkMatrix(fn, x)
	return triangleIndices(fn, x.Dim(0), x.Dim(1), k-1, nd.ArrayOptions{Device: x.Device()}, true)
}

func checkMatrix(fn nd.Func, x *nd.Array) {
	if fn.Check(x); x.Rank() != 2 {
		panic(fn.Errorf([]*nd.Array{x}, "want two axes"))
	}
}

// MaskIndices returns the rows and columns (int64) of the elements that mask, a function such as Triu or Tril, keeps:
// the elements of mask(m, k) that are not 0, for an n×n matrix m of ones. Of the options only Device counts.
// NumPy: mask_indices.
func MaskIndices(n int, mask func(x *nd.Array, k int) *nd.Array, k int, opts ...nd.ArrayOption) (row, column *nd.Array) {
	const fn nd.Func = "ops.MaskIndices"
	if n < 0 {
		panic(fn.Errorf(nil, "%d rows: want at least 0", n))
	}
	all := nd.Ones([]int{n, n}, nd.ArrayOptions{DType: dtype.Int64, Device: fn.ArrayOptions(opts).Device})
	left := release.Replace(all, mask(all, k))
	defer left.Release()
	checkMatrix(fn, left)
	at := fn.Nonzero(left)
	return at[0], at[1]
}

// ElementOrder is the order of an array's elements in a flattened array.
type ElementOrder string

const (
	OrderC ElementOrder = "C" // the last axis varies fastest
	OrderF ElementOrder = "F" // the first axis varies fastest
)

// RavelOptions are the options of RavelMultiIndex and UnravelIndex.
type RavelOptions struct {
	// Mode says what an index out of range means; the default is IndexRaise. UnravelIndex always raises.
	Mode IndexMode
	// Modes are the modes of the axes, if they differ.
	Modes []IndexMode
	// Order is the order of the elements; the default is OrderC.
	Order ElementOrder
}

// RavelMultiIndex returns the indices (int64) into a flattened array of the given shape that correspond to indices
// along each of its axes, which broadcast. Unless Mode is IndexWrap or IndexClip, it waits for the device.
// NumPy: ravel_multi_index.
func RavelMultiIndex(indices []*nd.Array, shape []int, opts ...RavelOptions) *nd.Array {
	const fn nd.Func = "ops.RavelMultiIndex"
	fn.Check(indices...)
	if len(indices) != len(shape) || len(shape) == 0 {
		panic(fn.Errorf(indices, "%d arrays of indices for %d axes", len(indices), len(shape)))
	}
	o := options.Read(fn, opts)
	steps := elementSteps(fn, indices, shape, o.Order)
	if o.Modes != nil && len(o.Modes) != len(shape) {
		panic(fn.Errorf(indices, "%d modes for %d axes: want one each", len(o.Modes), len(shape)))
	}
	indices = slices.Clone(indices)
	arguments := make([]**nd.Array, len(indices))
	for k := range indices {
		arguments[k] = &indices[k]
	}
	made := fn.Temporaries(arguments...)
	defer made.Release()
	flat := nd.Scalar(0)
	for k, at := range indices {
		if at.DType().IsInexact() {
			panic(fn.Errorf(indices, "indices must be integers"))
		}
		if shape[k] == 0 && at.Size() > 0 {
			panic(fn.Errorf(indices, "an array of shape %s has no indices", broadcast.FormatShape(shape)))
		}
		mode := o.Mode
		if o.Modes != nil {
			mode = o.Modes[k]
		}
		at = within(fn, at.AsType(dtype.Int64), shape[k], mode)
		flat = Add(flat, Multiply(at, steps[k]))
	}
	return made.Keep(flat)
}

// elementSteps returns the number of elements between neighbours along each axis of a contiguous array.
func elementSteps(fn nd.Func, operands []*nd.Array, shape []int, order ElementOrder) []int {
	if err := broadcast.CheckShape(shape); err != nil {
		panic(fn.Errorf(operands, "%v", err))
	}
	steps, step := make([]int, len(shape)), 1
	for i := range shape {
		k := i
		switch order {
		case "", OrderC:
			k = len(shape) - 1 - i
		case OrderF:
		default:
			panic(fn.Errorf(operands, "order %q: want C or F", order))
		}
		steps[k] = step
		step *= shape[k]
	}
	return steps
}

// within maps indices into an axis of length n, or panics if an index is outside it.
func within(fn nd.Func, at *nd.Array, n int, mode IndexMode) *nd.Array {
	switch mode.bounds(fn, at) {
	case device.BoundsWrap:
		return Remainder(at, n)
	case device.BoundsClip:
		return Clip(at, 0, n-1)
	}
	outside := LogicalOr(Less(at, 0), GreaterEqual(at, n))
	if at.Size() > 0 && nd.Value[bool](Any(outside)) {
		panic(fn.Errorf([]*nd.Array{at}, "an index is out of bounds for an axis of length %d", n))
	}
	return at
}

// UnravelIndex returns the indices (int64) along the axes of an array of the given shape that correspond to indices
// into the flattened array, as one array for each axis. It waits for the device.
// NumPy: unravel_index.
func UnravelIndex(at *nd.Array, shape []int, opts ...RavelOptions) []*nd.Array {
	const fn nd.Func = "ops.UnravelIndex"
	fn.Check(at)
	if at.DType().IsInexact() {
		panic(fn.Errorf([]*nd.Array{at}, "indices must be integers"))
	}
	if len(shape) == 0 && at.Rank() > 0 {
		panic(fn.Errorf([]*nd.Array{at}, "a 0-d array has one element, which needs no list of indices"))
	}
	steps := elementSteps(fn, []*nd.Array{at}, shape, options.Read(fn, opts).Order)
	made := fn.Temporaries(&at)
	defer made.Release()
	at = within(fn, at.AsType(dtype.Int64), broadcast.Size(shape), "")
	all := make([]*nd.Array, len(shape))
	for k, n := range shape {
		all[k] = made.Keep(Remainder(FloorDivide(at, steps[k]), n))
	}
	return all
}

// TrimEnds are the ends of the axes that TrimZeros trims.
type TrimEnds string

const (
	TrimFront TrimEnds = "f"  // the front
	TrimBack  TrimEnds = "b"  // the back
	TrimBoth  TrimEnds = "fb" // both
)

// TrimOptions are the options of TrimZeros.
type TrimOptions struct {
	// Axes are the axes to trim; negative ones count from the end. Nil means all.
	Axes Axes
	// Trim says which ends to trim; the default is TrimBoth.
	Trim TrimEnds
}

// TrimOption is a [TrimOptions], or the axes alone.
type TrimOption interface{ trim(TrimOptions) TrimOptions }

func (o TrimOptions) trim(TrimOptions) TrimOptions { return o }
func (a Axes) trim(o TrimOptions) TrimOptions      { o.Axes = a; return o }

// TrimZeros returns a view of x without the zeros at the ends of its axes: the smallest block that holds all elements
// that are not 0. It waits for the device.
// NumPy: trim_zeros.
func TrimZeros(x *nd.Array, opts ...TrimOption) *nd.Array {
	const fn nd.Func = "ops.TrimZeros"
	fn.Check(x)
	o := options.Of(fn, opts, Axes.trim)
	trim := o.Trim
	if trim == "" {
		trim = TrimBoth
	}
	if trim != TrimFront && trim != TrimBack && trim != TrimBoth && trim != "bf" {
		panic(fn.Errorf([]*nd.Array{x}, "trim %q: want f, b or fb", trim))
	}
	axes := broadcast.AllAxes(x.Rank())
	if o.Axes != nil {
		var err error
		if axes, err = broadcast.Axes(o.Axes, x.Rank()); err != nil {
			panic(fn.Errorf([]*nd.Array{x}, "%v", err))
		}
	}
	if len(axes) == 0 {
		return x
	}
	block := make([]nd.Index, x.Rank())
	given := x
	made := fn.Temporaries(&x)
	defer made.Release()
	for k, at := range fn.Nonzero(x.Detach()) {
		if block[k] = nd.All(); !slices.Contains(axes, k) {
			continue
		}
		from, to := 0, x.Dim(k)
		switch empty := at.Size() == 0; {
		case empty && trim != "b":
			from = to
		case empty:
			to = 0
		default:
			if trim != "b" {
				from = nd.Value[int](Min(at))
			}
			if trim != "f" {
				to = nd.Value[int](Max(at)) + 1
			}
		}
		block[k] = nd.Span(from, to)
	}
	return given.Index(block...)
}
