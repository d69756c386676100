// Package alongaxis launches kernels that work along the last axis on arrays that need them along another axis.
package alongaxis

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
)

// Launch is a launch of a kernel that works along the last axis of its loop, on arrays that need it along another axis.
// Only the loop's axes are moved: a view of an array would keep the array's memory from being released.
type Launch struct {
	nd.Launch
	axis int
}

// New begins a launch along an axis of a shape.
func New(fn nd.Func, dev device.Device, shape []int, axis int) *Launch {
	return &Launch{fn.Launch(dev, toEnd(shape, axis)), axis}
}

// Write adds y as the next output; Read adds x as the next input. Their shape is that of the loop, or has axes of
// length 1.
func (l *Launch) Write(y *nd.Array) { l.WriteStrides(y, l.strides(y)) }
func (l *Launch) Read(x *nd.Array)  { l.ReadStrides(x, l.strides(x)) }

func (l *Launch) strides(x *nd.Array) []int {
	v := x.Layout()
	strides := toEnd(v.Strides, l.axis)
	for k, n := range toEnd(v.Shape, l.axis) {
		if n == 1 {
			strides[k] = 0
		}
	}
	return strides
}

// Reverse runs the kernel backwards along the axis.
func (l *Launch) Reverse() {
	last := l.Rank - 1
	for k := range l.N {
		op := &l.Operands[k]
		op.Offset += max(l.Shape[last]-1, 0) * op.Strides[last]
		op.Strides[last] = -op.Strides[last]
	}
}

// toEnd returns per-axis numbers with the number of one axis moved to the end.
func toEnd(numbers []int, axis int) []int {
	moved := make([]int, 0, len(numbers))
	moved = append(append(moved, numbers[:axis]...), numbers[axis+1:]...)
	return append(moved, numbers[axis])
}
