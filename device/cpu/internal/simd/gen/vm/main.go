// Command vm generates the routines of package vm: the handlers of its interpreter.
//
// A handler works on 4 vectors, the accumulator, in the first registers. Everything else lies in memory. The registers
// between handlers:
//
//	R8  the instruction: the address of its handler, then its operand
//	R9  how many elements are left, including the current ones
//	R10 the index of the first current element
//	R11 the frame
//	R12 scalars
//	R13 slots: values of 4 vectors each
//	K4–K7 the valid lanes of the 4 vectors, in a tail (AVX-512)
//
// A handler ends with a jump to the next. The meaning of its operand depends on the handler's form: the offset of a
// stream's address in the frame, of a slot in the slots, or of a scalar in the scalars.
package main

import (
	. "github.com/mmcloughlin/avo/build"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

func main() {
	ConstraintExpr("!purego")
	for _, k := range vec.Kinds {
		control(k)
		moves(k)
		narrowMoves(k)
		floats(k)
		second(k)
		remainders(k)
		integers(k)
		wholeDivisions(k)
		wholePowers(k)
		shifts(k)
		conversions(k)
		selects(k)
		elementary(k)
		everySecond(k)
		loadSecond(k)
	}
	fence()
	tables()
	Generate()
	saveNames()
}
