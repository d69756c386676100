// Customop defines three functions that the library lacks, one in each of the three ways to write a function, with
// gradients of any order:
//
//   - gaussian.go: an elementwise expression is a kernel, and its gradient follows from it;
//   - cubic.go: Go code with an explicit gradient is a grad.Function;
//   - movingsum.go: a function launches a kernel of the device itself, and records an operation of its own, as the
//     functions of package ops do.
//
// Everything uses only exported names of the packages. The test compares the gradients with finite differences.
package main

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func main() {
	x := nd.FromSlice([]float64{-1, 0, 2, 10})
	show("Gaussian", func(x *nd.Array) *nd.Array { return Gaussian(x, nd.Scalar(1.0), nd.Scalar(2.0)) }, x)
	show("CubicRoot", CubicRoot, x)
	show("MovingSum", func(x *nd.Array) *nd.Array { return MovingSum(x, 3) }, x)
	fmt.Println(nd.Catch(func() { MovingSum(x, 5) }))
}

// show prints a function's values, and the gradient of their sum.
func show(name string, f func(x *nd.Array) *nd.Array, x *nd.Array) {
	tape := grad.NewTape()
	defer tape.Release()
	watched := tape.Watch(x)
	y := f(watched)
	fmt.Printf("%s: %.4v, gradient %.4v\n", name, y, tape.Gradient(ops.Sum(y), watched)[0])
}
