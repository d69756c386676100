package fft

import "unsafe"

// Float is the element type of a transform.
type Float interface{ float32 | float64 }

// Radices are the lengths that a pass may have.
var Radices = []int{2, 3, 4, 5, 7, 8, 11, 13}

const largestRadix = 13

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

// Run does the pass. x and y must not overlap.
func (t *Pass[T]) Run(s int, x []T, row int, y []T) {
	size := 2 * Lanes[T]()
	if t.M == 1 {
		for q := 0; q < s; q += mostVectors / t.Radix {
			n := min(s-q, mostVectors/t.Radix)
			run(t.Radix, 1, n, x[q*size:], 0, row*size, y[q*size:], 0, s*size, nil)
		}
		return
	}
	most := max(1, mostVectors/(t.Radix*s))
	for p := 0; p < t.M; p += most {
		w := t.Factors[2*(t.Radix-1)*p:]
		run(t.Radix, min(t.M-p, most), s, x[p*row*size:], (row-s)*size, t.M*row*size, y[p*t.Radix*s*size:], (t.Radix-1)*s*size, s*size, w)
	}
}
