// Command pool generates the routines of package pool.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("!purego")
	windows()
	grids()
	spreads()
	Generate()
}
