package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Copy stores operand 1, converted, in operand 0.
func (processor) Copy(l *device.Launch) {
	simplify(l)
	if l.Size() == 0 {
		return
	}
	y, x := viewOf(l, 0), viewOf(l, 1)
	if y.flat && x.flat || l.Rank == 1 {
		copyRow(y, x)
		return
	}
	copyPlanes(y, x)
}

// nanoseconds that an element takes to copy, by a guess that is good enough to decide about sharing.
const (
	copyCost      = 0.3
	convertedCost = 1.5
)

func costOf(y, x *view) float64 {
	if y.dtype == x.dtype {
		return copyCost
	}
	return convertedCost
}

// copyRow copies along the only axis.
func copyRow(y, x view) {
	yStep, xStep := y.step(), x.step()
	if y.flat && x.flat {
		yStep, xStep = 1, 1
	}
	n := 1
	for _, d := range y.shape {
		n *= d
	}
	if cost := costOf(&y, &x); sharing(estimate(n, cost)) {
		copyRowShared(y, x, yStep, xStep, n, cost)
		return
	}
	dtype.Convert(y.dtype, y.base, yStep, x.dtype, x.base, xStep, n)
}

func copyRowShared(y, x view, yStep, xStep, n int, cost float64) {
	forRanges(n, cost, func(from, to int) {
		dtype.Convert(y.dtype, y.element(from*yStep), yStep, x.dtype, x.element(from*xStep), xStep, to-from)
	})
}

// tile is the side of the squares in which a plane is copied where one side is read across: the lines that a square
// touches stay in the cache until all of them is used.
const tile = 32

// copyPlanes copies the planes of the last two axes, one after the other.
func copyPlanes(y, x view) {
	rank := len(y.shape)
	p := plane{
		rows: y.shape[rank-2], columns: y.shape[rank-1],
		yRow: y.strides[rank-2], yColumn: y.strides[rank-1],
		xRow: x.strides[rank-2], xColumn: x.strides[rank-1],
		to: y.dtype, from: x.dtype, ySize: y.size, xSize: x.size,
	}
	planes := 1
	for _, d := range y.shape[:rank-2] {
		planes *= d
	}
	bands := (p.rows + tile - 1) / tile
	perBand := float64(p.columns*min(tile, p.rows)) * costOf(&y, &x)
	if p.crossed() {
		perBand *= 4
	}
	forRanges(planes*bands, perBand, func(from, to int) {
		for k := from; k < to; k++ {
			at, row := k/bands*p.rows, k%bands*tile
			q := p
			q.y = y.at((at + row) * p.columns)
			q.x = x.at((at + row) * p.columns)
			q.rows = min(tile, p.rows-row)
			q.copy()
		}
	})
}

// plane is a matrix to be copied.
type plane struct {
	y, x                         unsafe.Pointer
	rows, columns                int
	yRow, yColumn, xRow, xColumn int // strides
	to, from                     dtype.DType
	ySize, xSize                 int
}

// crossed reports whether the source is read across its lines.
func (p *plane) crossed() bool {
	return magnitude(p.xColumn) > magnitude(p.xRow) && p.xRow != 0 && p.columns > 8
}

func magnitude(n int) int { return max(n, -n) }

func (p *plane) copy() {
	if !p.crossed() {
		for i := range p.rows {
			p.run(i*p.yRow, p.yColumn, i*p.xRow, p.xColumn, p.columns)
		}
		return
	}
	for column := 0; column < p.columns; column += tile {
		for j := column; j < min(column+tile, p.columns); j++ {
			p.run(j*p.yColumn, p.yRow, j*p.xColumn, p.xRow, p.rows)
		}
	}
}

func (p *plane) run(y, yStep, x, xStep, n int) {
	dtype.Convert(p.to, unsafe.Add(p.y, y*p.ySize), yStep, p.from, unsafe.Add(p.x, x*p.xSize), xStep, n)
}
