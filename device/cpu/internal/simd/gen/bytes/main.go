// Command bytes generates the routines of package bytes.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

func main() {
	ConstraintExpr("!purego")
	for _, k := range []vec.Kind{{}, {Wide: true}} {
		bytes(k)
	}
	for _, k := range vec.Kinds {
		product(k)
	}
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
				wide.Mul(real, x, x)
				wide.Mul(imaginary, swapped, swapped)
				wide.Xor(signs, swapped, swapped)
				wide.Add(swapped, x, x)
				results = append(results, x)
			}
			for i, r := range results {
				m := dst.Offset(i * bytes)
				switch {
				case k.Double:
					VMOVUPD(r, m)
				case k.Wide:
					VCVTPD2PS(r, r.AsY())
					VMOVUPS(r.AsY(), m)
				default:
					VCVTPD2PSY(r, r.AsX())
					VMOVUPS(r.AsX(), m)
				}
			}
			return vectors * bytes
		})
}
