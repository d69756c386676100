package eigen

import (
	"math/cmplx"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
)

// directSize is the size of an active part up to which steps with two shifts make it triangular.
const directSize = 96

// stepSizes returns how many shifts a step uses for an active part of n rows, and the size of the window in which it first looks
// for eigenvalues.
func stepSizes(n int) (count, window int) {
	switch {
	case n < 150:
		count = 10
	case n < 590:
		count = 20
	case n < 1500:
		count = 32
	case n < 3000:
		count = 48
	default:
		count = 64
	}
	return count, min(3*count/2, n-1)
}

// iterate makes the Hessenberg matrix h triangular: steps with many shifts at a time for large active parts. It reports whether
// it succeeded.
func (s *schur[T]) iterate() bool {
	idle := 0
	for high := s.h.Rows - 1; high >= 0; {
		low := s.startOf(high)
		n := high - low + 1
		if n <= directSize {
			if !s.direct(low, n) {
				return false
			}
			high, idle = low-1, 0
			continue
		}
		count, window := stepSizes(n)
		found, others, ok := s.deflate(low, high, window)
		if !ok {
			return false
		}
		high -= found
		if idle++; found > 0 {
			idle = 0
		}
		if idle > mostSweeps {
			return false
		}
		if 7*found > window || high-low < 3 { // it may find more
			continue
		}
		pairs := s.pairsOf(others, min(count, high-low-1)/2, high)
		if idle > 0 && idle%6 == 0 {
			pairs = s.exceptional(len(pairs), high)
		}
		for low = high; low > 0 && *s.at(low, low-1) != 0; low-- {
		}
		if high-low >= 3 {
			s.sweep(low, high, pairs)
		}
	}
	return true
}

// direct makes the active part of n rows from low on triangular, and transforms the rest.
func (s *schur[T]) direct(low, n int) bool {
	var memory scratch
	defer memory.recycle()
	w := schur[T]{h: matrix[T](&memory, n, n)}
	blas.Copy(w.h, s.h.Part(low, low, n, n))
	wantsVectors := s.ut.Rows > 0
	if wantsVectors {
		w.ut = zeros[T](&memory, n, n)
		for i := range n {
			w.ut.Row(i)[i] = 1
		}
	}
	if !w.triangularise() {
		return false
	}
	blas.Copy(s.h.Part(low, low, n, n), w.h)
	if wantsVectors { // else the rest is not needed any more
		s.transform(w.ut, low)
	}
	return true
}

// pairsOf forms pairs of shifts: conjugate ones, or for a real matrix two real ones.
func (s *schur[T]) pairsOf(values []complex128, most, high int) []shifts {
	var pairs []shifts
	waiting, hasWaiting := complex128(0), false
	for i := 0; i < len(values) && len(pairs) < most; i++ {
		v := values[i]
		switch {
		case !blas.IsComplex[T]() && imag(v) != 0:
			pairs = append(pairs, shifts{v, cmplx.Conj(v)})
			i++
		case hasWaiting:
			pairs, hasWaiting = append(pairs, shifts{waiting, v}), false
		default:
			waiting, hasWaiting = v, true
		}
	}
	if len(pairs) == 0 {
		pairs = append(pairs, s.lastShifts(high))
	}
	return pairs
}

// exceptional returns shifts near the last elements, for an iteration that goes round in circles.
func (s *schur[T]) exceptional(count, high int) []shifts {
	pairs := make([]shifts, count)
	for i := range pairs {
		k := max(high-2*i, 2)
		around := blas.Size(*s.at(k, k-1)) + blas.Size(*s.at(k-1, k-2))
		re, im := blas.Parts(*s.at(k, k))
		center := complex(re+0.75*around, im)
		pairs[i] = shifts{center + complex(0, 0.66*around), center - complex(0, 0.66*around)}
	}
	return pairs
}

// sweep is a step with pairs of shifts for the active part [low, high]. Each pair has a bulge of three rows, which moves down
// the diagonal; the bulges follow each other closely. While they move within a window, only the window changes. Then products
// transform the rest of the matrix.
func (s *schur[T]) sweep(low, high int, pairs []shifts) {
	count := len(pairs)
	next := make([]int, count) // of each bulge: the first row of its next reflection
	for j := range next {
		next[j] = low
	}
	size := min(6*count+12, high-low+1)
	var memory scratch
	defer memory.recycle()
	w := schur[T]{h: matrix[T](&memory, size, size), ut: matrix[T](&memory, size, size)}
	for done := 0; done < count; {
		from := low
		if next[count-1] > low {
			from = next[count-1] - 1
		}
		n := min(size, high-from+1)
		w.h, w.ut = blas.New(w.h.Data[:n*n], n, n), blas.New(w.ut.Data[:n*n], n, n)
		blas.Copy(w.h, s.h.Part(from, from, n, n))
		clear(w.ut.Data)
		for i := range n {
			w.ut.Row(i)[i] = 1
		}
		isEnd := from+n-1 == high
		for j := done; j < count; j++ {
			last := from + n - 5 // the last row at which a reflection stays within the window
			if isEnd {
				last = high - 1
			}
			if j > done {
				last = min(last, next[j-1]-4)
			}
			for ; next[j] <= last; next[j]++ {
				w.moveBulge(next[j]-from, low-from, pairs[j])
			}
		}
		for done < count && next[done] >= high {
			done++
		}
		blas.Copy(s.h.Part(from, from, n, n), w.h)
		s.transform(w.ut, from)
	}
}

// moveBulge applies the next reflection of a bulge to a window. first is the index of the first row of the active part.
func (s *schur[T]) moveBulge(k, first int, pair shifts) {
	n := s.h.Rows
	var x [3]T
	if k == first {
		x = s.firstColumn(k, pair)
	} else {
		for i := range min(3, n-k) {
			x[i] = *s.at(k+i, k-1)
		}
	}
	s.reflect(k, first, n-1, x[:min(3, n-k)])
}
