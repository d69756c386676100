package sort

import (
	"math"
	"math/bits"
)

// Indices returns, in pairs, the indices of the keys in the order of a stable sort by key. pairs and spare have room for
// as many numbers as there are keys.
//
// A key and its index are packed into one 64-bit number, and these numbers are sorted. If a key needs more bits than
// the index leaves, its lowest bits are cut off. Runs that are equal except for the cut bits are then sorted by the
// whole keys.
func Indices(keys, pairs, spare []int64) []int64 {
	n := len(keys)
	pairs = pairs[:n]
	if n == 0 {
		return pairs
	}
	low, high := bounds(keys)
	indexBits := bits.Len(uint(n - 1))
	shift := max(0, bits.Len64(uint64(high)-uint64(low))+indexBits-64)
	for i, k := range keys {
		pairs[i] = int64(((uint64(k)-uint64(low))>>shift<<indexBits | uint64(i)) ^ 1<<63)
	}
	Sort(pairs, spare)
	mask := int64(1)<<indexBits - 1
	if shift > 0 {
		sortTruncatedRuns(keys, pairs, indexBits)
	}
	for i := range pairs {
		pairs[i] &= mask
	}
	return pairs
}

// bounds returns the lowest and the highest key.
func bounds(keys []int64) (low, high int64) {
	low, high = math.MaxInt64, math.MinInt64
	for _, k := range keys {
		low, high = min(low, k), max(high, k)
	}
	return low, high
}

// sortTruncatedRuns sorts the runs of pairs that are equal in the packed bits of the keys.
func sortTruncatedRuns(keys, pairs []int64, indexBits int) {
	mask := int64(1)<<indexBits - 1
	for start := 0; start < len(pairs); {
		end := start + 1
		for inOrder := true; ; end++ {
			if end < len(pairs) && pairs[end]>>indexBits == pairs[end-1]>>indexBits {
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
