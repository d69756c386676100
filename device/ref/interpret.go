package ref

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// machine runs a program at points of the loop. Every instruction rounds its value to the type of its register.
type machine struct {
	program *device.Program
	scalars []device.Scalar
	size    int                                              // of the loop
	input   func(k int, index []int, t dtype.DType) value    // the element of an input at the point
	load    func(k int, position int64, t dtype.DType) value // the element of a raw input at an index
	regs    []value
}

// newMachine returns a machine for a program whose inputs are operands.
func newMachine(p *device.Program, scalars []device.Scalar, size int, inputs []operand) *machine {
	return &machine{
		program: p, scalars: scalars, size: size, regs: make([]value, len(p.Code)),
		input: func(k int, index []int, t dtype.DType) value { return inputs[k].load(inputs[k].at(index), t) },
		load:  func(k int, position int64, t dtype.DType) value { return inputs[k].loadRaw(position, t) },
	}
}

// loadRaw returns the element at an index of a raw operand, and 0 if the index is out of range.
func (o operand) loadRaw(position int64, t dtype.DType) value {
	if position < 0 || position >= int64(o.len) {
		return value{}
	}
	return o.load(o.offset+int(position), t)
}

// run computes all registers for one point of the loop.
func (m *machine) run(position int, index []int) {
	for r := range m.program.Code {
		m.regs[r] = m.execute(&m.program.Code[r], position, index)
	}
}

// result returns the value of an output, and its type.
func (m *machine) result(output int) (value, dtype.DType) {
	r := m.program.Results[output]
	return m.regs[r], m.program.Code[r].Type
}

func (m *machine) typeOf(r device.Reg) dtype.DType { return m.program.Code[r].Type }

func (m *machine) execute(in *device.Inst, position int, index []int) value {
	switch in.Op {
	case device.OpInput:
		return m.input(in.Index, index, in.Type)
	case device.OpScalar:
		return fromScalar(m.scalars[in.Index], in.Type)
	case device.OpConst:
		return fromScalar(in.Value, in.Type)
	case device.OpIndex:
		return value{i: int64(position)}
	case device.OpSize:
		return value{i: int64(m.size)}
	case device.OpLoad:
		return m.load(in.Index, m.regs[in.A].i, in.Type)
	case device.OpCast:
		return convert(m.regs[in.A], m.typeOf(in.A), in.Type)
	case device.OpSelect:
		if m.regs[in.A].i != 0 {
			return m.regs[in.B]
		}
		return m.regs[in.C]
	}
	if in.Op.Arity() == 1 {
		return apply(in.Op, m.typeOf(in.A), m.regs[in.A], value{})
	}
	return apply(in.Op, m.typeOf(in.A), m.regs[in.A], m.regs[in.B])
}

// apply computes an opcode for arguments of type t. The second argument of a unary opcode is ignored.
func apply(op device.Op, t dtype.DType, a, b value) value {
	switch t {
	case dtype.Bool:
		return boolean(op, a.i != 0, b.i != 0)
	case dtype.Int8:
		return integer(op, int8(a.i), int8(b.i))
	case dtype.Int16:
		return integer(op, int16(a.i), int16(b.i))
	case dtype.Int32:
		return integer(op, int32(a.i), int32(b.i))
	case dtype.Int64:
		return integer(op, a.i, b.i)
	case dtype.Uint8:
		return integer(op, uint8(a.i), uint8(b.i))
	case dtype.Uint16:
		return integer(op, uint16(a.i), uint16(b.i))
	case dtype.Uint32:
		return integer(op, uint32(a.i), uint32(b.i))
	case dtype.Uint64:
		return integer(op, uint64(a.i), uint64(b.i))
	case dtype.Float32:
		return float(op, float32(a.x), float32(b.x), b.i)
	case dtype.Float64:
		return float(op, a.x, b.x, b.i)
	case dtype.Complex64:
		v := complexNumber(op, a.z, b.z)
		return value{i: v.i, x: float64(float32(v.x)), z: complex128(complex64(v.z))}
	case dtype.Complex128:
		return complexNumber(op, a.z, b.z)
	}
	panic("ref: nothing computes with " + t.String())
}

// undefined panics: the opcode has no meaning for the type. Programs that were parsed have no such opcodes.
func undefined(op device.Op, kind string) value {
	panic("ref: " + op.String() + " has no meaning for " + kind)
}
