package broadcast

import (
	"math"
	"math/bits"
)

// Sum returns the sum of lengths that were computed or given. If an int cannot hold the sum, Sum returns the largest or
// the smallest int, which is never the size of an array; a sum that wraps around might pass for a valid size.
func Sum(lengths ...int) int {
	total := 0
	for _, n := range lengths {
		switch sum := total + n; {
		case n > 0 && sum < total:
			return math.MaxInt
		case n < 0 && sum > total:
			return math.MinInt
		default:
			total = sum
		}
	}
	return total
}

// Product is [Sum] for products: it is 0 if one of the lengths is 0, whatever the others are.
func Product(lengths ...int) int {
	n, negative := uint(1), false
	for _, d := range lengths {
		if d == 0 {
			return 0
		}
		magnitude := uint(d)
		if d < 0 {
			magnitude, negative = -magnitude, !negative
		}
		hi, lo := bits.Mul(n, magnitude)
		if n = lo; hi != 0 {
			n = math.MaxUint
		}
	}
	switch {
	case negative && n > math.MaxInt:
		return math.MinInt
	case n > math.MaxInt:
		return math.MaxInt
	case negative:
		return -int(n)
	}
	return int(n)
}
