package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// squares emits transforms of rows of 64 numbers, as a matrix of 8 by 8 that stays in the registers of AVX-512.
func squares() {
	for _, double := range []bool{false, true} {
		for _, swapped := range []bool{false, true} {
			square(vec.Kind{Wide: true, Double: double}, swapped)
		}
	}
}

// square emits the transform. Vectors hold 8 numbers of one row of float64, or of each of two rows of float32. Vector j
// has the numbers p + 8j: a transform of 8 vectors, factors, and a transposition, after which vector p has the results k;
// a second transform leaves the results k + 8i in vector i. The order of lanes is one that needs few instructions.
func square(k vec.Kind, swapped bool) {
	name := "square"
	if swapped {
		name = "swappedSquare"
	}
	name += k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, x *%s, xStride int, y *%[1]s, yStride int, w *%[1]s, scale %[1]s)", k.Elem()))
	Pragma("noescape")
	doc := name + " transforms n rows of 64 numbers and multiplies them by scale. Strides are in bytes."
	if !k.Double {
		doc = name + " transforms n pairs of rows of 64 numbers and multiplies them by scale. Strides are in bytes."
	}
	Doc(doc)
	n, w := Load(Param("n"), GP64()), Load(Param("w"), GP64())
	x, xStride := Load(Param("x"), GP64()), Load(Param("xStride"), GP64())
	y, yStride := Load(Param("y"), GP64()), Load(Param("yStride"), GP64())
	x2, y2 := GP64(), GP64()
	Label("rows")
	if !k.Double {
		LEAQ(operand.Mem{Base: x, Index: xStride, Scale: 1}, x2)
		LEAQ(operand.Mem{Base: y, Index: yStride, Scale: 1}, y2)
	}
	f := &flow{Kind: k}
	order := func(re, im value) pair {
		if swapped {
			return pair{im, re}
		}
		return pair{re, im}
	}
	var re, im [8]value
	f.transform(8, func(j int) pair {
		if k.Double {
			a, b := f.load(operand.Mem{Base: x, Disp: 128 * j}), f.load(operand.Mem{Base: x, Disp: 128*j + 64})
			return order(f.shuffle(VUNPCKLPD, a, b), f.shuffle(VUNPCKHPD, a, b))
		}
		a, b := f.load(operand.Mem{Base: x, Disp: 64 * j}), f.load(operand.Mem{Base: x2, Disp: 64 * j})
		return order(f.shuffle(every(0x88), a, b), f.shuffle(every(0xdd), a, b))
	}, func(i int, v pair) {
		if i > 0 {
			at := operand.Mem{Base: w, Disp: 128 * (i - 1)}
			v = f.product(v, pair{f.load(at), f.load(at.Offset(64))})
		}
		re[i], im[i] = v.re, v.im
	})
	re, im = f.transposed8(re), f.transposed8(im)
	scale := f.splat(operand.NewParamAddr("scale", 48))
	f.transform(8, func(p int) pair { return pair{re[p], im[p]} }, func(i int, v pair) {
		v = order(f.times(v.re, scale), f.times(v.im, scale))
		if k.Double {
			f.store(f.shuffle(VUNPCKLPD, v.re, v.im), operand.Mem{Base: y, Disp: 128 * i})
			f.store(f.shuffle(VUNPCKHPD, v.re, v.im), operand.Mem{Base: y, Disp: 128*i + 64})
			return
		}
		f.store(f.permute(joined(0), v.re, v.im), operand.Mem{Base: y, Disp: 64 * i})
		f.store(f.permute(joined(1), v.re, v.im), operand.Mem{Base: y2, Disp: 64 * i})
	})
	f.emit()
	if k.Double {
		ADDQ(xStride, x)
		ADDQ(yStride, y)
	} else {
		LEAQ(operand.Mem{Base: x, Index: xStride, Scale: 2}, x)
		LEAQ(operand.Mem{Base: y, Index: yStride, Scale: 2}, y)
	}
	DECQ(n)
	JNZ(operand.LabelRef("rows"))
	vec.Leave()
}

// transposed8 exchanges the 8 vectors and the 8 numbers of each row in them. In float64 the two lanes of part q of 128
// bits hold the numbers q and 4+q before, and the vectors' own numbers i and 4+i, for i = q, after it; in float32 the
// four lanes hold 2q and 2q+1 of the first row, then of the second, and i of both rows, then 4+i.
func (f *flow) transposed8(v [8]value) (out [8]value) {
	low, high := VUNPCKLPD, VUNPCKHPD
	if !f.Double {
		low, high = every(0x88), every(0xdd)
	}
	for half, op := range []func(...operand.Op){low, high} {
		var r [4]value
		for i := range r {
			r[i] = f.shuffle(op, v[i], v[i+4])
		}
		parts := func(control uint8, a, b value) value {
			return f.shuffle(func(ops ...operand.Op) { VSHUFF32X4(operand.U8(control), ops[0], ops[1], ops[2]) }, a, b)
		}
		a, b := parts(0x44, r[0], r[1]), parts(0x44, r[2], r[3])
		c, d := parts(0xee, r[0], r[1]), parts(0xee, r[2], r[3])
		for q, r := range []value{parts(0x88, a, b), parts(0xdd, a, b), parts(0x88, c, d), parts(0xdd, c, d)} {
			if f.Double {
				out[4*half+q] = r
			} else {
				out[2*q+half] = r
			}
		}
	}
	return out
}

// every returns VSHUFPS with a control.
func every(control uint8) func(...operand.Op) {
	return func(ops ...operand.Op) { VSHUFPS(operand.U8(control), ops[0], ops[1], ops[2]) }
}

// joined returns the lanes of the real and imaginary parts of 8 results of a row, the first or the second of two.
func joined(row int) operand.Mem {
	name := fmt.Sprintf("joined%d", row)
	m, ok := tables[name]
	if !ok {
		m = GLOBL(name, RODATA|NOPTR)
		for e := range 16 {
			i := e / 2
			DATA(4*e, operand.U32(4*(i%4)+i/4*2+row+e%2*16))
		}
		tables[name] = m
	}
	return m
}
