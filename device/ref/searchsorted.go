package ref

import "github.com/ndgrad/ndgrad/device"

// SearchSorted searches from the start of the row for the first element that is not below the value.
func (d *Device) SearchSorted(l *device.Launch) {
	y, row, v := d.operand(l, 0), d.operand(l, 1), d.operand(l, 2)
	t, axis := row.compute(), l.Axes[0]
	compare := order(t, false)
	for _, index := range points(shape(l)) {
		want, at := v.load(v.at(index), t), 0
		for at < axis.Size {
			element := row.load(row.at(index)+at*axis.Stride, t)
			below := compare(element, want) < 0
			if l.Right {
				below = compare(want, element) >= 0
			}
			if !below {
				break
			}
			at++
		}
		y.store(y.at(index), value{i: int64(at)}, y.compute())
	}
}
