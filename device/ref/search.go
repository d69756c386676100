package ref

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Search goes from the beginning of the row to the first element that is not below the value.
func (d *Device) Search(l *device.Launch) {
	y, row, v := d.operand(l, 0), d.operand(l, 1), d.operand(l, 2)
	t, axis := row.compute(), l.Axes[0]
	for _, index := range points(shape(l)) {
		want, at := v.load(v.at(index), t), 0
		for at < axis.Size {
			element := row.load(row.at(index)+at*axis.Stride, t)
			below := isBelow(t, element, want)
			if l.Right {
				below = !isBelow(t, want, element)
			}
			if !below {
				break
			}
			at++
		}
		y.store(y.at(index), value{i: int64(at)}, y.compute())
	}
}

// isBelow reports whether a is less than b: not-a-numbers are greater than all numbers.
func isBelow(t dtype.DType, a, b value) bool {
	isNaN := func(v value) bool { return apply(device.OpNe, t, v, v).i != 0 }
	return apply(device.OpLt, t, a, b).i != 0 || isNaN(b) && !isNaN(a)
}
