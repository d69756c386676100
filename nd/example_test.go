package nd_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// The program at the beginning of the package comment.
func Example() {
	x := nd.FromRows([][]float64{{1, 2, 3}, {4, 5, 6}})
	row := x.Index(nd.At(1))
	row.Assign(nd.Scalar(0), nd.From(1))
	y := ops.Add(ops.Square(x), 1)
	s := ops.Sum(y, ops.Over(0))
	fmt.Println(x, s)
	fmt.Printf("%.2f\n", s)
	total := ops.Sum(y).Float()
	fmt.Println(total)
	// Output:
	// [[1. 2. 3.]
	//  [4. 0. 0.]] [19.  6. 11.]
	// [19.00 6.00 11.00]
	// 36
}

func ExampleFromSlice() {
	x := nd.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	fmt.Println(x)
	fmt.Println(x.Shape(), x.DType())
	// Output:
	// [[1. 2. 3.]
	//  [4. 5. 6.]]
	// [2 3] float32
}

// Wrap and Data share memory with a slice, Wrap from a slice to an array, Data from an array to a slice.
func ExampleWrap() {
	data := []int32{1, 2, 3}
	x := nd.Wrap(data)
	x.Assign(nd.Scalar(9), nd.At(0))
	fmt.Println(data)
	nd.Data[int32](x)[2] = 7
	fmt.Println(x)
	// Output:
	// [9 2 3]
	// [9 2 7]
}

func ExampleToSlice() {
	x := nd.FromSlice([]float64{1, 2, 3, 4}, 2, 2)
	fmt.Println(nd.ToSlice[float64](x.T()))
	fmt.Println(nd.Value[int](x, 1, 0), nd.Value[float64](ops.Sum(x)))
	// Output:
	// [1 3 2 4]
	// 3 10
}

func ExampleZeros() {
	fmt.Println(nd.Zeros([]int{2, 2}))
	fmt.Println(nd.Full([]int{3}, 255, dtype.Uint8))
	// Output:
	// [[0. 0.]
	//  [0. 0.]]
	// [255 255 255]
}

func ExampleArange() {
	fmt.Println(nd.Arange(0, 1, 0.25))
	fmt.Println(nd.ArangeInt(5, 0, -2))
	// Output:
	// [0.   0.25 0.5  0.75]
	// [5 3 1]
}

func ExampleLinspace() {
	fmt.Println(nd.Linspace(0, 1, 5))
	fmt.Println(nd.Linspace(0, 1, 4, nd.SpaceOptions{Endpoint: new(false)}))
	// Output:
	// [0.   0.25 0.5  0.75 1.  ]
	// [0.   0.25 0.5  0.75]
}

func ExampleEye() {
	fmt.Println(nd.Eye(2, 3, 1))
	// Output:
	// [[0. 1. 0.]
	//  [0. 0. 1.]]
}

func ExampleMeshgrid() {
	grid := nd.Meshgrid([]*nd.Array{nd.ArangeInt(0, 3, 1), nd.ArangeInt(0, 2, 1)})
	fmt.Println(ops.Add(grid[0], ops.Multiply(grid[1], 10)))
	// Output:
	// [[ 0  1  2]
	//  [10 11 12]]
}

// A Scalar adopts the dtype of the array it meets.
func ExampleScalar() {
	for _, x := range []*nd.Array{nd.FromSlice([]int8{1, 2}), nd.FromSlice([]float32{1, 2})} {
		fmt.Println(ops.Add(x, 1).DType(), ops.Add(x, 0.5).DType())
	}
	// Output:
	// int8 float64
	// float32 float32
}

func ExampleArray_Reshape() {
	x := nd.ArangeInt(0, 6, 1)
	y := x.Reshape(2, -1)
	fmt.Println(y, y.SharesMemory(x))
	// Output:
	// [[0 1 2]
	//  [3 4 5]] true
}

func ExampleArray_Transpose() {
	x := nd.Zeros([]int{2, 3, 4})
	fmt.Println(x.T().Shape(), x.Transpose(0, 2, 1).Shape(), x.MoveAxis([]int{0}, []int{-1}).Shape())
	// Output: [4 3 2] [2 4 3] [3 4 2]
}

