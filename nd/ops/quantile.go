package ops

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/alongaxis"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
	"github.com/ndgrad/ndgrad/nd/ops/internal/view"
)

// QuantileMethod chooses the value of a quantile that lies between two elements (Hyndman and Fan, Sample quantiles in
// statistical packages, 1996).
type QuantileMethod string

const (
	QuantileLinear                  QuantileMethod = "linear"                    // interpolates between the elements, at (n-1)·q
	QuantileLower                   QuantileMethod = "lower"                     // the element before
	QuantileHigher                  QuantileMethod = "higher"                    // the element behind
	QuantileMidpoint                QuantileMethod = "midpoint"                  // the mean of the elements before and behind
	QuantileNearest                 QuantileMethod = "nearest"                   // the nearer element
	QuantileInvertedCDF             QuantileMethod = "inverted_cdf"              // the first element at which the fraction q is reached
	QuantileAveragedInvertedCDF     QuantileMethod = "averaged_inverted_cdf"     // the same; if q is reached exactly, the mean with the next element
	QuantileClosestObservation      QuantileMethod = "closest_observation"       // the element whose number is nearest to n·q, the even one at a tie
	QuantileHazen                   QuantileMethod = "hazen"                     // at n·q + α + q·(1-α-β) - 1 with α = β = ½
	QuantileWeibull                 QuantileMethod = "weibull"                   // the same with α = β = 0
	QuantileMedianUnbiased          QuantileMethod = "median_unbiased"           // the same with α = β = ⅓
	QuantileNormalUnbiased          QuantileMethod = "normal_unbiased"           // the same with α = β = ⅜
	QuantileInterpolatedInvertedCDF QuantileMethod = "interpolated_inverted_cdf" // the same with α = 0 and β = 1
)

// QuantileOptions are the options of quantiles and percentiles.
type QuantileOptions struct {
	// Axes are the axes to reduce; negative axes count from the end. Nil means all, an empty slice none.
	Axes Axes
	// KeepDims leaves the reduced axes in the result, with length 1.
	KeepDims bool
	// Method chooses the value of a quantile between two elements; the default is QuantileLinear.
	Method QuantileMethod
	// Out receives the result, which broadcasts to its shape, converted to its dtype. Functions that skip NaN allow any
	// dtype, the others a dtype that same_kind casting allows. For a method that selects elements, Out must have the
	// shape of the result and a dtype that holds the values of x's dtype.
	Out *nd.Array
	// Weights say how much each element counts. They have x's shape, or the lengths of the axes, in their order; none
	// is below 0, and not all are 0. They need QuantileInvertedCDF: the result is the first element at which the
	// weights, added up in increasing order of the elements, reach the fraction q of their total. No gradient flows to
	// them.
	Weights *nd.Array
}

// quantileRule is a way to find a quantile among n sorted elements (Hyndman and Fan, Sample quantiles in statistical
// packages, 1996): between positions p and p+1, at the fraction t of the interval.
type quantileRule struct {
	at       *ufunc.Definition // computes t and p from the size n and q
	discrete bool              // takes the element at p itself
}

// position makes the program of a method. location computes v, the position as a real number, from the size and q. whole
// splits v into f, the position before v, and g, the fraction of the interval to the next position.
func position(location, whole string) *ufunc.Definition {
	return &ufunc.Definition{Fn: "ops.Quantile", In: "T size, T q", Out: "T, int64",
		Body: location + "; f = floor(v); g = v - f; " + whole + "; y = v < 0 ? T(0) : g; z = int64(max(min(f, size - 1), 0))"}
}

const (
	interpolated = "f = f"
	toWhole      = "f = v; g = v - v"
	// At the last element this gives the slope of the last interval.
	fromBelow = "f = v == size - 1 ? max(f - 1, 0) : f; g = v - f"
)

func continuous(alpha, beta string) quantileRule {
	return quantileRule{at: position("v = size * q + ("+alpha+" + q * (1 - "+alpha+" - "+beta+")) - 1", interpolated)}
}

