// Command bytes generates the routines of package bytes.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/trace"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

func main() {
	ConstraintExpr("!purego")
	for _, k := range []vec.Kind{{}, {Wide: true}} {
		bytes(k)
	}
	for _, k := range vec.Kinds {
		if k.Wide && !k.Double {
			wideProduct()
		} else {
			product(k)
		}
		modulus(k)
	}
	remainders()
	Generate()
}

// walk emits a routine that computes n results from two arrays; n is a multiple of what body processes. body returns
// the number of bytes of its results.
func walk(name, doc string, size int, body func(dst, a, b operand.Mem) (bytes int)) {
	TEXT(name, NOSPLIT, "func(n int, dst, a, b *byte)")
	Pragma("noescape")
	Doc(name + doc)
	n := Load(Param("n"), GP64())
	var pointers []operand.Mem
	for _, param := range []string{"dst", "a", "b"} {
		pointers = append(pointers, operand.Mem{Base: Load(Param(param), GP64())})
	}
	Label("loop")
	bytes := body(pointers[0], pointers[1], pointers[2])
	for _, p := range pointers {
		ADDQ(operand.U32(bytes), p.Base)
	}
	SUBQ(operand.U32(bytes/size), n)
	JNZ(operand.LabelRef("loop"))
	vec.Leave()
}

// bytes emits the operations on bytes, four vectors at a time. Comparisons give bytes that are 0 or 1.
func bytes(k vec.Kind) {
	level := "AVX2"
	if k.Wide {
		level = "AVX512"
	}
	emit := func(name string, f func(b operand.Op, a reg.VecVirtual)) {
		walk(name+"Bytes"+level, " works on n bytes, a multiple of "+fmt.Sprint(4*k.Bytes())+" and not 0.", 1, func(dst, a, b operand.Mem) int {
			x := k.Regs(4)
			for i, r := range x {
				k.Load(a.Offset(i*k.Bytes()), r)
			}
			for i, r := range x {
				f(b.Offset(i*k.Bytes()), r)
			}
			for i, r := range x {
				k.Store(r, dst.Offset(i*k.Bytes()))
			}
			return 4 * k.Bytes()
		})
	}
	simple := func(name string, f func(b, a, dst operand.Op)) {
		emit(name, func(b operand.Op, a reg.VecVirtual) { f(b, a, a) })
	}
	simple("and", k.And)
	simple("or", k.Or)
	simple("xor", k.Xor)
	simple("add", three(VPADDB))
	simple("sub", three(VPSUBB))
	simple("minSigned", three(VPMINSB))
	simple("maxSigned", three(VPMAXSB))
	simple("min", three(VPMINUB))
	simple("max", three(VPMAXUB))
	if k.Wide {
		compare := func(name string, relation uint64, f func(...operand.Op)) {
			emit(name, func(b operand.Op, a reg.VecVirtual) {
				mask := K()
				f(operand.Imm(relation), b, a, mask)
				VMOVDQU8_Z(ones(), mask, a)
			})
		}
		const equal, less, lessEqual, notEqual = 0, 1, 2, 4
		compare("equal", equal, VPCMPUB)
		compare("notEqual", notEqual, VPCMPUB)
		compare("less", less, VPCMPUB)
		compare("lessEqual", lessEqual, VPCMPUB)
		compare("lessSigned", less, VPCMPB)
		compare("lessEqualSigned", lessEqual, VPCMPB)
		return
	}
	where := func(name string, f func(b operand.Op, a reg.VecVirtual)) {
		emit(name, func(b operand.Op, a reg.VecVirtual) {
			f(b, a)
			VPAND(ones(), a, a)
		})
	}
	unless := func(name string, f func(b operand.Op, a reg.VecVirtual)) {
		emit(name, func(b operand.Op, a reg.VecVirtual) {
			f(b, a)
			VPANDN(ones(), a, a)
		})
	}
	where("equal", func(b operand.Op, a reg.VecVirtual) { VPCMPEQB(b, a, a) })
	unless("notEqual", func(b operand.Op, a reg.VecVirtual) { VPCMPEQB(b, a, a) })
	unless("less", func(b operand.Op, a reg.VecVirtual) { // true unless the larger one is a
		t := k.Reg()
		VPMAXUB(b, a, t)
		VPCMPEQB(t, a, a)
	})
	where("lessEqual", func(b operand.Op, a reg.VecVirtual) {
		t := k.Reg()
		VPMINUB(b, a, t)
		VPCMPEQB(t, a, a)
	})
	where("lessSigned", func(b operand.Op, a reg.VecVirtual) {
		t := k.Reg()
		k.Load(b, t)
		VPCMPGTB(a, t, a)
	})
	unless("lessEqualSigned", func(b operand.Op, a reg.VecVirtual) { VPCMPGTB(b, a, a) })
}

func three(f func(...operand.Op)) func(a, b, c operand.Op) {
	return func(a, b, c operand.Op) { f(a, b, c) }
}

var tables = map[string]operand.Mem{}

