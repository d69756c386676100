package sort

import (
	"cmp"
	"slices"
)

// Item is a number of a row and its index there.
type Item[T float32 | float64] struct {
	Value T
	Index int
}

// Room returns the number of items that Select needs room for.
func Room(k int) int { return k + max(k, 64) }

// Select returns the first k items of a row in the order of a stable sort: largest first, or smallest first, with NaN
// last. Select keeps the items in room, which has length Room(k).
//
// Once k items are known, only numbers beyond the last of them can change the result, and Select skips all others.
func Select[T float32 | float64](x []T, k int, smallest bool, room []Item[T]) []Item[T] {
	found, bounded := room[:0], false
	if k == 0 {
		return found
	}
	var bound T
	take := func(i int, v T) {
		if len(found) == cap(found) {
			found = best(found, k, smallest)
			bound, bounded = found[k-1].Value, true
			if !beyond(v, bound, smallest) {
				return
			}
		}
		found = append(found, Item[T]{v, i})
	}
	at := 0
	for at < len(x) {
		if bounded {
			at += skip(x[at:], bound, smallest)
		}
		group := x[at:min(at+groupLen, len(x))]
		for i, v := range group {
			if bounded && beyond(v, bound, smallest) || !bounded && v == v {
				take(at+i, v)
			}
		}
		at += len(group)
	}
	found = best(found, k, smallest)
	for i := 0; len(found) < k; i++ {
		if x[i] != x[i] {
			found = append(found, Item[T]{x[i], i})
		}
	}
	return found
}

// groupLen is the number of numbers that skip compares together. If one of them is beyond the bound, all are compared
// one by one.
const groupLen = 64

func beyond[T float32 | float64](v, bound T, smallest bool) bool {
	return smallest && v < bound || !smallest && v > bound
}

// best keeps the first k of items, sorted.
func best[T float32 | float64](items []Item[T], k int, smallest bool) []Item[T] {
	slices.SortFunc(items, func(a, b Item[T]) int {
		switch {
		case a.Value == b.Value:
			return cmp.Compare(a.Index, b.Index)
		case beyond(a.Value, b.Value, smallest):
			return -1
		}
		return 1
	})
	return items[:min(k, len(items))]
}