// quantileMethods maps the names to the methods. It builds the map on first use.
var quantileMethods = sync.OnceValue(func() map[QuantileMethod]quantileRule {
	return map[QuantileMethod]quantileRule{
		QuantileLinear:                  {at: position("v = (size - 1) * q", fromBelow)},
		QuantileInterpolatedInvertedCDF: continuous("0", "1"),
		QuantileHazen:                   continuous("0.5", "0.5"),
		QuantileWeibull:                 continuous("0", "0"),
		QuantileMedianUnbiased:          continuous("(T(1) / 3)", "(T(1) / 3)"),
		QuantileNormalUnbiased:          continuous("0.375", "0.375"),
		QuantileAveragedInvertedCDF:     {at: position("v = size * q - 1", "g = g == 0 ? T(0.5) : T(1)")},
		QuantileMidpoint:                {at: position("v = (size - 1) * q; v = T(0.5) * (floor(v) + ceil(v))", "g = g == 0 ? T(0) : T(0.5)")},
		QuantileLower:                   {at: position("v = floor((size - 1) * q)", toWhole), discrete: true},
		QuantileHigher:                  {at: position("v = ceil((size - 1) * q)", toWhole), discrete: true},
		QuantileNearest:                 {at: position("v = rint((size - 1) * q)", toWhole), discrete: true},
		QuantileInvertedCDF:             {at: position("v = size * q - 1", "f = g == 0 ? f : f + 1"), discrete: true},
		QuantileClosestObservation:      {at: position("v = size * q - 1 - 0.5", "f = g == 0 && f - 2*floor(f / 2) == 1 ? f : f + 1"), discrete: true},
	}
})

// lerp is a at t = 0 and b at t = 1, computed from the nearer of the two, or from both if their difference leaves the
// range. Between a number and an infinity it is that infinity.
var lerp = ufunc.Definition{Fn: "ops.Quantile", In: "T a, T b, T t",
	Body: "d = b - a; up = a + d*t; down = b - d*(1 - t);" +
		"y = t == 0 || a == b ? a : (t == 1 ? b : (isinf(d) && !isinf(a) && !isinf(b) ? a*(1 - t) + b*t :" +
		"((t < T(0.5) || isinf(b)) && !isinf(a) ? up : down)))",
	Gradient: "ga = gy * (1 - t); gb = gy * t; gt = a == b ? T(0) : gy * (b - a)"}

// Quantile returns, for every number q from 0 to 1, the value below which the fraction q of the elements along the
// given axes lies. The axes of q come first in the result; a Scalar q adds none. A NaN among the elements makes the
// result NaN. If the method interpolates, integers give float64; otherwise the result has x's dtype. Quantile sorts,
// and waits for the device that holds q.
//
// The gradient goes to the elements from which the result is computed. If the method interpolates, a gradient also goes
// to q: the slope between the two elements next to the quantile. At an element that is the right-hand slope, at the
// last element the left-hand slope.
// NumPy: quantile.
func Quantile(x, q *nd.Array, opts ...QuantileOption) *nd.Array {
	const fn nd.Func = "ops.Quantile"
	return quantile(fn, x, q, 1, options.OfReduction(fn, opts, Axes.quantile, KeptAxes.quantile, Output.quantile), false)
}

// Percentile is Quantile of q/100, for numbers q from 0 to 100.
// NumPy: percentile.
func Percentile(x, q *nd.Array, opts ...QuantileOption) *nd.Array {
	const fn nd.Func = "ops.Percentile"
	return quantile(fn, x, q, 100, options.OfReduction(fn, opts, Axes.quantile, KeptAxes.quantile, Output.quantile), false)
}

// NanQuantile is Quantile of the elements that are not NaN; if all elements are NaN, the result is NaN.
// NumPy: nanquantile.
func NanQuantile(x, q *nd.Array, opts ...QuantileOption) *nd.Array {
	const fn nd.Func = "ops.NanQuantile"
	return quantile(fn, x, q, 1, options.OfReduction(fn, opts, Axes.quantile, KeptAxes.quantile, Output.quantile), true)
}

