package sequence

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// PackOptions are the options of PackPadded.
type PackOptions struct {
	// BatchFirst says that the axis of the sequences comes before the axis of time.
	BatchFirst bool
}

// PackPadded returns the steps of padded sequences without the padding: the first steps of all sequences, then the
// second steps of the unfinished sequences, and so on. It also returns the number of sequences at each time step
// (int64). The lengths must not grow from one sequence to the next. It waits for the lengths.
//
// Shapes: x (T, B, …), or (B, T, …) with BatchFirst, lengths (B); the results (N, …), with N the sum of the lengths,
// and (the longest length).
// NNabla: pack_padded_sequence.
func PackPadded(x, lengths *nd.Array, opts ...PackOptions) (packed, batchSizes *nd.Array) {
	const fn nd.Func = "sequence.PackPadded"
	fn.Check(x, lengths)
	in := []*nd.Array{x, lengths}
	first := options.Read(fn, opts).BatchFirst
	if x.Rank() < 2 {
		panic(fn.Errorf(in, "want axes of time and of sequences"))
	}
	time, batch, stepT, stepB := x.Dim(0), x.Dim(1), x.Dim(1), 1
	if first {
		time, batch, stepT, stepB = batch, time, 1, batch
	}
	counts := hostCounts(fn, lengths, in)
	if len(counts) != batch || batch == 0 || counts[0] > time || counts[batch-1] < 1 {
		panic(fn.Errorf(in, "want a length from 1 to %d for each of %d sequences", time, batch))
	}
	sizes := transposed(counts)
	var indices []int
	for t, n := range sizes {
		for b := range n {
			indices = append(indices, t*stepT+b*stepB)
		}
	}
	flat := x.Reshape(append([]int{time * batch}, x.Shape()[2:]...)...)
	packed = fn.Made(take(flat, indices))
	release.Unless(flat, x)
	return packed, fn.Made(nd.FromSliceOn(lengths.Device(), sizes))
}

// PadOptions are the options of PadPacked.
type PadOptions struct {
	// BatchFirst puts the axis of the sequences before the axis of time.
	BatchFirst bool
	// PaddingValue fills the steps beyond the end of a sequence.
	PaddingValue float64
	// TotalLength is the smallest length of the axis of time. Without it the axis has the length of the longest
	// sequence.
	TotalLength int
}

// PadPacked returns sequences that PackPadded packed as one array, padded beyond their ends, and their lengths (int64).
// It waits for the numbers of sequences.
//
// Shapes: packed (N, …), batchSizes (T); the results (T, B, …), or (B, T, …) with BatchFirst, and (B).
// NNabla: pad_packed_sequence.
func PadPacked(packed, batchSizes *nd.Array, opts ...PadOptions) (x, lengths *nd.Array) {
	const fn nd.Func = "sequence.PadPacked"
	fn.Check(packed, batchSizes)
	in := []*nd.Array{packed, batchSizes}
	o := options.Read(fn, opts)
	sizes := hostCounts(fn, batchSizes, in)
	total := 0
	for _, n := range sizes {
		total += n
	}
	if len(sizes) == 0 || sizes[len(sizes)-1] < 1 || packed.Rank() == 0 || packed.Dim(0) != total {
		panic(fn.Errorf(in, "want as many rows as the sequences have steps"))
	}
	time, batch := max(len(sizes), o.TotalLength), sizes[0]
	stepT, stepB := batch, 1
	if o.BatchFirst {
		stepT, stepB = 1, time
	}
	indices := slices.Repeat([]int{total}, time*batch) // the row of padding
	row := 0
	for t, n := range sizes {
		for b := range n {
			indices[t*stepT+b*stepB] = row
			row++
		}
	}
	shape := packed.Shape()
	padding := nd.Full(append([]int{1}, shape[1:]...), o.PaddingValue, nd.ArrayOptions{DType: packed.DType(), Device: packed.Device()})
	padded := ops.Concatenate([]*nd.Array{packed, padding})
	taken := take(padded, indices)
	padding.Release()
	padded.Release()
	outer := []int{time, batch}
	if o.BatchFirst {
		outer = []int{batch, time}
	}
	x = fn.Made(taken).Reshape(append(outer, shape[1:]...)...)
	release.Unless(taken, x)
	return x, fn.Made(nd.FromSliceOn(batchSizes.Device(), transposed(sizes)))
}

// Transpose turns sequences into their steps at each time: the first result holds the first step of every sequence, the
// second result the second step of those that have one, and so on. The lengths must not grow from one sequence to the
// next. Transpose is its own inverse.
//
// Shapes: xs[b] (T_b, …); the results (B_t, …).
// Chainer: transpose_sequence.
func Transpose(xs []*nd.Array) []*nd.Array {
	const fn nd.Func = "sequence.Transpose"
	if len(xs) == 0 {
		return nil
	}
	fn.Check(xs...)
	counts := make([]int, len(xs))
	starts := make([]int, len(xs))
	start := 0
	for b, x := range xs {
		if x.Rank() == 0 {
			panic(fn.Errorf(xs, "want an axis of time"))
		}
		counts[b], starts[b] = x.Dim(0), start
		start += x.Dim(0)
		if b > 0 && counts[b] > counts[b-1] {
			panic(fn.Errorf(xs, "sequence %d is longer than the one before: want the longest first", b))
		}
	}
	sizes := transposed(counts)
	if len(sizes) == 0 {
		return nil
	}
	var indices []int
	for t, n := range sizes {
		for b := range n {
			indices = append(indices, starts[b]+t)
		}
	}
	joined := ops.Concatenate(xs)
	packed := fn.Made(take(joined, indices))
	joined.Release()
	ys := make([]*nd.Array, len(sizes))
	row := 0
	for t, n := range sizes {
		ys[t] = rows(packed, row, row+n)
		row += n
	}
	release.Unless(packed, ys[0])
	return ys
}

// hostCounts returns the counts in an array. It panics if a count is larger than the one before.
func hostCounts(fn nd.Func, x *nd.Array, in []*nd.Array) []int {
	if x.Rank() != 1 || !x.DType().IsInteger() {
		panic(fn.Errorf(in, "want whole numbers in one axis"))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	values := nd.ToSlice[int64](x.Detach().AsType(dtype.Int64))
	counts := make([]int, len(values))
	for k, v := range values {
		counts[k] = int(v)
		if v < 0 || int64(counts[k]) != v || k > 0 && v > values[k-1] {
			panic(fn.Errorf(in, "number %d is %d: want numbers that do not grow, at least 0", k, v))
		}
	}
	return counts
}

// transposed turns lengths, which do not grow, into the numbers of lengths above 0, above 1, …, and back.
func transposed(counts []int) []int {
	if len(counts) == 0 {
		return nil
	}
	sizes := make([]int, counts[0])
	for _, n := range counts {
		for t := range n {
			sizes[t]++
		}
	}
	return sizes
}

// take gathers rows by indices from the host.
func take(x *nd.Array, indices []int) *nd.Array {
	at := nd.FromSliceOn(x.Device(), indices)
	defer at.Release()
	return ops.Take(x, at, ops.Over(0))
}
