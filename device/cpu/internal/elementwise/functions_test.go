package elementwise

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/softmax"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// vectorFunctions are the functions that have vector code, and the permitted distance of a result, in units in the
// last place, from package scalar's: for float32, where the reference is exact, and for float64, where it has its own
// error.
var vectorFunctions = []struct {
	op             device.Op
	single, double float64
}{
	{device.OpRsqrt, 1.5, 2}, {device.OpExp, 1, 1}, {device.OpExp2, 1, 1}, {device.OpExp10, 0.6, 1}, {device.OpExpm1, 0.6, 1},
	{device.OpLog, 1, 1}, {device.OpLog2, 0.6, 1}, {device.OpLog10, 0.6, 1}, {device.OpLog1p, 0.6, 1},
	{device.OpSin, 1.6, 2}, {device.OpCos, 1.6, 2}, {device.OpTan, 0.6, 2}, {device.OpAtan, 2, 2},
	{device.OpSinh, 0.6, 2}, {device.OpCosh, 0.6, 2}, {device.OpTanh, 1.3, 2}, {device.OpSigmoid, 1.6, 2},
	{device.OpSoftplus, 2, 2}, {device.OpErf, 1.2, 2}, {device.OpErfc, 2.5, 4}, {device.OpNdtr, 2, 4},
	{device.OpAsin, 2, 2}, {device.OpAcos, 2, 2}, {device.OpAsinh, 0.6, 2}, {device.OpAcosh, 0.6, 2}, {device.OpAtanh, 0.6, 2},
	{device.OpCbrt, 1, 1},
}

func TestVectorFunctions(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		for _, f := range vectorFunctions {
			t.Run(f.op.String(), func(t *testing.T) {
				singles := append([]float32(nil), specialSingles...)
				rng := rand.New(rand.NewPCG(1, 2))
				const step = 1 << 17
				for bits := uint64(0); bits < 1<<32; bits += step {
					singles = append(singles, math.Float32frombits(uint32(bits)+rng.Uint32N(step)))
				}
				doubles := append([]float64(nil), specialDoubles...)
				for range 4000 {
					singles = append(singles, float32(3*rng.NormFloat64()))
					doubles = append(doubles, math.Float64frombits(rng.Uint64()), 3*rng.NormFloat64(), 100*rng.NormFloat64())
				}
				testFunction(t, f.op, dtype.Float32, singles, f.single)
				testFunction(t, f.op, dtype.Float64, doubles, f.double)
			})
		}
	})
}

var (
	specialSingles = []float32{0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 1, -1,
		0.5, 2, 8, 1000, 88.722839, 88.72284, -103.97208, -103.97209, 1e-45, -1e-45, math.MaxFloat32, -math.MaxFloat32, 0x1p-126}
	specialDoubles = []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1, -1, 0.5, 2, 8, 1000,
		709.782712893384, 709.7827128933841, -745.1332191019411, -745.1332191019412, 5e-324, -5e-324, math.MaxFloat64,
		-math.MaxFloat64, 0x1p-1022}
)

// testFunction compares a program of one opcode with package scalar's function.
func testFunction[T softmax.Float](t *testing.T, op device.Op, dt dtype.DType, x []T, limit float64) {
	t.Helper()
	y := make([]T, len(x))
	p := launchtest.Compile(t, dt, "T x", "T y", op.String()+"(x)")
	l := launchtest.Launch([]int{len(x)}, launchtest.New(y, len(x)), launchtest.New(x, len(x)))
	l.Program = p
	Elementwise(l)
	l.Recycle()
	failures := 0
	for i, v := range x {
		if exact := scalar.Functions[op](float64(v)); distance(y[i], exact) > limit {
			if failures++; failures <= 5 {
				t.Errorf("%s %s(%v) = %v, want %v", dt, op, v, y[i], T(exact))
			}
		}
	}
}

