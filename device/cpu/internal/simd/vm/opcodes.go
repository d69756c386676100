package vm

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// floatUnary returns the handler of an operation on one float, or "". Handlers of elementary functions have the names
// of the opcodes. Here and below, an array literal that is indexed lies in memory that the garbage collector does not
// scan.
func floatUnary(op device.Op) string {
	return [device.OpCount]string{device.OpNeg: "neg", device.OpAbs: "abs", device.OpSign: "sign", device.OpFloor: "floor",
		device.OpCeil: "ceil", device.OpTrunc: "trunc", device.OpRint: "rint", device.OpRoundAway: "roundaway", device.OpSqrt: "sqrt",
		device.OpRoundFloat16: "roundf16", device.OpRoundBFloat16: "roundbf16",
		device.OpIsNaN: "isnan", device.OpIsInf: "isinf", device.OpIsFinite: "isfinite", device.OpSignBit: "signbit"}[op]
}

func intUnary(op device.Op) string {
	return [device.OpCount]string{device.OpNeg: "ineg", device.OpNot: "not", device.OpAbs: "iabs", device.OpSign: "isign",
		device.OpFloor: "same", device.OpCeil: "same", device.OpTrunc: "same"}[op]
}

func boolUnary(op device.Op) string {
	return [device.OpCount]string{device.OpNot: "not", device.OpAbs: "same"}[op]
}

// unaryName returns the handler of an operation on a value of type t: "" if there is none, "same" if the operation does
// nothing.
func unaryName(op device.Op, t dtype.DType) string {
	switch {
	case t.IsBool():
		return boolUnary(op)
	case t.IsInteger():
		return intUnary(op)
	}
	if scalar.Functions[op] != nil {
		return op.String()
	}
	return floatUnary(op)
}

// pair holds the handler of an operation and the handler of the operation with exchanged arguments.
type pair struct{ name, reversed string }

func floatBinary(op device.Op) pair {
	return [device.OpCount]pair{device.OpAdd: {"add", "add"}, device.OpSub: {"sub", "rsub"}, device.OpMul: {"mul", "mul"},
		device.OpDiv: {"div", "rdiv"}, device.OpMin: {"min", "rmin"}, device.OpMax: {"max", "rmax"}, device.OpFMin: {"fmin", "rfmin"},
		device.OpFMax: {"fmax", "rfmax"}, device.OpCopySign: {"copysign", "rcopysign"}, device.OpEq: {"eq", "eq"}, device.OpNe: {"ne", "ne"},
		device.OpLt: {"lt", "gt"}, device.OpLe: {"le", "ge"}, device.OpGt: {"gt", "lt"}, device.OpGe: {"ge", "le"},
		device.OpFloorDiv: {"floordiv", ""}, device.OpMod: {"mod", ""}, device.OpFmod: {"fmod", ""}}[op]
}

func intBinary(op device.Op) pair {
	return [device.OpCount]pair{device.OpAdd: {"iadd", "iadd"}, device.OpSub: {"isub", "irsub"}, device.OpMul: {"imul", "imul"},
		device.OpMin: {"imin", "imin"}, device.OpMax: {"imax", "imax"}, device.OpFMin: {"imin", "imin"}, device.OpFMax: {"imax", "imax"},
		device.OpAnd: {"and", "and"}, device.OpOr: {"or", "or"}, device.OpXor: {"xor", "xor"}, device.OpEq: {"ieq", "ieq"},
		device.OpNe: {"ine", "ine"}, device.OpLt: {"ilt", "igt"}, device.OpLe: {"ile", "ige"}, device.OpGt: {"igt", "ilt"},
		device.OpGe: {"ige", "ile"}, device.OpDiv: {"idiv", ""}, device.OpFloorDiv: {"ifloordiv", ""}, device.OpMod: {"imod", ""},
		device.OpFmod: {"ifmod", ""}, device.OpPow: {"ipow", ""}, device.OpShl: {"shl", ""}, device.OpShr: {"shr", ""}}[op]
}

// boolBinary returns handlers that compare masks as integers. True is -1 in a mask, so the order is reversed.
func boolBinary(op device.Op) pair {
	return [device.OpCount]pair{device.OpAdd: {"or", "or"}, device.OpMul: {"and", "and"}, device.OpMin: {"and", "and"},
		device.OpMax: {"or", "or"}, device.OpFMin: {"and", "and"}, device.OpFMax: {"or", "or"}, device.OpAnd: {"and", "and"},
		device.OpOr: {"or", "or"}, device.OpXor: {"xor", "xor"}, device.OpEq: {"ieq", "ieq"}, device.OpNe: {"xor", "xor"},
		device.OpLt: {"igt", "ilt"}, device.OpLe: {"ige", "ile"}, device.OpGt: {"ilt", "igt"}, device.OpGe: {"ile", "ige"}}[op]
}

// binaryNames returns the handlers of an operation on values of type t, or "" if there are none. reversed is empty if
// the arguments cannot be exchanged.
func binaryNames(op device.Op, t dtype.DType) (name, reversed string) {
	var p pair
	switch {
	case t.IsBool():
		p = boolBinary(op)
	case t.IsInteger():
		p = intBinary(op)
	case scalar.Functions2[op] != nil:
		p.name = op.String()
	default:
		p = floatBinary(op)
	}
	return p.name, p.reversed
}
