package rows

import "unsafe"

// Float is the types of elements.
type Float interface{ float32 | float64 }

// Longest is how long a row may be: longer ones are cut into pieces, and the sums of those are added up by the caller.
const Longest = 4096

// atOnce is how many elements one call of a routine goes through, more or less: its caller can be preempted between two.
const atOnce = 1 << 14

func ahead[T Float](p *T, n int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), n*int(unsafe.Sizeof(*p))))
}

// Each routine goes through rows of n elements, 0 < n <= Longest, which begin so many elements apart in each array; v and w
// have one value for each row. dst may be x or y.

// Exponentials stores e^(x-v), and the sums of the rows.
func Exponentials[T Float](dst, x, v, sums *T, rows, n, pitchDst, pitchX int) {
	for rows > 0 {
		now := min(rows, max(1, atOnce/n))
		exponentials(dst, x, v, sums, now, n, pitchDst, pitchX)
		rows -= now
		dst, x, v, sums = ahead(dst, now*pitchDst), ahead(x, now*pitchX), ahead(v, now), ahead(sums, now)
	}
}

// SumExponentials stores the sums of e^(x-v).
func SumExponentials[T Float](x, v, sums *T, rows, n, pitchX int) {
	for rows > 0 {
		now := min(rows, max(1, atOnce/n))
		sumExponentials(x, v, sums, now, n, pitchX)
		rows -= now
		x, v, sums = ahead(x, now*pitchX), ahead(v, now), ahead(sums, now)
	}
}

// Scale stores x·v.
func Scale[T Float](dst, x, v *T, rows, n, pitchDst, pitchX int) {
	for rows > 0 {
		now := min(rows, max(1, atOnce/n))
		scale(dst, x, v, now, n, pitchDst, pitchX)
		rows -= now
		dst, x, v = ahead(dst, now*pitchDst), ahead(x, now*pitchX), ahead(v, now)
	}
}

// Shift stores (x-v)-w.
func Shift[T Float](dst, x, v, w *T, rows, n, pitchDst, pitchX int) {
	for rows > 0 {
		now := min(rows, max(1, atOnce/n))
		shift(dst, x, v, w, now, n, pitchDst, pitchX)
		rows -= now
		dst, x, v, w = ahead(dst, now*pitchDst), ahead(x, now*pitchX), ahead(v, now), ahead(w, now)
	}
}

// Weigh stores x·(y-v).
func Weigh[T Float](dst, x, y, v *T, rows, n, pitchDst, pitchX, pitchY int) {
	for rows > 0 {
		now := min(rows, max(1, atOnce/n))
		weigh(dst, x, y, v, now, n, pitchDst, pitchX, pitchY)
		rows -= now
		dst, x, y, v = ahead(dst, now*pitchDst), ahead(x, now*pitchX), ahead(y, now*pitchY), ahead(v, now)
	}
}

// LessExponentials stores y - e^x·v.
func LessExponentials[T Float](dst, x, y, v *T, rows, n, pitchDst, pitchX, pitchY int) {
	for rows > 0 {
		now := min(rows, max(1, atOnce/n))
		lessExponentials(dst, x, y, v, now, n, pitchDst, pitchX, pitchY)
		rows -= now
		dst, x, y, v = ahead(dst, now*pitchDst), ahead(x, now*pitchX), ahead(y, now*pitchY), ahead(v, now)
	}
}
