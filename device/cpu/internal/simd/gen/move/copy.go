package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// copies emits the routines that copy bytes past the caches: four consecutive vectors at a time, or from four pages in
// turn, which keeps several memory banks busy.
func copies() {
	for _, k := range widths {
		k.copyLines()
		name := "copyPages" + k.level()
		TEXT(name, NOSPLIT, "func(n int, dst, src *byte)")
		Pragma("noescape")
		Doc(fmt.Sprintf("%s copies n bytes, a multiple of %d and not 0.", name, pages*page))
		n, dst, src := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("src"), GP64())
		Label("loop")
		copyPages(k, dst, src)
		SUBQ(operand.U32(pages*page), n)
		JNZ(operand.LabelRef("loop"))
		vec.Leave()
	}
}

// fence emits the routine that ends stores past the caches. The routines that store so do not end them.
func fence() {
	TEXT("fence", NOSPLIT, "func()")
	Doc("fence returns when all stores past the caches are visible to other processors.")
	SFENCE()
	RET()
}

func (k width) copyLines() {
	name := "copyLines" + k.level()
	TEXT(name, NOSPLIT, "func(n int, dst, src *byte)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s copies n bytes, a multiple of %d and not 0.", name, 4*k.Bytes()))
	n, dst, src := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	Label("loop")
	copyVectors(k, dst, src, []int{0, 1, 2, 3})
	ADDQ(operand.U32(4*k.Bytes()), dst)
	ADDQ(operand.U32(4*k.Bytes()), src)
	SUBQ(operand.U32(4*k.Bytes()), n)
	JNZ(operand.LabelRef("loop"))
	vec.Leave()
}

const page, pages = 4096, 4

// copyPages copies some pages, and advances to the next ones.
func copyPages(k width, dst, src reg.Register) {
	const lines = 2
	left := GP64()
	MOVQ(operand.U32(page), left)
	Label("pages")
	var vectors []int
	for p := range pages {
		for i := range 64 * lines / k.Bytes() {
			vectors = append(vectors, p*page/k.Bytes()+i)
		}
		PREFETCHT0(operand.Mem{Base: src, Disp: p*page + 4*64*lines})
		PREFETCHT0(operand.Mem{Base: src, Disp: p*page + 4*64*lines + 64})
	}
	copyVectors(k, dst, src, vectors)
	ADDQ(operand.U32(64*lines), dst)
	ADDQ(operand.U32(64*lines), src)
	SUBQ(operand.U32(64*lines), left)
	JNZ(operand.LabelRef("pages"))
	ADDQ(operand.U32((pages-1)*page), dst)
	ADDQ(operand.U32((pages-1)*page), src)
}

// copyVectors copies the vectors with the given numbers with streaming stores. It loads up to eight of them before it
// stores.
func copyVectors(k width, dst, src reg.Register, numbers []int) {
	for len(numbers) > 0 {
		now := numbers[:min(8, len(numbers))]
		numbers = numbers[len(now):]
		r := k.Regs(len(now))
		for i, number := range now {
			k.Load(operand.Mem{Base: src, Disp: number * k.Bytes()}, r[i])
		}
		for i, number := range now {
			k.Stream(r[i], operand.Mem{Base: dst, Disp: number * k.Bytes()})
		}
	}
}
