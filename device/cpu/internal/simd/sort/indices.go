package sort

import (
	"math/bits"

	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// Indices returns, in pairs, the indices of the keys in the order of a stable sort by key. pairs and spare have room for
// as many numbers as there are keys.
func Indices(keys, pairs, spare []int64) []int64 {
	p := pack(keys, pairs)
	if Sort(p.pairs, spare); p.cut {
		p.sortRuns()
	}
	return p.indices()
}

// PartitionIndices returns, in pairs, the indices of the keys that are less than number k of the sorted keys, then of those equal to it,
// then of the others, each in increasing order. The index at k is that of Indices. pairs and spare are as in Indices.
func PartitionIndices(keys, pairs, spare []int64, k int) []int64 {
	if len(keys) == 0 {
		return nil
	}
	Partition(pairs, spare, keys, k)
	pivot, less, others := pairs[k], 0, 0
	for i, key := range keys {
		pairs[less], spare[others] = int64(i), int64(i) // the next index overwrites one of them
		one := scalar.OneIf[int](key < pivot)
		less, others = less+one, others+1-one
	}
	indices, rest, greater := pairs[:len(keys)], spare[:others], 0
	for _, i := range rest {
		if keys[i] == pivot {
			indices[less] = i
			less++
			continue
		}
		rest[greater] = i
		greater++
	}
	copy(indices[less:], rest[:greater])
	return indices
}

// packed are keys, and pairs of a key and its index, each packed into one 64-bit number. If a key needs more bits than the index
// leaves, its lowest bits are cut off. Runs of pairs that are equal except for the cut bits must then be sorted by the whole keys.
type packed struct {
	keys, pairs []int64
	indexBits   int
	cut         bool
}

func pack(keys, pairs []int64) packed {
	n := len(keys)
	if n == 0 {
		return packed{}
	}
	low, high := bounds(keys)
	p := packed{keys: keys, pairs: pairs[:n], indexBits: bits.Len(uint(n - 1))}
	shift := max(0, bits.Len64(uint64(high)-uint64(low))+p.indexBits-64)
	p.cut = shift > 0
	for i, k := range keys {
		p.pairs[i] = int64(((uint64(k)-uint64(low))>>shift<<p.indexBits | uint64(i)) ^ 1<<63)
	}
	return p
}

func (p packed) mask() int64 { return 1<<p.indexBits - 1 }

// indices unpacks the indices, in place.
func (p packed) indices() []int64 {
	mask := p.mask()
	for i := range p.pairs {
		p.pairs[i] &= mask
	}
	return p.pairs
}

// bounds returns the lowest and the highest of some keys: of two at a time, which do not wait for each other.
func bounds[K Key](keys []K) (low, high K) {
	low, high = keys[0], keys[0]
	otherLow, otherHigh := low, high
	for ; len(keys) >= 2; keys = keys[2:] {
		low, high = min(low, keys[0]), max(high, keys[0])
		otherLow, otherHigh = min(otherLow, keys[1]), max(otherHigh, keys[1])
	}
	for _, k := range keys {
		low, high = min(low, k), max(high, k)
	}
	return min(low, otherLow), max(high, otherHigh)
}

// sortRuns sorts the runs of sorted pairs that are equal in the packed bits of the keys.
func (p packed) sortRuns() {
	keys, pairs, mask := p.keys, p.pairs, p.mask()
	for start := 0; start < len(pairs); {
		end := start + 1
		for inOrder := true; ; end++ {
			if end < len(pairs) && pairs[end]>>p.indexBits == pairs[end-1]>>p.indexBits {
				inOrder = inOrder && keys[pairs[end-1]&mask] <= keys[pairs[end]&mask]
				continue
			}
			if !inOrder {
				sortRunByKeys(keys, pairs[start:end], mask)
			}
			break
		}
		start = end
	}
}

// sortRunByKeys sorts pairs by their keys.
func sortRunByKeys(keys, run []int64, mask int64) {
	const few = 16
	n := len(run)
	if n <= few {
		for i := 1; i < n; i++ {
			p, at := run[i], i
			for ; at > 0 && keys[run[at-1]&mask] > keys[p&mask]; at-- {
				run[at] = run[at-1]
			}
			run[at] = p
		}
		return
	}
	room := make([]int64, 4*n)
	own, sorted := room[:n], room[3*n:]
	for i, p := range run {
		own[i] = keys[p&mask]
	}
	for i, index := range Indices(own, room[n:2*n], room[2*n:3*n]) {
		sorted[i] = run[index]
	}
	copy(run, sorted)
}
