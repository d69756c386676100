// Command philox generates the routines of package philox.
package main

import (
	. "github.com/mmcloughlin/avo/build"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

func main() {
	ConstraintExpr("!purego")
	for _, wide := range []bool{false, true} {
		words(wide)
		coins(wide)
		uniforms32(wide)
		uniforms64(wide)
		normals32(wide)
		normals64(wide)
	}
	Generate()
}

// doubles and singles return the vectors of a width.
func doubles(wide bool) vec.Kind { return vec.Kind{Wide: wide, Double: true} }
func singles(wide bool) vec.Kind { return vec.Kind{Wide: wide} }
