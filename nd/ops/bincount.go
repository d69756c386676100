package ops

import (
	"math"
	"sync"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
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
	if onCPU(x) && x.Size() <= fewCounted && o.MinLength <= fewCounted {
		if y := countFew(x, o.Weights, o.MinLength); y != nil {
			return made.Keep(made.Own(y))
		}
	}
	most := release.Value[uint64](Max(x.Detach().View(dtype.Uint64))) // a negative number is the larger of two without a sign
	if most > math.MaxInt64 {
		panic(fn.Errorf([]*nd.Array{x}, "negative number %d", release.Value[int64](Min(x.Detach()))))
	}
	weights := o.Weights
	if weights == nil {
		weights = fn.NewFilled(dtype.Int64, nil, 1, x)
	}
	return made.Keep(sumPerNumber(fn, x, weights, max(o.MinLength, int(most)+1)))
}

// sumPerNumber sums the weights, or one for all, of each of n numbers. On the CPU it does so in blocks that stay in the cache between the check
// of the numbers and the sum. The order of a sum does not depend on the blocks.
func sumPerNumber(fn nd.Func, x, weights *nd.Array, n int) *nd.Array {
	sums, block := fn.NewFilled(weights.DType(), []int{n}, 0, x), x.Size()
	if onCPU(x) && !ufunc.Recorded(weights) {
		block = max(cachedBlock, 8*n)
	}
	for from := 0; from < x.Size(); from += block {
		part := nd.Span(from, min(from+block, x.Size()))
		some, summands := x.Index(part), weights
		if weights.Rank() > 0 {
			summands = weights.Index(part)
		}
		sums = release.Replace(sums, fn.Scatter(device.CombineSum, sums, []int{0}, 0, []*nd.Array{some}, summands, device.BoundsRaise))
		some.Release()
		release.Unless(summands, weights)
	}
	return sums
}

// fewCounted is the number of elements, and of counts, up to which launches would take longer than the counting: a power of two.
const fewCounted = 4096

// countRoom is memory for the numbers and the results of a call that counts on the host.
type countRoom struct {
	numbers, counts [fewCounted]int64
	weights, sums   [fewCounted]float64
}

var countRooms = sync.Pool{New: func() any { return new(countRoom) }}

// countFew counts few numbers, or sums their weights, on the host. It returns nil if a number is negative or not below fewCounted.
func countFew(x, weights *nd.Array, minLength int) *nd.Array {
	room := countRooms.Get().(*countRoom)
	defer countRooms.Put(room)
	numbers := room.numbers[:x.Size()]
	nd.CopyTo(numbers, x)
	var bits int64
	for _, v := range numbers {
		bits |= v
	}
	if uint64(bits) >= fewCounted {
		return nil
	}
	n, counts := max(minLength, int(bits)+1), &room.counts // n is at least the length of the result
	if weights != nil {
		sums, weight, most := &room.sums, room.weights[:len(numbers)], int64(0)
		nd.CopyTo(weight, weights)
		clear(sums[:n])
		for i, v := range numbers {
			sums[v&(fewCounted-1)] += weight[i]
			most = max(most, v)
		}
		return nd.FromSlice(sums[:max(minLength, int(most)+1)])
	}
	clear(counts[:n])
	for _, v := range numbers {
		counts[v&(fewCounted-1)]++
	}
	for n > minLength && counts[n-1] == 0 {
		n--
	}
	return nd.FromSlice(counts[:n])
}
