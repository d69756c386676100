package softmax

import "unsafe"

// Float is a floating-point element type.
type Float interface{ float32 | float64 }

// Longest is the largest length of a row. Callers split longer rows into pieces and add up the sums of the pieces.
const Longest = 4096

// atOnce is roughly the number of elements that one routine call processes. The goroutine can be preempted only between
// calls.
const atOnce = 1 << 14

func ahead[T Float](p *T, n int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), n*int(unsafe.Sizeof(*p))))
}

// Each function processes rows of n elements, 0 < n <= Longest. The rows of dst, x and y begin pitchDst, pitchX and
// pitchY elements apart; v, w and sums have one value per row. dst may be x or y.

// Exponentials stores e^(x-v), which must not overflow, and the sums of the rows. It also prefetches the data that lies
// next elements after x, the rows that are read next: computing exponentials leaves the memory idle.
func Exponentials[T Float](dst, x, v, sums *T, rows, n, pitchDst, pitchX, next int) {
	for from, step := 0, max(1, atOnce/n); from < rows; from += step {
		exponentials(ahead(dst, from*pitchDst), ahead(x, from*pitchX), ahead(v, from), ahead(sums, from), min(step, rows-from), n, pitchDst, pitchX, next)
	}
}

// SumExponentials stores the sums of e^(x-v). It prefetches like Exponentials, and also dst, which it does not write.
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

// Weigh stores x·(y-v). It prefetches dst slightly ahead of the stores.
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
