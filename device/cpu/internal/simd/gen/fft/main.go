// Command fft generates the routines of package fft.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("!purego")
	passes()
	columns()
	rows()
	turns()
	products()
	mirrors()
	squares()
	fronts()
	Generate()
}
