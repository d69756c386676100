// Package copying copies, converts and transposes (the kernel Copy), and fills memory with one element.
package copying

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Copy stores operand 1, converted, in operand 0.
func Copy(l *device.Launch) {
	strided.Simplify(l)
	if l.Size() == 0 {
		return
	}
	across := transposedAxis(l)
	if across >= 0 {
		moveAxis(l, across, l.Rank-2)
	}
	y, x := strided.Of(l, 0), strided.Of(l, 1)
	switch {
	case y.Flat && x.Flat || l.Rank == 1:
		copyRow(y, x)
	case across >= 0:
		copyTransposed(y, x)
	default:
		copyPlanes(y, x)
	}
}

// CopyCost and convertCost are about how many nanoseconds it takes to copy, and to convert, an element.
const (
	CopyCost    = 0.3
	convertCost = 1.5
)

// CostBetween returns about how many nanoseconds it takes to copy or convert an element from x to y.
func CostBetween(y, x *strided.View) float64 {
	if y.DType == x.DType {
		return CopyCost
	}
	return convertCost
}

// transposedAxis returns the axis along which the elements of operand 1 are contiguous, if it is not the last axis and
// the elements of operand 0 are contiguous along the last axis; otherwise -1.
func transposedAxis(l *device.Launch) int {
	y, x := &l.Operands[0], &l.Operands[1]
	if last := l.Rank - 1; last < 1 || y.Strides[last] != 1 || x.Strides[last] == 1 || x.Strides[last] == 0 {
		return -1
	}
	for axis := l.Rank - 2; axis >= 0; axis-- {
		if x.Strides[axis] == 1 {
			return axis
		}
	}
	return -1
}

// moveAxis moves an axis of a loop further inside.
func moveAxis(l *device.Launch, from, to int) {
	rotate(l.Shape[from : to+1])
	for k := range l.N {
		rotate(l.Operands[k].Strides[from : to+1])
	}
}

// rotate moves the first element to the end.
func rotate(s []int) {
	first := s[0]
	copy(s, s[1:])
	s[len(s)-1] = first
}

// copyRow copies along the only axis.
func copyRow(y, x strided.View) {
	r := run{y: y, x: x, yStep: y.Step(), xStep: x.Step(), n: broadcast.Size(y.Shape)}
	if y.Flat && x.Flat {
		r.yStep, r.xStep = 1, 1
	}
	if x.Uniform && r.yStep == 1 {
		var element [16]byte
		dtype.Convert(y.DType, unsafe.Pointer(&element), 1, x.DType, x.Base, 1, 1)
		FillRun(y.Base, &element, y.Size, r.n)
		return
	}
	r.stream = r.n*y.Size >= isa.StreamedCopy
	if cost := CostBetween(&y, &x); workers.Sharing(workers.Estimate(r.n, cost)) {
		shareRun(r, cost)
		return
	}
	r.copy(0, r.n)
}

func shareRun(r run, cost float64) { workers.ForRanges(r.n, cost, r.copy) }

// run is a copy of equally spaced elements.
type run struct {
	y, x         strided.View
	yStep, xStep int
	n            int
	stream       bool
}

func (r *run) copy(from, to int) {
	y, x := r.y.Element(from*r.yStep), r.x.Element(from*r.xStep)
	if r.yStep == 1 && r.xStep == 1 && strided.SameBits(r.y.DType, r.x.DType) {
		move.Copy(y, x, (to-from)*r.y.Size, r.stream && y != x)
	} else {
		strided.Convert(r.y.DType, y, r.yStep, r.x.DType, x, r.xStep, to-from)
	}
}

// The planes of a transposed copy are split into strips along the axis on which the source's elements are contiguous. A
// strip has stripLines lines, and more if the result is so large that it is written past the caches, or if the lines are so short that
// whole strips are read in one pass.
const (
	stripLines       = 128
	streamedLines    = 512
	interleavedLines = 8192
)

// copyTransposed copies if the elements of the result are contiguous along the last axis, and those of the source along
// the axis before it.
func copyTransposed(y, x strided.View) {
	rank := len(y.Shape)
	lines, width := y.Shape[rank-2], y.Shape[rank-1]
	planes := broadcast.Size(y.Shape[:rank-2])
	t := transposition{y: y, x: x, lines: lines, width: width, lineStride: y.Strides[rank-2], columnStride: x.Strides[rank-1]}
	t.stream = planes*lines*width*y.Size >= isa.StreamedResult
	strip := stripLines
	switch {
	case move.Interleaves(width, y.Size):
		strip = interleavedLines
	case t.stream:
		strip = streamedLines
	}
	strips := (lines + strip - 1) / strip
	run := t.copy
	if !strided.SameBits(y.DType, x.DType) {
		run = t.convert
	}
	workers.ForRanges(planes*strips, float64(min(strip, lines)*width)*CostBetween(&y, &x), func(from, to int) {
		for k := from; k < to; k++ {
			plane, line := k/strips*lines*width, k%strips*strip
			run(y.At(plane+line*width), unsafe.Add(x.At(plane), line*x.Size), min(strip, lines-line))
		}
	})
}

// transposition is a transposed copy in progress.
type transposition struct {
	y, x                     strided.View
	lines, width             int // of a plane of the result
	lineStride, columnStride int // of the result, and of the source
	stream                   bool
}

