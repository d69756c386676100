package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
)

// rightFactor is the right factor of many products of floats, copied once to the order in which the tiles read it: the
// keys and the values of attention.
type rightFactor[T gemm.Float] struct {
	n, k   int
	depth  int      // steps along k at a time
	panels *scratch // of the first steps, then of the next
}

// packRightFactor copies k rows of n columns; k is not 0. The lines of b are its columns, strides are in bytes. Workers
// share the copying where that pays.
func packRightFactor[T gemm.Float](b floatMatrix, n, k int) rightFactor[T] {
	size := int(unsafe.Sizeof(*new(T)))
	f := rightFactor[T]{n: n, k: k, depth: evenDepth(k, size, depthBytes)}
	columns := gemm.Columns[T]()
	f.panels = takeScratch(gemm.SizeB[T](n, k))
	own := f
	forRanges(ceilDiv(n, columns), float64(k*columns)*packCost, func(from, to int) {
		for j := from * columns; j < min(to*columns, n); j += columns {
			for at := 0; at < k; at += own.depth {
				src := unsafe.Add(b.at, j*b.line+at*b.depth)
				gemm.PackB[T](own.panel(j, at), src, b.line, b.depth, min(columns, n-j), min(own.depth, k-at))
			}
		}
	})
	return f
}

func (f *rightFactor[T]) recycle() { f.panels.recycle() }

// panel returns where the columns from j on are, from step at on; both are the first of a panel.
func (f *rightFactor[T]) panel(j, at int) unsafe.Pointer {
	width := roundUp(f.n, gemm.Columns[T]())
	return f.panels.at((at*width + j*min(f.depth, f.k-at)) * int(unsafe.Sizeof(*new(T))))
}

// multiply computes the columns of c = a·b + d that begin at one of a panel and end at such or at n, for m rows. Lines are
// rows, those of c and d hold their elements side by side; d.at is nil for nothing, and may be c.at. It is for any
// goroutine: workers that share a product take columns.
func (f *rightFactor[T]) multiply(a, c, d floatMatrix, m, from, to int) {
	size := int(unsafe.Sizeof(*new(T)))
	columns := gemm.Columns[T]()
	c.at = unsafe.Add(c.at, from*size)
	if d.at != nil {
		d.at = unsafe.Add(d.at, from*size)
	}
	for at := 0; at < f.k; at += f.depth {
		steps := min(f.depth, f.k-at)
		gemm.Multiply[T](&gemm.Block{
			M: m, N: to - from, K: steps, A: unsafe.Add(a.at, at*a.depth), ALine: a.line, ADepth: a.depth,
			B: f.panel(from, at), BDepth: columns * size, BPanel: columns * steps * size,
			C: c.at, CLine: c.line, D: d.at, DLine: d.line,
		})
		d = c
	}
}
