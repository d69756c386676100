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

func passes() {
	for _, k := range vec.Kinds {
		for _, radix := range radices {
			for _, last := range []bool{false, true} {
				pass(k, radix, last)
			}
		}
	}
}

// pass emits a pass with factors, or the last pass, which needs none.
func pass(k vec.Kind, radix int, last bool) {
	name := fmt.Sprintf("pass%d%s", radix, k.Suffix())
	if last {
		name = "last" + name
	}
	TEXT(name, NOSPLIT, fmt.Sprintf("func(m, s int, x *%s, xStep, xStride int, y *%[1]s, yStep, yStride int, w *%[1]s)", k.Elem()))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s does m times s transforms of %d vectors. Steps and strides are in bytes.", name, radix))
	m, s := Load(Param("m"), GP64()), Load(Param("s"), GP64())
	x, y := addresses(k, "x", radix), addresses(k, "y", radix)
	var w reg.Register
	if !last {
		w = Load(Param("w"), GP64())
	}
	MOVQ(m, operand.NewParamAddr("m", 0))
	Label("outer")
	count := GP64()
	MOVQ(s, count)
	Label("inner")
	f := &flow{Kind: k}
	get := func(j int) pair { return pair{f.load(x.at(j, 0)), f.load(x.at(j, k.Bytes()))} }
	put := func(i int, v pair) {
		if i > 0 && !last {
			at := operand.Mem{Base: w, Disp: 2 * (i - 1) * k.Size()}
			v = f.product(v, pair{f.splat(at), f.splat(at.Offset(k.Size()))})
		}
		f.store(v.re, y.at(i, 0))
		f.store(v.im, y.at(i, k.Bytes()))
	}
	f.transform(radix, get, put)
	f.emit()
	x.advance(operand.U32(2 * k.Bytes()))
	y.advance(operand.U32(2 * k.Bytes()))
	DECQ(count)
	JNZ(operand.LabelRef("inner"))
	x.advance(operand.NewParamAddr("xStep", 24))
	y.advance(operand.NewParamAddr("yStep", 48))
	if !last {
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