// table returns 64 bytes of constants.
func table(name string, words [2]uint64) operand.Mem {
	if m, ok := tables[name]; ok {
		return m
	}
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 8 {
		DATA(8*i, operand.U64(words[i%2]))
	}
	tables[name] = m
	return m
}

func ones() operand.Mem { return table("ones", [2]uint64{0x0101010101010101, 0x0101010101010101}) }

// product emits the product of complex numbers, whose parts are float32 or float64. It uses the definition and computes
// in float64.
func product(k vec.Kind) {
	wide := vec.Kind{Wide: k.Wide, Double: true}
	const vectors = 2
	numbers := vectors * wide.Lanes() / 2
	walk("product"+k.Suffix(), fmt.Sprintf(" multiplies n complex numbers, a multiple of %d and not 0.", numbers), 2*k.Size(),
		func(dst, a, b operand.Mem) int {
			signs := table("evenSigns", [2]uint64{1 << 63, 0})
			bytes := wide.Lanes() * k.Size()
			load := func(m operand.Mem) reg.VecVirtual {
				r := wide.Reg()
				if k.Double {
					VMOVUPD(m, r)
				} else {
					VCVTPS2PD(m, r)
				}
				return r
			}
			var results []reg.VecVirtual
			for i := range vectors {
				x, y := load(a.Offset(i*bytes)), load(b.Offset(i*bytes))
				real, imaginary, swapped := wide.Reg(), wide.Reg(), wide.Reg()
				VMOVDDUP(y, real)
				VPERMILPD(operand.U8(0xff), y, imaginary)
				VPERMILPD(operand.U8(0x55), x, swapped)
				wide.Mul(imaginary, swapped, swapped)
				if !k.Double && !vec.Neon() { // in float64 the products are exact, so that one rounding gives the same
					VFMADDSUB213PD(swapped, real, x)
				} else {
					wide.Mul(real, x, x)
					wide.Xor(signs, swapped, swapped)
					wide.Add(swapped, x, x)
				}
				results = append(results, x)
			}
			for i, r := range results {
				m := dst.Offset(i * bytes)
				switch {
				case k.Double:
					VMOVUPD(r, m)
				default:
					VCVTPD2PSY(r, r.AsX())
					VMOVUPS(r.AsX(), m)
				}
			}
			return vectors * bytes
		})
}

// wideProduct is product for float32 and wide vectors. The conversions to float64 and back take most of the time there, so that the parts
// are separated and joined in float32.
func wideProduct() {
	walk("productAVX512F32", " multiplies n complex numbers, a multiple of 8 and not 0.", 8, func(dst, a, b operand.Mem) int {
		parts := func(m operand.Mem) (real, imaginary reg.VecVirtual) {
			low, r, i := YMM(), YMM(), YMM()
			VMOVUPS(m, low)
			VSHUFPS(operand.U8(0x88), m.Offset(32), low, r)
			VSHUFPS(operand.U8(0xdd), m.Offset(32), low, i)
			real, imaginary = ZMM(), ZMM()
			VCVTPS2PD(r, real)
			VCVTPS2PD(i, imaginary)
			return real, imaginary
		}
		aReal, aImaginary := parts(a)
		bReal, bImaginary := parts(b)
		real, imaginary := ZMM(), ZMM()
		VMULPD(bImaginary, aImaginary, real)
		VMULPD(bImaginary, aReal, imaginary)
		VFMSUB231PD(bReal, aReal, real) // the products are exact, so that these round once
		VFMADD231PD(bReal, aImaginary, imaginary)
		r, i, low := YMM(), YMM(), YMM()
		VCVTPD2PS(real, r)
		VCVTPD2PS(imaginary, i)
		VUNPCKLPS(i, r, low)
		VUNPCKHPS(i, r, r)
		VMOVUPS(low, dst)
		VMOVUPS(r, dst.Offset(32))
		return 64
	})
}

// modulus emits the moduli of complex numbers, whose parts are float32 or float64.
func modulus(k vec.Kind) {
	name := "modulus" + k.Suffix()
	TEXT(name, NOSPLIT, "func(n int, dst, a *byte)")
	Pragma("noescape")
	Doc(name + fmt.Sprintf(" computes the moduli of n complex numbers, a multiple of %d and not 0.", k.Lanes()))
	n, dst, a := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("a"), GP64())
	var registers []reg.VecPhysical
	for i := range k.Registers() {
		registers = append(registers, k.Physical(i))
	}
	real, imaginary, temps := registers[0], registers[1], registers[2:]
	even, odd := registers[k.Registers()-1], registers[k.Registers()-2]
	if k.Wide {
		k.Load(lanes(k, 0), even)
		k.Load(lanes(k, 1), odd)
		temps = temps[:len(temps)-2]
	}
	Label("loop")
	next := operand.Mem{Base: a, Disp: k.Bytes()}
	k.Load(operand.Mem{Base: a}, real)
	if k.Wide {
		k.Move(real, imaginary)
		separate := VPERMT2PS
		if k.Double {
			separate = VPERMT2PD
		}
		separate(next, even, real)
		separate(next, odd, imaginary)
	} else {
		k.Load(next, temps[0])
		if k.Double {
			VUNPCKHPD(temps[0], real, imaginary)
			VUNPCKLPD(temps[0], real, real)
		} else {
			VSHUFPS(operand.U8(0xdd), temps[0], real, imaginary)
			VSHUFPS(operand.U8(0x88), temps[0], real, real)
		}
	}
	trace.Emit(k, func(b *trace.Body, x ...trace.Value) trace.Value { return root(b, x[0], x[1]) }, temps,
		[]reg.VecPhysical{real}, []reg.VecPhysical{imaginary})
	if !k.Wide { // the parts lie in the order of the quarters of both vectors
		VPERMPD(operand.U8(0xd8), real, real)
	}
	k.Store(real, operand.Mem{Base: dst})
	ADDQ(operand.U32(2*k.Bytes()), a)
	ADDQ(operand.U32(k.Bytes()), dst)
	SUBQ(operand.U32(k.Lanes()), n)
	JNZ(operand.LabelRef("loop"))
	vec.Leave()
}

