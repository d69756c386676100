package onnx

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// opcode is an instruction that is being translated: its arguments, and their type.
type opcode struct {
	*recorded
	args []string
	t    dtype.DType
}

// alike are the opcodes that have an operator of the same meaning.
var alike = map[device.Op]string{
	device.OpPow: "Pow", device.OpEq: "Equal", device.OpNeg: "Neg", device.OpAbs: "Abs", device.OpSign: "Sign",
	device.OpFloor: "Floor", device.OpCeil: "Ceil", device.OpRint: "Round", device.OpSqrt: "Sqrt", device.OpExp: "Exp", device.OpLog: "Log",
	device.OpSin: "Sin", device.OpCos: "Cos", device.OpTan: "Tan", device.OpAsin: "Asin", device.OpAcos: "Acos", device.OpAtan: "Atan",
	device.OpSinh: "Sinh", device.OpCosh: "Cosh", device.OpTanh: "Tanh", device.OpAsinh: "Asinh", device.OpAcosh: "Acosh",
	device.OpAtanh: "Atanh", device.OpSigmoid: "Sigmoid", device.OpSoftplus: "Softplus", device.OpErf: "Erf", device.OpSelect: "Where",
	device.OpSub: "Sub",
}

// ofBools are the opcodes of bools, which have operators of their own.
var ofBools = map[device.Op]string{
	device.OpAdd: "Or", device.OpMul: "And", device.OpMax: "Or", device.OpMin: "And", device.OpFMax: "Or", device.OpFMin: "And",
	device.OpAnd: "And", device.OpOr: "Or", device.OpXor: "Xor", device.OpNot: "Not", device.OpNe: "Xor", device.OpAbs: "Identity",
}

// ofNumbers are the opcodes whose operator does not take bools.
var ofNumbers = map[device.Op]string{
	device.OpAdd: "Add", device.OpMul: "Mul", device.OpMax: "Max", device.OpMin: "Min",
}

var comparisons = map[device.Op]string{device.OpLt: "Less", device.OpLe: "LessOrEqual", device.OpGt: "Greater", device.OpGe: "GreaterOrEqual"}

// translated returns the value of the instruction, or "" if it has no translation.
func (o opcode) translated(op device.Op, result dtype.DType) string {
	if op == device.OpCast {
		return o.cast(o.args[0], o.t, result)
	}
	if o.t.IsBool() {
		if name, ok := ofBools[op]; ok {
			return o.node(name, o.args)
		}
	} else if name, ok := ofNumbers[op]; ok {
		return o.node(name, o.args)
	}
	if name, ok := comparisons[op]; ok {
		args := o.args
		if o.t.IsBool() {
			args = []string{o.cast(args[0], o.t, dtype.Int32), o.cast(args[1], o.t, dtype.Int32)}
		}
		return o.node(name, args)
	}
	if o.t.IsInteger() {
		if y, ok := o.ofIntegers(op); ok {
			return y
		}
	}
	if name, ok := alike[op]; ok {
		return o.node(name, o.args)
	}
	return o.derived(op)
}

// ofIntegers translates opcodes that mean something of their own for integers.
func (o opcode) ofIntegers(op device.Op) (string, bool) {
	a := o.args
	switch op {
	case device.OpFloor, device.OpCeil, device.OpTrunc:
		return o.node("Identity", a), true
	case device.OpDiv, device.OpFloorDiv, device.OpMod, device.OpFmod:
		zero := o.number(0, o.t)
		none := o.node("Equal", []string{a[1], zero})
		b := o.node("Where", []string{none, o.number(1, o.t), a[1]}) // a division by 0 gives 0
		var y string
		switch op {
		case device.OpDiv:
			y = o.node("Div", []string{a[0], b})
		case device.OpFmod:
			y = o.node("Mod", []string{a[0], b}, intValue("fmod", 1))
		case device.OpMod:
			y = o.node("Mod", []string{a[0], b})
		default:
			y = o.node("Div", []string{o.node("Sub", []string{a[0], o.node("Mod", []string{a[0], b})}), b})
		}
		return o.node("Where", []string{none, zero, y}), true
	case device.OpIsNaN, device.OpIsInf:
		never := o.node("Equal", []string{a[0], a[0]})
		return o.node("Not", []string{never}), true
	case device.OpIsFinite:
		return o.node("Equal", []string{a[0], a[0]}), true
	case device.OpNot, device.OpAnd, device.OpOr, device.OpXor:
		return "", true
	case device.OpShl, device.OpShr:
		if !o.t.IsUnsigned() {
			return "", true
		}
		direction := "LEFT"
		if op == device.OpShr {
			direction = "RIGHT"
		}
		return o.node("BitShift", a, textValue("direction", direction)), true
	}
	return "", false
}

