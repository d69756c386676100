package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// width is a vector width, for elements of any type.
type width struct{ vec.Kind }

var widths = []width{{vec.Kind{}}, {vec.Kind{Wide: true}}}

func (k width) level() string {
	if k.Wide {
		return "AVX512"
	}
	return "AVX2"
}

// fills emits the routines that repeat a pattern of 16 bytes, four registers at a time: into the caches, and past them.
func fills() {
	for _, k := range widths {
		k.fill("fill"+k.level(), k.Store)
		k.fill("fillStream"+k.level(), k.Stream)
	}
}

func (k width) fill(name string, store func(r, m operand.Op)) {
	TEXT(name, NOSPLIT, "func(n int, dst, pattern *byte)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s repeats the 16 bytes of a pattern in n bytes, a multiple of %d and not 0.", name, 4*k.Bytes()))
	n, dst := Load(Param("n"), GP64()), Load(Param("dst"), GP64())
	r := k.Reg()
	pattern := operand.Mem{Base: Load(Param("pattern"), GP64())}
	if k.Wide {
		VBROADCASTF32X4(pattern, r)
	} else {
		VBROADCASTF128(pattern, r)
	}
	Label("loop")
	for i := range 4 {
		store(r, operand.Mem{Base: dst, Disp: i * k.Bytes()})
	}
	ADDQ(operand.U32(4*k.Bytes()), dst)
	SUBQ(operand.U32(4*k.Bytes()), n)
	JNZ(operand.LabelRef("loop"))
	vec.Leave()
}
