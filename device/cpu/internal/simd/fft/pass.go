package fft

import "unsafe"

// Float is the element type of a transform.
type Float interface{ float32 | float64 }

// Radices are the lengths that a pass may have with all instructions. Some have 16, too ([HasSixteen]).
var Radices = []int{2, 3, 4, 5, 7, 8, 11, 13}

const largestRadix = 16

// HasSixteen reports whether the current instructions have passes of radix 16: those with registers for 16 complex vectors.
func HasSixteen[T Float]() bool { return hasSixteen[T]() }

// Lanes returns how many transforms a complex vector holds.
func Lanes[T Float]() int { return vectorBytes() / int(unsafe.Sizeof(*new(T))) }

// plainBytes is the size of a vector for plain Go.
const plainBytes = 32

// Pass is one pass of a transform of columns (Stockham's form, which leaves the results in order). With s vectors side
// by side it transforms x[q + row·(p + M·j)], for j below Radix, for each p below M and q below s. It multiplies result
// k by the root of unity exp(-2πi·pk/(Radix·M)) and stores it in y[q + s·(Radix·p + k)].
type Pass[T Float] struct {
	Radix, M int
	Factors  []T // for each p, the factors of the results from 1 on; nil for the last pass, whose factors are 1
}

// mostVectors limits the vectors of one call, so that the goroutine can be stopped in between.
const mostVectors = 4096

// InPlace reports whether the results may replace the numbers: they do so one for one in a last pass, and the routines
// of these radices read all numbers of a transform before they write.
func (t *Pass[T]) InPlace() bool { return t.M == 1 && t.Radix&(t.Radix-1) == 0 }

// Run does the pass. x and y must not overlap, except for a pass in place, where they are the same.
func (t *Pass[T]) Run(s int, x []T, row int, y []T) {
	size := 2 * Lanes[T]()
	if s*t.Radix <= mostVectors && t.M > 1 {
		t.run(mostVectors/(t.Radix*s), s, s, x, row, y)
		return
	}
	most := mostVectors / t.Radix
	for q := 0; q < s; q += most {
		t.run(1, min(s-q, most), s, x[q*size:], row, y[q*size:])
	}
}

// run does the pass for the first n of s vectors side by side. It calls the routine for at most some p at a time.
func (t *Pass[T]) run(most, n, s int, x []T, row int, y []T) {
	size := 2 * Lanes[T]()
	for p := 0; p < t.M; p += most {
		var w []T
		if t.M > 1 {
			w = t.Factors[2*(t.Radix-1)*p:]
		}
		run(t.Radix, min(t.M-p, most), n, x[p*row*size:], (row-n)*size, t.M*row*size, y[p*t.Radix*s*size:], (t.Radix*s-n)*size, s*size, w)
	}
}
