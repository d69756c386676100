// Command window generates the routines of package window.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("!purego")
	windows()
	spreads()
	Generate()
}
