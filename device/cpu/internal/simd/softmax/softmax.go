package softmax

import "unsafe"

// Float is the types of elements.
type Float interface{ float32 | float64 }

// Longest is how long a row may be: longer ones are cut into pieces, and the sums of those are added up by the caller.
const Longest = 4096

// atOnce is about how many elements one call of a routine goes through: its caller can be preempted between two.
const atOnce = 1 << 14

func ahead[T Float](p *T, n int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), n*int(unsafe.Sizeof(*p))))
}

// Each function goes through rows of n elements, 0 < n <= Longest. The rows of dst, x and y begin pitchDst, pitchX and pitchY
// elements apart; v, w and sums have one value for each row. dst may be x or y.

// Exponentials stores e^(x-v), which must not overflow, and the sums of the rows. Meanwhile it prefetches what lies next elements
// behind x, the rows that are read next: computing exponentials leaves the memory idle.
func Exponentials[T Float](dst, x, v, sums *T, rows, n, pitchDst, pitchX, next int) {
	for from, step := 0, max(1, atOnce/n); from < rows; from += step {
		exponentials(ahead(dst, from*pitchDst), ahead(x, from*pitchX), ahead(v, from), ahead(sums, from), min(step, rows-from), n, pitchDst, pitchX, next)
	}
}

// SumExponentials stores the sums of e^(x-v). It prefetches what Exponentials does, and dst, to which it writes nothing.
func SumExponentials[T Float](dst, x, v, sums *T, rows, n, pitchDst, pitchX, next int) {
	for from, step := 0, max(1, atOnce/n); from < rows; from += step {
		sumExponentials(ahead(dst, from*pitchDst), ahead(x, from*pitchX), ahead(v, from), ahead(sums, from), min(step, rows-from), n, pitchDst, pitchX, next)
	}
}

// Scale stores x·v.
func Scale[T Float](dst, x, v *T, rows, n, pitchDst, pitchX int) {
	for from, step := 0, max(1, atOnce/n); from < rows; from += step {
		scale(ahead(dst, from*pitchDst), ahead(x, from*pitchX), ahead(v, from), min(step, rows-from), n, pitchDst, pitchX)
	}
}

// Shift stores (x-v)-w.
func Shift[T Float](dst, x, v, w *T, rows, n, pitchDst, pitchX int) {
	for from, step := 0, max(1, atOnce/n); from < rows; from += step {
		shift(ahead(dst, from*pitchDst), ahead(x, from*pitchX), ahead(v, from), ahead(w, from), min(step, rows-from), n, pitchDst, pitchX)
	}
}

// Weigh stores x·(y-v). It prefetches dst a little ahead of the stores.
func Weigh[T Float](dst, x, y, v *T, rows, n, pitchDst, pitchX, pitchY int) {
	for from, step := 0, max(1, atOnce/n); from < rows; from += step {
		weigh(ahead(dst, from*pitchDst), ahead(x, from*pitchX), ahead(y, from*pitchY), ahead(v, from), min(step, rows-from), n, pitchDst, pitchX, pitchY)
	}
}

// LessExponentials stores y - e^x·v.
func LessExponentials[T Float](dst, x, y, v *T, rows, n, pitchDst, pitchX, pitchY int) {
	for from, step := 0, max(1, atOnce/n); from < rows; from += step {
		lessExponentials(ahead(dst, from*pitchDst), ahead(x, from*pitchX), ahead(y, from*pitchY), ahead(v, from), min(step, rows-from), n, pitchDst, pitchX, pitchY)
	}
}
