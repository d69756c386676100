package data_test

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/data"
)

func Example() {
	x := nd.FromSlice([]float64{0, 10, 20, 30, 40}, 5, 1)
	labels := nd.FromSlice([]int{0, 1, 2, 3, 4})
	batches := data.NewLoader(data.NewSampler(5, 2), data.Rows(x, labels))
	for batches.Position().Epoch < 1 {
		batch, err := batches.Next()
		if err != nil {
			panic(err)
		}
		fmt.Println(batch[0].Reshape(-1), batch[1])
	}
	// Output:
	// [ 0. 10.] [0 1]
	// [20. 30.] [2 3]
	// [40.  0.] [4 0]
}