// NanPercentile is NanQuantile of q/100, for numbers q from 0 to 100.
// NumPy: nanpercentile.
func NanPercentile(x, q *nd.Array, opts ...QuantileOption) *nd.Array {
	const fn nd.Func = "ops.NanPercentile"
	return quantile(fn, x, q, 100, options.OfReduction(fn, opts, Axes.quantile, KeptAxes.quantile, Output.quantile), true)
}

func quantile(fn nd.Func, x, q *nd.Array, whole float64, o QuantileOptions, skipNaN bool) *nd.Array {
	fn.Check(x, q)
	made := fn.Temporaries(&x, &q, &o.Weights)
	defer made.Release()
	if x.IsScalar() {
		x = x.Copy()
	}
	method := methodNamed(fn, x, o.Method)
	if o.Weights != nil && o.Method != QuantileInvertedCDF {
		panic(fn.Errorf([]*nd.Array{x, o.Weights}, `weights with the method %q: want "inverted_cdf"`, o.Method))
	}
	parts := made.Own(quantileParts(fn, x, q, whole))
	t := x.DType()
	if whole == 1 && !q.DType().IsInexact() && method == quantileMethods()[QuantileLinear] {
		method = quantileMethods()[QuantileLower] // the first and the last element need no interpolation
	}
	if !method.discrete {
		t = interpolatedType(fn, x, q)
	}
	axes, kept := reduction.ReducedAxes(fn, x, o.Axes, o.KeepDims)
	shape := append(q.Shape(), kept...)
	switch {
	case o.Out == nil:
	case skipNaN:
		checkAssigned(fn, x, o.Out, shape)
	case method.discrete:
		ufunc.CheckTaken(fn, x, o.Out, shape, t)
	default:
		checkBroadcast(fn, x, o.Out, shape)
		ufunc.CheckCast(fn, x, o.Out, t)
	}
	rows, _ := asRows(x, axes)
	n := rows.Dim(1)
	if n == 0 && broadcast.Size(shape) > 0 {
		if !skipNaN || !t.IsInexact() {
			panic(fn.Errorf([]*nd.Array{x}, "there are no elements to take a quantile of"))
		}
		return made.Keep(reduction.Into(o.Out, fn.NewFilled(t, shape, math.NaN(), x)))
	}
	if o.Weights != nil {
		weights, _ := asRows(weightsOf(fn, x, o.Weights, o.Axes), axes)
		y := byWeight(fn, rows, weights, parts, partsType(x, q, whole), skipNaN)
		return made.Keep(reduction.Into(o.Out, y.Transpose().Contiguous().Reshape(shape...)))
	}
	sorted := Sort(rows)
	filled := fn.NewFilled(dtype.Float64, []int{1, 1}, float64(n), x)
	if skipNaN && x.DType().IsInexact() {
		filled = countNumbers(rows, []int{1}).AsType(dtype.Float64)
	}
	y := method.pick(sorted, filled, parts, t)
	if !skipNaN && x.DType().IsInexact() && n > 0 {
		y = orLast(sorted, y, t)
	}
	return made.Keep(reduction.Into(o.Out, y.Transpose().Contiguous().Reshape(shape...)))
}

// orLast returns y, replaced by the last element of a sorted row if that is NaN.
func orLast(sorted, y *nd.Array, t dtype.DType) *nd.Array {
	n := sorted.Dim(1)
	last := view.Span(sorted, 1, n-1, n)
	return release.Operands(unlessNaN(last, y, t), last)
}

// unlessNaN returns y, replaced by last where that is NaN.
func unlessNaN(last, y *nd.Array, t dtype.DType) *nd.Array {
	detached := last.Detach()
	missing := IsNaN(detached)
	converted := last.AsType(t)
	y = release.Operands(Where(missing, converted, y), detached, missing)
	release.Unless(converted, last)
	return y
}

