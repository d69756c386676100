// Command reduce generates the routines of package reduce.
package main

import (
	. "github.com/mmcloughlin/avo/build"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

func main() {
	ConstraintExpr("!purego")
	for _, t := range terms {
		rows(t)
	}
	for _, o := range operations {
		columns(o)
	}
	finds()
	indices("largest", vec.NotLessEqual)
	indices("smallest", vec.NotGreaterEqual)
	scans()
	integers()
	Generate()
}
