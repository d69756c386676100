package matmul

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// RightFactor is the right factor of many products of floats, copied once in the order in which the tiles read it: the
// keys and the values of attention.
type RightFactor[T gemm.Float] struct {
	n, k   int
	steps  int             // how many of the k steps products use: the first ones
	depth  int             // steps along k at a time
	panels *memory.Scratch // the panels of the first steps, then of the next
}

// PackRightFactor copies k rows of n columns; k is not 0. The lines of b are its columns, strides are in bytes. Workers
// share the copying if it is worth it.
func PackRightFactor[T gemm.Float](b ByteMatrix, n, k int) RightFactor[T] {
	size := int(unsafe.Sizeof(*new(T)))
	f := RightFactor[T]{n: n, k: k, steps: k, depth: evenDepth(k, size, depthBytes)}
	columns := gemm.Columns[T]()
	f.panels = memory.TakeScratch(gemm.SizeB[T](n, k))
	own := f
	workers.ForRanges(strided.CeilDiv(n, columns), float64(k*columns)*packCost, func(from, to int) {
		for j := from * columns; j < min(to*columns, n); j += columns {
			for at := 0; at < k; at += own.depth {
				src := unsafe.Add(b.At, j*b.Line+at*b.Depth)
				gemm.PackB[T](own.panel(j, at), src, b.Line, b.Depth, min(columns, n-j), min(own.depth, k-at))
			}
		}
	})
	return f
}

// First returns f restricted to its first steps, at least one: products then use fewer of its elements. Only f itself
// is recycled.
func (f RightFactor[T]) First(steps int) RightFactor[T] {
	f.steps = steps
	return f
}

// Recycle releases the panels.
func (f *RightFactor[T]) Recycle() { f.panels.Recycle() }

// panel returns the address of the columns from j on, at the steps from at on; both must be the first of a panel.
func (f *RightFactor[T]) panel(j, at int) unsafe.Pointer {
	width := strided.RoundUp(f.n, gemm.Columns[T]())
	return f.panels.At((at*width + j*min(f.depth, f.k-at)) * int(unsafe.Sizeof(*new(T))))
}

// Multiply computes columns of c = a·b + d, for m rows. The columns begin at the first column of a panel, and end at
// one or at n. Lines are rows; the elements of the rows of c and d are contiguous. d.at is nil for no d, and may be
// c.at. Any goroutine may call Multiply: workers that share a product take columns.
func (f *RightFactor[T]) Multiply(a, c, d ByteMatrix, m, from, to int) {
	size := int(unsafe.Sizeof(*new(T)))
	columns := gemm.Columns[T]()
	c.At = unsafe.Add(c.At, from*size)
	if d.At != nil {
		d.At = unsafe.Add(d.At, from*size)
	}
	for at := 0; at < f.steps; at += f.depth {
		steps := min(f.depth, f.k-at)
		gemm.Multiply[T](&gemm.Block{
			M: m, N: to - from, K: min(steps, f.steps-at), A: unsafe.Add(a.At, at*a.Depth), ALine: a.Line, ADepth: a.Depth,
			B: f.panel(from, at), BDepth: columns * size, BPanel: columns * steps * size,
			C: c.At, CLine: c.Line, D: d.At, DLine: d.Line,
		})
		d = c
	}
}
