package ops

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// BinRule finds the number of a histogram's bins from the elements within its range.
type BinRule string

const (
	BinsAuto    BinRule = "auto"    // the larger of BinsSturges and BinsFD, where BinsFD is limited to twice BinsSqrt
	BinsFD      BinRule = "fd"      // Freedman and Diaconis, by the distance of the quartiles
	BinsDoane   BinRule = "doane"   // Sturges, corrected for skewness
	BinsScott   BinRule = "scott"   // by the standard deviation
	BinsStone   BinRule = "stone"   // the number with the least estimated error
	BinsRice    BinRule = "rice"    // twice the cube root of the number of elements
	BinsSturges BinRule = "sturges" // log₂ of the number of elements, plus 1
	BinsSqrt    BinRule = "sqrt"    // the square root of the number of elements
)

// HistogramOptions are the options of Histogram.
type HistogramOptions struct {
	// Bins is the number of bins of equal width; 0 means 10.
	Bins int
	// Rule finds the number of bins from the elements within the range. It replaces Bins, and does not work with Edges or
	// Weights.
	Rule BinRule
	// Edges are the bins' edges in increasing order, one more than bins; they replace Bins and Range.
	Edges *nd.Array
	// Range gives the beginning of the first bin and the end of the last; nil means the smallest and the largest
	// element.
	Range *[2]float64
	// Density divides by the total and the bins' widths, so that the integral is 1.
	Density bool
	// Weights, of x's shape, are summed per bin; nil counts elements.
	Weights *nd.Array
}

// Histogram returns the number of elements of x in each of a row of bins, and the bins' edges. The counts are int64;
// sums of weights have the weights' dtype, and a density is float64. A bin includes its lower edge but not its upper
// edge, except the last bin, which includes both. Elements outside of all bins and NaN are not counted. Histogram waits
// for the device. Gradients flow to the weights.
// NumPy: histogram. PyTorch: histc.
func Histogram(x *nd.Array, opts ...HistogramOptions) (counts, edges *nd.Array) {
	const fn nd.Func = "ops.Histogram"
	o := options.Read(fn, opts)
	made := fn.Temporaries(&x, &o.Weights, &o.Edges)
	defer made.Release()
	x, edges = binEdges(fn, x, o)
	made.Own(edges)
	n := edges.Size() - 1
	if o.Weights == nil {
		counts = countBins(fn, x, edges)
	} else {
		counts = scatterCounts(fn, binOf(x, edges), n, o.Weights.Ravel())
	}
	if !o.Density {
		return made.Keep(counts), made.Keep(edges)
	}
	widths := Subtract(edges.Index(nd.From(1)), edges.Index(nd.Until(-1))).AsType(dtype.Float64)
	return made.Keep(Divide(Divide(counts, widths), Sum(counts))), made.Keep(edges)
}

// HistogramBinEdges returns the edges of Histogram's bins.
// NumPy: histogram_bin_edges.
func HistogramBinEdges(x *nd.Array, opts ...HistogramOptions) *nd.Array {
	const fn nd.Func = "ops.HistogramBinEdges"
	made := fn.Temporaries(&x)
	defer made.Release()
	_, edges := binEdges(fn, x, options.Read(fn, opts))
	return made.Keep(edges)
}

// binEdges returns the flattened array, with bools as integers, and the edges.
func binEdges(fn nd.Func, x *nd.Array, o HistogramOptions) (flat, edges *nd.Array) {
	fn.Check(x)
	if x.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{x}, "complex numbers have no order"))
	}
	if w := o.Weights; w != nil {
		fn.Check(x, w)
		if !broadcast.Equal(w.Shape(), x.Shape()) {
			panic(fn.Errorf([]*nd.Array{x, w}, "want a weight for every element"))
		}
	}
	if x = x.Detach().Ravel(); x.DType().IsBool() {
		x = x.AsType(dtype.Uint8)
	}
	if o.Rule != "" && (o.Bins != 0 || o.Edges != nil || o.Weights != nil) {
		panic(fn.Errorf([]*nd.Array{x}, "Rule goes with neither Bins nor Edges nor Weights"))
	}
	if o.Edges != nil {
		return x, checkedEdges(fn, x, o.Edges)
	}
	n := o.Bins
	if n == 0 {
		n = 10
	}
	if n < 0 {
		panic(fn.Errorf([]*nd.Array{x}, "%d bins: want a positive number", n))
	}
	first, last := binEnds(fn, x, o.Range)
	if o.Rule != "" {
		n = binsByRule(fn, x, o.Rule, first, last, o.Range != nil)
	}
	return x, evenEdges(fn, x, n, first, last)
}

