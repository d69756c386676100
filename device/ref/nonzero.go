package ref

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Nonzero stores the indices of the elements of operand 1 that are not zero, one after the other from the first element
// of operand 0 on, and returns how many there are.
func (d *Device) Nonzero(l *device.Launch) int {
	y, x := d.operand(l, 0), d.operand(l, 1)
	count := 0
	for position, index := range points(shape(l)) {
		if x.load(x.at(index), dtype.Bool).i != 0 {
			y.store(y.offset+count, value{i: int64(position)}, dtype.Int64)
			count++
		}
	}
	return count
}
