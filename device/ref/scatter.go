package ref

import "github.com/ndgrad/ndgrad/device"

// Scatter combines the elements of operand 1, in row-major order, into the elements of operand 0 that the indices
// select. It computes in the type of operand 0 and rounds after each combination. If the loop is empty, it does
// nothing.
func (d *Device) Scatter(l *device.Launch) {
	y, x := d.operand(l, 0), d.operand(l, 1)
	t := y.compute()
	p := d.indexing(l)
	p.check(shape(l))
	if l.Cleared && l.Size() > 0 {
		p.clear(y, l)
	}
	for _, index := range points(shape(l)) {
		offset, ok := p.at(index)
		switch at := y.at(index) + offset; {
		case !ok:
		case l.Combine == device.CombineAssign:
			y.copy(at, x, x.at(index))
		default:
			y.store(at, apply(combining(l.Combine), t, y.load(at, t), x.load(x.at(index), t)), t)
		}
	}
}

// clear sets all elements of y, the array that a Scatter writes to, to 0.
func (p indexing) clear(y operand, l *device.Launch) {
	var whole []int
	for axis, n := range shape(l) {
		if l.Operands[0].Strides[axis] == 0 {
			n = 1
		}
		whole = append(whole, n)
	}
	for _, axis := range p.axes {
		whole = append(whole, axis.Size)
	}
	for _, index := range points(whole) {
		at := y.at(index[:l.Rank])
		for j, axis := range p.axes {
			at += index[l.Rank+j] * axis.Stride
		}
		y.store(at, value{}, y.compute())
	}
}
