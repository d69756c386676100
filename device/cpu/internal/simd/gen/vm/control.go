package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// frame returns a field of the vm.frame that is run, given by its offset.
func frame(field int) operand.Mem { return operand.Mem{Base: reg.R11, Disp: field} }

// count is the number of elements that a handler processes.
func count(k vec.Kind) operand.Op { return operand.U32(depth * k.Lanes()) }

// control emits the start and the end of runs.
func control(k vec.Kind) {
	enter := func(name, doc string) {
		TEXT(name+k.Suffix(), NOSPLIT, "func(frame *uint64)")
		Doc(name + k.Suffix() + doc)
		Pragma("noescape")
		Load(Param("frame"), reg.R11)
		MOVQ(frame(frameLeft), reg.R9)
		MOVQ(frame(frameIndex), reg.R10)
		MOVQ(frame(frameScalars), reg.R12)
		MOVQ(frame(frameSlots), reg.R13)
	}
	enter("run", " runs a frame's code.")
	MOVQ(frame(frameMain), reg.R8)
	if k.Wide {
		CMPQ(reg.R9, count(k))
		JGE(operand.LabelRef("whole"))
		tail(k)
		Label("whole")
	}
	dispatch()

	enter("resume", " continues after a rare argument.")
	MOVQ(frame(frameNext), reg.R8)
	if k.Wide {
		masks(k)
	}
	acc, temps := registers(k)
	for i, a := range acc {
		k.Load(savedResult(k, i), a)
	}
	dispatch()

	begin(k, "end")
	end(k)
	if vec.Neon() || k.Wide { // a jump less: of simple programs, jumps are a large part
		begin(k, "storeend.stream")
		storeAccumulator(k, "stream", acc, temps)
		end(k)
	}
	if k.Wide {
		begin(k, "endtail")
		leaveOrNextRow(k)
		begin(k, "storeend.tail")
		storeTail(k, acc, temps)
		leaveOrNextRow(k)
	}
}

// end moves to the next vectors.
func end(k vec.Kind) {
	ADDQ(count(k), reg.R10)
	SUBQ(count(k), reg.R9)
	if k.Wide {
		CMPQ(reg.R9, count(k))
		JLT(operand.LabelRef("short"))
		MOVQ(frame(frameMain), reg.R8)
		dispatch()
		Label("short")
		endShort(k)
		return
	}
	JZ(operand.LabelRef("done"))
	MOVQ(frame(frameMain), reg.R8)
	dispatch()
	Label("done")
	leaveOrNextRow(k)
}

// endShort goes on with the tail, if there is one, when fewer elements are left than a handler processes.
func endShort(k vec.Kind) {
	TESTQ(reg.R9, reg.R9)
	JZ(operand.LabelRef("done"))
	tail(k)
	dispatch()
	Label("done")
	leaveOrNextRow(k)
}

// leaveOrNextRow ends the run if there are no more rows, or begins the next row.
func leaveOrNextRow(k vec.Kind) {
	CMPQ(frame(frameRows), operand.Imm(0))
	JNE(operand.LabelRef("row"))
	vec.Leave()
	Label("row")
	DECQ(frame(frameRows))
	moves, n, move, at, pitch := reg.RAX, reg.RCX, reg.RBX, reg.RDX, reg.RSI
	MOVQ(frame(frameMoves), moves)
	MOVQ(operand.Mem{Base: moves, Disp: movesStreams}, n)
	LEAQ(operand.Mem{Base: moves, Disp: movesStream}, move)
	Label("stream")
	MOVQ(operand.Mem{Base: move, Disp: streamMoveOffset}, at)
	MOVQ(operand.Mem{Base: move, Disp: streamMovePitch}, pitch)
	ADDQ(pitch, operand.Mem{Base: reg.R11, Index: at, Scale: 1})
	ADDQ(operand.Imm(streamMoveSize), move)
	DECQ(n)
	JNZ(operand.LabelRef("stream"))
	MOVQ(operand.Mem{Base: moves, Disp: movesUniforms}, n)
	TESTQ(n, n)
	JZ(operand.LabelRef("begin"))
	LEAQ(operand.Mem{Base: moves, Disp: movesUniform}, move)
	Label("uniform")
	MOVQ(operand.Mem{Base: move, Disp: uniformMoveAt}, at)
	ADDQ(operand.Mem{Base: move, Disp: uniformMovePitch}, at)
	MOVQ(at, operand.Mem{Base: move, Disp: uniformMoveAt})
	MOVQ(operand.Mem{Base: move, Disp: uniformMoveOffset}, pitch)
	scalar := operand.Mem{Base: reg.R12, Index: pitch, Scale: 1}
	if k.Double {
		MOVQ(operand.Mem{Base: at}, reg.RDI)
		MOVQ(reg.RDI, scalar)
	} else {
		MOVL(operand.Mem{Base: at}, reg.EDI)
		MOVL(reg.EDI, scalar)
	}
	ADDQ(operand.Imm(uniformMoveSize), move)
	DECQ(n)
	JNZ(operand.LabelRef("uniform"))
	Label("begin")
	XORQ(reg.R10, reg.R10)
	MOVQ(frame(frameLength), reg.R9)
	MOVQ(frame(frameMain), reg.R8)
	if k.Wide {
		CMPQ(reg.R9, count(k))
		JGE(operand.LabelRef("whole"))
		tail(k)
		Label("whole")
	}
	dispatch()
}

// fence emits the routine that ends stores past the caches.
func fence() {
	TEXT("fence", NOSPLIT, "func()")
	Doc("fence returns when all stores past the caches are visible to other processors.")
	SFENCE()
	RET()
}

// tail switches to the code of a tail.
func tail(k vec.Kind) {
	MOVQ(frame(frameTail), reg.R8)
	masks(k)
}

// masks sets the masks of a tail from the number of elements left. Outside a tail no handler reads them.
func masks(k vec.Kind) {
	MOVQ(operand.I32(-1), reg.RAX)
	BZHIQ(reg.R9, reg.RAX, reg.RAX)
	for i := range depth {
		KMOVW(reg.EAX, tailMask(i))
		if i < depth-1 {
			SHRQ(operand.Imm(uint64(k.Lanes())), reg.RAX)
		}
	}
}

// tailMask returns the mask of a vector of the accumulator.
func tailMask(i int) reg.OpmaskPhysical {
	return [...]reg.OpmaskPhysical{reg.K4, reg.K5, reg.K6, reg.K7}[i]
}

// The first two slots hold a function's arguments and results, the third the second arguments of long operations.
func savedArgument(k vec.Kind, i int) operand.Mem {
	return operand.Mem{Base: reg.R13, Disp: i * k.Bytes()}
}

func savedResult(k vec.Kind, i int) operand.Mem {
	return operand.Mem{Base: reg.R13, Disp: (depth + i) * k.Bytes()}
}

func savedSecond(k vec.Kind, i int) operand.Mem {
	return operand.Mem{Base: reg.R13, Disp: (2*depth + i) * k.Bytes()}
}
