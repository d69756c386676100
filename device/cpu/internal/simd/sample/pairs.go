package sample

// Pairs turns n corners along an axis whose elements are contiguous into pairs of neighbours that contain both: it lowers a
// first corner that exceeds limit, the last element but one, to limit. The bit of a corner in masks says whether the
// corner is the upper element of its pair; the bits of the second corners lie apart bytes further. All slices have room for a
// multiple of 16 elements.
func Pairs(n int, first, second []int, limit int, masks []byte, apart int) {
	if pairs(roundedUp(n), first, second, limit, masks, apart) {
		return
	}
	first, second = first[:n], second[:n]
	for i, corner := range first {
		first[i] = min(corner, limit)
		setBit(masks, i, corner > limit)
		setBit(masks[apart:], i, second[i] > first[i])
	}
}

func setBit(masks []byte, i int, set bool) {
	masks[i/8] &^= 1 << (i % 8)
	if set {
		masks[i/8] |= 1 << (i % 8)
	}
}

// Split takes the corners out of n pairs, as their bits say: the first corners for low, the second ones for high. All slices have
// room for a multiple of 16 elements.
func Split[T float32 | float64](n int, low, high []T, pairs [][2]T, masks []byte, apart int) {
	if split(roundedUp(n), low, high, pairs, masks, apart) {
		return
	}
	low, high = low[:n], high[:n]
	for i, pair := range pairs[:n] {
		low[i], high[i] = pair[masks[i/8]>>(i%8)&1], pair[masks[apart+i/8]>>(i%8)&1]
	}
}
