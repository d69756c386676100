package ops_test

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func ExampleAdd() {
	x := nd.FromSlice([]float32{1, 2, 3, 4}, 2, 2)
	row := nd.FromSlice([]float32{10, 20}, 2)
	fmt.Println(ops.Add(x, row))
	fmt.Println(ops.Add(x, 0.5))
	// Output:
	// [[11. 22.]
	//  [13. 24.]]
	// [[1.5 2.5]
	//  [3.5 4.5]]
}

// A result can go to an existing array, and only to some of its elements.
func ExampleAdd_out() {
	total := nd.FromSlice([]float64{1, 2, 3}, 3)
	step := nd.FromSlice([]float64{10, 10, 10}, 3)
	ops.Add(total, step, ops.UfuncOptions{Out: total, Where: ops.Greater(total, 1)})
	fmt.Println(total)
	// Output: [ 1. 12. 13.]
}

func ExampleExp() {
	fmt.Println(ops.Exp(nd.FromSlice([]float64{0, 1, 2}, 3)))
	// Output: [1.         2.71828183 7.3890561 ]
}

func ExampleWhere() {
	x := nd.FromSlice([]float64{-1.5, 0.5, 2}, 3)
	fmt.Println(ops.Where(ops.Less(x, 0), 0, x))
	// Output: [0.  0.5 2. ]
}

func ExampleClip() {
	x := nd.FromSlice([]int32{-5, 0, 7, 300}, 4)
	fmt.Println(ops.Clip(x, 0, 255))
	fmt.Println(ops.ClipMax(x, 5))
	// Output:
	// [  0   0   7 255]
	// [-5  0  5  5]
}

func ExampleMaximum() {
	a := nd.FromSlice([]int64{1, 5, 3}, 3)
	b := nd.FromSlice([]int64{4, 2, 3}, 3)
	fmt.Println(ops.Maximum(a, b))
	// Output: [4 5 3]
}

func ExampleReLU() {
	fmt.Println(ops.ReLU(nd.FromSlice([]float32{-2, 0, 3}, 3)))
	// Output: [0. 0. 3.]
}

func ExampleLeakyReLU() {
	x := nd.FromSlice([]float32{-2, 0, 3}, 3)
	fmt.Println(ops.LeakyReLU(x, ops.LeakyReLUOptions{Alpha: new(0.25)}))
	// Output: [-0.5  0.   3. ]
}

func ExampleSigmoid() {
	fmt.Println(ops.Sigmoid(nd.FromSlice([]float32{-1, 0, 1}, 3)))
	// Output: [0.26894143 0.5        0.7310586 ]
}

func ExampleFrexp() {
	y, k := ops.Frexp(nd.FromSlice([]float64{8, 0.75, -3}, 3))
	fmt.Println(y, k)
	// Output: [ 0.5   0.75 -0.75] [4 0 2]
}
