package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
)

// statisticsRows is the chapter of statistics, order and sets, for names that NumPy has and the documents lack.
var statisticsRows = []Row{
	{Signature: "numpy.nansum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True)", Func: ops.NanSum},
	{Signature: "numpy.nanprod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True)", Func: ops.NanProd},
	{Signature: "numpy.nanmean(a, axis=None, dtype=None, out=None, keepdims=False, where=True)", Func: ops.NanMean},
	{Signature: "numpy.nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, mean=None, where=True)", Func: ops.NanVar},
	{Signature: "numpy.nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, mean=None, where=True)", Func: ops.NanStd},
	{Signature: "numpy.nanargmax(a, axis=None, out=None, keepdims=False)", Func: ops.NanArgMax, NoGrad: true},
	{Signature: "numpy.nanargmin(a, axis=None, out=None, keepdims=False)", Func: ops.NanArgMin, NoGrad: true},
	{Signature: "numpy.nancumsum(a, axis=None, dtype=None)", Func: ops.NanCumSum},
	{Signature: "numpy.nancumprod(a, axis=None, dtype=None)", Func: ops.NanCumProd},
	{Signature: "numpy.median(a, axis=None, out=None, keepdims=False)", Func: ops.Median},
	{Signature: "numpy.nanmedian(a, axis=None, out=None, keepdims=False)", Func: ops.NanMedian},
	{Signature: "numpy.quantile(a, q, axis=None, out=None, method='linear', keepdims=False, weights=None)", Func: ops.Quantile},
	{Signature: "numpy.percentile(a, q, axis=None, out=None, method='linear', keepdims=False, weights=None)", Func: ops.Percentile},
	{Signature: "numpy.nanquantile(a, q, axis=None, out=None, method='linear', keepdims=False, weights=None)", Func: ops.NanQuantile},
	{Signature: "numpy.nanpercentile(a, q, axis=None, out=None, method='linear', keepdims=False, weights=None)", Func: ops.NanPercentile},
	{Signature: "numpy.cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, dtype=None)", Func: ops.Cov},
	{Signature: "numpy.corrcoef(x, y=None, rowvar=True, dtype=None)", Func: ops.CorrCoef},
	{Signature: "numpy.histogram(a, bins=10, range=None, density=False, weights=None)", Func: histogram},
	{Signature: "numpy.histogram_bin_edges(a, bins=10, range=None, weights=None)", Func: func(a *nd.Array, bins any, between *[2]float64, weights *nd.Array) *nd.Array {
		o := histogramBins(a, bins, between)
		o.Weights = weights
		return ops.HistogramBinEdges(a, o)
	}, NoGrad: true},
	{Signature: "numpy.digitize(x, bins, right=False)", Func: ops.Digitize, NoGrad: true},
	{Signature: "numpy.partition(a, kth, axis=-1)", Func: ops.Partition},
	{Signature: "numpy.argpartition(a, kth, axis=-1)", Func: ops.ArgPartition, NoGrad: true},
	{Signature: "numpy.unique(ar, axis=None, equal_nan=True, n_results=1)", Func: unique},
	{Signature: "numpy.isin(element, test_elements, assume_unique=False, invert=False)", Func: ops.IsIn, Ignores: []string{"assume_unique"}, NoGrad: true},
	{Signature: "numpy.intersect1d(ar1, ar2, assume_unique=False)", Func: ops.Intersect1D, Ignores: []string{"assume_unique"}},
	{Signature: "numpy.union1d(ar1, ar2)", Func: ops.Union1D},
	{Signature: "numpy.setdiff1d(ar1, ar2, assume_unique=False)", Func: ops.SetDiff1D, Ignores: []string{"assume_unique"}},
	{Signature: "numpy.setxor1d(ar1, ar2, assume_unique=False)", Func: ops.SetXor1D, Ignores: []string{"assume_unique"}},
	{Signature: "numpy.diff(a, n=1, axis=-1, prepend=None, append=None)", Func: diff},
	{Signature: "numpy.ediff1d(ary, to_end=None, to_begin=None)", Func: ops.EDiff1D},
	{Signature: "numpy.gradient(f, *varargs, axis=None, edge_order=1)", Func: func(x *nd.Array, spacing []*nd.Array, axes []int, order int) []*nd.Array {
		return ops.Gradient(x, ops.GradientOptions{Axes: axes, Spacing: spacing, EdgeOrder: order})
	}},
	{Signature: "numpy.trapezoid(y, x=None, dx=1.0, axis=-1)", Func: ops.Trapezoid},
	{Signature: "numpy.interp(x, xp, fp, left=None, right=None, period=None)", Func: ops.Interp},
	{Signature: "numpy.convolve(a, v, mode='full')", Func: conv.Convolve1D},
	{Signature: "numpy.correlate(a, v, mode='valid')", Func: conv.Correlate1D},
	{Signature: "numpy.array_equal(a1, a2, equal_nan=False)", Func: ops.ArrayEqual, NoGrad: true},
	{Signature: "numpy.array_equiv(a1, a2)", Func: ops.ArrayEquiv, NoGrad: true},
	{Signature: "numpy.packbits(a, axis=None, bitorder='big')", Func: ops.PackBits, NoGrad: true},
	{Signature: "numpy.unpackbits(a, axis=None, count=None, bitorder='big')", Func: ops.UnpackBits, NoGrad: true},
	{Signature: "numpy.put(a, ind, v, mode='raise')", Func: ops.Put, Writes: []string{"a"}},
	{Signature: "numpy.place(arr, mask, vals)", Func: ops.Place, Writes: []string{"arr"}},
	{Signature: "numpy.putmask(a, mask, values)", Func: ops.PutMask, Writes: []string{"a"}},
	{Signature: "numpy.extract(condition, arr)", Func: ops.Extract},
	{Signature: "numpy.choose(a, choices, mode='raise')", Func: ops.Choose},
	{Signature: "numpy.select(condlist, choicelist, default=0)", Func: ops.Select},
	{Signature: "numpy.diag_indices(n, ndim=2)", Func: ops.DiagIndices, NoGrad: true},
	{Signature: "numpy.ravel_multi_index(multi_index, dims, mode='raise', order='C')", Func: func(positions []*nd.Array, dims []int, mode []ops.IndexMode, order ops.ElementOrder) *nd.Array {
		o := ops.RavelOptions{Modes: mode, Order: order}
		if len(mode) == 1 {
			o = ops.RavelOptions{Mode: mode[0], Order: order}
		}
		return ops.RavelMultiIndex(positions, dims, o)
	}, NoGrad: true},
	{Signature: "numpy.unravel_index(indices, shape, order='C')", Func: ops.UnravelIndex, NoGrad: true},
	{Signature: "numpy.trim_zeros(filt, trim='fb', axis=None)", Func: ops.TrimZeros},
}

