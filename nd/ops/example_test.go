package ops_test

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// The code of the package comment.
func Example() {
	x := nd.FromRows([][]float64{{1, 2, 3}, {4, 5, 6}})
	y := ops.Multiply(ops.Add(x, 1), ops.Exp(ops.Negative(x)))
	z := ops.Where(ops.Greater(x, 2), x, 0)
	m := ops.Mean(x, ops.Over(1).KeepDims())
	ops.Subtract(x, m, ops.Into(x))
	p := ops.Softmax(ops.MatMul(x, x.T()))
	best := ops.ArgMax(p, ops.Over(1))
	all := ops.Concatenate([]*nd.Array{y, z}, ops.Over(0))
	some := ops.Take(all, best, ops.Over(0))
	fmt.Printf("%v\n%.2f\n", x, some)
	// Output:
	// [[-1.  0.  1.]
	//  [-1.  0.  1.]]
	// [[0.74 0.41 0.20]
	//  [0.74 0.41 0.20]]
}

func ExampleMultiply() {
	x := nd.FromSlice([]int{1, 2, 3})
	fmt.Println(ops.Multiply(x, x.ExpandDims(1)))
	// Output:
	// [[1 2 3]
	//  [2 4 6]
	//  [3 6 9]]
}

// KeepDims leaves the reduced axis, so that the mean broadcasts.
func ExampleMean() {
	x := nd.FromSlice([]float64{1, 2, 3, 2, 4, 6}, 2, 3)
	m := ops.Mean(x, ops.Over(1).KeepDims())
	fmt.Println(ops.Divide(x, m))
	// Output:
	// [[0.5 1.  1.5]
	//  [0.5 1.  1.5]]
}

func ExampleMax() {
	x := nd.FromSlice([]int{3, 9, 2, 7, 1, 8}, 2, 3)
	fmt.Println(ops.Max(x), ops.Min(x, ops.Over(0)))
	// Output: 9 [3 1 2]
}

func ExampleArgMax() {
	x := nd.FromSlice([]int{3, 9, 2, 7, 1, 8}, 2, 3)
	fmt.Println(ops.ArgMax(x), ops.ArgMax(x, ops.Over(1)))
	// Output: 1 [1 2]
}

func ExampleVar() {
	x := nd.FromSlice([]float64{1, 2, 3, 4})
	fmt.Println(ops.Var(x), ops.Var(x, ops.VarOptions{DDof: 1}))
	// Output: 1.25 1.6666666666666667
}

func ExampleStack() {
	x, y := nd.FromSlice([]int{1, 2}), nd.FromSlice([]int{3, 4})
	fmt.Println(ops.Stack([]*nd.Array{x, y}, ops.Over(1)))
	// Output:
	// [[1 3]
	//  [2 4]]
}

func ExampleSplit() {
	for _, part := range ops.Split(nd.ArangeInt(0, 6, 1), 3) {
		fmt.Println(part)
	}
	// Output:
	// [0 1]
	// [2 3]
	// [4 5]
}

func ExampleCumSum() {
	fmt.Println(ops.CumSum(nd.FromSlice([]int{1, 2, 3, 4})))
	// Output: [ 1  3  6 10]
}

func ExampleTopK() {
	values, positions := ops.TopK(nd.FromSlice([]float64{0.1, 0.7, 0.05, 0.15}), 2)
	fmt.Println(values, positions)
	// Output: [0.7  0.15] [1 3]
}

func ExampleSearchSorted() {
	edges := nd.FromSlice([]float64{0, 10, 20})
	fmt.Println(ops.SearchSorted(edges, nd.FromSlice([]float64{-1, 5, 10, 25})))
	// Output: [0 1 1 3]
}

func ExampleUnique() {
	fmt.Println(ops.Unique(nd.FromSlice([]int{3, 1, 3, 2, 1})))
	// Output: [1 2 3]
}

func ExampleNonzero() {
	x := nd.FromSlice([]int{0, 5, 0, 7}, 2, 2)
	at := ops.Nonzero(x)
	fmt.Println(at[0], at[1])
	// Output: [0 1] [1 1]
}

func ExampleTakeAlongAxis() {
	x := nd.FromSlice([]float64{0.2, 0.8, 0.6, 0.4}, 2, 2)
	labels := nd.FromSlice([]int{1, 0}, 2, 1) // one index per row
	fmt.Println(ops.TakeAlongAxis(x, labels, ops.Over(1)))
	// Output:
	// [[0.8]
	//  [0.6]]
}

// Every index counts, also if it occurs several times.
func ExampleAddAt() {
	bins := nd.FromSlice([]int{0, 2, 2, 2})
	fmt.Println(ops.AddAt(nd.Zeros([]int{4}), nd.Scalar(1), nd.Pick(bins)))
	// Output: [1. 0. 3. 0.]
}

func ExamplePad() {
	x := nd.FromSlice([]int{1, 2, 3})
	fmt.Println(ops.Pad(x, [][2]int{{2, 1}}), ops.Pad(x, [][2]int{{2, 1}}, ops.PadOptions{Mode: "reflect"}))
	// Output: [0 0 1 2 3 0] [3 2 1 2 3 2]
}

func ExampleTile() {
	x := nd.FromSlice([]int{1, 2})
	fmt.Println(ops.Tile(x, 3), ops.Repeat(x, 3))
	// Output: [1 2 1 2 1 2] [1 1 1 2 2 2]
}

func ExampleRoll() {
	fmt.Println(ops.Roll(nd.ArangeInt(0, 5, 1), 2))
	// Output: [3 4 0 1 2]
}

func ExampleDot() {
	x, y := nd.FromSlice([]float64{1, 2, 3}), nd.FromSlice([]float64{4, 5, 6})
	fmt.Println(ops.Dot(x, y))
	fmt.Println(ops.Outer(x, y))
	// Output:
	// 32.0
	// [[ 4.  5.  6.]
	//  [ 8. 10. 12.]
	//  [12. 15. 18.]]
}

func ExampleSoftmax() {
	x := nd.FromSlice([]float64{1, 2, 3, 1000, 1000, 1000}, 2, 3)
	fmt.Printf("%.4v\n", ops.Softmax(x))
	// Output:
	// [[0.09   0.2447 0.6652]
	//  [0.3333 0.3333 0.3333]]
}

// The kept elements are scaled, so that the mean stays the same.
func ExampleDropout() {
	x := nd.Ones([]int{10000})
	y := ops.Dropout(x, 0.2, nd.NewRand(1))
	fmt.Printf("%.2f %.2f\n", nd.Value[float64](ops.Max(y)), nd.Value[float64](ops.Mean(y)))
	// Output: 1.25 1.00
}

func ExampleAllClose() {
	x := nd.FromSlice([]float64{1, 2})
	fmt.Println(ops.AllClose(x, ops.Add(x, 1e-9)), ops.AllClose(x, ops.Add(x, 0.1)))
	// Output: true false
}

// A norm in one pass: the map of each element, the combination of two values, and the final function of the result.
func ExampleNewReductionKernel() {
	norm, err := ops.NewReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0")
	if err != nil {
		panic(err)
	}
	x := nd.FromSlice([]float64{3, 4, 5, 12}, 2, 2)
	fmt.Println(norm.Call([]*nd.Array{x}, ops.Over(1)))
	// Output: [ 5. 13.]
}
