package ref

import "github.com/ndgrad/ndgrad/device"

// Scan stores, at each index of the last axis, the combination of operand 1 at this index and all indices before it, or
// with l.Exclusive only at those before it. It computes in the type of operand 0, and accumulates as Reduce does.
func (d *Device) Scan(l *device.Launch) {
	y, x := d.operand(l, 0), d.operand(l, 1)
	outer, row := split(l, 1)
	t := y.compute()
	for _, index := range points(outer) {
		running := newTotal(l.Combine, t)
		at, step := y.at(index), y.strides[len(index)]
		for k, v := range x.row(index, row[0], device.CarriedType(t)) {
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
