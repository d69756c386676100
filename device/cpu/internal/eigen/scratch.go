package eigen

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
)

// scratch is memory for intermediate values, released all at once.
type scratch struct{ taken []*memory.Scratch }

func (s *scratch) recycle() {
	for _, t := range s.taken {
		t.Recycle()
	}
	s.taken = s.taken[:0]
}

// vector returns memory for n values, with arbitrary content.
func vector[E any](s *scratch, n int) []E {
	t := memory.TakeScratch(n * int(unsafe.Sizeof(*new(E))))
	s.taken = append(s.taken, t)
	return memory.Room[E](t, 0, n)
}

// matrix returns memory for a matrix, with arbitrary content.
func matrix[T blas.Number](s *scratch, rows, columns int) blas.Matrix[T] {
	return blas.New(vector[T](s, rows*columns), rows, columns)
}

// zeros returns a matrix of zeros.
func zeros[T blas.Number](s *scratch, rows, columns int) blas.Matrix[T] {
	a := matrix[T](s, rows, columns)
	clear(a.Data)
	return a
}
