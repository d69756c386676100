// Command gemm generates the routines of package gemm.
package main

import (
	. "github.com/mmcloughlin/avo/build"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

func main() {
	ConstraintExpr("!purego")
	dots()
	tiles()
	panels()
	lines()
	interleaves()
	if !vec.Neon() {
		copyBFloats()
		boundBFloats()
		matrixTiles()
	}
	Generate()
}
