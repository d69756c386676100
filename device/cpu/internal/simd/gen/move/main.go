// Command move generates the routines of package move.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("!purego")
	compressions()
	positions()
	conversions()
	copies()
	fence()
	fills()
	interleavings()
	reversals()
	rowsByOffsets()
	takes()
	transposes()
	Generate()
}
