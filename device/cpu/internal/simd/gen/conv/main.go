// Command direct generates the routines of package direct.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("!purego")
	lanes()
	rows()
	transposes()
	copies()
	products()
	slides()
	Generate()
}
