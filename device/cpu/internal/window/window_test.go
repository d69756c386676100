package window

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/twin"
)

func TestCombine(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		checkCombine[float32](t)
		checkCombine[float64](t)
	})
}

func TestSpread(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		checkSpread[float32](t)
		checkSpread[float64](t)
	})
}

func TestRoutinesLeaveNoUpperHalves(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		x, y, at := make([]float32, 256), make([]float32, 64), make([]uint8, 64)
		for stride := 1; stride <= 3; stride++ {
			for n := 1; n <= 40; n += 13 {
				for c := Sums; c <= LargestAt; c++ {
					twin.LeavesNoUpperHalves(t, func() { Combine(c, y[:n], at, x, 0, stride, []Tap{{}, {At: 1}}) })
				}
				ends := []int{1, 2, 2}[:stride]
				twin.LeavesNoUpperHalves(t, func() { Spread(x[:n*stride], y, nil, 0, []Tap{{}, {}}[:ends[stride-1]], ends) })
				twin.LeavesNoUpperHalves(t, func() { Spread(x[:n*stride], y, at, 0, []Tap{{}, {}}[:ends[stride-1]], ends) })
			}
		}
	})
}

// values are small numbers, of which many are equal, and what compares in its own way.
func values[T float32 | float64](rng *rand.Rand, n int) []T {
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0, 5e-324}
	x := make([]T, n)
	for i := range x {
		x[i] = T(rng.IntN(7)) - 3
		if rng.IntN(20) == 0 {
			x[i] = T(special[rng.IntN(len(special))])
		}
	}
	return x
}

func same[T float32 | float64](a, b T) bool {
	return a == b && math.Signbit(float64(a)) == math.Signbit(float64(b)) || a != a && b != b
}

// checkCombine compares windows with their definition, in arrays that end with the last element under a window and whose
// results have guards on both sides.
func checkCombine[T float32 | float64](t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const guard = -77
	for n := range 300 {
		if n > 80 {
			n += rng.IntN(40)
		}
		stride := 1 + rng.IntN(5)
		taps := make([]Tap, 1+rng.IntN(6))
		reach := 0
		for i := range taps {
			taps[i] = Tap{At: rng.IntN(9) + 3, Position: rng.IntN(256)}
			reach = max(reach, taps[i].At)
		}
		start := -rng.IntN(4)
		x := values[T](rng, max(1, start+(n-1)*stride+reach+1))
		x = slices.Clip(x)
		for c := Sums; c <= LargestAt; c++ {
			offset := rng.IntN(9)
			y, want := make([]T, offset+n+3), make([]T, n)
			at, wantAt := make([]uint8, offset+n+3), make([]uint8, n)
			for i := range y {
				y[i], at[i] = guard, 255
			}
			plainCombine(c, want, wantAt, x, start, stride, taps)
			Combine(c, y[offset:offset+n], at[offset:offset+n], x, start, stride, taps)
			for i := range y {
				inside := i >= offset && i < offset+n
				switch {
				case !inside && (y[i] != guard || at[i] != 255):
					t.Fatalf("combination %d, n=%d: written outside", c, n)
				case inside && !same(y[i], want[i-offset]):
					t.Fatalf("combination %d, n=%d, stride %d: element %d is %v, want %v", c, n, stride, i-offset, y[i], want[i-offset])
				case inside && c == LargestAt && at[i] != wantAt[i-offset]:
					t.Fatalf("n=%d, stride %d: position %d is %v, want %v", n, stride, i-offset, at[i], wantAt[i-offset])
				}
			}
		}
	}
}

func checkSpread[T float32 | float64](t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const guard = -77
	for n := range 300 {
		stride := 1 + rng.IntN(4)
		var taps []Tap
		var ends []int
		reach, start := 0, rng.IntN(5)
		for range stride {
			for range rng.IntN(4) {
				tap := Tap{At: rng.IntN(4) - start, Position: rng.IntN(3)}
				reach = max(reach, tap.At)
				taps = append(taps, tap)
			}
			ends = append(ends, len(taps))
		}
		groups := (n + stride - 1) / stride
		g, at := values[T](rng, start+groups+reach), make([]uint8, start+groups+reach)
		for i := range at {
			at[i] = uint8(rng.IntN(4))
		}
		for _, at := range [][]uint8{nil, at} {
			offset := rng.IntN(9)
			x, want := make([]T, offset+n+3), make([]T, n)
			for i := range x {
				x[i] = guard
			}
			plainSpread(want, g, at, start, taps, ends)
			Spread(x[offset:offset+n], g, at, start, taps, ends)
			for i := range x {
				inside := i >= offset && i < offset+n
				switch {
				case !inside && x[i] != guard:
					t.Fatalf("n=%d: written outside", n)
				case inside && !same(x[i], want[i-offset]):
					t.Fatalf("n=%d, stride %d, placed %t: element %d is %v, want %v", n, stride, at != nil, i-offset, x[i], want[i-offset])
				}
			}
		}
	}
}