// histogramBins takes a number of bins, or their edges.
func histogramBins(a *nd.Array, bins any, between *[2]float64) ops.HistogramOptions {
	o := ops.HistogramOptions{Range: between}
	switch bins := bins.(type) {
	case *nd.Array:
		o.Edges = bins
	case string:
		if o.Rule = ops.BinRule(bins); bins == "" {
			panic(nd.Func("histogram").Errorf([]*nd.Array{a}, "no rule"))
		}
	case []any:
		o.Edges = asArray(bins, dtype.Unspecified).To(a.Device())
	default:
		if o.Bins = integer(bins); o.Bins == 0 {
			o.Bins = -1 // NumPy refuses 0 bins, which is the default here
		}
	}
	return o
}

func histogram(a *nd.Array, bins any, between *[2]float64, density bool, weights *nd.Array) []*nd.Array {
	o := histogramBins(a, bins, between)
	o.Density, o.Weights = density, weights
	counts, edges := ops.Histogram(a, o)
	return []*nd.Array{counts, edges}
}

// unique returns the values, or all results of UniqueAll.
func unique(x *nd.Array, axis ops.Axes, equalNaN bool, results int) []*nd.Array {
	o := ops.UniqueOptions{Axis: axis, EqualNaN: &equalNaN}
	if results < 2 {
		return []*nd.Array{ops.Unique(x, o)}
	}
	u := ops.UniqueAll(x, o)
	return []*nd.Array{u.Values, u.Indices, u.Inverse, u.Counts}
}

// strong converts a number to an array on x's device.
func strong(x, v *nd.Array) *nd.Array {
	if v != nil && v.IsScalar() {
		return v.To(x.Device())
	}
	return v
}

// diff converts the numbers before and after x to arrays, as NumPy does.
func diff(x *nd.Array, n, axis int, before, behind *nd.Array) *nd.Array {
	return ops.Diff(x, ops.DiffOptions{N: &n, Axis: ops.Over(axis), Prepend: strong(x, before), Append: strong(x, behind)})
}
