// Command fold generates the routines of package fold.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("!purego")
	for _, t := range terms {
		rows(t)
	}
	for _, o := range operations {
		columns(o)
	}
	Generate()
}
