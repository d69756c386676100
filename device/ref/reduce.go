package ref

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Reduce combines the program's values over the last axes, in row-major order. Floats are accumulated in float64 and
// complex numbers in complex128. They are rounded once, to the type of the program's result; integers wrap. The program
// Post, if present, then computes the values that are stored. Its loop is that of the outputs.
func (d *Device) Reduce(l *device.Launch) {
	y := d.operand(l, 0)
	outer, inner := split(l, l.Reduced)
	guarded := l.Guarded() && l.Program.Outputs[0].Type.IsInexact() // sums of integers wrap
	p := l.Program.Terms(l.Squares, guarded)
	m := newMachine(p, l.Scalars[:], l.Size(), d.inputs(l))
	scale := 1.0
	if guarded {
		operands := m.input
		m.input = func(k int, index []int, t dtype.DType) value {
			if k == len(l.Program.Inputs) {
				return value{x: scale}
			}
			return operands(k, index, t)
		}
	}
	result := p.Outputs[0].Type
	post := newPost(l, broadcast.Size(outer))
	index := make([]int, l.Rank)
	sum := func(output int, o []int) value {
		copy(index, o)
		total := newTotal(l.Combine, result)
		for position, i := range points(inner) {
			copy(index[len(outer):], i)
			m.run(output*broadcast.Size(inner)+position, index)
			v, t := m.result(0)
			total.add(convert(v, t, total.accumulator))
		}
		return total.value()
	}
	for output, o := range points(outer) {
		scale = 1
		v := sum(output, o)
		if guarded {
			re, im := v.x, 0.0
			if result.IsComplex() {
				re, im = real(v.z), imag(v.z)
			}
			if scale = device.ScalesOf(result, l.Squares).Of(re, im); scale != 1 {
				v = sum(output, o)
			}
			if l.Squares && l.Centred && re-re == 0 && im-im == 0 && d.areEqual(l, o, inner) { // infinities have no variance
				v = value{}
			}
		}
		v, t := post.finish(v, result, 1/scale, output, o)
		y.store(y.at(o), v, t)
	}
}

// areEqual reports whether the elements of input 0 at the points of the reduced axes are equal.
func (d *Device) areEqual(l *device.Launch, outer, inner []int) bool {
	x := d.operand(l, 1)
	index := append(slices.Clone(outer), inner...)
	first, seen := value{}, false
	for _, i := range points(inner) {
		copy(index[len(outer):], i)
		v := x.load(x.at(index), dtype.ComputeType(x.dtype))
		if seen && v != first {
			return false
		}
		first, seen = v, true
	}
	return true
}

// postProgram computes the stored value from the combined value.
type postProgram struct {
	machine  *machine // nil if there is no Post
	combined value
	from     dtype.DType
	unit     float64
}

func newPost(l *device.Launch, outputs int) *postProgram {
	p := &postProgram{}
	if l.Post != nil {
		p.machine = newMachine(l.Post, l.Scalars[len(l.Program.Scalars):], outputs, nil)
		p.machine.input = func(k int, _ []int, t dtype.DType) value {
			if k == 1 {
				return convert(value{x: p.unit}, dtype.Float64, t)
			}
			return convert(p.combined, p.from, t)
		}
	}
	return p
}

func (p *postProgram) finish(combined value, t dtype.DType, unit float64, output int, index []int) (value, dtype.DType) {
	if p.machine == nil {
		return combined, t
	}
	p.combined, p.from, p.unit = combined, t, unit
	p.machine.run(output, index)
	return p.machine.result(0)
}
