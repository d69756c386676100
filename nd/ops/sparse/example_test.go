package sparse_test

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sparse"
)

func ExampleMatMul() {
	m := sparse.FromDense(nd.FromSlice([]float64{0, 2, 0, 0, 0, 0, 1, 0, 3}, 3, 3))
	fmt.Println(m)
	fmt.Println(sparse.MatMul(m, nd.FromSlice([]float64{1, 10, 100})))
	// Output:
	// CSR (3, 3) of float64 with 3 stored elements
	// [ 20.   0. 301.]
}

// The stored elements are an array, and gradients flow to it: here the weights of a graph's edges.
func ExampleNewCOO() {
	from, to := nd.FromSlice([]int{0, 0, 1}), nd.FromSlice([]int{1, 2, 2})
	x := nd.FromSlice([]float64{1, 2, 3})
	tape := grad.NewTape()
	weights := tape.Watch(nd.Ones([]int{3}))
	edges := sparse.NewCOO(weights, to, from, 3, 3)
	y := sparse.MatMul(edges, x) // each node sums the inputs along its edges
	fmt.Println(y)
	fmt.Println(tape.Gradient(ops.Sum(y), weights)[0])
	// Output:
	// [0. 1. 3.]
	// [1. 1. 2.]
}

// A batch of examples whose features are mostly 0.
func ExampleTakeRows() {
	features := sparse.FromDense(nd.FromSlice([]float32{0, 1, 0, 5, 0, 0, 0, 2, 3}, 3, 3))
	batch := sparse.TakeRows(features, nd.FromSlice([]int{2, 0}))
	fmt.Println(batch.ToDense())
	// Output:
	// [[0. 2. 3.]
	//  [0. 1. 0.]]
}

func ExampleCSR() {
	m := sparse.NewCSR(
		nd.FromSlice([]float64{1, 2, 3}), // the elements, row by row
		nd.FromSlice([]int{2, 0, 1}),     // their columns
		nd.FromSlice([]int{0, 1, 1, 3}),  // where each row begins
		3, 3)
	fmt.Println(m.ToDense())
	fmt.Println(sparse.Sqrt(m).Data, m.T().Indices)
	// Output:
	// [[0. 0. 1.]
	//  [0. 0. 0.]
	//  [2. 3. 0.]]
	// [1.         1.41421356 1.73205081] [2 0 1]
}
