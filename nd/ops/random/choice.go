package random

import (
	"math"
	"math/bits"
	"sync"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// ChoiceOptions are the options of Choice and ChoiceOf.
type ChoiceOptions struct {
	// Replace says whether a number may be drawn more than once; nil means it may.
	Replace *bool
	// P holds the probabilities of the numbers, which add up to 1; nil means equal probabilities.
	P *nd.Array
}

// Choice draws whole numbers from 0 to n-1 (int64, on the device of P).
// NumPy: random.choice (of a number).
func Choice(rng *nd.Rand, n int, shape []int, opts ...ChoiceOptions) *nd.Array {
	const fn nd.Func = "random.Choice"
	return choose(fn, rng, n, shape, options.Read(fn, opts), nil)
}

// ChoiceOf draws elements of x, or slices along the first axis if x has several axes. Gradients flow to x.
// NumPy: random.choice (of an array).
func ChoiceOf(rng *nd.Rand, x *nd.Array, shape []int, opts ...ChoiceOptions) *nd.Array {
	const fn nd.Func = "random.ChoiceOf"
	fn.Check(x)
	if x.Rank() == 0 {
		panic(fn.Errorf([]*nd.Array{x}, "want an axis to choose along"))
	}
	indices := choose(fn, rng, x.Dim(0), shape, options.Read(fn, opts), x.Device())
	defer indices.Release()
	return ops.Take(x, indices, ops.Over(0))
}

func choose(fn nd.Func, rng *nd.Rand, n int, shape []int, o ChoiceOptions, dev device.Device) *nd.Array {
	if err := broadcast.CheckShape(shape); err != nil {
		panic(fn.Errorf(nil, "%v", err))
	}
	count := broadcast.Size(shape)
	if n < 0 || n == 0 && count > 0 {
		panic(fn.Errorf(nil, "%d numbers to choose from: want at least one", n))
	}
	replace := o.Replace == nil || *o.Replace
	if !replace && count > n {
		panic(fn.Errorf(nil, "cannot draw %d of %d numbers without replacement", count, n))
	}
	if o.P != nil {
		made := fn.Temporaries(&o.P)
		defer made.Release()
		w := probabilities(fn, o.P, n, needed(count, replace))
		if dev != nil {
			w = made.Own(w.To(dev))
		}
		return made.Keep(pick(fn, rng, w.Reshape(1, n), count, replace).Reshape(shape...))
	}
	switch {
	case count == 0:
		return nd.Zeros(shape, nd.ArrayOptions{DType: dtype.Int64, Device: dev})
	case replace:
		y := remainders(fn, rng, uint64(n), shape, dev)
		return release.Replace(y, y.AsType(dtype.Int64))
	}
	y := withoutReplacement(fn, rng, n, count, dev)
	return release.Replace(y, y.Reshape(shape...))
}

// needed returns how many elements with a weight above 0 are needed to draw count elements.
func needed(count int, replace bool) int {
	if replace {
		return min(count, 1)
	}
	return count
}

// probabilities checks that p has n elements, at least need of them above 0, and returns them as float64.
func probabilities(fn nd.Func, p *nd.Array, n, need int) *nd.Array {
	fn.Check(p)
	if p.Rank() != 1 || p.Dim(0) != n {
		panic(fn.Errorf([]*nd.Array{p}, "want %d probabilities", n))
	}
	w := p.Detach().AsType(dtype.Float64)
	facts := factsOf(fn, w)
	facts.wantPossible(fn, w)
	tolerance := math.Sqrt(dtype.Info(dtype.Float64).Eps)
	if p.DType().IsFloat() {
		tolerance = math.Sqrt(dtype.Info(p.DType()).Eps)
	}
	if !(math.Abs(facts.sum-1) <= tolerance) {
		panic(fn.Errorf([]*nd.Array{p}, "the probabilities add up to %v, want 1", facts.sum))
	}
	facts.wantEnough(fn, w, need)
	return w
}

// weightFacts holds the properties of weights that are checked before drawing with them.
type weightFacts struct {
	none     bool    // there are no weights
	possible bool    // no weight is negative or NaN
	sum      float64 // the sum of all weights
	fewest   int     // the smallest number of nonzero weights in a row
}

// factsOf waits once for the device.
func factsOf(fn nd.Func, w *nd.Array) weightFacts {
	if w.Size() == 0 {
		return weightFacts{none: true, possible: true}
	}
	made := fn.Temporaries(&w)
	defer made.Release()
	possible, fewest := ops.All(ops.GreaterEqual(w, 0)), ops.Min(ops.CountNonzero(w, ops.Over(-1)))
	all := []*nd.Array{possible.AsType(dtype.Float64), ops.Sum(w), fewest.AsType(dtype.Float64)}
	v := nd.ToSlice[float64](ops.Stack(all))
	return weightFacts{possible: v[0] != 0, sum: v[1], fewest: int(v[2])}
}

// wantPossible panics if a weight is negative or NaN.
func (f weightFacts) wantPossible(fn nd.Func, w *nd.Array) {
	if !f.possible {
		panic(fn.Errorf([]*nd.Array{w}, "a probability is below 0, or NaN"))
	}
}

// wantEnough panics if a row has too many zeros.
func (f weightFacts) wantEnough(fn nd.Func, w *nd.Array, need int) {
	if !f.none && f.fewest < need {
		panic(fn.Errorf([]*nd.Array{w}, "a row has fewer elements of a weight above 0 than the %d that are drawn", need))
	}
}

// RowOptions are the options of ChoiceOfRows.
type RowOptions struct {
	// Replace says whether an element may be drawn more than once; nil means it may.
	Replace *bool
}

// ChoiceOfRows draws elements of every row (along the last axis) of x, with probabilities in proportion to the weights
// w, which have x's shape. The shape of the draws replaces the last axis; with an empty shape one element is drawn, and
// the axis stays. Gradients flow to x.
// NNabla: random_choice.
func ChoiceOfRows(rng *nd.Rand, x, w *nd.Array, shape []int, opts ...RowOptions) *nd.Array {
	const fn nd.Func = "random.ChoiceOfRows"
	fn.Check(x, w)
	if x.Rank() == 0 || !broadcast.Equal(x.Shape(), w.Shape()) {
		panic(fn.Errorf([]*nd.Array{x, w}, "want weights for all elements, and an axis to choose along"))
	}
	if len(shape) == 0 {
		shape = []int{1}
	}
	if err := broadcast.CheckShape(shape); err != nil {
		panic(fn.Errorf([]*nd.Array{x, w}, "%v", err))
	}
	replace := options.Read(fn, opts).Replace == nil || *options.Read(fn, opts).Replace
	n, count := x.Dim(-1), broadcast.Size(shape)
	outer := x.Shape()[:x.Rank()-1]
	if n == 0 {
		panic(fn.Errorf([]*nd.Array{x, w}, "there is nothing to choose from"))
	}
	made := fn.Temporaries(&x, &w)
	defer made.Release()
	weights := w.Detach().AsType(dtype.Float64).Reshape(-1, n)
	facts := factsOf(fn, weights)
	facts.wantPossible(fn, weights)
	facts.wantEnough(fn, weights, needed(count, replace))
	indices := made.Own(pick(fn, rng, weights, count, replace))
	y := ops.TakeAlongAxis(x.Reshape(-1, n), indices, ops.Over(-1))
	return made.Keep(y.Reshape(append(append([]int{}, outer...), shape...)...))
}

// pick draws count indices (int64) of every row of weights, which have two axes and are checked already.
func pick(fn nd.Func, rng *nd.Rand, w *nd.Array, count int, replace bool) *nd.Array {
	made := fn.Temporaries(&w)
	defer made.Release()
	rows, n := w.Dim(0), w.Dim(1)
	o := nd.ArrayOptions{DType: dtype.Float64, Device: w.Device()}
	if replace {
		// Find the first running sum above a uniform fraction of the total. A weight of 0 adds nothing, so it is never
		// drawn.
		sums := ops.CumSum(w, ops.Over(1))
		total := sums.Index(nd.All(), nd.Span(n-1, n))
		draws := made.Own(fn.Random(rng, device.DistributionUniform, []int{rows, count}, o))
		return made.Keep(ops.SearchSorted(sums, ops.Multiply(draws, total), ops.SearchOptions{Right: true}))
	}
	// The order of exponential draws divided by their weights is the order of drawing one after the other (Efraimidis
	// and Spirakis 2006). For a weight of 0 the quotient is infinite or NaN, and comes last.
	keys := ops.Divide(made.Own(exponential.draw(rng, []int{rows, n}, []nd.ArrayOption{o}, 1)), w)
	order := ops.ArgSort(keys, ops.Over(1))
	return made.Keep(order.Index(nd.All(), nd.Until(count)).Copy())
}

// withoutReplacement draws some of n numbers without replacement: the first ones of a list that is shuffled from its beginning
// (Fisher and Yates). The draws are the same on every device.
func withoutReplacement(fn nd.Func, rng *nd.Rand, n, count int, dev device.Device) *nd.Array {
	s := newSource(fn, rng)
	s.expect(count)
	var y *nd.Array
	switch {
	case count < n/sparseRatio:
		y = nd.FromSlice(s.sparse(n, count))
	case n <= math.MaxInt32:
		r := rooms.Get().(*room)
		s.words = r.words
		r.list = numbered(r.list, n)
		shuffle(s, r.list, count)
		y = nd.FromSlice(r.list[:count])
		r.words = s.words[:0]
		rooms.Put(r)
		y = release.Replace(y, y.AsType(dtype.Int64))
	default:
		list := numbered[int64](nil, n)
		shuffle(s, list, count)
		y = nd.FromSlice(list[:count])
	}
	if dev != nil {
		return release.Replace(y, y.To(dev))
	}
	return y
}

// room is a list to shuffle, and words to draw. Later calls use it again.
type room struct {
	list  []int32
	words []uint64
}

var rooms = sync.Pool{New: func() any { return new(room) }}

// numbered returns the numbers from 0 to n-1, in room if that is long enough.
func numbered[T int32 | int64](room []T, n int) []T {
	if cap(room) < n {
		room = make([]T, n)
	}
	list := room[:n]
	for i := range list {
		list[i] = T(i)
	}
	return list
}

// shuffle draws the first elements of a list, each from those that are left.
func shuffle[T int32 | int64](s *source, list []T, count int) {
	for i := 0; i < count; {
		if s.read == len(s.words) {
			s.draw()
		}
		for _, word := range s.words[s.read:] {
			s.read++
			rest := list[i:]
			if j, ok := fromWord(uint64(len(rest)), word); ok {
				rest[0], rest[j] = rest[j], rest[0]
				i++
			}
			if i == count {
				return
			}
		}
	}
}

// sparseRatio is the ratio of numbers to draws from which it pays to store only the elements that were exchanged.
const sparseRatio = 32

// sparse is shuffle for a list of which only the first elements, which are drawn, and those that were exchanged with them are stored.
func (s *source) sparse(n, count int) []int64 {
	drawn, exchanged := make([]int64, count), newExchanges(count)
	for i := range drawn {
		drawn[i] = int64(i)
	}
	for i := range drawn {
		var there *int64
		var j uint64
		for ok := false; !ok; {
			j, ok = fromWord(uint64(n-i), s.Uint64())
		}
		if j += uint64(i); j < uint64(count) {
			there = &drawn[j]
		} else {
			there = exchanged.find(int(j))
		}
		drawn[i], *there = *there, drawn[i]
	}
	return drawn
}

// exchanges holds the elements of a shuffled list that were exchanged: a hash table with open addressing.
type exchanges struct {
	slots []exchange
	shift int // of the hash, which leaves as many bits as there are slots
}

// exchange is an element of the list: the number that was there at first, plus 1, and the one that is there now.
type exchange struct {
	first int
	now   int64
}

// newExchanges returns room for some exchanges, which fill at most half of it.
func newExchanges(most int) exchanges {
	length := bits.Len(uint(2 * most))
	return exchanges{slots: make([]exchange, 1<<length), shift: 64 - length}
}

// find returns the element that is now at an index of the list.
func (e *exchanges) find(i int) *int64 {
	const golden = 0x9e3779b97f4a7c15
	for k := uint64(i) * golden >> e.shift; ; k = (k + 1) & uint64(len(e.slots)-1) {
		switch p := &e.slots[k]; p.first {
		case i + 1:
			return &p.now
		case 0:
			*p = exchange{i + 1, int64(i)}
			return &p.now
		}
	}
}

// Permutation returns the whole numbers from 0 to n-1 (int64) in random order. Of the options only Device counts.
// NumPy: random.permutation. PyTorch: randperm.
func Permutation(rng *nd.Rand, n int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.Permutation"
	if n < 0 {
		panic(fn.Errorf(nil, "%d numbers: want at least 0", n))
	}
	return withoutReplacement(fn, rng, n, n, fn.ArrayOptions(opts).Device)
}

// Shuffled returns x with the slices along an axis, the first by default, in random order. Gradients flow to x.
// NumPy: random.permutation (of an array).
func Shuffled(rng *nd.Rand, x *nd.Array, over ...ops.Axes) *nd.Array {
	const fn nd.Func = "random.Shuffled"
	fn.Check(x)
	axis := fn.Axis(x, options.Read(fn, over), 0)
	order := Permutation(rng, x.Dim(axis), nd.ArrayOptions{Device: x.Device()})
	defer order.Release()
	return ops.Take(x, order, ops.Over(axis))
}

// Shuffle puts the slices along an axis of x, the first by default, in random order, in place.
// NumPy: random.shuffle.
func Shuffle(rng *nd.Rand, x *nd.Array, over ...ops.Axes) {
	nd.Func("random.Shuffle").CheckWritable(x)
	y := Shuffled(rng, x, over...)
	defer y.Release()
	x.Assign(y)
}
