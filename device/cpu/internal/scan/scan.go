// Package scan computes running combinations along the last axis, such as cumulative sums: the kernel Scan.
package scan

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/elementwise"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Scan computes in the type of operand 0; floats and complex numbers are accumulated in 64 bits per part.
func Scan(l *device.Launch) {
	if l.Size() == 0 {
		return
	}
	s := blockScan{launch: l, length: l.Shape[l.Rank-1]}
	s.accumulator = device.CarriedType(dtype.ComputeType(l.Operands[0].DType))
	s.combine = elementwise.CombineLoop(l.Combine, s.accumulator)
	s.first = elementwise.Identity(l.Combine, s.accumulator)
	s.arrange()
	if s.runFloats() {
		return
	}
	cost := blockCost * float64(s.length*s.columns)
	workers.ForRanges(s.strips*s.lines, cost, s.run)
}

// blockCost is the cost per element, in nanoseconds.
const blockCost = 3

// blockScan is a scan of any type and strides. It scans the last axis with a row of running combinations, one for each
// point along the axis whose elements are closest together.
type blockScan struct {
	launch      *device.Launch
	accumulator dtype.DType // the type of the running combinations
	combine     elementwise.Loop
	first       device.Scalar // the start value of an exclusive scan
	length      int
	lines       int // points of all axes except the last two
	strips      int // pieces of the last axis but one
	columns     int // points of a strip
}

// blockColumns is the maximum number of combinations that run side by side.
const blockColumns = 256

// arrange reorders all axes except the last, so that a row runs along the axis whose elements are closest together.
func (s *blockScan) arrange() {
	l := s.launch
	var strides [device.MaxOperands][]int
	for k := range l.N {
		strides[k] = l.Operands[k].Strides[:l.Rank-1]
	}
	broadcast.Reorder(l.Shape[:l.Rank-1], strides[:l.N])
	if l.Rank == 1 { // a row with one point
		l.Rank, l.Shape[1] = 2, l.Shape[0]
		l.Shape[0] = 1
		for k := range l.N {
			st := &l.Operands[k].Strides
			st[0], st[1] = 0, st[0]
		}
	}
	row := l.Shape[l.Rank-2]
	s.columns = min(row, blockColumns)
	if st := &l.Operands[1].Strides; strided.Magnitude(st[l.Rank-1]) < strided.Magnitude(st[l.Rank-2]) {
		s.columns = 1 // each line by itself
	}
	s.strips = (row + s.columns - 1) / s.columns
	s.lines = broadcast.Size(l.Shape[:l.Rank-2])
}

func (s *blockScan) run(from, to int) {
	if s.columns == 1 {
		s.runAlone(from, to)
		return
	}
	l := s.launch
	y, x := strided.Within(l, 0, 0, l.Rank-2), strided.Within(l, 1, 0, l.Rank-2)
	row := l.Shape[l.Rank-2]
	width := s.accumulator.Size()
	room := memory.TakeScratch(2 * s.columns * width)
	total, values := room.At(0), room.At(s.columns*width)
	for k := from; k < to; k++ {
		line, column := k/s.strips, k%s.strips*s.columns
		n := min(s.columns, row-column)
		yAt, xAt := axisOf(l, 0, y.At(line)), axisOf(l, 1, x.At(line))
		if s.launch.Exclusive {
			strided.Splat(total, s.accumulator, s.first, n)
		}
		for i := range s.length {
			// The values are read first: they may lie where the combinations will be stored.
			dtype.Convert(s.accumulator, values, 1, xAt.dtype, xAt.at(column, i), xAt.across, n)
			if s.launch.Exclusive {
				s.store(yAt.at(column, i), yAt.across, total, n)
			}
			if i == 0 && !s.launch.Exclusive {
				copy(memory.Slice[byte](total, n*width), memory.Slice[byte](values, n*width))
			} else {
				s.combine(total, total, values, nil, n)
			}
			if !s.launch.Exclusive {
				s.store(yAt.at(column, i), yAt.across, total, n)
			}
		}
	}
	room.Recycle()
}

// runAlone scans lines one at a time, in blocks.
func (s *blockScan) runAlone(from, to int) {
	l := s.launch
	y, x := strided.Within(l, 0, 0, l.Rank-1), strided.Within(l, 1, 0, l.Rank-1)
	width := s.accumulator.Size()
	room := memory.TakeScratch((strided.BlockLen + 1) * width)
	values := room.At(width)
	running := inclusive(s.launch.Combine, s.accumulator)
	for line := from; line < to; line++ {
		yAt, xAt := axisOf(l, 0, y.At(line)), axisOf(l, 1, x.At(line))
		total := room.At(0)
		for start := 0; start < s.length; start += strided.BlockLen {
			n := min(strided.BlockLen, s.length-start)
			dtype.Convert(s.accumulator, values, 1, xAt.dtype, xAt.at(0, start), xAt.along, n)
			switch {
			case start > 0:
				running(total, n+1)
			case l.Exclusive:
				strided.Splat(total, s.accumulator, s.first, 1)
				running(total, n+1)
			default:
				running(values, n)
			}
			if l.Exclusive {
				s.store(yAt.at(0, start), yAt.along, total, n)
			} else {
				s.store(yAt.at(0, start), yAt.along, values, n)
			}
			copy(memory.Slice[byte](total, width), memory.Slice[byte](unsafe.Add(values, (n-1)*width), width))
		}
	}
	room.Recycle()
}

// axis is an operand along the last two axes of the loop, starting at an element.
type axis struct {
	base          unsafe.Pointer
	dtype         dtype.DType
	across, along int // strides: of the last axis but one, and of the last
}

func axisOf(l *device.Launch, k int, base unsafe.Pointer) axis {
	op := &l.Operands[k]
	return axis{base, op.DType, op.Strides[l.Rank-2], op.Strides[l.Rank-1]}
}

func (a axis) at(column, i int) unsafe.Pointer {
	return unsafe.Add(a.base, (column*a.across+i*a.along)*a.dtype.Size())
}

// store writes running combinations, rounded once.
func (s *blockScan) store(dst unsafe.Pointer, step int, src unsafe.Pointer, n int) {
	dtype.Convert(s.launch.Operands[0].DType, dst, step, s.accumulator, src, 1, n)
}
