// Command conv generates the routines of package conv.
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
	tiles()
	Generate()
}
