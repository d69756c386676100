package sample

import "unsafe"

// Sums makes each element of y the sum of corners products: of the numbers that lie offsets, in bytes, behind x, and weights. Those
// of the next corner lie stride elements further. It reports whether all sums are numbers.
func Sums[T float32 | float64](y []T, x unsafe.Pointer, offsets *int, weights *T, corners, stride int) bool {
	n := len(y)
	done, numbers := sums(y, x, offsets, weights, corners, stride)
	if done == n {
		return numbers
	}
	o := unsafe.Slice(offsets, (corners-1)*stride+n)
	w := unsafe.Slice(weights, (corners-1)*stride+n)
	for i := done; i < n; i++ {
		var total T
		for c := 0; c < corners; c++ {
			p := w[c*stride+i] * *(*T)(unsafe.Add(x, o[c*stride+i]))
			if c == 0 {
				total = p
			} else {
				total += p
			}
		}
		y[i] = total
		numbers = numbers && total == total
	}
	return numbers
}

// Mix makes y the sum of a and b, times a weight each. y may be one of them.
func Mix[T float32 | float64](y, a, b []T, wa, wb T) {
	a, b = a[:len(y)], b[:len(y)]
	for i := mix(y, a, b, wa, wb); i < len(y); i++ {
		p, q := wa*a[i], wb*b[i]
		y[i] = p + q
	}
}
