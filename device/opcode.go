package device

import "github.com/ndgrad/ndgrad/nd/dtype"

// Op is an opcode of a [Program].
type Op uint8

// The opcodes. Each computes what package scalar's function with the same name computes. An integer divided by zero is
// zero. Not, And, Or and Xor are logical for bools and bitwise for integers; Add of bools is Or, Mul is And.
const (
	OpInput  Op = iota // the element of input number Index
	OpScalar           // scalar number Index of the launch
	OpConst            // the constant Value
	OpIndex            // the row-major index in the loop, int64
	OpSize             // the number of points of the loop, int64
	OpLoad             // element A (int64) of raw input number Index; 0 if A is out of range
	OpCast             // A converted to Type
	OpSelect           // B if A (bool) is true, else C

	OpAdd
	OpSub
	OpMul
	OpDiv // as in C: truncated for integers
	OpFloorDiv
	OpMod  // the remainder with the divisor's sign
	OpFmod // the remainder with the dividend's sign
	OpPow
	OpMin  // NaN if an argument is NaN
	OpMax  // NaN if an argument is NaN
	OpFMin // the other argument if only one is NaN
	OpFMax // the other argument if only one is NaN
	OpAtan2
	OpHypot
	OpCopySign
	OpNextAfter
	OpLdexp // A·2^B; B is int64
	OpLogAddExp
	OpLogAddExp2
	OpGcd
	OpLcm
	OpAnd
	OpOr
	OpXor
	OpShl
	OpShr

	OpEq
	OpNe
	OpLt
	OpLe
	OpGt
	OpGe

	OpNeg
	OpNot
	OpAbs // real, also for complex arguments
	OpSign
	OpFloor
	OpCeil
	OpTrunc
	OpRint      // ties to even
	OpRoundAway // ties away from zero
	OpSqrt
	OpRsqrt
	OpCbrt
	OpExp
	OpExp2
	OpExp10
	OpExpm1
	OpLog
	OpLog2
	OpLog10
	OpLog1p
	OpSin
	OpCos
	OpTan
	OpAsin
	OpAcos
	OpAtan
	OpSinh
	OpCosh
	OpTanh
	OpAsinh
	OpAcosh
	OpAtanh
	OpSigmoid
	OpSoftplus
	OpErf
	OpErfc
	OpErfcx // exp(A²)·erfc(A)
	OpErfinv
	OpGamma
	OpLgamma
	OpDigamma
	OpTrigamma // the derivative of OpDigamma
	OpNdtr
	OpLogNdtr
	OpNdtri // the inverse of OpNdtr
	OpSinc  // sin(x)/x
	OpI0    // the modified Bessel function of order 0
	OpI1    // the modified Bessel function of order 1, the derivative of OpBesselI0

	// Functions of two values that have a derivative only with respect to the second.
	OpPolygamma // the derivative of order A of OpDigamma
	OpZeta      // Hurwitz' zeta function, Σ (B+k)⁻ᴬ
	OpBesselI   // Bessel functions of integer order A: modified, of the first kind
	OpBesselIE  // exp(-|B|) times OpBesselI
	OpBesselJ   // of the first kind
	OpBesselY   // of the second kind
	OpBesselK   // modified, of the second kind
	OpBesselKE  // exp(B) times OpBesselK
	OpGammainc  // the lower incomplete gamma function, divided by OpGamma of A
	OpGammaincc // the upper incomplete gamma function, divided by OpGamma of A
	OpGammaPDF  // the derivative of OpGammainc

	OpIsNaN
	OpIsInf
	OpIsFinite
	OpSignBit

	OpReal
	OpImag
	OpConj
	OpComplex // A + B·i

	// The values that a 16-bit float would keep, for results of joined programs that are not stored.
	OpRoundFloat16  // the nearest float16, ties to even
	OpRoundBFloat16 // the nearest bfloat16, ties to even

	OpCount
)

// domain is a set of kinds of types: the types that an opcode accepts.
type domain uint8

