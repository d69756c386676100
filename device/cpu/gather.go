package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Gather reads at the places that the indices say. The axes behind the last one along which an index varies are copied
// as a whole.
func (processor) Gather(l *device.Launch) {
	ix := newIndexing(l, 1)
	if l.Size() == 0 {
		return
	}
	ix.check()
	y, x := &l.Operands[0], &l.Operands[1]
	g := gathering{indexing: ix, y: viewWithin(l, 0, 0, ix.outer), yTail: viewWithin(l, 0, ix.outer, l.Rank)}
	g.xTail = viewWithin(l, 1, ix.outer, l.Rank)
	cost := 2 + costOf(&g.yTail, &g.xTail)*float64(ix.tail)
	g.same = y.DType == x.DType
	forRanges(ix.points, cost, g.run)
}

// gathering is a Gather at work.
type gathering struct {
	*indexing
	y            view // over the outer axes
	yTail, xTail view // over the axes that are copied as a whole
	same         bool // dtypes
}

func (g *gathering) run(from, to int) {
	var places [blockLen / 4]int
	temp := takeScratch(len(places) * 16)
	for start := from; start < to; start += len(places) {
		n := min(len(places), to-start)
		g.places(places[:n], start)
		if g.tail == 1 {
			g.single(places[:n], temp.at(0), start)
		} else {
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
