package elementwise

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// interpreted are programs that package vm must support, with the types of their operands: outputs, inputs.
var interpreted = []struct {
	t            dtype.DType
	inputs, body string
	types        []dtype.DType
}{
	{dtype.Float32, "T x, T y", "x*y + x - y/x", []dtype.DType{dtype.Float32, dtype.Float32, dtype.Float32}},
	{dtype.Float64, "T x, T y", "x*y + x - y/x", []dtype.DType{dtype.Float64, dtype.Float64, dtype.Float64}},
	{dtype.Float32, "T x, T y", "max(x, y)*min(y, x) + fmax(x, y) - fmin(x, 0.5)", []dtype.DType{dtype.Float32, dtype.Float32, dtype.Float32}},
	{dtype.Float64, "T x, T y", "max(x, 0) + max(0, y) + min(1, x)", []dtype.DType{dtype.Float64, dtype.Float64, dtype.Float64}},
	{dtype.Float32, "T x, T y", "x < y ? sqrt(abs(x)) : copysign(y, x)", []dtype.DType{dtype.Float32, dtype.Float32, dtype.Float32}},
	{dtype.Float64, "T x, T y", "x <= y || isnan(y) ? floor(x) + round(y) : rint(x)*s", []dtype.DType{dtype.Float64, dtype.Float64, dtype.Float64}},
	{dtype.Float32, "T x, float64 y", "x + y", []dtype.DType{dtype.Float32, dtype.Float32, dtype.Float64}},
	{dtype.Float32, "T x, T y", "x*y + s", []dtype.DType{dtype.Float16, dtype.Float32, dtype.Float16}},
	{dtype.Float32, "T x, T y", "x - y", []dtype.DType{dtype.BFloat16, dtype.BFloat16, dtype.Float32}},
	{dtype.Float32, "int32 x, int32 y", "x*y - x + 7", []dtype.DType{dtype.Int32, dtype.Int32, dtype.Int32}},
	{dtype.Float32, "int64 x, int64 y", "max(x*y, y) - abs(x)", []dtype.DType{dtype.Int64, dtype.Int64, dtype.Int64}},
	{dtype.Float32, "int64 x, int64 y", "x < y ? x : -y", []dtype.DType{dtype.Int64, dtype.Int64, dtype.Int64}},
	{dtype.Float32, "T x, bool y", "y ? x : s", []dtype.DType{dtype.Float32, dtype.Float32, dtype.Bool}},
	{dtype.Float64, "T x, bool y", "y ? x : s", []dtype.DType{dtype.Float64, dtype.Float64, dtype.Bool}},
	{dtype.Float32, "bool x, bool y", "x && !y", []dtype.DType{dtype.Bool, dtype.Bool, dtype.Bool}},
	{dtype.Float32, "T x, T y", "x > y", []dtype.DType{dtype.Bool, dtype.Float32, dtype.Float32}},
	{dtype.Float64, "T x, T y", "x >= y", []dtype.DType{dtype.Bool, dtype.Float64, dtype.Float64}},
	{dtype.Float32, "uint8 x, uint8 y", "x + y", []dtype.DType{dtype.Uint8, dtype.Uint8, dtype.Uint8}},
	{dtype.Float32, "T x, T y", "x*y", []dtype.DType{dtype.Float32, dtype.Uint8, dtype.Int16}},
}

// TestInterpreterAgreesWithLoops compares each program at each level and length, from several offsets in memory, with
// the Go loops, bit by bit. It also checks the bytes around the output.
func TestInterpreterAgreesWithLoops(t *testing.T) {
	for _, c := range interpreted {
		name := fmt.Sprint(c.body, c.types)
		output := "T out"
		if c.types[0] == dtype.Bool || c.types[0].IsInteger() {
			output = c.types[0].String() + " out"
		}
		p := launchtest.Compile(t, c.t, c.inputs, output, c.body)
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, 7))
			for n := 0; n <= 300; n += 1 + n/40 {
				for _, offset := range []int{0, 1, 3} {
					x, y := specialArray(rng, c.types[1], n, offset), specialArray(rng, c.types[2], n, offset/2)
					var want []byte
					for level := isa.Generic; level <= isa.Best; level++ {
						old := isa.Use(level)
						out := specialArray(rand.New(rand.NewPCG(1, 1)), c.types[0], n, 2)
						l := launchtest.Launch([]int{n}, out, x, y)
						l.Program = p
						l.Scalars[0] = device.Scalar{Re: 0.75}
						Elementwise(l)
						l.Recycle()
						isa.Use(old)
						if level == isa.Generic {
							want = out.Bytes
						} else if k := differs(c.types[0], out.Bytes, want); k >= 0 {
							t.Fatalf("%v, n=%d: byte %d is wrong", level, n, k)
						}
					}
				}
			}
			for tr := PlanFor(p).compiled.Load(); tr != nil; tr = tr.next {
				if tr.code == nil && tr.level != isa.Generic {
					t.Errorf("%v: no code", tr.level)
				}
			}
		})
	}
}

