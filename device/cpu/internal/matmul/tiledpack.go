package matmul

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// packA copies some rows of a as a whole.
func (f *tiled[T]) packA(shared bool) {
	w := &f.whole
	if !f.copiesA || w.M > mostRowsInPlace {
		return
	}
	parts := strided.CeilDiv(w.K, f.depth)
	f.aPanels = memory.TakeScratch(parts * gemm.SizeA[T](w.M, f.depth))
	if !shared {
		f.packAParts(0, parts)
		return
	}
	own := *f
	workers.ForRanges(parts, float64(w.M*f.depth)*packCost, own.packAParts)
}

func (f *tiled[T]) packAParts(from, to int) {
	w := &f.whole
	for i := from; i < to; i++ {
		k := i * f.depth
		part := gemm.Block{M: w.M, K: min(f.depth, w.K-k), A: unsafe.Add(w.A, k*w.ADepth), ALine: w.ALine, ADepth: w.ADepth}
		f.packRows(&part, f.partOfA(i), gemm.SizeA[T](part.M, part.K))
	}
}

func (f *tiled[T]) partOfA(i int) unsafe.Pointer {
	return f.aPanels.At(i * gemm.SizeA[T](f.whole.M, f.depth))
}

// slabs iterates over the slabs of b, and copies each slab to panels before its pieces are computed.
func (f *tiled[T]) slabs(shared bool) {
	w := &f.whole
	most := max(1, slabBytes/(f.depth*f.size())/gemm.Columns[T]()) * gemm.Columns[T]()
	f.bPanels = memory.TakeScratch(gemm.SizeB[T](min(most, w.N), min(f.depth, w.K)))
	for column := 0; column < w.N; column += most {
		for k := 0; k < w.K; k += f.depth {
			f.slab = slab{column: column, n: min(most, w.N-column), depth: k, k: min(f.depth, w.K-k)}
			panels := (f.slab.n + gemm.Columns[T]() - 1) / gemm.Columns[T]()
			if shared {
				own := *f
				own.cut()
				workers.ForRanges(panels, float64(own.k*gemm.Columns[T]())*packCost, own.pack)
				workers.ForRanges(own.pieces(own.n), own.pieceCost(own.k), own.multiplyPacked)
				continue
			}
			f.rows, f.columns = f.someRows(), f.slab.n
			f.pack(0, panels)
			f.multiplyPacked(0, f.pieces(f.slab.n))
		}
	}
	f.bPanels.Recycle()
}

// panel returns the address of a panel of the slab.
func (f *tiled[T]) panel(i int) unsafe.Pointer {
	return f.bPanels.At(i * gemm.Columns[T]() * f.slab.k * f.size())
}

// packDepth is how many rows of b are copied at a time: as many as the processor can prefetch at once.
const packDepth = 16

func (f *tiled[T]) pack(from, to int) {
	w, columns := &f.whole, gemm.Columns[T]()
	steps := f.slab.k
	if f.bLine == f.size() {
		steps = packDepth
	}
	for k := 0; k < f.slab.k; k += steps {
		for i := from; i < to; i++ {
			j := i * columns
			src := unsafe.Add(w.B, (f.slab.column+j)*f.bLine+(f.slab.depth+k)*w.BDepth)
			gemm.PackB[T](unsafe.Add(f.panel(i), k*columns*f.size()), src, f.bLine, w.BDepth, min(columns, f.slab.n-j), min(steps, f.slab.k-k))
		}
	}
}

// multiplyPacked computes pieces with the copied slab.
func (f *tiled[T]) multiplyPacked(from, to int) {
	down := strided.CeilDiv(f.whole.M, f.rows)
	columns := gemm.Columns[T]()
	for piece := from; piece < to; piece++ {
		row, column := piece%down*f.rows, piece/down*f.columns
		s := f.slab
		s.column += column
		if s.n = f.width(row, s.column, min(f.columns, s.n-column)); s.n <= 0 {
			continue
		}
		b := f.part(s, row)
		b.B, b.BDepth, b.BPanel = f.panel(column/columns), columns*f.size(), columns*f.slab.k*f.size()
		f.multiplyPart(&b)
	}
}