func checkedEdges(fn nd.Func, x, edges *nd.Array) *nd.Array {
	fn.Check(x, edges)
	if edges.Rank() != 1 || edges.Size() == 0 || edges.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{x, edges}, "want edges that are real numbers on one axis, at least one"))
	}
	if edges = edges.Detach(); !increasing(edges) {
		panic(fn.Errorf([]*nd.Array{x, edges}, "edges must increase"))
	}
	return edges
}

// increasing reports whether no element of a vector is larger than the next.
func increasing(x *nd.Array) bool {
	if x.Size() < 2 {
		return true
	}
	made := nd.Func("ops.Digitize").Temporaries(&x)
	defer made.Release()
	return !nd.Value[bool](Any(Greater(x.Index(nd.Until(-1)), x.Index(nd.From(1)))))
}

// binEnds returns the beginning of the first bin and the end of the last: the given range, or the smallest and the
// largest element.
func binEnds(fn nd.Func, x *nd.Array, between *[2]float64) (first, last float64) {
	ends := [2]float64{0, 1}
	switch {
	case between != nil:
		ends = *between
	case x.Size() > 0:
		ends[0], ends[1] = extremes[float64](fn, x)
	}
	first, last = ends[0], ends[1]
	if math.IsInf(first-last, 0) || math.IsNaN(first-last) || first > last {
		panic(fn.Errorf([]*nd.Array{x}, "bins from %v to %v: want finite numbers in order", first, last))
	}
	if first == last {
		first, last = first-0.5, last+0.5
	}
	return first, last
}

// extremes returns the smallest and the largest element; it waits for the device once. On the CPU, waiting costs less than another array.
func extremes[T float64 | int64](fn nd.Func, x *nd.Array) (least, most T) {
	made := fn.Temporaries(&x)
	defer made.Release()
	ends := []*nd.Array{Min(x), Max(x)}
	if onCPU(x) {
		return nd.ToSlice[T](ends[0])[0], nd.ToSlice[T](ends[1])[0]
	}
	both := nd.ToSlice[T](Stack(ends))
	return both[0], both[1]
}

// evenEdges returns n+1 edges at equal distances, in float64 or x's own float dtype.
func evenEdges(fn nd.Func, x *nd.Array, n int, first, last float64) *nd.Array {
	edges := nd.Linspace(first, last, broadcast.Sum(n, 1), nd.SpaceOptions{DType: ufunc.Quotient(x.DType()), Device: x.Device()})
	made := fn.Temporaries(&edges)
	defer made.Release()
	if nd.Value[bool](Any(GreaterEqual(edges.Index(nd.Until(-1)), edges.Index(nd.From(1))))) {
		panic(fn.Errorf([]*nd.Array{x}, "%d bins from %v to %v: too many, they have no width", n, first, last))
	}
	return made.Keep(edges)
}

// binOf finds the bin of each element: below 0 or beyond the last bin for those outside.
func binOf(x, edges *nd.Array) *nd.Array {
	n := edges.Size() - 1
	at := Subtract(SearchSorted(edges, x, SearchOptions{Right: true}), 1)
	return Where(Equal(x, edges.Index(nd.At(n))), n-1, at)
}

