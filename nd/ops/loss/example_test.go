package loss_test

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
)

func Example() {
	logits := nd.FromRows([][]float64{{2, 1, 0}, {0, 3, 0}})
	labels := nd.FromSlice([]int{0, 1}, 2, 1)
	fmt.Printf("%.4f\n", ops.Mean(loss.SoftmaxCrossEntropy(logits, labels)))
	// Output:
	// 0.2513
}