func ExampleArray_BroadcastTo() {
	row := nd.FromSlice([]int{1, 2, 3})
	x := row.BroadcastTo(2, 3)
	fmt.Println(x, x.Strides())
	// Output:
	// [[1 2 3]
	//  [1 2 3]] [0 1]
}

// With is Assign that keeps the old array.
func ExampleArray_With() {
	x := nd.Zeros([]int{2, 3})
	y := x.With(nd.FromSlice([]float64{1, 2, 3}), nd.At(1))
	fmt.Println(y)
	fmt.Println(ops.Sum(x))
	// Output:
	// [[0. 0. 0.]
	//  [1. 2. 3.]]
	// 0.0
}

func ExamplePick() {
	x := nd.FromSlice([]int{10, 20, 30, 40})
	fmt.Println(x.Index(nd.Pick(nd.FromSlice([]int{3, 0, 0}))))
	fmt.Println(x.Index(nd.Pick(ops.Greater(x, 15))))
	// Output:
	// [40 10 10]
	// [20 30 40]
}

func ExampleArray_AsType() {
	x := nd.FromSlice([]float64{-1.7, 2.7, 300})
	fmt.Println(x.AsType(dtype.Int16), x.AsType(dtype.Uint8), x.AsType(dtype.Bool))
	// Output: [ -1   2 300] [  0   2 255] [ True  True  True]
}

func ExampleArray_Format() {
	x := nd.FromSlice([]float64{1.0 / 3, 2})
	fmt.Printf("%v %.2v %#v\n", x, x, x)
	// Output: [0.33333333 2.        ] [0.33 2.  ] array([0.33333333, 2.        ])
}

func ExampleSaveNpz() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model.npz")
	err = nd.SaveNpz(path, []nd.Named{{Name: "w", Array: nd.Ones([]int{2, 2})}, {Name: "b", Array: nd.Zeros([]int{2})}}, true)
	if err != nil {
		panic(err)
	}
	arrays, err := nd.LoadNpz(path)
	if err != nil {
		panic(err)
	}
	fmt.Println(arrays.Names(), arrays.Get("b"))
	// Output: [w b] [0. 0.]
}

func ExampleCatch() {
	err := nd.Catch(func() { ops.MatMul(nd.Zeros([]int{2, 3}), nd.Zeros([]int{2, 3})) })
	fmt.Println(err)
	// Output: ops.MatMul: the last axis of a has length 3, the last but one of b 2: want the same [operands: float64(2, 3) float64(2, 3)]
}

func ExampleArena() {
	x := nd.FromSlice([]float64{3, 4})
	a := nd.NewArena()
	y := a.Adopt(x)
	squares := ops.Square(y)
	norm := a.Keep(ops.Sqrt(ops.Sum(squares)))
	a.Release()
	fmt.Println(norm, squares.IsReleased(), x.IsReleased())
	// Output: 5.0 true false
}

func ExampleRand_Split() {
	rng := nd.NewRand(1)
	first, second := rng.Split(), rng.Split()
	fmt.Println(first.Uint64() == second.Uint64(), rng.Uint64() == nd.NewRand(1).Uint64())
	// Output: false true
}

// A sum ends a chain of joined functions.
func ExampleExplain() {
	a, b := nd.Full([]int{10000}, 3.0), nd.Full([]int{10000}, 1.0)
	fmt.Print(nd.Explain(func() {
		_ = nd.Tidy(a, func(a *nd.Array) *nd.Array {
			d := ops.Divide(ops.Subtract(a, b), ops.Add(a, b))
			return ops.Multiply(d, ops.Sum(ops.Square(d)))
		})
	}))
	// Output:
	// launch                                               bytes read      written  why no longer
	// ops.Subtract ops.Add ops.Divide ops.Square ops.Sum       160000            8
	// ops.Subtract ops.Add ops.Divide ops.Multiply             160008        80000  end of the scope
	// 2 launches of 9 functions                                320008        80008
}