// specialArray returns an array of n numbers, many of them special, with some numbers before and after them.
func specialArray(rng *rand.Rand, dt dtype.DType, n, offset int) launchtest.Array {
	specials := []float64{0, math.Copysign(0, -1), 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), 0.5, -0.5, 1.5, 2.5, 1e-310, 1e-40, -1e-40,
		math.MaxFloat32, 1e300, 127, 128, 255}
	total := offset + n + 40
	wide := make([]float64, total)
	for i := range wide {
		if rng.IntN(3) == 0 {
			wide[i] = specials[rng.IntN(len(specials))]
		} else {
			wide[i] = rng.NormFloat64() * 10
		}
	}
	a := launchtest.New(make([]float64, total), total)
	dtype.Convert(dt, a.Memory.Handle, 1, dtype.Float64, launchtest.New(wide, total).Memory.Handle, 1, total)
	a.Bytes = a.Bytes[:total*dt.Size()]
	a.DType, a.Offset = dt, offset
	return a
}

// differs returns the first byte of an element in which two arrays differ, or -1. All NaNs count as equal.
func differs(dt dtype.DType, a, b []byte) int {
	size := dt.Size()
	for i := 0; i < len(a); i += size {
		if string(a[i:i+size]) != string(b[i:i+size]) && !(isNaN(dt, a[i:]) && isNaN(dt, b[i:])) {
			return i
		}
	}
	return -1
}

func isNaN(dt dtype.DType, b []byte) bool {
	if !dt.IsFloat() {
		return false
	}
	var v float64
	dtype.Convert(dtype.Float64, unsafe.Pointer(&v), 1, dt, unsafe.Pointer(&b[0]), 1, 1)
	return v != v
}

// TestActivationsAreAccurate compares programs for which package vm has special routines with the results in float64.
func TestActivationsAreAccurate(t *testing.T) {
	var x []float32
	for v := float32(1e-37); v < 250; v *= 1.0007 {
		x = append(x, v, -v)
	}
	inf := float32(math.Inf(1))
	x = append(x, 1e-45, -1e-45, 1e-40, -1e-40, 0, float32(math.Copysign(0, -1)), inf, -inf, float32(math.NaN()), math.MaxFloat32, -math.MaxFloat32)
	for _, c := range []struct {
		body   string
		define func(float64) float64
		ulps   float64
	}{
		{"double v = max(x, -2000); y = v * sigmoid(v)", scalar.Silu, 2},
		{"double v = max(x, -2000); y = v * ndtr(v)", scalar.GeluErf, 4},
	} {
		p, err := device.Source{Name: "activation", Inputs: "float32 x", Outputs: "float32 y", Body: c.body}.Compile(nil)
		if err != nil {
			t.Fatal(err)
		}
		twin.Levels(t, func(t *testing.T) {
			y := make([]float32, len(x))
			l := launchtest.Launch([]int{len(x)}, launchtest.New(y, len(x)), launchtest.New(x, len(x)))
			l.Program = p
			Elementwise(l)
			l.Recycle()
			worst := 0.0
			for i, got := range y {
				exact := c.define(float64(x[i]))
				want := float32(exact)
				if got == want && (math.Signbit(float64(got)) == math.Signbit(exact) || x[i] == 0) || got != got && want != want {
					continue
				}
				unit := float64(math.Nextafter32(float32(math.Abs(exact)), inf)) - float64(float32(math.Abs(exact)))
				off := math.Abs(float64(got)-exact) / unit
				worst = max(worst, off)
				if !(off <= c.ulps) || math.Signbit(float64(got)) != math.Signbit(exact) {
					t.Fatalf("%s of %g: %g, want %g, off by %.2f", c.body, x[i], got, want, off)
				}
			}
			t.Logf("%s: %.2f ulp", c.body, worst)
		})
	}
}
