package cpu

import (
	"sync/atomic"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Gather reads at the places that the indices say. The axes behind the last one along which an index varies are copied
// as a whole.
func (processor) Gather(l *device.Launch) {
	ix := newIndexing(l, 1)
	if l.Size() == 0 {
		return
	}
	g := gathering{indexing: ix, y: viewWithin(l, 0, 0, ix.outer), yTail: viewWithin(l, 0, ix.outer, l.Rank)}
	g.xTail = viewWithin(l, 1, ix.outer, l.Rank)
	same := sameBits(g.yTail.dtype, g.xTail.dtype)
	if r, ok := ix.inRows(); ok && same && g.y.step() == 1 {
		g.rows, g.checks = r, l.Fresh
		g.gatherRows()
		return
	}
	ix.check()
	g.wholeRows = same && g.xTail.flat && ix.bounds != device.BoundsDrop && contiguous(l, 0)
	cost := 2 + costOf(&g.yTail, &g.xTail)*float64(ix.tail)
	forRanges(ix.points, cost, g.run)
}

// gathering is a Gather at work.
type gathering struct {
	*indexing
	y            view // over the outer axes
	yTail, xTail view // over the axes that are copied as a whole
	rows         indexRows
	checks       bool        // the indices that vary in rows are looked at when they are used
	failed       atomic.Bool // and one of them has no place
	wholeRows    bool        // the tails lie side by side, those of the result one after the other
}

// gatherRows gathers single elements row by row.
func (g *gathering) gatherRows() {
	if g.checks {
		g.checkBut(g.rows.varying)
	} else {
		g.check()
	}
	forRanges(g.rows.count(), 1.5*float64(min(g.rows.row, indexedPiece)), g.runRows)
	if g.failed.Load() {
		g.raise()
	}
}

// checkedPiece is how many indices are looked at before they are used: they are in the first-level cache then.
const checkedPiece = 1 << 11

// runRows gathers the elements of some pieces of rows.
func (g *gathering) runRows(from, to int) {
	for k := from; k < to && !g.failed.Load(); k++ {
		point, p := g.rows.piece(k)
		y, whole := g.y.at(point), p
		for at := 0; at < len(whole.Indices); at += checkedPiece {
			p.Indices = whole.Indices[at:min(at+checkedPiece, len(whole.Indices))]
			if g.checks && !g.rows.within(p.Indices) {
				g.failed.Store(true)
				return
			}
			p.Array = unsafe.Add(whole.Array, at*p.Step*g.xTail.size)
			takeElements(unsafe.Add(y, at*g.xTail.size), p, g.xTail.size)
		}
	}
}

// takeElements copies elements of some bytes.
func takeElements(dst unsafe.Pointer, p move.Places, size int) {
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
	var places [blockLen/4 + move.Ahead]int
	const block = blockLen / 4
	temp := takeScratch(block * 16)
	for start := from; start < to; start += block {
		n := min(block, to-start)
		g.places(places[:n], start)
		switch {
		case g.tail == 1:
			g.single(places[:n], temp.at(0), start)
		case g.wholeRows:
			g.sideBySide(places[:n+move.Ahead], start)
		default:
			g.whole(places[:n], start)
		}
	}
	temp.recycle()
}

// single gathers one element for each point.
func (g *gathering) single(places []int, temp unsafe.Pointer, start int) {
	switch x := &g.xTail; x.size {
	case 1:
		pick[uint8](temp, x, places)
	case 2:
		pick[uint16](temp, x, places)
	case 4:
		pick[uint32](temp, x, places)
	case 8:
		pick[uint64](temp, x, places)
	case 16:
		pick[[2]uint64](temp, x, places)
	}
	g.y.store(temp, g.xTail.dtype, start, len(places))
}

func pick[T any](dst unsafe.Pointer, x *view, places []int) {
	z := elements[T](dst, len(places))
	for i, p := range places {
		if p == dropped {
			var zero T
			z[i] = zero
		} else {
			z[i] = *(*T)(x.element(p))
		}
	}
}

// sideBySide copies the tail axes for each point where they are rows of elements that lie side by side.
func (g *gathering) sideBySide(places []int, start int) {
	n := len(places) - move.Ahead
	for i := range move.Ahead {
		places[n+i] = places[n-1]
	}
	bytes := g.tail * g.xTail.size
	move.TakeRows(unsafe.Add(g.y.base, start*bytes), g.xTail.base, places, g.xTail.size, bytes, g.points*bytes >= move.Streamed)
}

// whole copies the tail axes for each point.
func (g *gathering) whole(places []int, start int) {
	for i, p := range places {
		y := g.yTail
		y.base = g.y.at(start + i)
		switch {
		case p == dropped:
			var zero [2]uint64
			fillView(&y, unsafe.Pointer(&zero))
		case y.flat && g.xTail.flat:
			dtype.Convert(y.dtype, y.base, 1, g.xTail.dtype, g.xTail.element(p), 1, g.tail)
		default:
			x := g.xTail
			x.base = x.element(p)
			copyView(&y, &x)
		}
	}
}

// copyView copies and converts row by row.
func copyView(y, x *view) {
	row := y.row()
	var to, from cursor
	to.seek(y, 0)
	from.seek(x, 0)
	for range product(y.shape) / row {
		dtype.Convert(y.dtype, y.element(to.offset), y.step(), x.dtype, x.element(from.offset), x.step(), row)
		to.nextRow()
		from.nextRow()
	}
}
