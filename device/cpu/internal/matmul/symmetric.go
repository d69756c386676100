package matmul

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
)

// The product of a matrix and its own transpose is symmetric, to the last bit: the sums of both halves have the same terms in the
// same order. So one half is computed and mirrored.

// From these sizes on that pays.
const (
	symmetricRows  = 64
	symmetricDepth = 256
)

// isSymmetric reports whether the columns of b are the rows of a.
func (f *tiled[T]) isSymmetric() bool {
	w := &f.whole
	return w.A == w.B && w.M == w.N && w.ALine == f.bLine && w.ADepth == w.BDepth && w.D == nil && w.BPanel == 0 && f.aPanels == nil &&
		w.M >= symmetricRows && w.K >= symmetricDepth
}

// someRows is rowsAtOnce, but for a symmetric product so few that most of the other half is left out.
func (f *tiled[T]) someRows() int {
	rows := f.rowsAtOnce()
	if f.symmetric {
		const parts = 8
		unit := gemm.Rows[T]()
		rows = min(rows, max(2*unit, strided.RoundUp(strided.CeilDiv(f.whole.M, parts), unit)))
	}
	return rows
}

// width returns how many of n columns from one on are computed in f.rows rows from one on: for a symmetric product only panels that
// reach below the diagonal.
func (f *tiled[T]) width(row, column, n int) int {
	if f.symmetric {
		n = min(n, strided.RoundUp(max(0, row+f.rows-column), gemm.Columns[T]()))
	}
	return n
}

// mirror copies the sums below the diagonal to the other half, in blocks.
func (f *tiled[T]) mirror() {
	const block = 64
	w := &f.whole
	line := w.CLine / f.size()
	at := func(i, j int) unsafe.Pointer { return unsafe.Add(w.C, i*w.CLine+j*f.size()) }
	for from := 0; from < w.M; from += block {
		to := min(from+block, w.M)
		for i := from; i < to; i++ {
			for j := i + 1; j < to; j++ {
				*(*T)(at(i, j)) = *(*T)(at(j, i))
			}
		}
		if to < w.M {
			move.Transpose(at(from, to), line, at(to, from), line, w.M-to, to-from, f.size())
		}
	}
}