const (
	bools domain = 1 << iota
	integers
	floats
	complexes

	numbers   = integers | floats | complexes
	reals     = integers | floats
	inexact   = floats | complexes
	orderable = bools | reals | complexes
	bitwise   = bools | integers
)

func (d domain) has(t dtype.DType) bool {
	switch {
	case t.IsBool():
		return d&bools != 0
	case t.IsInteger():
		return d&integers != 0
	case t.IsFloat():
		return d&floats != 0
	}
	return d&complexes != 0
}

// result says which type an opcode's value has, given the common type of its arguments.
type result uint8

const (
	same    result = iota // the arguments' type
	boolean               // bool
	realOf                // the real type of the arguments' type
	pairOf                // the complex type of the arguments' type
)

type opInfo struct {
	name   string // the name of the function in source text, or of the opcode in listings
	arity  int
	domain domain
	result result
}

// info indexes a literal instead of a variable, so that the table lies in memory that the garbage collector does not
// scan.
func (op Op) info() opInfo {
	return [OpCount]opInfo{
		OpInput: {"input", 0, 0, same}, OpScalar: {"scalar", 0, 0, same}, OpConst: {"const", 0, 0, same},
		OpIndex: {"index", 0, 0, same}, OpSize: {"size", 0, 0, same}, OpLoad: {"load", 1, 0, same},
		OpCast: {"cast", 1, 0, same}, OpSelect: {"select", 3, 0, same},

		OpAdd: {"add", 2, bools | numbers, same}, OpSub: {"sub", 2, numbers, same}, OpMul: {"mul", 2, bools | numbers, same},
		OpDiv: {"div", 2, numbers, same}, OpFloorDiv: {"floordiv", 2, reals, same}, OpMod: {"mod", 2, reals, same},
		OpFmod: {"fmod", 2, reals, same}, OpPow: {"pow", 2, numbers, same},
		OpMin: {"min", 2, orderable, same}, OpMax: {"max", 2, orderable, same},
		OpFMin: {"fmin", 2, orderable, same}, OpFMax: {"fmax", 2, orderable, same},
		OpAtan2: {"atan2", 2, floats, same}, OpHypot: {"hypot", 2, floats, same}, OpCopySign: {"copysign", 2, floats, same},
		OpNextAfter: {"nextafter", 2, floats, same}, OpLdexp: {"ldexp", 2, floats, same},
		OpLogAddExp: {"logaddexp", 2, floats, same}, OpLogAddExp2: {"logaddexp2", 2, floats, same},
		OpGcd: {"gcd", 2, integers, same}, OpLcm: {"lcm", 2, integers, same},
		OpAnd: {"and", 2, bitwise, same}, OpOr: {"or", 2, bitwise, same}, OpXor: {"xor", 2, bitwise, same},
		OpShl: {"shl", 2, integers, same}, OpShr: {"shr", 2, integers, same},

		OpEq: {"eq", 2, orderable, boolean}, OpNe: {"ne", 2, orderable, boolean}, OpLt: {"lt", 2, orderable, boolean},
		OpLe: {"le", 2, orderable, boolean}, OpGt: {"gt", 2, orderable, boolean}, OpGe: {"ge", 2, orderable, boolean},

		OpNeg: {"neg", 1, numbers, same}, OpNot: {"not", 1, bitwise, same}, OpAbs: {"abs", 1, orderable, realOf},
		OpSign:  {"sign", 1, numbers, same},
		OpFloor: {"floor", 1, reals, same}, OpCeil: {"ceil", 1, reals, same}, OpTrunc: {"trunc", 1, reals, same},
		OpRint: {"rint", 1, inexact, same}, OpRoundAway: {"round", 1, floats, same},
		OpSqrt: {"sqrt", 1, inexact, same}, OpRsqrt: {"rsqrt", 1, floats, same}, OpCbrt: {"cbrt", 1, floats, same},
		OpExp: {"exp", 1, inexact, same}, OpExp2: {"exp2", 1, inexact, same}, OpExp10: {"exp10", 1, floats, same},
		OpExpm1: {"expm1", 1, inexact, same}, OpLog: {"log", 1, inexact, same}, OpLog2: {"log2", 1, inexact, same},
		OpLog10: {"log10", 1, inexact, same}, OpLog1p: {"log1p", 1, inexact, same},
		OpSin: {"sin", 1, inexact, same}, OpCos: {"cos", 1, inexact, same}, OpTan: {"tan", 1, inexact, same},
		OpAsin: {"asin", 1, inexact, same}, OpAcos: {"acos", 1, inexact, same}, OpAtan: {"atan", 1, inexact, same},
		OpSinh: {"sinh", 1, inexact, same}, OpCosh: {"cosh", 1, inexact, same}, OpTanh: {"tanh", 1, inexact, same},
		OpAsinh: {"asinh", 1, inexact, same}, OpAcosh: {"acosh", 1, inexact, same}, OpAtanh: {"atanh", 1, inexact, same},
		OpSigmoid: {"sigmoid", 1, floats, same}, OpSoftplus: {"softplus", 1, floats, same},
		OpErf: {"erf", 1, floats, same}, OpErfc: {"erfc", 1, floats, same}, OpErfcx: {"erfcx", 1, floats, same}, OpErfinv: {"erfinv", 1, floats, same},
		OpGamma: {"gamma", 1, floats, same}, OpLgamma: {"lgamma", 1, floats, same}, OpDigamma: {"digamma", 1, floats, same},
		OpTrigamma: {"trigamma", 1, floats, same},
		OpNdtr:     {"ndtr", 1, floats, same}, OpLogNdtr: {"log_ndtr", 1, floats, same}, OpNdtri: {"ndtri", 1, floats, same},
		OpSinc: {"sinc", 1, floats, same}, OpI0: {"i0", 1, floats, same}, OpI1: {"i1", 1, floats, same},

		OpPolygamma: {"polygamma", 2, floats, same}, OpZeta: {"zeta", 2, floats, same},
		OpBesselI: {"besseli", 2, floats, same}, OpBesselIE: {"besselie", 2, floats, same}, OpBesselJ: {"besselj", 2, floats, same},
		OpBesselY: {"bessely", 2, floats, same}, OpBesselK: {"besselk", 2, floats, same}, OpBesselKE: {"besselke", 2, floats, same},
		OpGammainc: {"gammainc", 2, floats, same}, OpGammaincc: {"gammaincc", 2, floats, same}, OpGammaPDF: {"gamma_pdf", 2, floats, same},

		OpIsNaN: {"isnan", 1, bools | numbers, boolean}, OpIsInf: {"isinf", 1, bools | numbers, boolean},
		OpIsFinite: {"isfinite", 1, bools | numbers, boolean}, OpSignBit: {"signbit", 1, floats, boolean},

		OpReal: {"real", 1, complexes, realOf}, OpImag: {"imag", 1, complexes, realOf}, OpConj: {"conj", 1, complexes, same},
		OpComplex: {"complex", 2, floats, pairOf},

		OpRoundFloat16: {"round_float16", 1, floats, same}, OpRoundBFloat16: {"round_bfloat16", 1, floats, same},
	}[op]
}

// String returns the name that source text and listings use.
func (op Op) String() string { return op.info().name }

// Arity returns how many registers op reads.
func (op Op) Arity() int { return op.info().arity }

// Accepts reports whether op accepts arguments of type t, one of the [ComputeTypes].
func (op Op) Accepts(t dtype.DType) bool { return op.info().domain.has(t) }

func (op Op) resultType(t dtype.DType) dtype.DType {
	switch op.info().result {
	case boolean:
		return dtype.Bool
	case realOf:
		return t.Real()
	case pairOf:
		return t.Complex()
	}
	return t
}

// ComputeTypes are the types of registers: all element types except the 16-bit floats, which become float32 when they
// are read.
var ComputeTypes = [...]dtype.DType{
	dtype.Bool, dtype.Int8, dtype.Int16, dtype.Int32, dtype.Int64, dtype.Uint8, dtype.Uint16, dtype.Uint32, dtype.Uint64,
	dtype.Float32, dtype.Float64, dtype.Complex64, dtype.Complex128,
}
