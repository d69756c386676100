package ref

import "github.com/ndgrad/ndgrad/device"

// MatMul sums the products of operands 1 and 2 over the last axis, and adds operand 3 if present. It computes in the
// type of operand 0: integers wrap, the sum of bools is or, sums of floats are accumulated in float64, sums of complex
// numbers in complex128. An empty sum is 0.
// l.Post, if present, is a launch of its own.
func (d *Device) MatMul(l *device.Launch) {
	c, a, b := d.operand(l, 0), d.operand(l, 1), d.operand(l, 2)
	t := c.compute()
	carried := device.CarriedType(t)
	var added operand
	if l.N > 3 {
		added = d.operand(l, 3)
	}
	outer, inner := split(l, 1)
	for _, index := range points(outer) {
		sum := value{}
		row, column := a.row(index, inner[0], carried), b.row(index, inner[0], carried)
		for k := range row {
			sum = apply(device.OpAdd, carried, sum, apply(device.OpMul, carried, row[k], column[k]))
		}
		if l.N > 3 {
			sum = apply(device.OpAdd, carried, sum, added.row(index, 1, carried)[0])
		}
		c.store(c.at(index), convert(sum, carried, t), t)
	}
	if l.Post != nil {
		l.ApplyPost(l.Rank-1, d.Elementwise)
	}
}
