// Command limit generates the loops of package bench/limit, which measure the peak performance of a processor.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

func main() {
	ConstraintExpr("!purego")
	for _, k := range []vec.Kind{{}, {Wide: true}, {Double: true}, {Wide: true, Double: true}} {
		multiplyAdd(k)
	}
	for _, k := range []vec.Kind{{}, {Wide: true}} {
		triad(k)
	}
	Generate()
}

// chains is the number of multiplications side by side: enough to hide their latency.
const chains = 12

func multiplyAdd(k vec.Kind) {
	name := "multiplyAdd" + k.Suffix()
	TEXT(name, NOSPLIT, "func(n int)")
	Doc(fmt.Sprintf("%s does n rounds of %d fused multiplications of vectors.", name, chains))
	n, x, acc := Load(Param("n"), GP64()), k.Reg(), k.Regs(chains)
	k.Zero(x)
	for _, r := range acc {
		k.Zero(r)
	}
	Label("loop")
	for _, r := range acc {
		k.FMA231(x, x, r)
	}
	DECQ(n)
	JNZ(operand.LabelRef("loop"))
	vec.Leave()
}

func triad(k vec.Kind) {
	name := "triad" + k.Suffix()
	TEXT(name, NOSPLIT, "func(n int, y, a, b *float32)")
	Doc(fmt.Sprintf("%s stores a+b in y for n elements, a multiple of %d.", name, 4*k.Lanes()))
	n, y := Load(Param("n"), GP64()), Load(Param("y"), GP64())
	a, b, r := Load(Param("a"), GP64()), Load(Param("b"), GP64()), k.Regs(4)
	Label("loop")
	for i := range r {
		k.Load(operand.Mem{Base: a, Disp: i * k.Bytes()}, r[i])
		k.Add(operand.Mem{Base: b, Disp: i * k.Bytes()}, r[i], r[i])
		k.Store(r[i], operand.Mem{Base: y, Disp: i * k.Bytes()})
	}
	for _, p := range []operand.Op{a, b, y} {
		ADDQ(operand.U32(4*k.Bytes()), p)
	}
	SUBQ(operand.U32(4*k.Lanes()), n)
	JNZ(operand.LabelRef("loop"))
	vec.Leave()
}