// countBins counts the elements of each bin, on the CPU in blocks that stay in the caches. It counts by the number of edges that are not above an
// element, and adds the elements at the last edge to the last bin.
func countBins(fn nd.Func, x, edges *nd.Array) *nd.Array {
	n := edges.Size() - 1
	counts := fn.NewFilled(dtype.Int64, []int{n}, 0, x)
	if n == 0 {
		return counts
	}
	one := fn.NewFilled(dtype.Int64, nil, 1, x)
	last := edges.Index(nd.At(n))
	block := x.Size()
	if onCPU(x) {
		block = max(cachedBlock, n)
	}
	for from := 0; from < x.Size(); from += block {
		some := x.Index(nd.Span(from, min(from+block, x.Size())))
		at := SearchSorted(edges, some, SearchOptions{Right: true})
		all := fn.NewFilled(dtype.Int64, []int{n + 2}, 0, x)
		numbers := fn.Scatter(device.CombineSum, all, []int{0}, 0, []*nd.Array{at}, one, device.BoundsRaise)
		within, equal := numbers.Index(nd.Span(1, n+1)), Equal(some, last)
		ends := CountNonzero(equal)
		Add(counts, within, Into(counts))
		lastBin := counts.Index(nd.Span(n-1, n))
		Add(lastBin, ends, Into(lastBin))
		release.Operands(nil, some, at, all, numbers, within, equal, ends, lastBin)
	}
	release.Operands(nil, one, last)
	return counts
}

func flatWeights(fn nd.Func, x, w *nd.Array) *nd.Array {
	if w == nil {
		return fn.NewFilled(dtype.Int64, x.Shape(), 1, x)
	}
	return w.Ravel()
}

// scatterCounts sums weights per bin at. It ignores bins out of range of [0, n). Floats are added in float64.
func scatterCounts(fn nd.Func, at *nd.Array, n int, w *nd.Array) *nd.Array {
	t := w.DType()
	if t.IsFloat() {
		w = w.AsType(dtype.Float64)
	}
	zeros := fn.NewFilled(w.DType(), []int{n}, 0, at)
	return fn.Scatter(device.CombineSum, zeros, []int{0}, 0, []*nd.Array{at}, w, device.BoundsDrop).AsType(t)
}

// HistogramDDOptions are the options of HistogramDD and Histogram2D.
type HistogramDDOptions struct {
	// Bins are the numbers of bins of equal width, one per axis or one for all; nil means 10.
	Bins []int
	// Edges are the bins' edges, one array per axis; they replace Bins and Range.
	Edges []*nd.Array
	// Range gives the ends of the bins, one pair per axis, and makes the edges float64; nil means the smallest and the
	// largest elements.
	Range [][2]float64
	// Density divides by the total and the bins' volumes, so that the integral is 1.
	Density bool
	// Weights, one for each point, are summed per bin; nil counts points.
	Weights *nd.Array
}

// HistogramDD returns the number of points in each bin of a grid (float64), and the bins' edges along each axis. The
// points are the rows of a matrix; bins and edges are as in Histogram.
//
// Shapes: points (points, axes); the result has one axis for each coordinate of a point.
// NumPy: histogramdd.
func HistogramDD(points *nd.Array, opts ...HistogramDDOptions) (counts *nd.Array, edges []*nd.Array) {
	const fn nd.Func = "ops.HistogramDD"
	fn.Check(points)
	o := options.Read(fn, opts)
	if points.Rank() != 2 || points.Dim(1) == 0 {
		panic(fn.Errorf([]*nd.Array{points}, "want a matrix with a row for each point"))
	}
	axes := points.Dim(1)
	for what, n := range map[string]int{"Bins": len(o.Bins), "Edges": len(o.Edges), "Range": len(o.Range)} {
		if n != 0 && n != axes && !(what == "Bins" && n == 1) {
			panic(fn.Errorf([]*nd.Array{points}, "%d entries of %s for %d axes", n, what, axes))
		}
	}
	if o.Bins != nil && (len(o.Bins) == 0 || slices.Min(o.Bins) < 1) {
		panic(fn.Errorf([]*nd.Array{points}, "Bins %v: want positive numbers", o.Bins))
	}
	if w := o.Weights; w != nil {
		fn.Check(points, w)
		if w.Rank() != 1 || w.Dim(0) != points.Dim(0) {
			panic(fn.Errorf([]*nd.Array{points, w}, "want a weight for every point"))
		}
	}
	shape := make([]int, axes)
	edges = make([]*nd.Array, axes)
	made := fn.Temporaries(&points, &o.Weights)
	defer made.Release()
	volume := fn.NewFilled(dtype.Float64, nil, 1, points)
	var at *nd.Array
	for k := range axes {
		one := HistogramOptions{}
		if len(o.Bins) > 0 {
			one.Bins = o.Bins[min(k, len(o.Bins)-1)]
		}
		if o.Edges != nil {
			one.Edges = o.Edges[k]
		}
		if o.Range != nil {
			one.Range = &o.Range[k]
		}
		var x *nd.Array
		column := points.Index(nd.All(), nd.At(k))
		if one.Range != nil && one.Edges == nil { // the edges are float64, as in NumPy; Histogram's have x's dtype
			if column = column.Detach(); !column.DType().IsComplex() {
				column = column.AsType(dtype.Float64)
			}
		}
		x, edges[k] = binEdges(fn, column, one)
		made.Own(edges[k])
		n := edges[k].Size() - 1
		shape[k] = n
		at = nextAxis(at, binOf(x, edges[k]), n)
		widths := Subtract(edges[k].Index(nd.From(1)), edges[k].Index(nd.Until(-1)))
		volume = Multiply(volume.ExpandDims(-1), widths)
	}
	fn.CheckAllocatable(dtype.Float64, shape...)
	w := flatWeights(fn, at, o.Weights)
	counts = scatterCounts(fn, at, broadcast.Size(shape), w).AsType(dtype.Float64).Reshape(shape...)
	if o.Density {
		counts = Divide(Divide(counts, volume), Sum(counts))
	}
	for _, e := range edges {
		made.Keep(e)
	}
	return made.Keep(counts), edges
}

