package ops_test

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func ExampleSum() {
	x := nd.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	fmt.Println(ops.Sum(x))
	fmt.Println(ops.Sum(x, ops.Over(0)))
	fmt.Println(ops.Sum(x, ops.Over(-1).KeepDims()))
	// Output:
	// 21.0
	// [5. 7. 9.]
	// [[ 6.]
	//  [15.]]
}

func ExampleConcatenate() {
	a := nd.FromSlice([]int{1, 2, 3, 4}, 2, 2)
	b := nd.FromSlice([]int{5, 6}, 1, 2)
	fmt.Println(ops.Concatenate([]*nd.Array{a, b}))
	fmt.Println(ops.Concatenate([]*nd.Array{a, b.T()}, ops.Over(1)))
	// Output:
	// [[1 2]
	//  [3 4]
	//  [5 6]]
	// [[1 2 5]
	//  [3 4 6]]
}

func ExampleMatMul() {
	x := nd.FromSlice([]float32{1, 2, 3, 4}, 2, 2)
	v := nd.FromSlice([]float32{1, -1})
	fmt.Println(ops.MatMul(x, x.T()))
	fmt.Println(ops.MatMul(x, v))
	// Output:
	// [[ 5. 11.]
	//  [11. 25.]]
	// [-1. -1.]
}

func ExampleAffine() {
	relu := ops.MustKernel("T x", "T y", "max(0, x)")
	x := nd.FromSlice([]float32{1, 2, 3, 4}, 2, 2)
	w, b := nd.FromSlice([]float32{1, 0, -1, 0, 1, 1}, 2, 3), nd.FromSlice([]float32{0, -3, 0})
	fmt.Println(ops.Affine(x, w, ops.AffineOptions{Bias: b, Then: relu}))
	// Output:
	// [[1. 0. 1.]
	//  [3. 1. 1.]]
}

func ExampleTake() {
	words := nd.FromSlice([]float32{0.1, 0.2, 1.1, 1.2, 2.1, 2.2}, 3, 2) // one vector per word
	text := nd.FromSlice([]int{2, 0, 2})
	fmt.Println(ops.Take(words, text, ops.Over(0)))
	// Output:
	// [[2.1 2.2]
	//  [0.1 0.2]
	//  [2.1 2.2]]
}

func ExampleMustKernel() {
	huber := ops.MustKernel("T x, T y", "T z", "d = x - y; z = abs(d) < 1 ? d*d : 2*abs(d) - 1")
	x := nd.FromSlice([]float64{0, 0.5, 3})

	tape := grad.NewTape()
	w := tape.Watch(x)
	z := huber.Call(w, nd.Scalar(0))
	fmt.Println(z)
	fmt.Println(tape.Gradient(z, w)[0])
	// Output:
	// [0.   0.25 5.  ]
	// [0. 1. 2.]
}

func ExampleKernel_CallOver() {
	// A raw input is read by index; i is the index in the loop.
	polynomial := ops.MustKernel("raw T c, T x", "T y", "y = c[0] + x*(c[1] + x*c[2])")
	c := nd.FromSlice([]float64{1, 0, 2})
	fmt.Println(polynomial.Call(c, nd.FromSlice([]float64{0, 1, 2})))

	moving := ops.MustKernel("raw T x", "T y", "y = (x[i] + x[i+1]) / 2")
	fmt.Println(moving.CallOver([]int{3}, nd.FromSlice([]float64{1, 3, 7, 9}))[0])
	// Output:
	// [1. 3. 9.]
	// [2. 5. 8.]
}

func ExampleSort() {
	x := nd.FromSlice([]int{3, 1, 2})
	fmt.Println(ops.Sort(x), ops.ArgSort(x, ops.SortOptions{Descending: true}))
	// Output:
	// [1 2 3] [0 2 1]
}
