package ref

import "github.com/ndgrad/ndgrad/device"

// Scan stores the running combination of operand 1 along the last axis, computed in the type of operand 0 and carried as
// Reduce does. An exclusive one begins with the identity and leaves the last value out.
func (d *Device) Scan(l *device.Launch) {
	y, x := d.operand(l, 0), d.operand(l, 1)
	outer, row := split(l, 1)
	t := y.compute()
	for _, index := range points(outer) {
		running := newTotal(l.Combine, t)
		at, step := y.at(index), y.strides[len(index)]
		for k, v := range x.row(index, row[0], wide(t)) {
			if !l.Exclusive {
				running.add(v)
			}
			y.store(at+k*step, running.value(), t)
			if l.Exclusive {
				running.add(v)
			}
		}
	}
}