// nextAxis extends flat indices into a grid by an axis of length n; a bin out of range makes the whole index negative.
func nextAxis(at, bin *nd.Array, n int) *nd.Array {
	outside := LogicalOr(Less(bin, 0), GreaterEqual(bin, n))
	if at == nil {
		return Where(outside, -1, bin)
	}
	outside = LogicalOr(outside, Less(at, 0))
	return Where(outside, -1, Add(Multiply(at, n), bin))
}

// Histogram2D is HistogramDD of points whose coordinates are two vectors: x belongs to axis 0 of the counts, y to axis
// 1.
// NumPy: histogram2d.
func Histogram2D(x, y *nd.Array, opts ...HistogramDDOptions) (counts, xEdges, yEdges *nd.Array) {
	const fn nd.Func = "ops.Histogram2D"
	fn.Check(x, y)
	if x.Rank() != 1 || y.Rank() != 1 || x.Dim(0) != y.Dim(0) {
		panic(fn.Errorf([]*nd.Array{x, y}, "want two vectors of one length"))
	}
	points := Stack([]*nd.Array{x, y}, Over(1))
	defer points.Release()
	counts, edges := HistogramDD(points, opts...)
	return counts, edges[0], edges[1]
}

// DigitizeOptions are the options of Digitize.
type DigitizeOptions struct {
	// Right makes a bin include its upper edge and not its lower one.
	Right bool
}

// Digitize returns (int64) the number of the bin of each element: i where bins[i-1] ≤ x < bins[i], or for decreasing
// bins where bins[i-1] > x ≥ bins[i]; 0 and len(bins) beyond the ends. It waits for the device.
// NumPy: digitize.
func Digitize(x, bins *nd.Array, opts ...DigitizeOptions) *nd.Array {
	const fn nd.Func = "ops.Digitize"
	fn.Check(x, bins)
	if bins.Rank() != 1 || x.DType().IsComplex() || bins.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{x, bins}, "want real numbers, and bins on one axis"))
	}
	search := SearchOptions{Right: !options.Read(fn, opts).Right}
	made := fn.Temporaries(&x, &bins)
	defer made.Release()
	bins = bins.Detach()
	if increasing(bins) {
		return made.Keep(SearchSorted(bins, x, search))
	}
	if bins = bins.Flip(0); !increasing(bins) {
		panic(fn.Errorf([]*nd.Array{x, bins}, "bins must increase or decrease"))
	}
	return made.Keep(Subtract(bins.Size(), SearchSorted(bins, x, search)))
}
