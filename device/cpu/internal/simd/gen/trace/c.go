package trace

import (
	"fmt"
	"math"
	"strings"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// C returns a function of numbers of k's type as CUDA C++, with one statement per value. It needs the prelude of
// texts.cuh.
func C(k vec.Kind, name string, inputs int, f func(b *Body, x ...Value) Value) string {
	p := &printer{Body: record(k, inputs, f), name: name, live: map[Value]bool{}}
	p.mark(p.result)
	for i := range p.tables {
		p.table(i)
	}
	var parameters []string
	for _, x := range p.inputs {
		parameters = append(parameters, fmt.Sprintf("%s v%d", typeName(k.Double), x))
	}
	fmt.Fprintf(&p.text, "DEVICE %s %s(%s) {\n", typeName(k.Double), name, strings.Join(parameters, ", "))
	for v := range p.values {
		if x := &p.values[v]; p.live[Value(v)] && x.op != opInput && x.op != opConst && !x.mask {
			fmt.Fprintf(&p.text, "\tconst %s v%d = %s;\n", typeName(x.double), v, p.expression(x))
		}
	}
	fmt.Fprintf(&p.text, "\treturn v%d;\n}\n", p.result)
	return p.text.String()
}

type printer struct {
	*Body
	name string
	live map[Value]bool // what the result needs: where a vector is widened in two halves, a single number needs only one
	text strings.Builder
}

func (p *printer) mark(v Value) {
	if p.live[v] {
		return
	}
	p.live[v] = true
	args := p.values[v].args
	if p.values[v].op == opNarrow {
		args = args[:1]
	}
	for _, a := range args {
		p.mark(a)
	}
}

func (p *printer) table(i int) {
	t := p.tables[i]
	var numbers []string
	for _, bits := range t.bits {
		numbers = append(numbers, fmt.Sprintf("%#x", bits))
	}
	element := "u64"
	if t.short {
		element = "u32"
	}
	fmt.Fprintf(&p.text, "static __device__ const %s %s[%d] = {%s};\n", element, p.tableName(i), len(numbers), strings.Join(numbers, ", "))
}

func (p *printer) tableName(i int) string { return p.name + p.tables[i].name }

func typeName(double bool) string {
	if double {
		return "double"
	}
	return "float"
}

// number returns a value as an operand of a value of double's type.
func (p *printer) number(v Value, double bool) string {
	x := &p.values[v]
	switch {
	case x.op != opConst:
		return fmt.Sprintf("v%d", v)
	case x.exact && double:
		return fmt.Sprintf("double_of(%#xull)", x.bits)
	case x.exact:
		return fmt.Sprintf("float_of(%#xu)", x.bits)
	case double:
		return fmt.Sprintf("double_of(%#xull)", math.Float64bits(x.number))
	}
	return fmt.Sprintf("float_of(%#xu)", math.Float32bits(float32(x.number)))
}

// condition returns a mask as a C expression.
func (p *printer) condition(v Value) string {
	x := &p.values[v]
	a, b := p.number(x.args[0], x.double), p.number(x.args[1], x.double)
	switch x.op {
	case opLess:
		return a + " < " + b
	case opLessEqual:
		return a + " <= " + b
	case opEqual:
		return a + " == " + b
	}
	return a + " != " + a
}

var roundings = map[vec.Rounding]string{vec.Nearest: "rint", vec.Down: "floor", vec.Up: "ceil", vec.Truncate: "trunc"}

func (p *printer) expression(x *value) string {
	arg := func(i int) string { return p.number(x.args[i], x.double) }
	ofBits := func(format string) string {
		make := "float_of"
		if x.double {
			make = "double_of"
		}
		bits := []any{}
		for i := range x.args {
			bits = append(bits, "bits_of("+arg(i)+")")
		}
		return make + "(" + fmt.Sprintf(format, bits...) + ")"
	}
	switch x.op {
	case opAdd:
		return arg(0) + " + " + arg(1)
	case opSub:
		return arg(0) + " - " + arg(1)
	case opMul:
		return arg(0) + " * " + arg(1)
	case opDiv:
		return arg(0) + " / " + arg(1)
	case opMax:
		return fmt.Sprintf("%s > %s ? %s : %s", arg(0), arg(1), arg(0), arg(1))
	case opMin:
		return fmt.Sprintf("%s < %s ? %s : %s", arg(0), arg(1), arg(0), arg(1))
	case opAnd:
		return ofBits("%s & %s")
	case opOr:
		return ofBits("%s | %s")
	case opXor:
		return ofBits("%s ^ %s")
	case opAddInt:
		return ofBits("%s + %s")
	case opShl:
		return ofBits(fmt.Sprintf("%%s << %d", x.imm))
	case opShr:
		return ofBits(fmt.Sprintf("%%s >> %d", x.imm))
	case opSqrt:
		return "root(" + arg(0) + ")"
	case opRound:
		return fmt.Sprintf("%s(%s)", roundings[vec.Rounding(x.imm)], arg(0))
	case opFMA:
		return fmt.Sprintf("fused(%s, %s, %s)", arg(0), arg(1), arg(2))
	case opFMS:
		return fmt.Sprintf("fused(%s, %s, -%s)", arg(0), arg(1), arg(2))
	case opFNMA:
		return fmt.Sprintf("fused(-%s, %s, %s)", arg(0), arg(1), arg(2))
	case opSelect:
		return fmt.Sprintf("%s ? %s : %s", p.condition(x.args[0]), arg(1), arg(2))
	case opPick:
		return fmt.Sprintf("negative(%s) ? %s : %s", p.number(x.args[0], x.double), arg(1), arg(2))
	case opReciprocal:
		return "1 / " + arg(0)
	case opWidenLow, opWidenHigh:
		return "(double)" + p.number(x.args[0], false)
	case opNarrow:
		return "(float)" + p.number(x.args[0], true)
	case opLookup:
		return fmt.Sprintf("%s(%s[bits_of(%s)])", map[bool]string{true: "double_of", false: "float_of"}[x.double], p.tableName(x.imm), arg(0))
	}
	panic(fmt.Sprintf("operation %d is one of wide vectors", x.op))
}
