package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// fills reports whether a launch writes one number everywhere.
func fills(l *device.Launch) bool {
	if l.N != 1 || len(l.Program.Code) != 1 {
		return false
	}
	op := l.Program.Code[0].Op
	return op == device.OpScalar || op == device.OpConst
}

// fill writes the value of the program's only instruction.
func fill(l *device.Launch) {
	in := &l.Program.Code[0]
	v := in.Value
	if in.Op == device.OpScalar {
		v = l.Scalars[in.Index]
	}
	var computed, element [16]byte
	y := &l.Operands[0]
	splat(unsafe.Pointer(&computed), in.Type, v, 1)
	convert(y.DType, unsafe.Pointer(&element), 1, in.Type, unsafe.Pointer(&computed), 1, 1)
	if contiguous(l, 0) {
		fillRun(first(y), &element, y.DType.Size(), l.Size())
		return
	}
	simplify(l)
	if l.Size() > 0 {
		view := viewOf(l, 0)
		fillView(&view, unsafe.Pointer(&element))
	}
}

// fillCost is what an element takes, in nanoseconds, more or less.
const fillCost = 0.15

// fillRun writes an element n times, one after the other.
func fillRun(y unsafe.Pointer, element *[16]byte, size, n int) {
	if !sharing(estimate(n, fillCost)) {
		move.Fill(y, unsafe.Pointer(element), size, n, size*n >= move.Streamed)
		return
	}
	shareFill(y, *element, size, n)
}

func shareFill(y unsafe.Pointer, element [16]byte, size, n int) {
	forRanges(n, fillCost, func(from, to int) {
		move.Fill(unsafe.Add(y, from*size), unsafe.Pointer(&element), size, to-from, size*n >= move.Streamed)
	})
}

// fillView sets all elements to the one at src, which is of the view's type.
func fillView(y *view, src unsafe.Pointer) {
	row, step := y.row(), y.step()
	var c cursor
	c.seek(y, 0)
	for range product(y.shape) / row {
		if at := y.element(c.offset); step == 1 {
			move.Fill(at, src, y.size, row, false)
		} else {
			dtype.Convert(y.dtype, at, step, y.dtype, src, 0, row)
		}
		c.nextRow()
	}
}
