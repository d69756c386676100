package quantize

import (
	"cmp"
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// Range is the interval of the numbers that integers represent. Other systems keep it beside integers, instead of a
// step, and calibration finds it: the range of a layer's results for typical inputs.
type Range struct{ Low, High float64 }

// RangeOf returns the smallest and the largest element of x, or zeros if x is empty.
func RangeOf(x *nd.Array) Range {
	const fn nd.Func = "quantize.RangeOf"
	fn.Check(x)
	if x.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{x}, "want real numbers"))
	}
	if x.Size() == 0 {
		return Range{}
	}
	x = x.Detach()
	defer x.Release()
	low, high := ops.Min(x), ops.Max(x)
	defer low.Release()
	defer high.Release()
	return Range{low.Float(), high.Float()}
}

// Max returns the larger of |Low| and |High|, which is Max of SymmetricOptions.
func (r Range) Max() float64 { return max(math.Abs(r.Low), math.Abs(r.High)) }

// DType returns the dtype of one byte with the finest steps: uint8 if no number is negative, otherwise int8.
func (r Range) DType() dtype.DType {
	if r.Low >= 0 {
		return dtype.Uint8
	}
	return dtype.Int8
}

// RangeOptions are the options of FromRange and Array.Range.
type RangeOptions struct {
	// Levels is the number of steps from 0 to the end of the range. 0 means the largest value of the dtype: 127 for int8,
	// 255 for uint8, 2³¹ - 1 for int32. MXNet's contrib_quantize_v2, quantized_elemwise_add and quantized_elemwise_mul
	// use 127.5 and 255.5.
	Levels float64
}

// FromRange returns integers that represent the numbers of a range: the value Levels represents r.Max(), and 0
// represents 0. values become those of the result; they are not copied.
func FromRange(values *nd.Array, r Range, opts ...RangeOptions) Array {
	const fn nd.Func = "quantize.FromRange"
	a := Array{Values: values}
	a.check(fn)
	most := r.Max()
	if math.IsNaN(most) || math.IsInf(most, 1) {
		panic(fn.Errorf([]*nd.Array{values}, "range from %v to %v: want finite numbers", r.Low, r.High))
	}
	a.Scale = most / a.levels(fn, options.Read(fn, opts))
	return a
}

// Range returns the range that a's dtype represents: the numbers of -Levels, or of 0 for unsigned integers, and of
// Levels. It is the opposite of FromRange, but for ranges whose ends differ in size.
func (a Array) Range(opts ...RangeOptions) Range {
	const fn nd.Func = "Array.Range"
	a.check(fn)
	levels := a.levels(fn, options.Read(fn, opts))
	least := -levels
	if a.Values.DType().IsUnsigned() {
		least = 0
	}
	return Range{(least - a.ZeroPoint) * a.Scale, (levels - a.ZeroPoint) * a.Scale}
}

// levels returns the number of steps to the end of a range.
func (a Array) levels(fn nd.Func, o RangeOptions) float64 {
	levels := cmp.Or(o.Levels, float64(dtype.Info(a.Values.DType()).MaxInt))
	if !(levels > 0) || math.IsInf(levels, 1) {
		panic(fn.Errorf([]*nd.Array{a.Values}, "Levels %v: want a positive number", o.Levels))
	}
	return levels
}
