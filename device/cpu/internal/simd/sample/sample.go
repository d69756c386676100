package sample

// Sums sets each element of y to a sum of products of values and weights, one product per corner. The values and
// weights of the next corner lie stride elements further. Sums reports whether no sum is NaN.
func Sums[T float32 | float64](y, values, weights []T, corners, stride int) bool {
	n := len(y)
	last := (corners-1)*stride + n
	values, weights = values[:last], weights[:last]
	numbers, ok := sums(y, values, weights, corners, stride)
	if ok {
		return numbers
	}
	for i := range y {
		total := T(weights[i] * values[i]) // a conversion is rounded: the compiler must not fuse the product with the sum
		for at := stride + i; at < last; at += stride {
			total += T(weights[at] * values[at])
		}
		y[i] = total
		numbers = numbers && total == total
	}
	return numbers
}

// Mix sets y to wa·a + wb·b. y may be a or b.
func Mix[T float32 | float64](y, a, b []T, wa, wb T) {
	a, b = a[:len(y)], b[:len(y)]
	if mix(y, a, b, wa, wb) {
		return
	}
	for i := range y {
		y[i] = T(wa*a[i]) + T(wb*b[i])
	}
}
