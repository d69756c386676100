package elementwise

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestSinglesAgreeWithLoops compares operations on bytes and products of complex numbers with the loops in plain Go.
func TestSinglesAgreeWithLoops(t *testing.T) {
	integers := []string{"x + y", "x - y", "min(x, y)", "max(x, y)", "x & y", "x | y", "x ^ y", "~x", "x + 3"}
	comparisons := []string{"x == y", "x != y", "x < y", "x <= y", "x > y", "x >= y"}
	bools := []string{"x && y", "x || y", "x ^ y", "!x"}
	for _, c := range []struct {
		in, out dtype.DType
		bodies  []string
	}{
		{dtype.Int8, dtype.Int8, integers}, {dtype.Uint8, dtype.Uint8, integers}, {dtype.Bool, dtype.Bool, bools},
		{dtype.Int8, dtype.Bool, comparisons}, {dtype.Uint8, dtype.Bool, comparisons}, {dtype.Bool, dtype.Bool, comparisons},
		{dtype.Complex64, dtype.Complex64, []string{"x*y"}}, {dtype.Complex128, dtype.Complex128, []string{"x*y"}},
	} {
		for _, body := range c.bodies {
			t.Run(fmt.Sprint(c.in, " ", body), func(t *testing.T) { testSingle(t, c.in, c.out, body) })
		}
	}
}

func testSingle(t *testing.T, in, out dtype.DType, body string) {
	p := launchtest.Compile(t, in, "T x, T y", out.String()+" out", body)
	rng := rand.New(rand.NewPCG(5, 5))
	for n := 0; n <= 1100; n += 1 + n/30 {
		x, y := partsArray(rng, in, n, 0), partsArray(rng, in, n, 1)
		var want []byte
		for level := isa.Generic; level <= isa.Best; level++ {
			old := isa.Use(level)
			z := partsArray(rand.New(rand.NewPCG(1, 1)), out, n, 3)
			l := launchtest.Launch([]int{n}, z, x, y)
			l.Program = p
			Elementwise(l)
			l.Recycle()
			isa.Use(old)
			if level == isa.Generic {
				want = z.Bytes
			} else if k := differs(partsOf(out), z.Bytes, want); k >= 0 {
				t.Fatalf("%v, n=%d: byte %d is wrong", level, n, k)
			}
		}
	}
}

func partsOf(dt dtype.DType) dtype.DType {
	switch dt {
	case dtype.Complex64:
		return dtype.Float32
	case dtype.Complex128:
		return dtype.Float64
	}
	return dt
}

// partsArray returns an array of n numbers with some numbers before and after them.
func partsArray(rng *rand.Rand, dt dtype.DType, n, offset int) launchtest.Array {
	part := partsOf(dt)
	total := offset + n + 40
	parts := total * dt.Size() / part.Size()
	wide := make([]float64, parts)
	for i := range wide {
		switch {
		case part.Size() == 1:
			wide[i] = float64(rng.IntN(256))
			if part == dtype.Int8 {
				wide[i] -= 128
			} else if part.IsBool() {
				wide[i] = float64(rng.IntN(2))
			}
		case rng.IntN(10) == 0:
			wide[i] = []float64{0, math.Copysign(0, -1), math.Inf(1), math.NaN(), 1e30, 1e-40}[rng.IntN(6)]
		default:
			wide[i] = rng.NormFloat64()
		}
	}
	a := launchtest.New(make([]float64, parts), parts)
	dtype.Convert(part, a.Memory.Handle, 1, dtype.Float64, launchtest.New(wide, parts).Memory.Handle, 1, parts)
	a.Bytes = a.Bytes[:total*dt.Size()]
	a.DType, a.Offset = dt, offset
	return a
}
