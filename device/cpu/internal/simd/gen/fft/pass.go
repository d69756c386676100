package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// radices are the lengths of the transforms of one pass.
var radices = []int{2, 3, 4, 5, 7, 8, 11, 13}

// form is what a pass does besides its transforms.
type form int

const (
	middle form = iota // it multiplies by factors
	last
	first // of AVX-512: it reads complex numbers, and multiplies by factors
	final // of AVX-512: the last one, which multiplies by scale and writes complex numbers
	pairs // final, where half of the lanes are columns of another row
)

func passes() {
	for _, k := range vec.Kinds {
		for _, radix := range radices {
			pass(k, radix, middle)
			pass(k, radix, last)
		}
		if !k.Wide {
			continue
		}
		pass(k, 16, middle)
		pass(k, 16, last)
		for _, radix := range []int{4, 5, 8, 16} {
			pass(k, radix, first)
		}
		for _, radix := range []int{3, 4, 5, 8, 16} {
			pass(k, radix, final)
		}
		if k.Double {
			continue
		}
		for _, radix := range []int{3, 5, 7} {
			pass(k, radix, pairs)
		}
	}
}

// pass emits a pass.
func pass(k vec.Kind, radix int, form form) {
	name := fmt.Sprintf("%spass%d%s", [...]string{middle: "", last: "last", first: "first", final: "final", pairs: "pairs"}[form], radix, k.Suffix())
	arguments, tail := "", ""
	switch form {
	case first:
		arguments, tail = fmt.Sprintf(", lanes *%s", k.Elem()), " of complex numbers"
	case final:
		arguments, tail = fmt.Sprintf(", lanes *%s, scale %[1]s", k.Elem()), " to complex numbers"
	case pairs:
		arguments, tail = fmt.Sprintf(", lanes *%s, second int, scale %[1]s", k.Elem()), " to complex numbers of two rows"
	}
	TEXT(name, NOSPLIT, fmt.Sprintf("func(m, s int, x *%s, xStep, xStride int, y *%[1]s, yStep, yStride int, w *%[1]s%s)", k.Elem(), arguments))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s does m times s transforms of %d vectors%s. Steps and strides are in bytes.", name, radix, tail))
	m := Load(Param("m"), GP64())
	x, y := addresses(k, "x", radix), addresses(k, "y", radix)
	var w, lanes reg.Register
	factors := form == middle || form == first
	if factors {
		w = Load(Param("w"), GP64())
	}
	if form != middle && form != last {
		lanes = Load(Param("lanes"), GP64())
	}
	second := y
	if form == pairs {
		second = y.moved(Load(Param("second"), GP64()))
	}
	MOVQ(m, operand.NewParamAddr("m", 0))
	Label("outer")
	count := GP64()
	MOVQ(operand.NewParamAddr("s", 8), count)
	Label("inner")
	f := &flow{Kind: k}
	// both returns two vectors with lanes of a and b, whose indices are in memory.
	both := func(a, b value) pair {
		at := operand.Mem{Base: lanes}
		return pair{f.permute(at, a, b), f.permute(at.Offset(k.Bytes()), a, b)}
	}
	get := func(j int) pair {
		v := pair{f.load(x.at(j, 0)), f.load(x.at(j, k.Bytes()))}
		if form == first {
			return both(v.re, v.im)
		}
		return v
	}
	var scale value
	switch form {
	case final:
		scale = f.splat(operand.NewParamAddr("scale", 80))
	case pairs:
		scale = f.splat(operand.NewParamAddr("scale", 88))
	}
	put := func(i int, v pair) {
		if i > 0 && factors {
			at := operand.Mem{Base: w, Disp: 2 * (i - 1) * k.Size()}
			v = f.product(v, pair{f.splat(at), f.splat(at.Offset(k.Size()))})
		}
		if form == final || form == pairs {
			v = both(f.times(v.re, scale), f.times(v.im, scale))
		}
		f.store(v.re, y.at(i, 0))
		if form == pairs {
			f.store(v.im, second.at(i, 0))
			return
		}
		f.store(v.im, y.at(i, k.Bytes()))
	}
	f.transform(radix, get, put)
	f.emit()
	x.advance(operand.U32(2 * k.Bytes()))
	y.advance(operand.U32(2 * k.Bytes()))
	if form == pairs {
		second.advance(operand.U32(2 * k.Bytes()))
	}
	DECQ(count)
	JNZ(operand.LabelRef("inner"))
	x.advance(operand.NewParamAddr("xStep", 24))
	y.advance(operand.NewParamAddr("yStep", 48))
	if form == pairs {
		second.advance(operand.NewParamAddr("yStep", 48))
	}
	if factors {
		ADDQ(operand.U32(2*(radix-1)*k.Size()), w)
	}
	DECQ(operand.NewParamAddr("m", 0))
	JNZ(operand.LabelRef("outer"))
	vec.Leave()
}

// lattice holds the addresses of the vectors of a transform, which are a stride apart.
type lattice struct {
	base    reg.Register
	upper   reg.Register // the address of vector 8, if there is one
	strides map[int]reg.Register
}

func addresses(k vec.Kind, name string, radix int) *lattice {
	l := &lattice{base: Load(Param(name), GP64()), strides: map[int]reg.Register{}}
	one := Load(Param(name+"Stride"), GP64())
	l.strides[1] = one
	if radix > 3 {
		l.strides[3] = GP64()
		LEAQ(operand.Mem{Base: one, Index: one, Scale: 2}, l.strides[3])
	}
	if radix > 5 {
		l.strides[5] = GP64()
		LEAQ(operand.Mem{Base: one, Index: one, Scale: 4}, l.strides[5])
	}
	if radix > 7 {
		l.strides[7] = GP64()
		LEAQ(operand.Mem{Base: l.strides[3], Index: one, Scale: 4}, l.strides[7])
	}
	if radix > 8 {
		l.upper = GP64()
		LEAQ(operand.Mem{Base: l.base, Index: one, Scale: 8}, l.upper)
	}
	return l
}

// moved returns the addresses some bytes after those of l.
func (l *lattice) moved(bytes reg.Register) *lattice {
	m := &lattice{base: GP64(), strides: l.strides}
	LEAQ(operand.Mem{Base: l.base, Index: bytes, Scale: 1}, m.base)
	if l.upper != nil {
		m.upper = GP64()
		LEAQ(operand.Mem{Base: l.upper, Index: bytes, Scale: 1}, m.upper)
	}
	return m
}

// at returns the address of vector j, or of a part of it.
func (l *lattice) at(j, disp int) operand.Mem {
	m := operand.Mem{Base: l.base, Disp: disp}
	if j >= 8 && l.upper != nil {
		m.Base, j = l.upper, j-8
	}
	if j == 0 {
		return m
	}
	scale := 1
	for j%2 == 0 {
		j, scale = j/2, 2*scale
	}
	m.Index, m.Scale = l.strides[j], uint8(scale)
	return m
}

func (l *lattice) advance(by operand.Op) {
	ADDQ(by, l.base)
	if l.upper != nil {
		ADDQ(by, l.upper)
	}
}
