package onnx

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

var minusInfinity = math.Inf(-1)

// triangle returns bools: the keys that queries see.
func triangle(queries, keys int) *nd.Array { return nd.Tri(queries, keys, 0, dtype.Bool) }

// program translates an elementwise program, opcode by opcode.
func (r *recorded) program(t traced.Program) string {
	in := make([]string, r.Inputs())
	var shapes [][]int
	for i := range in {
		if t.Program.Inputs[i].Raw {
			return r.unknown()
		}
		in[i] = r.inAs(i, t.Program.Inputs[i].Type)
		shapes = append(shapes, r.Shape(i))
	}
	scalars := make([]string, len(t.Program.Scalars))
	for i, p := range t.Program.Scalars {
		scalars[i] = r.scalar(t.Scalars[i], p.Type)
	}
	y := r.outputOf(t.Program, scalars, in, r.k)
	if y == "" {
		return ""
	}
	y = r.cast(y, t.Program.Outputs[r.k].Type, r.OutDType(r.k))
	if shape, err := broadcast.Shapes(shapes...); err != nil || !broadcast.Equal(shape, r.OutShape(r.k)) {
		y = r.node("Expand", []string{y, r.ints(r.OutShape(r.k)...)})
	}
	return y
}

// scalar adds a constant of a compute type.
func (g *exported) scalar(v device.Scalar, t dtype.DType) string {
	if t.IsFloat() {
		return g.number(v.Re, t)
	}
	return g.constant(nd.FromSlice([]int64{v.Int}, []int{}...).AsType(t))
}

// outputOf translates the instructions that an output needs.
func (r *recorded) outputOf(p *device.Program, scalars, in []string, k int) string {
	names := make([]string, len(p.Code))
	needed := make([]bool, len(p.Code))
	needed[p.Results[k]] = true
	for i := len(p.Code) - 1; i >= 0; i-- {
		if needed[i] {
			for _, a := range p.Code[i].Args() {
				needed[a] = true
			}
		}
	}
	for i := range p.Code {
		inst := &p.Code[i]
		if !needed[i] {
			continue
		}
		if inst.Type.IsComplex() {
			r.refuse(r.Func, "ONNX computes with no complex numbers")
			return ""
		}
		switch inst.Op {
		case device.OpInput:
			names[i] = in[inst.Index]
		case device.OpScalar:
			names[i] = scalars[inst.Index]
		case device.OpConst:
			names[i] = r.scalar(inst.Value, inst.Type)
		default:
			args := make([]string, inst.Op.Arity())
			from := inst.Type
			for j, a := range inst.Args() {
				args[j], from = names[a], p.Code[a].Type
			}
			if inst.Op == device.OpMax && from.IsFloat() && zero(p, inst.B) {
				names[i] = r.node("Relu", args[:1])
				continue
			}
			o := opcode{r, args, from}
			if names[i] = o.translated(inst.Op, inst.Type); names[i] == "" {
				r.refuse(r.Func, "the opcode %s of %s has no translation", inst.Op, from)
				return ""
			}
		}
	}
	return names[p.Results[k]]
}

// zero reports whether a register is the constant 0.
func zero(p *device.Program, at device.Reg) bool {
	inst := &p.Code[at]
	return inst.Op == device.OpConst && inst.Value.Re == 0
}
