package order

import (
	"math"
	"slices"
	"unsafe"
)

// Key is a number that values are sorted by.
type Key interface{ int32 | int64 }

// Sort sorts keys. There is room for as many.
func Sort[K Key](x, spare []K) {
	switch {
	case len(x) < 2:
	case !vectors():
		plainSort(x, spare)
	default:
		quick(x, 4*log2(len(x)), nil)
	}
}

// Split cuts keys into parts, which it appends to a list: each is to be sorted for itself, and nothing in it is less than
// what is in those before. Parts are no longer than some length where the keys allow it.
func Split[K Key](x []K, length int, parts [][]K) [][]K {
	if !vectors() {
		return append(parts, x)
	}
	collect := func(part []K) bool {
		if len(part) > length {
			return false
		}
		parts = append(parts, part)
		return true
	}
	quick(x, 4*log2(len(x)), collect)
	return parts
}

func log2(n int) (k int) {
	for ; n > 1; n /= 2 {
		k++
	}
	return k
}

// quick sorts by partitions, until what is left fits the registers, or is taken. After many partitions that have moved
// little, another algorithm goes on.
func quick[K Key](x []K, depth int, taken func(part []K) bool) {
	for len(x) > networkLen[K]() {
		if taken != nil && taken(x) {
			return
		}
		if depth--; depth < 0 {
			slices.Sort(x)
			break
		}
		pivot := middle(x)
		at := Partition(x, pivot)
		if at == 0 { // nothing is less: what is equal is in order
			if pivot == largest[K]() {
				break
			}
			x = x[Partition(x, pivot+1):]
			continue
		}
		if small := x[:at]; at < len(x)-at {
			quick(small, depth, taken)
			x = x[at:]
		} else {
			quick(x[at:], depth, taken)
			x = small
		}
	}
	if len(x) > networkLen[K]() || len(x) < 2 || taken != nil && taken(x) {
		return
	}
	network(x)
}

func largest[K Key]() K {
	if unsafe.Sizeof(K(0)) == 4 {
		return K(math.MaxInt32)
	}
	largest := int64(math.MaxInt64)
	return K(largest)
}

// middle returns the median of some elements.
func middle[K Key](x []K) K {
	const count = 32
	var sample [count]K
	step := len(x) / count
	for i := range sample {
		sample[i] = x[i*step+step/2]
	}
	network(sample[:])
	return sample[count/2]
}

// Partition moves what is less than the pivot before the rest, and returns how many those are.
func Partition[K Key](x []K, pivot K) int {
	size := int(unsafe.Sizeof(pivot))
	block := blockBytes / size
	if len(x) < 2*block || !vectors() {
		return plainPartition(x, pivot)
	}
	var held [3 * blockBytes / 4]K // a block at each end, and what is more than whole ones
	rest := len(x) % block
	n := copy(held[:], x[:block])
	n += copy(held[n:], x[len(x)-rest-block:])
	unread := [2]int{block * size, (len(x) - rest - block) * size}
	room := [2]int{0, len(x) * size}
	for unread[0] < unread[1] {
		partitionBlocks(x, &unread, &room, pivot)
	}
	partitionHeld(held[:n], x, &room, pivot)
	return room[0] / size
}

// blockBytes is what is partitioned at a time, pieceBlocks how many blocks one call takes: its caller can be preempted
// between two.
const (
	blockBytes  = 256
	pieceBlocks = 1 << 10
)

func plainPartition[K Key](x []K, pivot K) int {
	at := 0
	for i, v := range x {
		if v < pivot {
			x[i], x[at] = x[at], v
			at++
		}
	}
	return at
}
