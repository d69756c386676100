package quantize_test

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
)

// A layer trained in floats, and its product in integers.
func Example() {
	x := nd.FromRows([][]float32{{0.5, -1, 0.25}, {2, 0, -0.75}})
	w := nd.FromRows([][]float32{{1, 0.5}, {-0.25, 1}, {0.75, -1}})

	x8, w8 := quantize.Symmetric(x), quantize.Symmetric(w)
	y := quantize.MatMul(x8, w8)

	fmt.Println(x8.Values)
	fmt.Println(y.Values, y.Values.DType())
	fmt.Printf("%.2v\n", y.Dequantize())
	// Output:
	// [[ 32 -64  16]
	//  [127   0 -48]]
	// [[ 7632 -8112]
	//  [11569 14224]] int32
	// [[ 0.95 -1.01]
	//  [ 1.43  1.76]]
}