// root is √(x²+y²), of x and y divided by the power of two below the larger one, so that no square overflows or vanishes. The
// powers of the largest and of the smallest numbers are those of the bounds.
func root(b *trace.Body, x, y trace.Value) trace.Value {
	x, y = b.Abs(x), b.Abs(y)
	exponents, least, most := uint64(0x7f800000), 0x1p-120, 0x1p120
	if b.Double(x) {
		exponents, least, most = 0x7ff<<52, 0x1p-1000, 0x1p1000
	}
	infinity := b.Bits(exponents)
	power := b.And(b.Max(b.Min(b.Max(x, y), b.Const(most)), b.Const(least)), infinity)
	factor := b.Xor(power, infinity) // 2/power
	u, v := b.Mul(x, factor), b.Mul(y, factor)
	h := b.Mul(b.Mul(b.Sqrt(b.Add(b.Mul(u, u), b.Mul(v, v))), b.Const(0.5)), power)
	h = b.Select(b.Equal(x, infinity), infinity, h) // even if y is NaN
	return b.Select(b.Equal(y, infinity), infinity, h)
}

// lanes numbers every second lane of two vectors.
func lanes(k vec.Kind, first int) operand.Mem {
	m := GLOBL(fmt.Sprintf("lanes%d%s", first, k.Elem()), RODATA|NOPTR)
	for i := range k.Lanes() {
		if k.Double {
			DATA(8*i, operand.U64(2*i+first))
		} else {
			DATA(4*i, operand.U32(2*i+first))
		}
	}
	return m
}

// remainders emits the remainders of 64-bit numbers. The product with the reciprocal gives a quotient that is at most 2 too small, so that
// the divisor is subtracted twice more: a difference below 0 is the larger of two unsigned numbers.
func remainders() {
	const name = "remaindersAVX512"
	TEXT(name, NOSPLIT, "func(n int, dst, a *uint64, divisor, reciprocal uint64)")
	Pragma("noescape")
	Doc(name + " computes n numbers, a multiple of 8 and not 0, modulo the divisor. The reciprocal is that of 2⁶⁴-1, rounded down.")
	n, dst, a := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("a"), GP64())
	divisor, low, high, lower := ZMM(), ZMM(), ZMM(), ZMM()
	VPBROADCASTQ(Load(Param("divisor"), GP64()), divisor)
	VPBROADCASTQ(Load(Param("reciprocal"), GP64()), low)
	half := operand.Imm(32)
	VPSRLQ(half, low, high)
	VPTERNLOGQ(operand.U8(0xff), lower, lower, lower)
	VPSRLQ(half, lower, lower)
	Label("loop")
	x, upper, carry, middle, part, quotient := ZMM(), ZMM(), ZMM(), ZMM(), ZMM(), ZMM()
	VMOVDQU64(operand.Mem{Base: a}, x)
	VPSRLQ(half, x, upper)
	VPMULUDQ(low, x, carry)
	VPMULUDQ(low, upper, middle)
	VPMULUDQ(high, x, part)
	VPMULUDQ(high, upper, quotient)
	VPSRLQ(half, carry, carry)
	VPADDQ(carry, middle, middle)
	VPANDQ(lower, middle, carry)
	VPADDQ(carry, part, part)
	VPSRLQ(half, middle, middle)
	VPSRLQ(half, part, part)
	VPADDQ(middle, quotient, quotient)
	VPADDQ(part, quotient, quotient)
	VPMULLQ(divisor, quotient, quotient)
	VPSUBQ(quotient, x, x)
	for range 2 {
		VPSUBQ(divisor, x, part)
		VPMINUQ(part, x, x)
	}
	VMOVDQU64(x, operand.Mem{Base: dst})
	ADDQ(operand.Imm(64), a)
	ADDQ(operand.Imm(64), dst)
	SUBQ(operand.Imm(8), n)
	JNZ(operand.LabelRef("loop"))
	vec.Leave()
}