// sortedSpan returns the elements [from, to) of the sorted rows of an array that no tape has recorded.
func sortedSpan(fn nd.Func, rows *nd.Array, from, to int) *nd.Array {
	y := fn.NewLike(rows.DType(), []int{rows.Dim(0), to - from}, rows)
	l := alongaxis.New(fn, rows.Device(), rows.Shape(), 1)
	l.From, l.Keep = from, to-from
	l.Write(y)
	l.Skip()
	l.Read(rows)
	l.Run(device.Device.Sort)
	return y
}

// pick returns quantiles, one column each, of the first n elements of sorted rows; n is a column, or one number for all
// rows.
func (m quantileRule) pick(sorted, n, parts *nd.Array, t dtype.DType) *nd.Array {
	made := m.at.Fn.Temporaries(&sorted, &n, &parts)
	defer made.Release()
	between, at := m.at.CallTwo(ufunc.PairOptions{}, n, parts)
	before := TakeAlongAxis(sorted, at, Over(1))
	if m.discrete {
		return made.Keep(before)
	}
	last := Maximum(Subtract(n, 1), 0).AsType(dtype.Int64)
	after := TakeAlongAxis(sorted, Minimum(Add(at, 1), last), Over(1))
	in := []*nd.Array{before.AsType(t), after.AsType(t), between.AsType(t)}
	return made.Keep(ufunc.Run(lerp.Fn, lerp.Program(t), nil, ufunc.Options{}, in))
}

func methodNamed(fn nd.Func, x *nd.Array, name QuantileMethod) quantileRule {
	if name == "" {
		name = QuantileLinear
	}
	m, ok := quantileMethods()[name]
	if !ok {
		all := fmt.Sprint(slices.Sorted(maps.Keys(quantileMethods())))
		panic(fn.Errorf([]*nd.Array{x}, "method %q: want one of %s", name, strings.ReplaceAll(strings.Trim(all, "[]"), " ", ", ")))
	}
	return m
}

// quantileParts reads q on the host, and returns q/whole on x's device.
func quantileParts(fn nd.Func, x, q *nd.Array, whole float64) *nd.Array {
	if x.DType().IsComplex() || q.DType().IsComplex() || q.Rank() > 2 {
		panic(fn.Errorf([]*nd.Array{x, q}, "want real numbers, and for q no more than two axes"))
	}
	made := fn.Temporaries(&q)
	defer made.Release()
	parts := nd.ToSlice[float64](q.Detach().AsType(dtype.Float64))
	for k, v := range parts {
		if parts[k] = v / whole; !(v >= 0 && v <= whole) {
			panic(fn.Errorf([]*nd.Array{x, q}, "%v is not in the range from 0 to %v", v, whole))
		}
	}
	if ufunc.Recorded(q) {
		return made.Keep(Divide(q.AsType(dtype.Float64).Reshape(-1), whole))
	}
	return nd.FromSliceOn(x.Device(), parts)
}

// interpolatedType returns the dtype of a value between two elements.
func interpolatedType(fn nd.Func, x, q *nd.Array) dtype.DType {
	if x.DType().IsBool() {
		panic(fn.Errorf([]*nd.Array{x}, "there is nothing between bools: use a method that takes elements, such as nearest"))
	}
	part := q.Operand()
	if !q.DType().IsInexact() { // an integer q is divided
		part = nd.Scalar(0.5).Operand()
		if !q.IsScalar() {
			part = dtype.Operand{DType: dtype.Float64}
		}
	}
	return dtype.ResultType(x.Operand(), part)
}

