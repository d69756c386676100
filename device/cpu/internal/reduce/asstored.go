package reduce

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/elementwise"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// A Reduce with l.AsStored takes the same steps as one of stored values. It computes each piece of them in a buffer, right before it
// combines the piece. What it cannot take apart so, it stores.

// takesPieces reports whether a launch with l.AsStored can combine pieces in buffers. Squares down columns are not combined where they
// lie.
func takesPieces(pl *elementwise.Plan, l *device.Launch) bool {
	t := pl.Results[0].DType
	return !pl.Raw && !(l.Squares && (l.Reduced < l.Rank || t != dtype.Float32 && t != dtype.Float64))
}

// stepOfStored returns the stride along the last axis of the inputs that have all axes.
func (r *reduction) stepOfStored() (step int) {
	for k := range r.launch.Inputs() {
		step = max(step, r.eval.Inputs[k].Step())
	}
	return step
}

// patternAsStored is patternOf for values that are computed in pieces.
func (r *reduction) patternAsStored() (s patternRows, ok bool) {
	s = patternRows{kind: elementwise.PatternInput, double: r.dtype == dtype.Float64, fold: r.fold, eval: r.eval, width: r.width}
	if r.launch.Squares {
		s.kind = elementwise.PatternSquare
	}
	return s, r.eval.Row == 1 || r.stepOfStored() == 1
}

// computedRows is rows for values that are computed: short rows several at once.
func (s *patternRows) computedRows(dst unsafe.Pointer, point, rows, n int) {
	buffer, regs := memory.TakeScratch(reduce.Longest*s.width), s.eval.Registers()
	for row, most := 0, reduce.Longest/n; row < rows; row += most {
		k := min(most, rows-row)
		s.compute(buffer.At(0), regs, point+row*n, k*n)
		s.combine(unsafe.Add(dst, row*s.width), buffer.At(0), nil, k, n, n, 0)
	}
	regs.Recycle()
	buffer.Recycle()
}

// compute stores the values of n points at dst.
func (s *patternRows) compute(dst unsafe.Pointer, regs *elementwise.Registers, point, n int) {
	for done := 0; done < n; {
		at := point + done
		k := min(n-done, strided.BlockLen)
		if s.eval.WithinRows() {
			k = min(k, s.eval.Row-at%s.eval.Row)
		}
		s.eval.RunInto(unsafe.Add(dst, done*s.width), regs, at, k)
		done += k
	}
}

// bandRows is how many rows of columns are combined at once. A whole number of bands is combined as one call would.
const bandRows = 8

// computedColumns combines rows of columns into dst: bands of rows, and of wide rows some columns after the other.
func (s *patternRows) computedColumns(dst unsafe.Pointer, start, rows, columns, stride int) {
	const most = reduce.Longest / bandRows
	buffer, regs := memory.TakeScratch(reduce.Longest*s.width), s.eval.Registers()
	for column := 0; column < columns; column += most {
		width := min(most, columns-column)
		band := bandRows
		if columns == stride && columns <= most {
			band = reduce.Longest / columns / bandRows * bandRows
		}
		for row := 0; row < rows; row += band {
			n := min(band, rows-row)
			point := start + row*stride + column
			if width == stride {
				s.compute(buffer.At(0), regs, point, n*width)
			} else {
				for k := range n {
					s.compute(buffer.At(k*width*s.width), regs, point+k*stride, width)
				}
			}
			s.fold.columns(unsafe.Add(dst, column*s.width), buffer.At(0), n, width, width)
		}
	}
	regs.Recycle()
	buffer.Recycle()
}

// reduceStored is Reduce with l.AsStored that stores the values.
func reduceStored(l *device.Launch) {
	p := l.Program
	value := p.Outputs[0].Type
	room := memory.TakeScratch(l.Size() * value.Size())
	e := device.NewLaunch()
	e.Func, e.Rank, e.Shape, e.Scalars, e.Program = l.Func, l.Rank, l.Shape, l.Scalars, p
	e.N, e.Outputs, e.Operands = l.N, 1, l.Operands
	x := &e.Operands[0]
	x.Memory, x.Offset, x.DType, x.Len = device.Memory{Handle: room.At(0), Size: l.Size() * value.Size()}, 0, value, 0
	clear(x.Strides[:])
	for k := e.Outputs; k < e.N; k++ {
		if !strided.OfOneElement(e, k) {
			x.Strides = e.Operands[k].Strides
		}
	}
	l.AsStored, l.Program, l.N = false, device.Identities.Of(value), 2
	l.Operands[1] = *x
	copy(l.Scalars[:], l.Scalars[len(p.Scalars):])
	elementwise.Elementwise(e)
	e.Recycle()
	Reduce(l)
	room.Recycle()
}
