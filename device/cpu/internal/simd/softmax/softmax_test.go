package softmax

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

// rowsTest runs a routine and its reference on rows of every length.
type rowsTest[T Float] struct {
	*testing.T
	rng            *rand.Rand
	x, y, v, w     []T
	dst, want      []T
	sums, wantSums []T
}

const (
	guard = 7777
	count = 3 // rows
)

func (t *rowsTest[T]) fill(n, pitch, offset int) {
	draw := func(n int) []T {
		r := make([]T, n+offset+1)[offset:]
		for i := range r {
			switch t.rng.IntN(40) {
			case 0:
				r[i] = T([...]float64{math.Inf(-1), 0, math.Copysign(0, -1), 1e-40, -90, -200, 5}[t.rng.IntN(7)])
			default:
				r[i] = T(t.rng.NormFloat64())
			}
		}
		return r
	}
	t.x, t.y, t.v, t.w = draw(count*pitch), draw(count*pitch), draw(count), draw(count)
	for i := range t.v {
		t.v[i], t.w[i] = T(t.rng.NormFloat64()), T(t.rng.NormFloat64())
	}
	guarded := func(n int) []T {
		r := make([]T, n+offset+1)[offset:]
		for i := range r {
			r[i] = guard
		}
		return r
	}
	t.dst, t.want, t.sums, t.wantSums = guarded(count*pitch), guarded(count*pitch), guarded(count), guarded(count)
}

// near reports whether two numbers differ by at most a few ulps of size.
func near[T Float](a, b, size T) bool {
	epsilon := 0x1p-52
	if unsafe.Sizeof(a) == 4 {
		epsilon = 0x1p-23
	}
	return a == b || a != a && b != b || math.Abs(float64(a)-float64(b)) <= 3*epsilon*math.Abs(float64(size))+1e-44
}

func (t *rowsTest[T]) check(name string, n int) {
	t.Helper()
	for i := range t.dst {
		size := t.want[i]
		if name == "LessExponentials" {
			size = T(math.Abs(float64(t.y[i])) + math.Abs(float64(t.y[i]-t.want[i])))
		}
		if !near(t.dst[i], t.want[i], size) {
			t.Fatalf("%s, n=%d: element %d is %v, want %v", name, n, i, t.dst[i], t.want[i])
		}
	}
	for i := range t.sums {
		if !near(t.sums[i], t.wantSums[i], 10*t.wantSums[i]) {
			t.Fatalf("%s, n=%d: sum %d is %v, want %v", name, n, i, t.sums[i], t.wantSums[i])
		}
	}
}

func testRows[T Float](t *testing.T) {
	r := &rowsTest[T]{T: t, rng: rand.New(rand.NewPCG(1, 2))}
	for n := 1; n <= 300; n++ {
		pitch, offset := n+r.rng.IntN(3), r.rng.IntN(4)
		run := func(name string, routine, plain func(dst, sums *T)) {
			r.fill(n, pitch, offset)
			routine(&r.dst[0], &r.sums[0])
			plain(&r.want[0], &r.wantSums[0])
			r.check(name, n)
		}
		run("Exponentials",
			func(dst, sums *T) { Exponentials(dst, &r.x[0], &r.v[0], sums, count, n, pitch, pitch, count*pitch) },
			func(dst, sums *T) { plainExponentials(dst, &r.x[0], &r.v[0], sums, count, n, pitch, pitch) })
		run("SumExponentials",
			func(dst, sums *T) { SumExponentials(dst, &r.x[0], &r.v[0], sums, count, n, pitch, pitch, count*pitch) },
			func(_, sums *T) { plainSumExponentials(&r.x[0], &r.v[0], sums, count, n, pitch) })
		run("Scale",
			func(dst, _ *T) { Scale(dst, &r.x[0], &r.v[0], count, n, pitch, pitch) },
			func(dst, _ *T) { plainScale(dst, &r.x[0], &r.v[0], count, n, pitch, pitch) })
		run("Shift",
			func(dst, _ *T) { Shift(dst, &r.x[0], &r.v[0], &r.w[0], count, n, pitch, pitch) },
			func(dst, _ *T) { plainShift(dst, &r.x[0], &r.v[0], &r.w[0], count, n, pitch, pitch) })
		run("Weigh",
			func(dst, _ *T) { Weigh(dst, &r.x[0], &r.y[0], &r.v[0], count, n, pitch, pitch, pitch) },
			func(dst, _ *T) { plainWeigh(dst, &r.x[0], &r.y[0], &r.v[0], count, n, pitch, pitch, pitch) })
		run("LessExponentials",
			func(dst, _ *T) { LessExponentials(dst, &r.x[0], &r.y[0], &r.v[0], count, n, pitch, pitch, pitch) },
			func(dst, _ *T) { plainLessExponentials(dst, &r.x[0], &r.y[0], &r.v[0], count, n, pitch, pitch, pitch) })
	}
}

func TestRows(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		t.Run("float32", testRows[float32])
		t.Run("float64", testRows[float64])
	})
}

// TestNaNStaysInItsRow checks that a NaN affects only its own row.
func TestNaNStaysInItsRow(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		const n = 37
		x, v, sums := make([]float32, 3*n), make([]float32, 3), make([]float32, 3)
		x[n+5] = float32(math.NaN())
		Exponentials(&x[0], &x[0], &v[0], &sums[0], 3, n, n, n, n)
		if sums[0] != n || sums[1] == sums[1] || sums[2] != n {
			t.Errorf("sums %v", sums)
		}
	})
}
