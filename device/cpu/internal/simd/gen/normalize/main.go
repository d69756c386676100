// Command normalize generates the routines of package normalize.
package main

import (
	. "github.com/mmcloughlin/avo/build"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

func main() {
	ConstraintExpr("!purego")
	for _, k := range vec.Kinds {
		center(k)
		standardize(k)
		flatSums(k)
		sums(k)
		flatGradient(k)
		gradient(k)
	}
	Generate()
}