// copy copies some lines of a plane.
func (t *transposition) copy(y, x unsafe.Pointer, lines int) {
	if t.stream {
		move.TransposeStreaming(y, t.lineStride, x, t.columnStride, t.width, lines, t.y.Size)
	} else {
		move.Transpose(y, t.lineStride, x, t.columnStride, t.width, lines, t.y.Size)
	}
}

// convert converts some lines of a plane into blocks, which are then transposed without conversion.
func (t *transposition) convert(y, x unsafe.Pointer, lines int) {
	const high, wide = 32, 64
	block := memory.TakeScratch(high * wide * t.x.Size)
	for line := 0; line < lines; line += high {
		h := min(high, lines-line)
		for column := 0; column < t.width; column += wide {
			w := min(wide, t.width-column)
			move.Transpose(block.At(0), w, unsafe.Add(x, (column*t.columnStride+line)*t.x.Size), t.columnStride, w, h, t.x.Size)
			for k := range h {
				dst := unsafe.Add(y, ((line+k)*t.lineStride+column)*t.y.Size)
				strided.Convert(t.y.DType, dst, 1, t.x.DType, block.At(k*w*t.x.Size), 1, w)
			}
		}
	}
	block.Recycle()
}

// tile is the side of the squares in which a plane is copied if one side is read across its lines: the lines that a
// square touches stay in the cache until all of their elements are used.
const tile = 32

// copyPlanes copies the planes of the last two axes, one after the other.
func copyPlanes(y, x strided.View) {
	rank := len(y.Shape)
	p := plane{
		rows: y.Shape[rank-2], columns: y.Shape[rank-1],
		yRow: y.Strides[rank-2], yColumn: y.Strides[rank-1],
		xRow: x.Strides[rank-2], xColumn: x.Strides[rank-1],
		to: y.DType, from: x.DType, ySize: y.Size, xSize: x.Size,
	}
	p.inRows = p.yColumn == 1 && p.xColumn == 1 && strided.SameBits(p.to, p.from)
	p.stream = bypassesCaches(&y, &x)
	planes := 1
	for _, d := range y.Shape[:rank-2] {
		planes *= d
	}
	strip := tile
	if p.narrow() {
		strip = narrowStrip
	}
	strips := (p.rows + strip - 1) / strip
	perStrip := float64(p.columns*min(strip, p.rows)) * CostBetween(&y, &x)
	if p.columnMajor() {
		perStrip *= 4
	}
	workers.ForRanges(planes*strips, perStrip, func(from, to int) {
		for k := from; k < to; k++ {
			at, row := k/strips*p.rows, k%strips*strip
			q := p
			q.y = y.At((at + row) * p.columns)
			q.x = x.At((at + row) * p.columns)
			q.rows = min(strip, p.rows-row)
			q.copy()
		}
	})
}

// bypassesCaches reports whether a copy of planes is stored past the caches. A source whose elements are repeated is read from
// the caches, so that the result may have more room in them.
func bypassesCaches(y, x *strided.View) bool {
	result, source := y.Size, x.Size
	for axis, n := range y.Shape {
		if result *= n; x.Strides[axis] != 0 {
			source *= n
		}
	}
	if result/y.Size > source/x.Size {
		return isa.Streams(result, result+source)
	}
	return result >= isa.StreamedCopy && y.Base != x.Base
}

// plane is a matrix to be copied, or a strip of its rows.
type plane struct {
	y, x                         unsafe.Pointer
	rows, columns                int
	yRow, yColumn, xRow, xColumn int // strides
	to, from                     dtype.DType
	ySize, xSize                 int
	inRows                       bool // elements are contiguous on both sides, with the same bits
	stream                       bool
}

// columnMajor reports whether the source's elements are closer together along its columns.
func (p *plane) columnMajor() bool {
	return strided.Magnitude(p.xColumn) > strided.Magnitude(p.xRow) && p.xRow != 0 && p.columns > 8
}

// narrow reports whether the rows are so short that it is better to copy along the columns.
func (p *plane) narrow() bool { return p.columns <= 6 && p.rows >= 4*p.columns }

// repeats reports whether each row is one of successive elements, repeated, and there is a routine for so many.
func (p *plane) repeats() bool {
	return p.xColumn == 0 && p.xRow == 1 && p.yColumn == 1 && p.yRow == p.columns && strided.SameBits(p.to, p.from) && move.Interleaves(p.columns, p.ySize)
}

// narrowStrip is how many short rows are copied together: their elements stay in the first-level cache for all columns.
const narrowStrip = 1024

func (p *plane) copy() {
	switch {
	case p.repeats():
		move.Interleave(p.y, &move.Rows{p.x, p.x, p.x, p.x}, p.columns, p.rows, p.ySize)
	case p.narrow() || p.columnMajor():
		for j := range p.columns {
			p.run(j*p.yColumn, p.yRow, j*p.xColumn, p.xRow, p.rows)
		}
	case p.inRows:
		move.CopyRows(p.y, p.yRow*p.ySize, p.x, p.xRow*p.xSize, p.rows, p.columns*p.ySize, p.stream)
	default:
		for i := range p.rows {
			p.run(i*p.yRow, p.yColumn, i*p.xRow, p.xColumn, p.columns)
		}
	}
}

func (p *plane) run(y, yStep, x, xStep, n int) {
	strided.Convert(p.to, unsafe.Add(p.y, y*p.ySize), yStep, p.from, unsafe.Add(p.x, x*p.xSize), xStep, n)
}
