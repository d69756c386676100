// Package strided describes where an operand of a launch lies in memory. A [View] has an address, a shape and strides;
// a [Cursor] iterates over its rows; Load and Store convert its elements to a block, and back. The package also has the
// integer functions that kernels need.
package strided

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// View is an operand in a loop. The points of the loop are numbered in row-major order, and a row consists of the
// points along the last axis.
type View struct {
	Base    unsafe.Pointer // the element at the first point
	Shape   []int          // of the loop; not empty
	Strides []int
	DType   dtype.DType
	Size    int  // of an element, in bytes
	Flat    bool // the elements are contiguous in the order of the points
	Uniform bool // all points have the same element
}

// Of returns operand k of a launch.
func Of(l *device.Launch, k int) View { return Within(l, k, 0, l.Rank) }

// Within returns operand k over the loop's axes [from, to) only, at index 0 of the other axes. Over no axes it is an
// array of one element.
func Within(l *device.Launch, k, from, to int) View {
	op := &l.Operands[k]
	v := View{Base: First(op), Shape: l.Shape[from:to], Strides: op.Strides[from:to], DType: op.DType, Size: op.DType.Size()}
	if from == to {
		v.Shape, v.Strides = Single, Single
	}
	v.Classify()
	return v
}

// Single is the shape of a loop with one point, and also usable as its strides.
var Single = []int{1}

// First returns the address of an operand's first element.
func First(op *device.Operand) unsafe.Pointer {
	return unsafe.Add(op.Memory.Handle, op.Offset*op.DType.Size())
}

// Classify sets Flat and Uniform from the shape and the strides.
func (v *View) Classify() {
	v.Flat, v.Uniform = true, true
	next := 1
	for axis := len(v.Shape) - 1; axis >= 0; axis-- {
		if n := v.Shape[axis]; n != 1 {
			v.Flat = v.Flat && v.Strides[axis] == next
			v.Uniform = v.Uniform && v.Strides[axis] == 0
			next *= n
		}
	}
}

// SameRows reports whether all rows have the same elements.
func (v *View) SameRows() bool {
	for axis, stride := range v.Strides[:len(v.Strides)-1] {
		if stride != 0 && v.Shape[axis] != 1 {
			return false
		}
	}
	return true
}

// Extent returns about how many bytes of memory a loop over the view touches: elements that lie a little apart lie in the
// same cache lines.
func (v *View) Extent() int {
	const line = 64
	bytes := 1
	for axis, stride := range v.Strides {
		if stride != 0 {
			bytes *= v.Shape[axis]
		}
	}
	return bytes * max(v.Size, min(line, v.Size*max(v.Step(), -v.Step())))
}

// Row returns the length of the last axis.
func (v *View) Row() int { return v.Shape[len(v.Shape)-1] }

// Step returns the stride along the last axis.
func (v *View) Step() int { return v.Strides[len(v.Strides)-1] }

// Element returns the address of an element by its distance from the first.
func (v *View) Element(offset int) unsafe.Pointer { return unsafe.Add(v.Base, offset*v.Size) }

// Offset returns the distance of the element at a point from the first element.
func (v *View) Offset(point int) int {
	if v.Flat {
		return point
	}
	offset := 0
	for axis := len(v.Shape) - 1; axis > 0 && point != 0; axis-- {
		n := v.Shape[axis]
		offset += point % n * v.Strides[axis]
		point /= n
	}
	return offset + point*v.Strides[0]
}

// At returns the address of the element at a point.
func (v *View) At(point int) unsafe.Pointer { return v.Element(v.Offset(point)) }

// Cursor is a point of a view's loop, which advances row by row.
type Cursor struct {
	shape, strides []int
	index          [device.MaxRank]int
	Offset         int // of the element there
}

// Seek moves the cursor to a point of a view.
func (c *Cursor) Seek(v *View, point int) {
	c.shape, c.strides, c.Offset = v.Shape, v.Strides, 0
	for axis := len(c.shape) - 1; axis >= 0; axis-- {
		n := c.shape[axis]
		c.index[axis] = point % n
		point /= n
		c.Offset += c.index[axis] * c.strides[axis]
	}
}

// Column returns the distance of the point from the beginning of its row.
func (c *Cursor) Column() int { return c.index[len(c.shape)-1] }

// NextRow moves to the beginning of the next row; after the last row comes the first.
func (c *Cursor) NextRow() { c.NextRows(1) }

// RowsAlong returns how many rows follow each other at equal distances from the current one on, including it.
func (c *Cursor) RowsAlong() int {
	if axis := len(c.shape) - 2; axis >= 0 {
		return c.shape[axis] - c.index[axis]
	}
	return 1
}

// RowPitch returns the distance between these rows.
func (c *Cursor) RowPitch() int {
	if axis := len(c.shape) - 2; axis >= 0 {
		return c.strides[axis]
	}
	return 0
}

// NextRows moves to the beginning of the row that comes n rows later, at most RowsAlong; after the last row comes the first.
func (c *Cursor) NextRows(n int) {
	last := len(c.shape) - 1
	c.Offset -= c.index[last] * c.strides[last]
	c.index[last] = 0
	for axis := last - 1; axis >= 0; axis-- {
		c.Offset += n * c.strides[axis]
		if c.index[axis] += n; c.index[axis] < c.shape[axis] {
			return
		}
		c.Offset -= c.shape[axis] * c.strides[axis]
		c.index[axis] = 0
		n = 1
	}
}

// EnsureAxis gives a loop of rank 0 one axis of length 1, so that there is always a row.
func EnsureAxis(l *device.Launch) {
	if l.Rank > 0 {
		return
	}
	l.Rank, l.Shape[0] = 1, 1
	for k := range l.N {
		l.Operands[k].Strides[0] = 0
	}
}

// Simplify merges and reorders the axes of an elementwise loop.
func Simplify(l *device.Launch) {
	l.Coalesce()
	EnsureAxis(l)
}

// SimplifyGroup merges and reorders only the axes [from, to), and moves the axes after them down. It returns the new
// end of the group.
func SimplifyGroup(l *device.Launch, from, to int) int {
	var strides [device.MaxOperands][]int
	for k := range l.N {
		strides[k] = l.Operands[k].Strides[from:to]
	}
	shape := l.Shape[from:to]
	if to == from {
		return to
	}
	end := from + broadcast.Simplify(shape, strides[:l.N])
	if end < to {
		copy(l.Shape[end:], l.Shape[to:l.Rank])
		for k := range l.N {
			s := &l.Operands[k].Strides
			copy(s[end:], s[to:l.Rank])
		}
		l.Rank -= to - end
	}
	return end
}

// Contiguous reports whether an operand's elements are contiguous in the order of the loop.
func Contiguous(l *device.Launch, operand int) bool {
	op := &l.Operands[operand]
	next := 1
	for axis := l.Rank - 1; axis >= 0; axis-- {
		if n := l.Shape[axis]; n != 1 {
			if op.Strides[axis] != next {
				return false
			}
			next *= n
		}
	}
	return true
}

// OfOneElement reports whether an operand has the same element at all points of the loop.
func OfOneElement(l *device.Launch, operand int) bool {
	op := &l.Operands[operand]
	for axis := range l.Rank {
		if op.Strides[axis] != 0 && l.Shape[axis] != 1 {
			return false
		}
	}
	return true
}
