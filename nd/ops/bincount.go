package ops

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// BincountOptions are the options of Bincount.
type BincountOptions struct {
	// Weights are summed per number, as float64; nil counts.
	Weights *nd.Array
	// MinLength is the least length of the result.
	MinLength int
}

// Bincount returns the count (int64) of each number from 0 to the largest among non-negative integers, or with weights
// their sums (float64). An empty input gives int64 zeros, whatever the weights. It waits for the device.
// NumPy: bincount.
func Bincount(x *nd.Array, opts ...BincountOptions) *nd.Array {
	const fn nd.Func = "ops.Bincount"
	fn.Check(x)
	o := options.Read(fn, opts)
	if x.Rank() != 1 || x.DType().IsInexact() {
		panic(fn.Errorf([]*nd.Array{x}, "want integers on one axis"))
	}
	if o.MinLength < 0 {
		panic(fn.Errorf([]*nd.Array{x}, "minimum length %d: want at least 0", o.MinLength))
	}
	if x.Size() == 0 {
		return nd.Zeros([]int{o.MinLength}, nd.ArrayOptions{DType: dtype.Int64, Device: x.Device()})
	}
	made := fn.Temporaries(&x, &o.Weights)
	defer made.Release()
	if o.Weights != nil {
		fn.Check(x, o.Weights)
		if !broadcast.Equal(o.Weights.Shape(), x.Shape()) {
			panic(fn.Errorf([]*nd.Array{x, o.Weights}, "want a weight for every number"))
		}
		if !dtype.CanCast(o.Weights.DType(), dtype.Float64, dtype.CastSafe) {
			panic(fn.Errorf([]*nd.Array{x, o.Weights}, "want weights of a dtype that float64 holds"))
		}
		o.Weights = o.Weights.AsType(dtype.Float64)
	}
	x = x.AsType(dtype.Int64)
	var values []int64
	var least, most int64
	if onCPU(x) && x.Size() <= fewCounted {
		values = nd.ToSlice[int64](x)
		least, most = slices.Min(values), slices.Max(values)
	} else {
		least, most = extremes[int64](fn, x)
	}
	if least < 0 {
		panic(fn.Errorf([]*nd.Array{x}, "negative number %d", least))
	}
	n := max(o.MinLength, int(most)+1)
	switch {
	case values != nil && n <= fewCounted && o.Weights != nil:
		return made.Keep(made.Own(nd.FromSlice(summed(values, nd.ToSlice[float64](o.Weights), n))))
	case values != nil && n <= fewCounted:
		return made.Keep(made.Own(nd.FromSlice(counted(values, n))))
	}
	weights := o.Weights
	if weights == nil {
		weights = fn.NewFilled(dtype.Int64, nil, 1, x)
	}
	zeros := fn.NewFilled(weights.DType(), []int{n}, 0, x)
	return made.Keep(fn.Scatter(device.CombineSum, zeros, []int{0}, 0, []*nd.Array{x}, weights, device.BoundsRaise))
}

// fewCounted is the number of elements, and of counts, up to which launches would take longer than the counting.
const fewCounted = 4096

// counted returns how often each number below n occurs.
func counted(values []int64, n int) []int64 {
	counts := make([]int64, n)
	for _, v := range values {
		counts[v]++
	}
	return counts
}

// summed returns the sums of the weights of each number below n.
func summed(values []int64, weights []float64, n int) []float64 {
	sums := make([]float64, n)
	for i, v := range values {
		sums[v] += weights[i]
	}
	return sums
}
