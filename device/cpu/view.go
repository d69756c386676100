package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// view is an operand in a loop. The points of the loop are numbered in row-major order, and a row is what lies along the
// last axis.
type view struct {
	base    unsafe.Pointer // the element at the first point
	shape   []int          // of the loop; not empty
	strides []int
	dtype   dtype.DType
	size    int  // of an element, in bytes
	flat    bool // the points' elements lie one after the other
	uniform bool // all points have the same element
}

// viewOf returns operand k of a launch.
func viewOf(l *device.Launch, k int) view { return viewWithin(l, k, 0, l.Rank) }

// viewWithin returns operand k over some of the loop's axes only, the others being at 0. Over no axes it is an array of
// one element.
func viewWithin(l *device.Launch, k, from, to int) view {
	op := &l.Operands[k]
	v := view{base: first(op), shape: l.Shape[from:to], strides: op.Strides[from:to], dtype: op.DType, size: op.DType.Size()}
	if from == to {
		v.shape, v.strides = single, single
	}
	v.classify()
	return v
}

// single is the shape of a loop of one point, and strides that lead nowhere else.
var single = []int{1}

// first returns the address of an operand's first element.
func first(op *device.Operand) unsafe.Pointer {
	return unsafe.Add(op.Memory.Handle, op.Offset*op.DType.Size())
}

func (v *view) classify() {
	v.flat, v.uniform = true, true
	next := 1
	for axis := len(v.shape) - 1; axis >= 0; axis-- {
		if n := v.shape[axis]; n != 1 {
			v.flat = v.flat && v.strides[axis] == next
			v.uniform = v.uniform && v.strides[axis] == 0
			next *= n
		}
	}
}

// sameRows reports whether all rows have the same elements.
func (v *view) sameRows() bool {
	for axis, stride := range v.strides[:len(v.strides)-1] {
		if stride != 0 && v.shape[axis] != 1 {
			return false
		}
	}
	return true
}

// row returns the length of the last axis, step the stride along it.
func (v *view) row() int  { return v.shape[len(v.shape)-1] }
func (v *view) step() int { return v.strides[len(v.strides)-1] }

// element returns the address of an element by its distance from the first.
func (v *view) element(offset int) unsafe.Pointer { return unsafe.Add(v.base, offset*v.size) }

// offset returns how far the element at a point is from the first.
func (v *view) offset(point int) int {
	if v.flat {
		return point
	}
	offset := 0
	for axis := len(v.shape) - 1; axis > 0 && point != 0; axis-- {
		n := v.shape[axis]
		offset += point % n * v.strides[axis]
		point /= n
	}
	return offset + point*v.strides[0]
}

// at returns the address of the element at a point.
func (v *view) at(point int) unsafe.Pointer { return v.element(v.offset(point)) }

// cursor is a place in a view.
type cursor struct {
	shape, strides []int
	index          [device.MaxRank]int
	offset         int // of the element there
}

func (c *cursor) seek(v *view, point int) {
	c.shape, c.strides, c.offset = v.shape, v.strides, 0
	for axis := len(c.shape) - 1; axis >= 0; axis-- {
		n := c.shape[axis]
		c.index[axis] = point % n
		point /= n
		c.offset += c.index[axis] * c.strides[axis]
	}
}

// column returns how far the place is from the beginning of its row.
func (c *cursor) column() int { return c.index[len(c.shape)-1] }

// nextRow moves to the beginning of the next row; after the last one that is the first.
func (c *cursor) nextRow() {
	last := len(c.shape) - 1
	c.offset -= c.index[last] * c.strides[last]
	c.index[last] = 0
	for axis := last - 1; axis >= 0; axis-- {
		c.offset += c.strides[axis]
		if c.index[axis]++; c.index[axis] < c.shape[axis] {
			return
		}
		c.offset -= c.shape[axis] * c.strides[axis]
		c.index[axis] = 0
	}
}

// normalize gives a loop of no axes one of length 1, so that there is always a row.
func ensureAxis(l *device.Launch) {
	if l.Rank > 0 {
		return
	}
	l.Rank, l.Shape[0] = 1, 1
	for k := range l.N {
		l.Operands[k].Strides[0] = 0
	}
}

// simplify merges and reorders the axes of an elementwise loop.
func simplify(l *device.Launch) {
	l.Coalesce()
	ensureAxis(l)
}

// simplifyGroup does so within the axes from one to another alone, and moves the axes behind them down. It returns where
// the group ends now.
func simplifyGroup(l *device.Launch, from, to int) int {
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
