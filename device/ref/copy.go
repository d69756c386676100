package ref

import "github.com/ndgrad/ndgrad/device"

// Copy converts the elements of operand 1 and stores them in operand 0.
func (d *Device) Copy(l *device.Launch) {
	y, x := d.operand(l, 0), d.operand(l, 1)
	for _, index := range points(shape(l)) {
		y.copy(y.at(index), x, x.at(index))
	}
}
