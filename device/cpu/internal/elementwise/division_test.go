package elementwise

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestDivisionsAgreeWithLoops compares operations whose algorithm depends on the arguments with the loops in Go, bit by
// bit: divisions with integer quotients, powers of integers, shifts.
func TestDivisionsAgreeWithLoops(t *testing.T) {
	integers := []string{"floordiv(x, y)", "mod(x, y)", "fmod(x, y)", "pow(x, y)", "x << y", "x >> y", "x / y", "mod(x, 7) + pow(x, 3)",
		"floordiv(x, 7)", "floordiv(x, -3) + mod(x, 0)", "mod(x, -1) + floordiv(x, -1)", "floordiv(x, 0) + mod(x, -128)", "mod(x, 127) + floordiv(x, 1)"}
	floats := []string{"floordiv(x, y)", "mod(x, y)", "fmod(x, y)", "mod(x, 0.75) - floordiv(x, 3)"}
	for _, c := range []struct {
		types  []dtype.DType
		bodies []string
	}{
		{[]dtype.DType{dtype.Int8, dtype.Int16, dtype.Int32, dtype.Int64, dtype.Uint8, dtype.Uint16}, integers},
		{[]dtype.DType{dtype.Float32, dtype.Float64}, floats},
	} {
		for _, dt := range c.types {
			for _, body := range c.bodies {
				t.Run(fmt.Sprint(dt, " ", body), func(t *testing.T) { testDivision(t, dt, body) })
			}
		}
	}
}

func testDivision(t *testing.T, dt dtype.DType, body string) {
	p := launchtest.Compile(t, dt, "T x, T y", "T out", body)
	for _, n := range []int{1, 15, 64, 67, 500, 5000} {
		x, y := scaledArray(dt, n, 1), scaledArray(dt, n, 2)
		var want []byte
		for level := isa.Generic; level <= isa.Best; level++ {
			old := isa.Use(level)
			out := scaledArray(dt, n, 3)
			l := launchtest.Launch([]int{n}, out, x, y)
			l.Program = p
			Elementwise(l)
			l.Recycle()
			isa.Use(old)
			if level == isa.Generic {
				want = out.Bytes
			} else if k := differs(dt, out.Bytes, want); k >= 0 {
				i := k / dt.Size() * dt.Size()
				t.Fatalf("%v, n=%d: element %d of x % x, y % x is % x, not % x", level, n, i/dt.Size(), x.Bytes[i:i+dt.Size()],
					y.Bytes[i:i+dt.Size()], out.Bytes[i:i+dt.Size()], want[i:i+dt.Size()])
			}
		}
	}
}

// scaledArray returns an array of numbers of all sizes, with more small numbers than large ones.
func scaledArray(dt dtype.DType, n int, seed uint64) launchtest.Array {
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	a := launchtest.New(make([]float64, n), n)
	if dt.IsInteger() {
		values := make([]int64, n)
		for i := range values {
			values[i] = int64(rng.Uint64()) >> rng.IntN(64)
			switch rng.IntN(12) {
			case 0:
				values[i] = math.MinInt64 >> (8 * (8 - dt.Size()))
			case 1:
				values[i] = rng.Int64N(4) - 1
			}
		}
		dtype.Convert(dt, a.Memory.Handle, 1, dtype.Int64, launchtest.New(values, n).Memory.Handle, 1, n)
	} else {
		values := make([]float64, n)
		scale := []float64{1, 4, 100}[seed%3]
		for i := range values {
			values[i] = rng.NormFloat64() * scale
			switch rng.IntN(200) {
			case 0:
				values[i] *= math.Ldexp(1, rng.IntN(2000)-1000)
			case 1:
				values[i] = []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN()}[rng.IntN(5)]
			case 2:
				values[i] = math.Round(values[i])
			}
		}
		dtype.Convert(dt, a.Memory.Handle, 1, dtype.Float64, launchtest.New(values, n).Memory.Handle, 1, n)
	}
	a.Bytes = a.Bytes[:n*dt.Size()]
	a.DType = dt
	return a
}

// TestSmallPowersAreProducts tests the exponents 2 and 3.
func TestSmallPowersAreProducts(t *testing.T) {
	p := launchtest.Compile(t, dtype.Float32, "T x", "T out", "pow(x, s)")
	x := launchtest.Uniform(1000)
	x[3], x[4], x[5] = float32(math.Inf(-1)), float32(math.NaN()), float32(math.Copysign(0, -1))
	for level := isa.AVX2; level <= isa.Best; level++ {
		old := isa.Use(level)
		for exponent := 2; exponent <= 3; exponent++ {
			y := make([]float32, len(x))
			l := launchtest.Launch([]int{len(x)}, launchtest.New(y, len(x)), launchtest.New(x, len(x)))
			l.Program = p
			l.Scalars[0] = device.Scalar{Re: float64(exponent)}
			Elementwise(l)
			l.Recycle()
			for i, v := range x {
				want := v * v
				if exponent == 3 {
					want *= v
				}
				if math.Float32bits(y[i]) != math.Float32bits(want) && want == want {
					t.Fatalf("%v: %v to the power of %d is %v", level, v, exponent, y[i])
				}
			}
		}
		isa.Use(old)
	}
}