// distance is the distance of a result from the exact one, in units of its last place; zeros, infinities and NaNs must
// be the same.
func distance[T softmax.Float](got T, exact float64) float64 {
	want := T(exact)
	switch {
	case want != want:
		if got != got {
			return 0
		}
		return math.Inf(1)
	case got == want && math.Signbit(float64(got)) == math.Signbit(float64(want)) && (want == 0 || want-want != 0):
		return 0
	case want == 0 || math.IsInf(float64(want), 0) || math.Signbit(float64(got)) != math.Signbit(float64(want)):
		if math.Abs(exact) > math.MaxFloat32 && !math.IsInf(exact, 0) && math.Abs(exact) < math.MaxFloat32*(1+0x1p-23) {
			return 0 // rounding may give either
		}
		return math.Inf(1)
	}
	return math.Abs(float64(got)-exact) / math.Abs(float64(scalar.Spacing(want)))
}

func TestVectorPow(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		t.Run("float32", func(t *testing.T) { testPow[float32](t, dtype.Float32, 60, 1) })
		t.Run("float64", func(t *testing.T) { testPow[float64](t, dtype.Float64, 500, 2) })
	})
}

// testPow tests all pairs of special numbers, and random numbers whose power is about e^±size.
func testPow[T softmax.Float](t *testing.T, dt dtype.DType, size, limit float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	x, y := pairsOf[T]([]float64{0, math.Copysign(0, -1), 1, -1, 2, -2, 3, -3, 0.5, -0.5, 2.5, math.Inf(1), math.Inf(-1), math.NaN(),
		1e30, -1e30, 1e-40, -1e-40, 16777216, 16777217, 1.0000001, 0.99999994, 31, -31, 127, 128, -149, 1 << 53})
	for range 5000 {
		a := math.Exp(10 * rng.NormFloat64())
		x, y = append(x, T(a), T(rng.IntN(20)-10)), append(y, T(rng.NormFloat64()*size/math.Log(a)), T(rng.IntN(20)-10))
	}
	testFunction2(t, device.OpPow, dt, x, y, limit)
}

func TestVectorPlane(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		for _, op := range []device.Op{device.OpAtan2, device.OpHypot} {
			t.Run(op.String(), func(t *testing.T) {
				testPlane(t, op, dtype.Float32, specialSingles, 30)
				testPlane(t, op, dtype.Float64, specialDoubles, 300)
			})
		}
	})
}

// testPlane tests all pairs of special numbers, and random numbers whose magnitudes differ by up to about 10^±size.
func testPlane[T softmax.Float](t *testing.T, op device.Op, dt dtype.DType, special []T, size float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 6))
	x, y := pairsOf[T](special)
	for range 5000 {
		a, b := T(math.Pow(10, (rng.Float64()-0.5)*size)), T(rng.NormFloat64())
		x, y = append(x, a, b, b*a, a), append(y, b, a, a, T(rng.NormFloat64())*a)
	}
	testFunction2(t, op, dt, x, y, 2)
}

// pairsOf returns all pairs of numbers.
func pairsOf[T, U softmax.Float](numbers []U) (x, y []T) {
	for _, a := range numbers {
		for _, b := range numbers {
			x, y = append(x, T(a)), append(y, T(b))
		}
	}
	return x, y
}

// testFunction2 is testFunction for two arguments.
func testFunction2[T softmax.Float](t *testing.T, op device.Op, dt dtype.DType, x, y []T, limit float64) {
	t.Helper()
	z := make([]T, len(x))
	p := launchtest.Compile(t, dt, "T x, T y", "T z", op.String()+"(x, y)")
	l := launchtest.Launch([]int{len(x)}, launchtest.New(z, len(x)), launchtest.New(x, len(x)), launchtest.New(y, len(x)))
	l.Program = p
	Elementwise(l)
	l.Recycle()
	failures := 0
	for i := range x {
		if exact := scalar.Functions2[op](float64(x[i]), float64(y[i])); distance(z[i], exact) > limit {
			if failures++; failures <= 5 {
				t.Errorf("%s %s(%v, %v) = %v, want %v", dt, op, x[i], y[i], z[i], T(exact))
			}
		}
	}
}
