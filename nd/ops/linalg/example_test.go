package linalg_test

import (
	"fmt"
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
)

func ExampleSolve() {
	a := nd.FromSlice([]float64{3, 1, 1, 2}, 2, 2)
	b := nd.FromSlice([]float64{9, 8})
	fmt.Println(linalg.Solve(a, b))
	// Output: [2. 3.]
}

func ExampleSVD() {
	a := nd.FromSlice([]float64{3, 0, 0, 0, -4, 0}, 2, 3)
	u, s, vt := linalg.SVD(a, linalg.SVDOptions{FullMatrices: new(false)})
	fmt.Println(s)
	fmt.Println(u.Shape(), vt.Shape())
	again := ops.MatMul(ops.Multiply(u, s), vt)
	fmt.Println(nd.Value[bool](ops.All(ops.IsClose(again, a))))
	// Output:
	// [4. 3.]
	// [2 2] [2 3]
	// true
}

// The gradient of the logarithm of a determinant is the transposed inverse.
func ExampleSlogDet() {
	tape := grad.NewTape()
	a := tape.Watch(nd.FromSlice([]float64{2, 0, 1, 4}, 2, 2))
	_, logAbs := linalg.SlogDet(a)
	fmt.Println(tape.Gradient(logAbs, a)[0])
	// Output:
	// [[ 0.5   -0.125]
	//  [ 0.     0.25 ]]
}

// A rotation of the plane has no real eigenvectors: its eigenvalues are a conjugate pair. The exponential of this
// matrix is a rotation.
func ExampleEig() {
	quarter := nd.FromSlice([]float64{0, -1, 1, 0}, 2, 2)
	w, _ := linalg.Eig(quarter)
	fmt.Println(w)
	half := linalg.MatrixExp(ops.Multiply(quarter, math.Pi))
	fmt.Println(nd.Value[bool](ops.All(ops.IsClose(half, ops.Negative(nd.Identity(2)), ops.IsCloseOptions{ATol: nd.Scalar(1e-12)}))))
	// Output:
	// [0.+1.j 0.-1.j]
	// true
}
