package ref

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Compress stores the elements of operand 1 at which operand 2 is true, one after the other from the first element of
// operand 0 on, and returns how many there are. If operand 0 has no memory, Compress only counts.
func (d *Device) Compress(l *device.Launch) int {
	x, mask := d.operand(l, 1), d.operand(l, 2)
	count := 0
	for _, index := range points(shape(l)) {
		if mask.load(mask.at(index), dtype.Bool).i == 0 {
			continue
		}
		if !l.Operands[0].Memory.IsNil() {
			y := d.operand(l, 0)
			y.copy(y.offset+count, x, x.at(index))
		}
		count++
	}
	return count
}