// derived translates opcodes of floats that take several operators.
func (o opcode) derived(op device.Op) string {
	node := func(name string, args ...string) string { return o.node(name, args) }
	n := func(v float64) string { return o.number(v, o.t) }
	x := o.args[0]
	y := o.args[len(o.args)-1]
	switch op {
	case device.OpNe:
		return node("Not", node("Equal", x, y))
	case device.OpDiv:
		return node("Div", x, y)
	case device.OpFloorDiv:
		exact := node("Div", node("Sub", x, o.derived(device.OpMod)), y)
		low := node("Floor", exact)
		whole := node("Where", node("Greater", node("Sub", exact, low), n(0.5)), node("Add", low, n(1)), low)
		return node("Where", node("Equal", y, n(0)), node("Div", x, y), whole)
	case device.OpSignBit:
		return node("Or", node("Less", x, n(0)), node("Less", node("Reciprocal", x), n(0)))
	case device.OpCopySign:
		negative := node("Or", node("Less", y, n(0)), node("Less", node("Reciprocal", y), n(0)))
		return node("Where", negative, node("Neg", node("Abs", x)), node("Abs", x))
	case device.OpFmod:
		return o.node("Mod", o.args, intValue("fmod", 1))
	case device.OpMod:
		rest := o.node("Mod", o.args, intValue("fmod", 1))
		other := node("Xor", node("Less", rest, n(0)), node("Less", y, n(0)))
		wrong := node("And", other, node("Not", node("Equal", rest, n(0))))
		return node("Where", wrong, node("Add", rest, y), rest)
	case device.OpFMin:
		return node("Where", node("IsNaN", x), y, node("Where", node("IsNaN", y), x, node("Min", x, y)))
	case device.OpFMax:
		return node("Where", node("IsNaN", x), y, node("Where", node("IsNaN", y), x, node("Max", x, y)))
	case device.OpHypot:
		most := node("Max", node("Abs", x), node("Abs", y))
		unit := node("Where", node("Greater", most, n(0)), most, n(1))
		a, b := node("Div", x, unit), node("Div", y, unit)
		h := node("Mul", unit, node("Sqrt", node("Add", node("Mul", a, a), node("Mul", b, b))))
		return node("Where", node("Or", node("IsInf", x), node("IsInf", y)), n(math.Inf(1)), h)
	case device.OpLogAddExp:
		d := node("Abs", node("Sub", x, y))
		sum := node("Add", node("Max", x, y), node("Log", node("Add", n(1), node("Exp", node("Neg", d)))))
		return node("Where", node("Equal", x, y), node("Add", x, n(math.Ln2)), sum)
	case device.OpTrunc:
		return node("Mul", node("Sign", x), node("Floor", node("Abs", x)))
	case device.OpRoundAway:
		low := node("Floor", node("Abs", x))
		up := node("GreaterOrEqual", node("Sub", node("Abs", x), low), n(0.5))
		return node("Mul", node("Sign", x), node("Where", up, node("Add", low, n(1)), low))
	case device.OpRsqrt:
		return node("Reciprocal", node("Sqrt", x))
	case device.OpCbrt:
		return node("Mul", node("Sign", x), node("Pow", node("Abs", x), n(1.0/3)))
	case device.OpExp2:
		return node("Pow", n(2), x)
	case device.OpExp10:
		return node("Pow", n(10), x)
	case device.OpExpm1:
		half := node("Tanh", node("Mul", x, n(0.5)))
		near := node("Div", node("Mul", half, n(2)), node("Sub", n(1), half))
		return node("Where", node("Less", node("Abs", x), n(1)), near, node("Sub", node("Exp", x), n(1)))
	case device.OpLog2:
		return node("Div", node("Log", x), n(math.Ln2))
	case device.OpLog10:
		return node("Div", node("Log", x), n(math.Ln10))
	case device.OpLog1p:
		u := node("Add", x, n(1))
		d := node("Sub", u, n(1))
		exact := node("Equal", d, n(0))
		corrected := node("Div", node("Mul", node("Log", u), x), node("Where", exact, n(1), d))
		near := node("Where", exact, x, corrected)
		return node("Where", node("Less", node("Abs", x), n(0.5)), near, node("Log", u))
	case device.OpErfc:
		return node("Sub", n(1), node("Erf", x))
	case device.OpNdtr:
		return node("Mul", n(0.5), node("Add", n(1), node("Erf", node("Mul", x, n(math.Sqrt2/2)))))
	case device.OpSinc:
		at := node("Equal", x, n(0))
		return node("Where", at, n(1), node("Div", node("Sin", x), node("Where", at, n(1), x)))
	case device.OpIsNaN:
		return node("IsNaN", x)
	case device.OpIsInf:
		return node("IsInf", x)
	case device.OpIsFinite:
		return node("Not", node("Or", node("IsNaN", x), node("IsInf", x)))
	}
	return ""
}
