package index

import (
	"sync/atomic"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/copying"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Gather reads the elements that the indices select. The axes after the last one along which an index varies are copied
// as a whole.
func Gather(l *device.Launch) {
	ix := newIndexing(l, 1)
	if l.Size() == 0 {
		return
	}
	g := gathering{indexing: ix, y: strided.Within(l, 0, 0, ix.outer), yTail: strided.Within(l, 0, ix.outer, l.Rank)}
	g.xTail = strided.Within(l, 1, ix.outer, l.Rank)
	same := strided.SameBits(g.yTail.DType, g.xTail.DType)
	if r, ok := ix.inRows(); ok && same && g.y.Step() == 1 {
		g.rows, g.checksLate = r, l.Fresh
		g.gatherRows()
		return
	}
	ix.check()
	g.tailsInRows = same && g.xTail.Flat && ix.bounds != device.BoundsDrop && strided.Contiguous(l, 0)
	cost := 2 + copying.CostBetween(&g.yTail, &g.xTail)*float64(ix.tail)
	workers.ForRanges(ix.points, cost, g.run)
}

// gathering is a Gather in progress.
type gathering struct {
	*indexing
	y            strided.View // over the outer axes
	yTail, xTail strided.View // over the tail axes, which are copied as a whole
	rows         indexRows
	checksLate   bool        // the indices that vary along rows are checked when they are used
	failed       atomic.Bool // and an index is out of range
	tailsInRows  bool        // the elements of a tail are contiguous, and so are the tails of the result
}

// gatherRows gathers single elements row by row.
func (g *gathering) gatherRows() {
	if g.checksLate {
		g.checkBut(g.rows.varying)
	} else {
		g.check()
	}
	workers.ForRanges(g.rows.count(), 1.5*float64(min(g.rows.row, indexedPiece)), g.runRows)
	if g.failed.Load() {
		g.raise()
	}
}

// checkedPiece is how many indices are checked before they are used, so that they are in the first-level cache then.
const checkedPiece = 1 << 11

// runRows gathers the elements of some pieces of rows.
func (g *gathering) runRows(from, to int) {
	for k := from; k < to && !g.failed.Load(); k++ {
		point, p := g.rows.piece(k)
		y, whole := g.y.At(point), p
		for at := 0; at < len(whole.Indices); at += checkedPiece {
			p.Indices = whole.Indices[at:min(at+checkedPiece, len(whole.Indices))]
			if g.checksLate && !g.rows.inRange(p.Indices) {
				g.failed.Store(true)
				return
			}
			p.Array = unsafe.Add(whole.Array, at*p.Step*g.xTail.Size)
			takeElements(unsafe.Add(y, at*g.xTail.Size), p, g.xTail.Size)
		}
	}
}

// takeElements copies elements of size bytes.
func takeElements(dst unsafe.Pointer, p move.Selection, size int) {
	switch size {
	case 1:
		move.Take[uint8](dst, p)
	case 2:
		move.Take[uint16](dst, p)
	case 4:
		move.Take[uint32](dst, p)
	case 8:
		move.Take[uint64](dst, p)
	case 16:
		move.Take[[2]uint64](dst, p)
	}
}

func (g *gathering) run(from, to int) {
	var offsets [strided.BlockLen/4 + move.Ahead]int
	const block = strided.BlockLen / 4
	temp := memory.TakeScratch(block * 16)
	for start := from; start < to; start += block {
		n := min(block, to-start)
		g.offsets(offsets[:n], start)
		switch {
		case g.tail == 1:
			g.gatherElements(offsets[:n], temp.At(0), start)
		case g.tailsInRows:
			g.copyRows(offsets[:n+move.Ahead], start)
		default:
			g.copyTails(offsets[:n], start)
		}
	}
	temp.Recycle()
}

// gatherElements gathers one element for each point.
func (g *gathering) gatherElements(offsets []int, temp unsafe.Pointer, start int) {
	switch x := &g.xTail; x.Size {
	case 1:
		pick[uint8](temp, x, offsets)
	case 2:
		pick[uint16](temp, x, offsets)
	case 4:
		pick[uint32](temp, x, offsets)
	case 8:
		pick[uint64](temp, x, offsets)
	case 16:
		pick[[2]uint64](temp, x, offsets)
	}
	g.y.Store(temp, g.xTail.DType, start, len(offsets))
}

func pick[T any](dst unsafe.Pointer, x *strided.View, offsets []int) {
	z := memory.Slice[T](dst, len(offsets))
	for i, p := range offsets {
		if p == dropped {
			var zero T
			z[i] = zero
		} else {
			z[i] = *(*T)(x.Element(p))
		}
	}
}

// copyRows copies the tail axes for each point if they consist of contiguous rows.
func (g *gathering) copyRows(offsets []int, start int) {
	n := len(offsets) - move.Ahead
	for i := range move.Ahead {
		offsets[n+i] = offsets[n-1]
	}
	bytes := g.tail * g.xTail.Size
	move.TakeRows(unsafe.Add(g.y.Base, start*bytes), g.xTail.Base, offsets, g.xTail.Size, bytes, g.points*bytes >= isa.StreamedResult)
}

// copyTails copies the tail axes for each point.
func (g *gathering) copyTails(offsets []int, start int) {
	for i, p := range offsets {
		y := g.yTail
		y.Base = g.y.At(start + i)
		switch {
		case p == dropped:
			var zero [2]uint64
			copying.FillView(&y, unsafe.Pointer(&zero))
		case y.Flat && g.xTail.Flat:
			dtype.Convert(y.DType, y.Base, 1, g.xTail.DType, g.xTail.Element(p), 1, g.tail)
		default:
			x := g.xTail
			x.Base = x.Element(p)
			copyView(&y, &x)
		}
	}
}

// copyView copies and converts row by row.
func copyView(y, x *strided.View) {
	row := y.Row()
	var to, from strided.Cursor
	to.Seek(y, 0)
	from.Seek(x, 0)
	for range broadcast.Size(y.Shape) / row {
		dtype.Convert(y.DType, y.Element(to.Offset), y.Step(), x.DType, x.Element(from.Offset), x.Step(), row)
		to.NextRow()
		from.NextRow()
	}
}
