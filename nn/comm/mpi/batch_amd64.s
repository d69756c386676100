//go:build !purego && ((linux && !android) || (darwin && !ios))

#include "textflag.h"
#include "go_asm.h"

GLOBL ·runBatch(SB), NOPTR|RODATA, $8
DATA ·runBatch(SB)/8, $runBatch<>(SB)

// runBatch runs the batch at DI. C calls it, in the convention of System V: it keeps BX, BP and R12 to R15, and the stack is aligned
// to 16 bytes where it calls: the frame is a multiple of 16, and BP and the address of the caller lie above it.
TEXT runBatch<>(SB), NOSPLIT, $64
	MOVQ BX, 32(SP)
	MOVQ R12, 40(SP)
	MOVQ R13, 48(SP)
	MOVQ DI, BX
	MOVQ batch_calls(BX), R12

calls:
	CMPQ batch_left(BX), $0
	JE   ask
	MOVQ foreignCall_arguments+0(R12), DI
	MOVQ foreignCall_arguments+8(R12), SI
	MOVQ foreignCall_arguments+16(R12), DX
	MOVQ foreignCall_arguments+24(R12), CX
	MOVQ foreignCall_arguments+32(R12), R8
	MOVQ foreignCall_arguments+40(R12), R9
	MOVQ foreignCall_arguments+48(R12), AX
	MOVQ AX, 0(SP)
	MOVQ foreignCall_arguments+56(R12), AX
	MOVQ AX, 8(SP)
	MOVQ foreignCall_arguments+64(R12), AX
	MOVQ AX, 16(SP)
	MOVQ foreignCall_address(R12), R10
	XORL AX, AX
	CALL R10
	TESTL AX, AX
	JNE  done
	ADDQ $foreignCall__size, R12
	DECQ batch_left(BX)
	JMP  calls

ask:
	MOVQ batch_tries(BX), R13
	XORL AX, AX

again:
	TESTQ R13, R13
	JLE  done
	DECQ R13
	MOVQ batch_question+0(BX), DI
	MOVQ batch_question+8(BX), SI
	MOVQ batch_question+16(BX), DX
	MOVQ batch_question+24(BX), CX
	MOVQ batch_testall(BX), R10
	XORL AX, AX
	CALL R10
	TESTL AX, AX
	JNE  done
	MOVQ batch_question+16(BX), DX
	CMPL (DX), $0
	JE   again

done:
	MOVLQSX AX, AX
	MOVQ AX, batch_code(BX)
	MOVQ 32(SP), BX
	MOVQ 40(SP), R12
	MOVQ 48(SP), R13
	RET
