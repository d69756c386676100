// Package trace compiles a function of numbers, written as operations on values, to vector instructions of any width,
// for several vectors side by side. It allocates the registers, and chooses for each fused multiplication the form that
// overwrites a value that is no longer needed. A trace has no branches.
package trace

import (
	"fmt"
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// Value is a value of a trace: a vector, a mask or a constant.
type Value int

// Body is the trace of a function.
type Body struct {
	kind   vec.Kind
	values []value
	inputs []Value
	result Value
	tables []table
	rough  bool
}

// value is an operation and its result.
type value struct {
	op     op
	args   []Value
	double bool // the elements are float64
	mask   bool // the value is a condition, which is computed where it is used
	bits   uint64
	number float64 // of a constant
	exact  bool    // the constant is given by bits
	imm    int
}

type op int

const (
	opInput op = iota
	opConst
	opAdd
	opSub // a - b
	opMul
	opDiv // a / b
	opMax // b if one is NaN
	opMin
	opAnd
	opOr
	opXor
	opSqrt
	opRound // imm: the direction
	opFMA   // a·b + c
	opFMS   // a·b - c
	opFNMA  // c - a·b
	opLess
	opLessEqual
	opEqual
	opUnordered
	opSelect   // b if mask a is true, else c
	opPick     // b if the sign bit of a is set, else c
	opAddInt   // of the bits
	opShl      // of the bits, by imm
	opShr      // of the bits, by imm
	opScale    // a·2^b, b an integer: rounded once
	opExponent // of a positive number, as a float; matches opMantissa
	opMantissa // of a positive number, in [1, 2)
	opReciprocal
	opWidenLow  // the lower half's float32 as float64
	opWidenHigh // the upper half's float32 as float64
	opNarrow    // the float64 of both halves as float32
	opLookup    // element a of a table; imm: the table
	opCopySign  // a, which is not negative, with the sign of b: only for wide vectors
)

// record traces a function of some inputs.
func record(k vec.Kind, inputs int, f func(b *Body, x ...Value) Value) *Body {
	b := &Body{kind: k}
	for range inputs {
		b.inputs = append(b.inputs, b.add(value{op: opInput, double: k.Double}))
	}
	b.result = f(b, b.inputs...)
	return b
}

func (b *Body) add(v value) Value {
	b.values = append(b.values, v)
	return Value(len(b.values) - 1)
}

// Double reports whether a value's elements are float64.
func (b *Body) Double(x Value) bool { return b.values[x].double }

// Wide reports whether the vectors are of 512 bits.
func (b *Body) Wide() bool { return b.kind.Wide }

// apply adds an operation whose type is that of its first argument that is not a constant.
func (b *Body) apply(o op, args ...Value) Value { return b.applyImm(o, 0, args...) }

func (b *Body) applyImm(o op, imm int, args ...Value) Value {
	v := value{op: o, args: args, imm: imm}
	typed := false
	for _, a := range args {
		x := &b.values[a]
		if x.op == opConst || x.mask {
			continue
		}
		if typed && x.double != v.double {
			panic(fmt.Sprint("operation ", o, " of float32 and float64"))
		}
		v.double, typed = x.double, true
	}
	return b.add(v)
}

// table is an array of constants.
type table struct {
	name  string
	bits  []uint64
	short bool // 4 bytes each
}

// Const is a number. It has the type of the operation that uses it.
func (b *Body) Const(v float64) Value { return b.add(value{op: opConst, number: v}) }

// Bits is a bit pattern. It has the type of the operation that uses it.
func (b *Body) Bits(v uint64) Value { return b.add(value{op: opConst, bits: v, exact: true}) }

// Add is x + y.
func (b *Body) Add(x, y Value) Value { return b.apply(opAdd, x, y) }

// Sub is x - y.
func (b *Body) Sub(x, y Value) Value { return b.apply(opSub, x, y) }

// Mul is x·y.
func (b *Body) Mul(x, y Value) Value { return b.apply(opMul, x, y) }

// Div is x/y.
func (b *Body) Div(x, y Value) Value { return b.apply(opDiv, x, y) }

// Sqrt is the square root of x.
func (b *Body) Sqrt(x Value) Value { return b.apply(opSqrt, x) }

// Max is the larger of x and y, and y if one of them is NaN.
func (b *Body) Max(x, y Value) Value { return b.apply(opMax, x, y) }

// Min is the smaller of x and y, and y if one of them is NaN.
func (b *Body) Min(x, y Value) Value { return b.apply(opMin, x, y) }

// FMA is x·y + z, rounded once.
func (b *Body) FMA(x, y, z Value) Value { return b.apply(opFMA, x, y, z) }

// FMS is x·y - z, rounded once.
func (b *Body) FMS(x, y, z Value) Value { return b.apply(opFMS, x, y, z) }

// FNMA is z - x·y, rounded once.
func (b *Body) FNMA(x, y, z Value) Value { return b.apply(opFNMA, x, y, z) }

// Round rounds to integers.
func (b *Body) Round(mode vec.Rounding, x Value) Value { return b.applyImm(opRound, int(mode), x) }

// And is x & y, of the bits.
func (b *Body) And(x, y Value) Value { return b.apply(opAnd, x, y) }

// Or is x | y, of the bits.
func (b *Body) Or(x, y Value) Value { return b.apply(opOr, x, y) }

// Xor is x ^ y, of the bits.
func (b *Body) Xor(x, y Value) Value { return b.apply(opXor, x, y) }

// AddInt is x + y, of the bits as integers.
func (b *Body) AddInt(x, y Value) Value { return b.apply(opAddInt, x, y) }

// Shl is x << bits, of the bits.
func (b *Body) Shl(x Value, bits int) Value { return b.applyImm(opShl, bits, x) }

// Shr is x >> bits, of the bits, without sign extension.
func (b *Body) Shr(x Value, bits int) Value { return b.applyImm(opShr, bits, x) }

// Sign is the constant that has only the sign bit set.
func (b *Body) Sign(x Value) Value {
	if b.Double(x) {
		return b.Bits(1 << 63)
	}
	return b.Bits(1 << 31)
}

// Abs is the magnitude of x.
func (b *Body) Abs(x Value) Value {
	if b.Double(x) {
		return b.And(x, b.Bits(1<<63-1))
	}
	return b.And(x, b.Bits(1<<31-1))
}

// Neg is -x.
func (b *Body) Neg(x Value) Value { return b.Xor(x, b.Sign(x)) }

// CopySign is x, which is not negative, with the sign of s.
func (b *Body) CopySign(x, s Value) Value {
	if b.Wide() {
		return b.apply(opCopySign, x, s)
	}
	return b.Or(x, b.And(s, b.Sign(s)))
}

// compare adds a comparison, whose value is a mask.
func (b *Body) compare(o op, x, y Value) Value {
	m := b.apply(o, x, y)
	b.values[m].mask = true
	return m
}

// Less is true where x < y.
func (b *Body) Less(x, y Value) Value { return b.compare(opLess, x, y) }

// LessEqual is true where x ≤ y.
func (b *Body) LessEqual(x, y Value) Value { return b.compare(opLessEqual, x, y) }

// Equal is true where x = y.
func (b *Body) Equal(x, y Value) Value { return b.compare(opEqual, x, y) }

// IsNaN is true where x is NaN.
func (b *Body) IsNaN(x Value) Value { return b.compare(opUnordered, x, x) }

// Select is x where the mask is true, else y.
func (b *Body) Select(mask, x, y Value) Value {
	v := b.apply(opSelect, mask, x, y)
	b.values[v].double = b.values[mask].double
	return v
}

// Pick is x where the sign bit of s is set, else y.
func (b *Body) Pick(s, x, y Value) Value { return b.apply(opPick, s, x, y) }

// Reciprocal is 1/x to 14 bits, or 12 bits in narrow vectors. It is only for float32.
func (b *Body) Reciprocal(x Value) Value { return b.apply(opReciprocal, x) }

// WidenLow and WidenHigh are the halves of a vector of float32 as float64; Narrow is the inverse.
func (b *Body) WidenLow(x Value) Value  { return b.widen(opWidenLow, x) }
func (b *Body) WidenHigh(x Value) Value { return b.widen(opWidenHigh, x) }

func (b *Body) widen(o op, x Value) Value {
	if b.Double(x) {
		panic("widening float64")
	}
	return b.add(value{op: o, args: []Value{x}, double: true})
}

func (b *Body) Narrow(low, high Value) Value {
	if !b.Double(low) || !b.Double(high) {
		panic("narrowing float32")
	}
	return b.add(value{op: opNarrow, args: []Value{low, high}})
}

// Rough reports whether float64 values need only the precision of float32: within InDouble.
func (b *Body) Rough() bool { return b.rough }

// InDouble computes float32 numbers in float64, in two halves. In each half, f uses widen to obtain that half of a
// value.
func (b *Body) InDouble(f func(widen func(Value) Value) Value) Value {
	b.rough = true
	defer func() { b.rough = false }()
	low := f(b.WidenLow)
	return b.Narrow(low, f(b.WidenHigh))
}

// Polynomial evaluates coefficients[0] + coefficients[1]·x + … by Horner's rule.
func (b *Body) Polynomial(x Value, coefficients ...float64) Value {
	n := len(coefficients) - 1
	p := b.FMA(b.Const(coefficients[n]), x, b.Const(coefficients[n-1]))
	for i := n - 2; i >= 0; i-- {
		p = b.FMA(p, x, b.Const(coefficients[i]))
	}
	return p
}

// Scale is x·2^n for an integer n. It rounds once, also if the result is subnormal. For narrow vectors, x must lie in
// [1/2, 2), and |n| must be at most 250 for float32 and 2040 for float64.
func (b *Body) Scale(x, n Value) Value {
	if b.Wide() {
		return b.apply(opScale, x, n)
	}
	half := b.Round(vec.Down, b.Mul(n, b.Const(0.5)))
	return b.Mul(b.Mul(x, b.Power(half)), b.Power(b.Sub(n, half)))
}

// Nearest is the integer nearest to x·f, which must be below 2^22 for float32 and 2^51 for float64.
func (b *Body) Nearest(x Value, f float64) Value {
	// The sum is so large that it has no fraction bits.
	large := b.Const(0x1.8p23)
	if b.Double(x) {
		large = b.Const(0x1.8p52)
	}
	return b.Sub(b.FMA(x, b.Const(f), large), large)
}

// Power is 2^n for an integer n, if 2^n is a normal number.
func (b *Body) Power(n Value) Value {
	// The last bits of the sum are the bits of the exponent.
	if b.Double(n) {
		return b.Shl(b.Add(n, b.Const(0x1.8p52+1023)), 52)
	}
	return b.Shl(b.Add(n, b.Const(0x1.8p23+127)), 23)
}

// Exponent is the integer exponent of a positive number. Like the mantissas, it is only for wide vectors.
func (b *Body) Exponent(x Value) Value { return b.apply(opExponent, x) }

// MantissaAroundOne is the mantissa in [3/4, 3/2), and NaN of a negative number.
func (b *Body) MantissaAroundOne(x Value) Value { return b.applyImm(opMantissa, 3|8, x) }

// MantissaOfMagnitude is the mantissa of |x| in [1, 2).
func (b *Body) MantissaOfMagnitude(x Value) Value { return b.applyImm(opMantissa, 4, x) }

// Lookup selects elements of a table of constants. The indices are integers, given by their bits. For tables that fill
// two wide registers, only the index bits that are needed count.
func (b *Body) Lookup(name string, index Value, numbers []float64) Value {
	t := table{name: name, short: !b.Double(index)}
	for _, v := range numbers {
		if t.short {
			t.bits = append(t.bits, uint64(math.Float32bits(float32(v))))
		} else {
			t.bits = append(t.bits, math.Float64bits(v))
		}
	}
	if t.short {
		t.name += "32"
	} else {
		t.name += "64"
	}
	b.tables = append(b.tables, t)
	return b.applyImm(opLookup, len(b.tables)-1, index)
}
