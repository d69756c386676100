package lapack

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// TriangularSolve substitutes in the result, which starts as the right side. For a transposed triangle it exchanges the
// strides.
func TriangularSolve(l *device.Launch) {
	f := factorisationOf(l)
	if f.m > 0 && f.n > 0 {
		f.run(1, solveOf[float32], solveOf[float64], solveOf[complex64], solveOf[complex128])
	}
}

func solveOf[T blas.Number](f factorisation) {
	l, m, n := f.launch, f.m, f.n
	solutions, triangles, right := f.operand(0), f.operand(1), f.operand(2)
	if l.Transposed {
		triangles.Line, triangles.Depth = triangles.Depth, triangles.Line
	}
	var form blas.Form
	if l.Upper != l.Transposed {
		form |= blas.Upper
	}
	if l.UnitDiagonal {
		form |= blas.UnitDiagonal
	}
	inGroups := f.isSmall() && !blas.IsComplex[T]()
	// each substitutes in some matrices of the batch.
	each := func(from, to int) {
		var copied room[T]
		for batch := from; batch < to; batch++ {
			t, ok := view[T](&triangles, batch, m, m)
			if !ok {
				if copied.scratch == nil {
					copied = takeRoom[T](m * m)
				}
				t = blas.New(copied.left, m, m)
				load(&triangles, batch, t)
			}
			result(&solutions, batch, m, n, func(x blas.Matrix[T]) {
				load(&right, batch, x)
				if inGroups {
					blas.SubstituteCarefully(t, x, form)
				} else {
					blas.Substitute(t, x, form)
				}
			})
		}
		if copied.scratch != nil {
			copied.scratch.Recycle()
		}
	}
	if inGroups {
		solve := solveOfGroups[float64]
		if unsafe.Sizeof(*new(T)) == 4 {
			solve = solveOfGroups[float32]
		}
		solve(f, triangles, form&blas.Upper != 0, l.UnitDiagonal, func(batch int) { each(batch, batch+1) })
		return
	}
	workers.ForRanges(f.batches, flops[T](float64(m)*float64(m)*float64(n)/2)+float64(m*n), each)
}
