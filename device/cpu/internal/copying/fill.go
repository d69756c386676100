package copying

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// IsFill reports whether a launch writes one number to all elements.
func IsFill(l *device.Launch) bool {
	if l.N != 1 || len(l.Program.Code) != 1 {
		return false
	}
	op := l.Program.Code[0].Op
	return op == device.OpScalar || op == device.OpConst
}

// Fill writes the value of the program's only instruction.
func Fill(l *device.Launch) {
	in := &l.Program.Code[0]
	v := in.Value
	if in.Op == device.OpScalar {
		v = l.Scalars[in.Index]
	}
	var computed, element [16]byte
	y := &l.Operands[0]
	strided.Splat(unsafe.Pointer(&computed), in.Type, v, 1)
	strided.Convert(y.DType, unsafe.Pointer(&element), 1, in.Type, unsafe.Pointer(&computed), 1, 1)
	if strided.Contiguous(l, 0) {
		FillRun(strided.First(y), &element, y.DType.Size(), l.Size())
		return
	}
	strided.Simplify(l)
	if l.Size() > 0 {
		view := strided.Of(l, 0)
		FillView(&view, unsafe.Pointer(&element))
	}
}

// FillCost is about how many nanoseconds it takes to fill an element.
const FillCost = 0.15

// FillRun writes an element n times, one after the other.
func FillRun(y unsafe.Pointer, element *[16]byte, size, n int) {
	if !workers.Sharing(workers.Estimate(n, FillCost)) {
		move.Fill(y, unsafe.Pointer(element), size, n, size*n >= isa.StreamedResult)
		return
	}
	shareFill(y, *element, size, n)
}

func shareFill(y unsafe.Pointer, element [16]byte, size, n int) {
	workers.ForRanges(n, FillCost, func(from, to int) {
		move.Fill(unsafe.Add(y, from*size), unsafe.Pointer(&element), size, to-from, size*n >= isa.StreamedResult)
	})
}

// FillView sets all elements to the element at src, which has the view's type.
func FillView(y *strided.View, src unsafe.Pointer) {
	row, step := y.Row(), y.Step()
	var c strided.Cursor
	c.Seek(y, 0)
	for range broadcast.Size(y.Shape) / row {
		if at := y.Element(c.Offset); step == 1 {
			move.Fill(at, src, y.Size, row, false)
		} else {
			dtype.Convert(y.DType, at, step, y.DType, src, 0, row)
		}
		c.NextRow()
	}
}
