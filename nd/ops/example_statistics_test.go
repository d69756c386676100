package ops_test

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func ExampleMedian() {
	x := nd.FromSlice([]float64{10, 7, 4, 3, 2, 1}, 2, 3)
	fmt.Println(ops.Median(x), ops.Median(x, ops.Over(1)))
	// Output: 3.5 [7. 2.]
}

// One quartile adds no axis; several come first in the result.
func ExamplePercentile() {
	x := nd.FromSlice([]float64{10, 7, 4, 3, 2, 1})
	fmt.Println(ops.Percentile(x, nd.Scalar(25)))
	fmt.Println(ops.Percentile(x, nd.FromSlice([]float64{25, 75}), ops.QuantileOptions{Method: "nearest"}))
	// Output:
	// 2.25
	// [2. 7.]
}

func ExampleHistogram() {
	x := nd.FromSlice([]float64{1, 2, 1.5, 4, 3, 5})
	counts, edges := ops.Histogram(x, ops.HistogramOptions{Bins: 4})
	fmt.Println(counts, edges)
	// Output: [2 1 1 2] [1. 2. 3. 4. 5.]
}

func ExampleIsClose() {
	x := nd.FromSlice([]float64{1, 2, 3})
	y := nd.FromSlice([]float64{1, 2.001, 3.1})
	fmt.Println(ops.IsClose(x, y, ops.IsCloseOptions{RTol: nd.Scalar(1e-2)}))
	// Output: [ True  True False]
}

func ExampleUniqueAll() {
	u := ops.UniqueAll(nd.FromSlice([]int{2, 7, 2, 5}))
	fmt.Println(u.Values, u.Indices, u.Inverse, u.Counts)
	// Output: [2 5 7] [0 3 1] [0 2 0 1] [2 1 1]
}
