package grad_test

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
)

// A line is fitted to points: the parameters live outside the tape, which watches them in each step.
func Example() {
	x := nd.FromSlice([]float64{0, 1, 2, 3})
	t := nd.FromSlice([]float64{1, 3, 5, 7}) // 2x + 1
	slope, offset := nd.Zeros(nil), nd.Zeros(nil)
	tape := grad.NewTape()
	for range 300 {
		a, b := tape.Watch(slope), tape.Watch(offset)
		l := ops.Mean(loss.SquaredError(ops.Add(ops.Multiply(x, a), b), t))
		g := tape.Gradient(l, a, b)
		ops.Subtract(slope, ops.Multiply(g[0], 0.1), ops.Into(slope))
		ops.Subtract(offset, ops.Multiply(g[1], 0.1), ops.Into(offset))
		tape.Reset()
	}
	fmt.Printf("%.3f %.3f\n", nd.Value[float64](slope), nd.Value[float64](offset))
	// Output: 2.000 1.000
}

func ExampleTape_Gradient() {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(nd.FromSlice([]float64{1, 2, 3}))
	y := tape.Watch(nd.FromSlice([]float64{10, 20, 30}))
	z := ops.Sum(ops.Multiply(ops.Square(x), y))
	g := tape.Gradient(z, x, y)
	fmt.Println(g[0], g[1]) // 2xy and x²
	// Output: [ 20.  80. 180.] [1. 4. 9.]
}

func ExampleTape_GradientRecorded() {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(nd.FromSlice([]float64{1, 2}))
	y := ops.Power(x, 4)
	for range 4 {
		y = tape.GradientRecorded(y, x)[0]
		fmt.Println(y)
	}
	// Output:
	// [ 4. 32.]
	// [12. 48.]
	// [24. 48.]
	// [24. 24.]
}

func ExampleTape_Keep() {
	tape := grad.NewTape()
	x := tape.Watch(nd.FromSlice([]float64{1, 2}))
	y := ops.Square(x)
	g := tape.Keep(tape.Gradient(y, x)[0])
	tape.Reset()
	fmt.Println(g, y.IsReleased())
	// Output: [2. 4.] true
}

func ExampleGrad() {
	f := func(x *nd.Array) *nd.Array { return ops.Power(x, 3) }
	x := nd.FromSlice([]float64{1, 2})
	fmt.Println(grad.Grad(f)(x), grad.Grad(grad.Grad(f))(x)) // 3x² and 6x
	// Output: [ 3. 12.] [ 6. 12.]
}

func ExampleValueAndGrad() {
	f := grad.ValueAndGrad(func(xs ...*nd.Array) *nd.Array { return ops.Sum(ops.Multiply(xs[0], xs[1])) })
	y, g := f(nd.FromSlice([]float64{1, 2}), nd.FromSlice([]float64{3, 4}))
	fmt.Println(y, g[0], g[1])
	// Output: 11.0 [3. 4.] [1. 2.]
}

func ExampleVJP() {
	x := nd.FromSlice([]float64{1, 2})
	ys, pull := grad.VJP(func(xs ...*nd.Array) []*nd.Array { return []*nd.Array{ops.Square(xs[0])} }, x)
	fmt.Println(ys[0], pull([]*nd.Array{nd.FromSlice([]float64{1, 0.5})})[0])
	// Output: [1. 4.] [2. 2.]
}

func ExampleJVP() {
	x := nd.FromSlice([]float64{1, 2})
	direction := nd.FromSlice([]float64{1, 0})
	y, change := grad.JVP(cube, x, direction)
	fmt.Println(y, change)
	// Output: [1. 8.] [3. 0.]
}

func ExampleJacobian() {
	a := nd.FromSlice([]float64{1, 2, 3, 4}, 2, 2)
	f := func(x *nd.Array) *nd.Array { return ops.Square(ops.MatMul(a, x)) }
	fmt.Println(grad.Jacobian(f, nd.FromSlice([]float64{1, 0.5})))
	// Output:
	// [[ 4.  8.]
	//  [30. 40.]]
}

func ExampleHessian() {
	f := func(x *nd.Array) *nd.Array { return ops.Prod(x) }
	x := nd.FromSlice([]float64{2, 3, 5})
	fmt.Println(grad.Hessian(f, x))
	fmt.Println(grad.HVP(f, x, nd.FromSlice([]float64{1, 0, 0}))) // its first column
	// Output:
	// [[0. 5. 3.]
	//  [5. 0. 2.]
	//  [3. 2. 0.]]
	// [0. 5. 3.]
}

// The intermediate results of a block are not kept; the gradient computes them again.
func ExampleCheckpoint() {
	block := func(in []*nd.Array) []*nd.Array { return []*nd.Array{ops.Square(ops.Square(in[0]))} }
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(nd.FromSlice([]float64{1, 2}))
	y := grad.Checkpoint(block, x)[0]
	fmt.Println(tape.Gradient(y, x)[0], tape.Len()) // x, and one operation
	// Output: [ 4. 32.] 2
}

// Prints every operation when it is recorded.
func ExampleTape_record() {
	tape := grad.NewTape()
	defer tape.Release()
	tape.OnRecord = func(n *nd.Node) { fmt.Println(n) }
	x := tape.Watch(nd.Ones([]int{2, 3}))
	ops.Mean(ops.MatMul(x, nd.Ones([]int{3, 4})))
	// Output:
	// ops.MatMul: float64(2, 3), float64(3, 4) -> float64(2, 4)
	// ops.Mean: float64(2, 4) -> float64()
}

// Gradients that are too large are clipped in the backward pass.
func ExampleFunction() {
	clipped := &grad.Function{
		Name:    "clipped",
		Forward: func(in []*nd.Array) []*nd.Array { return []*nd.Array{in[0].Copy()} },
		Backward: func(c *nd.Call) {
			c.SetGx(0, ops.Clip(c.Gy(0), -1, 1))
		},
		Claims: &nd.Claims{}, // it reads neither the input nor the result
	}
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(nd.FromSlice([]float64{0.1, 10}))
	y := ops.Square(clipped.Call(x)[0])
	fmt.Println(tape.Gradient(y, x)[0])
	// Output: [0.2 1. ]
}

func ExampleStopGradient() {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(nd.FromSlice([]float64{3}))
	y := ops.Multiply(x, grad.StopGradient(x)) // the second factor counts as a constant
	fmt.Println(tape.Gradient(y, x)[0])
	// Output: [3.]
}
