package elementwise

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestSquareRoots compares square roots of float32 with rounded ones of float64, bit for bit, in steps and by the instruction.
func TestSquareRoots(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		for _, amd := range []bool{false, true} {
			restore := isa.TuneForAMD(amd)
			rng := rand.New(rand.NewPCG(11, 12))
			x := append([]float32(nil), specialSingles...)
			for exponent := range uint32(256) {
				for range 300 { // neighbours in a vector have the same exponent, so that all may be computed in steps
					x = append(x, math.Float32frombits(exponent<<23|rng.Uint32N(1<<23)))
				}
			}
			checkSquareRoots(t, x)
			isa.TuneForAMD(restore)
		}
	})
}

// TestSquareRootsOfAllSignificands does so for all significands, with an even and an odd exponent.
func TestSquareRootsOfAllSignificands(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a second")
	}
	x := make([]float32, 1<<16)
	for first := uint32(127 << 23); first < 129<<23; first += uint32(len(x)) {
		for i := range x {
			x[i] = math.Float32frombits(first + uint32(i))
		}
		checkSquareRoots(t, x)
	}
}

func checkSquareRoots(t *testing.T, x []float32) {
	t.Helper()
	y := make([]float32, len(x))
	l := launchtest.Launch([]int{len(x)}, launchtest.New(y, len(x)), launchtest.New(x, len(x)))
	l.Program = launchtest.Compile(t, dtype.Float32, "T x", "T y", "sqrt(x)")
	Elementwise(l)
	l.Recycle()
	for i, v := range x {
		if want := float32(math.Sqrt(float64(v))); math.Float32bits(y[i]) != math.Float32bits(want) && (want == want || y[i] == y[i]) {
			t.Fatalf("√%v = %v, want %v", v, y[i], want)
		}
	}
}