// Median returns the middle element along the given axes; for an even number of elements, the mean of the middle two.
// It returns NaN if one of the elements is NaN or if there are none. Integers give float64. The gradient goes to the
// middle elements.
// NumPy: median.
func Median(x *nd.Array, opts ...ReduceOption) *nd.Array {
	const fn nd.Func = "ops.Median"
	fn.Check(x)
	o := reduceOptions(fn, opts)
	o.isPlain(fn, x)
	t := meanTypeOf(x, o.DType, o.Out)
	axes, shape := reduction.ReducedAxes(fn, x, o.Axes, o.KeepDims)
	if o.Out != nil {
		ufunc.CheckOut(fn, x, o.Out, shape)
	}
	rows, _ := asRows(x, axes)
	n := rows.Dim(1)
	if n == 0 {
		y := release.Replace(rows, Mean(rows, ReduceOptions{Axes: Over(1), DType: t}))
		return fn.Made(reduction.Into(o.Out, release.Replace(y, y.Reshape(shape...))))
	}
	var middle, last *nd.Array // last is NaN if one of the elements is
	if onCPU(rows) && !ufunc.Recorded(x) && !x.DType().IsComplex() {
		middle = sortedSpan(fn, rows, (n-1)/2, n/2+1)
		last = Max(rows, ReduceOptions{Axes: Over(1), KeepDims: true})
	} else {
		sorted := Sort(rows)
		middle, last = view.Span(sorted, 1, (n-1)/2, n/2+1), view.Span(sorted, 1, n-1, n)
		sorted.Release()
	}
	rows.Release()
	y := release.Operands(Mean(middle, ReduceOptions{Axes: Over(1), KeepDims: true, DType: t}), middle)
	if t.IsInexact() && x.DType().IsInexact() {
		y = release.Replace(y, unlessNaN(last, y, t))
	}
	last.Release()
	return fn.Made(reduction.Into(o.Out, release.Replace(y, y.Reshape(shape...))))
}

// checkAssigned is ufunc.CheckOut for results that are assigned; leading axes of length 1 do not count.
func checkAssigned(fn nd.Func, x, out *nd.Array, shape []int) {
	fn.Check(x, out)
	for len(shape) > out.Rank() && shape[0] == 1 {
		shape = shape[1:]
	}
	checkBroadcast(fn, x, out, shape)
}

// checkBroadcast is ufunc.CheckOut for results that broadcast to Out's shape.
func checkBroadcast(fn nd.Func, x, out *nd.Array, shape []int) {
	fn.Check(x, out)
	if full, err := broadcast.Shapes(shape, out.Shape()); err != nil || !broadcast.Equal(full, out.Shape()) {
		ufunc.CheckOut(fn, x, out, shape)
	}
	fn.CheckWritable(out)
}

// NanMedian is Median of the elements that are not NaN; if all elements are NaN, the result is NaN. The result is
// assigned to Out and may broadcast to its shape.
// NumPy: nanmedian.
func NanMedian(x *nd.Array, opts ...ReduceOption) *nd.Array {
	const fn nd.Func = "ops.NanMedian"
	fn.Check(x)
	made := fn.Temporaries(&x)
	defer made.Release()
	o := reduceOptions(fn, opts)
	o.isPlain(fn, x)
	axes, shape := reduction.ReducedAxes(fn, x, o.Axes, o.KeepDims)
	if o.Out != nil {
		checkAssigned(fn, x, o.Out, shape)
	}
	t := meanTypeOf(x, o.DType, nil)
	if !x.DType().IsInexact() {
		return made.Keep(reduction.Into(o.Out, Median(x, ReduceOptions{Axes: o.Axes, KeepDims: o.KeepDims, DType: t})))
	}
	rows, _ := asRows(x, axes)
	if rows.Dim(1) == 0 {
		return made.Keep(reduction.Into(o.Out, Mean(rows, ReduceOptions{Axes: Over(1), DType: t}).Reshape(shape...)))
	}
	sorted := Sort(rows)
	n := countNumbers(rows, []int{1}).AsType(dtype.Int64)
	middle := FloorDivide(Subtract(concatenate(fn, []*nd.Array{n, Add(n, 1)}, JoinOptions{Axis: Over(1)}), 1), 2)
	two := TakeAlongAxis(sorted, Maximum(middle, 0), Over(1))
	return made.Keep(reduction.Into(o.Out, Mean(two, ReduceOptions{Axes: Over(1), DType: t}).Reshape(shape...)))
}
