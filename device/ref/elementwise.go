package ref

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Elementwise runs a program at each point of the loop. Where the mask is false, nothing is stored. At each point all
// inputs are read before an output is written.
func (d *Device) Elementwise(l *device.Launch) {
	outputs := d.operands(l, 0, l.Outputs)
	m := newMachine(l.Program, l.Scalars[:], l.Size(), d.inputs(l))
	stored := func([]int) bool { return true }
	if l.Where != 0 {
		where := d.operand(l, l.Where)
		stored = func(index []int) bool { return where.load(where.at(index), dtype.Bool).i != 0 }
	}
	for position, index := range points(shape(l)) {
		if !stored(index) {
			continue
		}
		m.run(position, index)
		for k, y := range outputs {
			v, t := m.result(k)
			y.store(y.at(index), v, t)
		}
	}
}

// Engines returns one engine for all programs, since a machine computes one instruction after the other.
func (d *Device) Engines(p *device.Program) device.Engines {
	if p.HasRaw() {
		return 0
	}
	return 1
}

// inputs returns the operands that the program reads.
func (d *Device) inputs(l *device.Launch) []operand {
	return d.operands(l, l.Outputs, l.Outputs+len(l.Inputs()))
}
