package pool

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
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

// values returns small numbers, many of which are equal, and values that compare specially.
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

// checkCombine compares windows with their definition. The arrays end with the last element under a window, and the
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
		if n%2 == 0 { // rows of neighbours, and sometimes one that is not
			stride = 1 + rng.IntN(2)
			taps = gridTaps(rng)
		} else {
			for i := range taps {
				taps[i] = Tap{At: rng.IntN(9) + 3, Position: rng.IntN(256)}
			}
		}
		reach := 0
		for _, tap := range taps {
			reach = max(reach, tap.At)
		}
		rows := Rows{N: 1 + rng.IntN(3), Length: n, Start: -rng.IntN(4), Down: rng.IntN(10), Apart: n + rng.IntN(3), ApartAt: n + rng.IntN(3)}
		x := values[T](rng, max(1, rows.Start+(rows.N-1)*rows.Down+(n-1)*stride+reach+1))
		if x = slices.Clip(x); n%4 == 0 {
			for i, v := range x {
				if v != v && rng.IntN(100) > 0 {
					x[i] = T(math.Copysign(0, float64(rng.IntN(2)-1)))
				}
			}
		}
		for c := Sums; c <= LargestAt; c++ {
			offset := rng.IntN(9)
			y, want := guarded(offset+rows.N*rows.Apart+3, T(guard)), guarded(offset+rows.N*rows.Apart+3, T(guard))
			at, wantAt := guarded(offset+rows.N*rows.ApartAt+3, uint8(255)), guarded(offset+rows.N*rows.ApartAt+3, uint8(255))
			for row := range rows.N {
				plainCombine(c, want[offset+row*rows.Apart:][:n], wantAt[offset+row*rows.ApartAt:], x, rows.Start+row*rows.Down, stride, taps)
			}
			Combine(c, rows, y[offset:], at[offset:], x, stride, taps)
			for i := range y {
				if !same(y[i], want[i]) {
					t.Fatalf("combination %d, %+v, stride %d: element %d is %v, want %v", c, rows, stride, i-offset, y[i], want[i])
				}
			}
			if !slices.Equal(at, wantAt) {
				t.Fatalf("combination %d, %+v, stride %d: positions %v, want %v", c, rows, stride, at, wantAt)
			}
		}
	}
}

// gridTaps returns taps in rows.
func gridTaps(rng *rand.Rand) []Tap {
	var taps []Tap
	columns, down := 1+rng.IntN(4), 3+rng.IntN(60)
	for row := range 1 + rng.IntN(4) {
		for column := range columns {
			taps = append(taps, Tap{At: 3 + row*down + column, Position: len(taps)})
		}
	}
	if rng.IntN(5) == 0 {
		taps[rng.IntN(len(taps))].At += rng.IntN(3)
	}
	return taps
}

// guarded returns n guard elements, which show whether they were overwritten.
func guarded[E any](n int, guard E) []E { return slices.Repeat([]E{guard}, n) }

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
		rows := Rows{N: 1 + rng.IntN(3), Length: n, Start: start, Down: rng.IntN(10), Apart: n + rng.IntN(3)}
		size := start + (rows.N-1)*rows.Down + groups + reach
		g, at := values[T](rng, size), make([]uint8, size)
		for i := range at {
			at[i] = uint8(rng.IntN(4))
		}
		for _, at := range [][]uint8{nil, at} {
			offset := rng.IntN(9)
			x, want := guarded(offset+rows.N*rows.Apart+3, T(guard)), guarded(offset+rows.N*rows.Apart+3, T(guard))
			for row := range rows.N {
				plainSpread(want[offset+row*rows.Apart:][:n], g, at, start+row*rows.Down, taps, ends)
			}
			Spread(rows, x[offset:], g, at, taps, ends)
			for i := range x {
				if !same(x[i], want[i]) {
					t.Fatalf("%+v, stride %d, with positions %t: element %d is %v, want %v", rows, stride, at != nil, i-offset, x[i], want[i])
				}
			}
		}
	}
}
