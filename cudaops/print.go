package cudaops

import (
	"fmt"
	"math"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// layout is what a printed program is printed for, besides its text.
type layout struct {
	types [device.MaxOperands]dtype.DType // of the operands
	n     int
	where int
	limit int  // of ranks
	flat  bool // all operands are contiguous, or one element
}

// layoutOf returns the layout of a launch, whose axes are merged.
func layoutOf(l *device.Launch) layout {
	y := layout{n: l.N, where: l.Where, limit: limitOf(l.Rank), flat: l.Rank <= 1}
	for k := range l.N {
		y.types[k] = l.Operands[k].DType
		y.flat = y.flat && l.Operands[k].Len == 0 && (l.Rank == 0 || l.Operands[k].Strides[0] == 1)
	}
	return y
}

// printed is the entry of a printed program, whatever it computes.
const printedName = "program"

// printProgram returns a program as CUDA C++: a kernel of the interpreter's arguments, one statement an instruction. What an opcode is, is
// said by the functions that the interpreter calls, so that both give the same bits.
func printProgram(p *device.Program, y layout) string {
	var b strings.Builder
	fmt.Fprintf(&b, "KERNEL(%s, ElementwiseParams) {\n\tFOR_POINTS(i, p.loop.count) {\n", printedName)
	place := func(k int) string {
		if y.flat {
			return "i"
		}
		return fmt.Sprintf("p.loop.place(%d, i)", k)
	}
	if y.where != 0 {
		fmt.Fprintf(&b, "\t\tif (!load<bool>(p.loop.at[%d].data + %s * %d, %d, Bool)) continue;\n",
			y.where, place(y.where), y.types[y.where].Size(), y.types[y.where])
	}
	outputs := len(p.Outputs)
	for r := range p.Code {
		in := &p.Code[r]
		fmt.Fprintf(&b, "\t\tconst Value v%d = %s;\n", r, printInstruction(p, in, func(k int) string {
			k += outputs
			return fmt.Sprintf("load_as<%d, %d>(p.loop.at[%d].data + %s * %d)", y.types[k], in.Type, k, place(k), y.types[k].Size())
		}))
	}
	for k, r := range p.Results {
		fmt.Fprintf(&b, "\t\tstore_as<%d, %d>(p.loop.at[%d].data + %s * %d, v%d);\n", y.types[k], p.Code[r].Type, k, place(k), y.types[k].Size(), r)
	}
	b.WriteString("\t}\n}\n")
	return b.String()
}

// printInstruction writes the value of an instruction; input writes that of an input.
func printInstruction(p *device.Program, in *device.Inst, input func(k int) string) string {
	switch in.Op {
	case device.OpInput:
		return input(in.Index)
	case device.OpScalar:
		return fmt.Sprintf("p.scalars[%d]", in.Index)
	case device.OpConst:
		v := valueOf(in.Value, in.Type)
		return fmt.Sprintf("Value{{(i64)0x%xull}, double_of(0x%xull)}", v.bits, math.Float64bits(v.im))
	case device.OpIndex:
		return "of_int(i)"
	case device.OpSize:
		return "of_int(p.loop.count)"
	case device.OpLoad:
		return fmt.Sprintf("raw_element(p.loop.at[%d], v%d.i, %d)", in.Index+len(p.Outputs), in.A, in.Type)
	case device.OpCast:
		return fmt.Sprintf("cast(v%d, %d, %d)", in.A, p.Code[in.A].Type, in.Type)
	case device.OpSelect:
		return fmt.Sprintf("v%d.i ? v%d : v%d", in.A, in.B, in.C)
	}
	second := in.A
	if in.Op.Arity() > 1 {
		second = in.B
	}
	return fmt.Sprintf("apply_as<%d, %d>(v%d, v%d)", in.Op, p.Code[in.A].Type, in.A, second)
}
