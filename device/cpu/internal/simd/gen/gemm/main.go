// Command gemm generates the routines of package gemm.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("!purego")
	dots()
	tiles()
	panels()
	lines()
	interleaves()
	Generate()
}
