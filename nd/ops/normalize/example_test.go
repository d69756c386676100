package normalize_test

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
)

func Example() {
	x := nd.FromRows([][]float64{{1, 2, 3}, {4, 6, 8}})
	y := normalize.LayerNormalization(x, nil, nil)
	fmt.Println(normalize.Normalize(y, ops.Over(0)))
	// Output:
	// [[-0.70710071  0.          0.70710071]
	//  [-0.70710469  0.          0.70710469]]
}
