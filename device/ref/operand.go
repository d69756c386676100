package ref

import (
	"iter"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// operand is an array as the kernels of this package see it. An element has a number, which counts from the start of
// the block.
type operand struct {
	bytes   []byte
	dtype   dtype.DType
	offset  int
	strides []int
	len     int
}

// operand returns operand k of a launch.
func (d *Device) operand(l *device.Launch, k int) operand {
	o := &l.Operands[k]
	return operand{
		bytes: d.block(o.Memory).bytes, dtype: o.DType, offset: o.Offset, strides: o.Strides[:l.Rank], len: o.Len,
	}
}

// operands returns the operands from number from up to, but not including, number to.
func (d *Device) operands(l *device.Launch, from, to int) []operand {
	var all []operand
	for k := from; k < to; k++ {
		all = append(all, d.operand(l, k))
	}
	return all
}

// compute returns the type of the registers in which the elements are computed.
func (o operand) compute() dtype.DType { return dtype.ComputeType(o.dtype) }

// at returns the number of the element at a point of the loop. If the index covers only the first axes, the other
// indices are 0.
func (o operand) at(index []int) int { return o.offset + broadcast.Dot(index, o.strides) }

// pointer returns the address of an element.
func (o operand) pointer(at int) unsafe.Pointer {
	size := o.dtype.Size()
	return unsafe.Pointer(unsafe.SliceData(o.bytes[at*size : (at+1)*size]))
}

// load returns an element, converted to type t.
func (o operand) load(at int, t dtype.DType) value {
	var e element
	dtype.Convert(t, unsafe.Pointer(&e), 1, o.dtype, o.pointer(at), 1, 1)
	return decode(t, unsafe.Pointer(&e))
}

// store writes v, a number of type t, converted to the elements' type.
func (o operand) store(at int, v value, t dtype.DType) {
	e := encode(t, v)
	dtype.Convert(o.dtype, o.pointer(at), 1, t, unsafe.Pointer(&e), 1, 1)
}

// copy stores an element of another operand, converted, in o.
func (o operand) copy(at int, from operand, fromAt int) {
	dtype.Convert(o.dtype, o.pointer(at), 1, from.dtype, from.pointer(fromAt), 1, 1)
}

// row returns the elements along the last axis, starting at a point of the other axes, converted to type t.
func (o operand) row(index []int, n int, t dtype.DType) []value {
	values := make([]value, n)
	first, step := o.at(index), o.strides[len(index)]
	for k := range values {
		values[k] = o.load(first+k*step, t)
	}
	return values
}

// points iterates over a loop in row-major order. Each step yields the count from 0 and the index. The next step
// overwrites the index.
func points(shape []int) iter.Seq2[int, []int] {
	return func(yield func(int, []int) bool) {
		index := make([]int, len(shape))
		for position := range broadcast.Size(shape) {
			if !yield(position, index) {
				return
			}
			broadcast.Next(index, shape)
		}
	}
}

// shape returns the loop's shape.
func shape(l *device.Launch) []int { return l.Shape[:l.Rank] }

// split returns the shape without its last axes, and these axes.
func split(l *device.Launch, last int) (outer, inner []int) {
	return l.Shape[:l.Rank-last], l.Shape[l.Rank-last : l.Rank]
}
