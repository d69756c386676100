package gradcheck

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// UnaryOptions are the options of [Unary].
type UnaryOptions struct {
	// Make returns an argument. nil means uniformly distributed random numbers between -1 and 1.
	Make func(shape []int, dt dtype.DType) *nd.Array
}

// Unary tests an elementwise function of one array on a 0-d array and on a matrix. It compares the values in float16,
// float32 and float64 with those of want, and the gradients in float64 with finite differences.
//
//	gradcheck.Unary(t, func(x *nd.Array) *nd.Array { return ops.Sin(x) }, math.Sin)
//
// Chainer: testing.unary_math_function_unittest.
func Unary(t testing.TB, f func(x *nd.Array) *nd.Array, want func(x float64) float64, opts ...UnaryOptions) {
	t.Helper()
	o := options.Read(nd.Func("gradcheck.Unary"), opts)
	random := Checker{}.random()
	argument := func(shape []int, dt dtype.DType) *nd.Array { return uniform(random, shape).AsType(dt) }
	if o.Make != nil {
		argument = o.Make
	}
	tolerances := []struct {
		dt     dtype.DType
		digits float64
	}{{dtype.Float16, 2e-3}, {dtype.Float32, 1e-5}, {dtype.Float64, 1e-10}}
	for _, shape := range [][]int{{}, {3, 2}} {
		for _, with := range tolerances {
			dt, x := with.dt, argument(shape, with.dt)
			y := f(x)
			if y.DType() != dt || !equalShapes(y, x) {
				t.Errorf("gradcheck: the result of %s%v is %s%v", dt, shape, y.DType(), y.Shape())
				continue
			}
			in, out := numbers(x), numbers(y)
			for i := range in {
				if w := want(in[i]); !(math.Abs(out[i]-w) <= with.digits*(1+math.Abs(w))) && !(math.IsNaN(w) && math.IsNaN(out[i])) && out[i] != w {
					t.Errorf("gradcheck: %s: the result of %v is %v, want %v", dt, in[i], out[i], w)
				}
			}
		}
		Check(t, func(xs ...*nd.Array) *nd.Array { return f(xs[0]) }, argument(shape, dtype.Float64))
	}
}

func numbers(x *nd.Array) []float64 { return nd.ToSlice[float64](x.AsType(dtype.Float64)) }

// uniform returns uniformly distributed numbers between -1 and 1.
func uniform(random *rand.Rand, shape []int) *nd.Array {
	n := 1
	for _, length := range shape {
		n *= length
	}
	values := make([]float64, n)
	for i := range values {
		values[i] = 2*random.Float64() - 1
	}
	return nd.FromSlice(values, shape...)
}
