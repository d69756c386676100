package normalize

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// kernels are the routines for one type of elements.
type kernels[T scalar.Float] struct {
	center       func(dst, a []T, mean, scale, offset T)
	standardize  func(dst, a, gamma, beta []T, mean, scale T, next int)
	flatSums     func(a, gy []T, mean T) (total, moment float64)
	sums         func(a, gy, gamma, ggamma, gbeta []T, mean, scale T) (total, moment float64)
	flatGradient func(dst, a, gy []T, mean, scale, slope, offset T)
	gradient     func(dst, a, gy, gamma []T, mean, scale, slope, offset T, next int)
}

func kernelsOf[T scalar.Float]() kernels[T] {
	return kernels[T]{Center[T], Standardize[T], FlatSums[T], Sums[T], FlatGradient[T], Gradient[T]}
}

func TestRoutines(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		testRoutines(t, kernelsOf[float32]())
		testRoutines(t, kernelsOf[float64]())
	})
}

func testRoutines[T scalar.Float](t *testing.T, k kernels[T]) {
	rng := rand.New(rand.NewPCG(1, 2))
	row := func(n int) []T {
		x := make([]T, n+9)[rng.IntN(9):][:n]
		for i := range x {
			x[i] = T(rng.NormFloat64())
		}
		return x
	}
	for n := range 300 {
		if n > 140 && n%13 != 0 {
			continue
		}
		a, gy, gamma, beta := row(n), row(n), row(n), row(n)
		if n > 3 && n%3 == 0 {
			a[1], gy[2] = T(math.Inf(1)), T(math.NaN())
		}
		for name, test := range map[string]func(dst []T, routine bool){
			"center": func(dst []T, routine bool) {
				if routine {
					k.center(dst, a, 0.5, 2, 3)
				} else {
					plainCenter(dst, a, 0.5, 2, 3)
				}
			},
			"standardize": func(dst []T, routine bool) {
				if routine {
					k.standardize(dst, a, gamma, beta, 0.5, 2, n)
				} else {
					plainStandardize(dst, a, gamma, beta, 0.5, 2)
				}
			},
			"flatGradient": func(dst []T, routine bool) {
				if routine {
					k.flatGradient(dst, a, gy, 0.5, 2, 3, 4)
				} else {
					plainFlatGradient(dst, a, gy, 0.5, 2, 3, 4)
				}
			},
			"gradient": func(dst []T, routine bool) {
				if routine {
					k.gradient(dst, a, gy, gamma, 0.5, 2, 3, 4, n)
				} else {
					plainGradient(dst, a, gy, gamma, 0.5, 2, 3, 4)
				}
			},
			"sums of columns": func(dst []T, routine bool) {
				other := append([]T(nil), beta...)
				if routine {
					k.sums(a, gy, gamma, dst, other, 0.5, 2)
				} else {
					plainSums(a, gy, gamma, dst, other, 0.5, 2)
				}
				for i := range dst {
					dst[i] += 3 * other[i]
				}
			},
		} {
			got, want := make([]T, n+2), make([]T, n+2)
			got[0], got[n+1], want[0], want[n+1] = 7, 8, 7, 8
			test(got[1:n+1:n+1], true)
			test(want[1:n+1:n+1], false)
			for i := range got {
				near(t, fmt.Sprintf("%s of %d: element %d", name, n, i-1), float64(got[i]), float64(want[i]), 40*epsilon[T]())
			}
		}
		total, moment := k.flatSums(a, gy, 0.5)
		want := plainFlatSums(a, gy, 0.5)
		near(t, "flat total", total, float64(want[0]), float64(4*n)*epsilon[T]())
		near(t, "flat moment", moment, float64(want[1]), float64(16*n)*epsilon[T]())
		total, moment = k.sums(a, gy, gamma, row(n), row(n), 0.5, 2)
		want = plainSums(a, gy, gamma, row(n), row(n), 0.5, 2)
		near(t, "total", total, float64(want[0]), float64(16*n)*epsilon[T]())
		near(t, "moment", moment, float64(want[1]), float64(40*n)*epsilon[T]())
	}
}

func epsilon[T scalar.Float]() float64 {
	var zero T
	if unsafe.Sizeof(zero) == 4 {
		return 1.2e-7
	}
	return 2.3e-16
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if got != got && want != want || got == want || math.Abs(got-want) <= tolerance*(1+math.Abs(want)) {
		return
	}
	t.Fatalf("%s: %v, want %v", what, got, want)
}

// TestLongRows tests rows that span more than one piece.
func TestLongRows(t *testing.T) {
	n := 3*sumPiece + atOnce + 5
	a, gy := make([]float32, n), make([]float32, n)
	for i := range a {
		a[i], gy[i] = float32(i%5), 1
	}
	total, moment := FlatSums(a, gy, 2)
	if total != float64(n) || moment != -3 {
		t.Errorf("sums %v, %v", total, moment)
	}
	Center(gy, a, 2, 1, 0)
	for i, v := range gy {
		if v != a[i]-2 {
			t.Fatalf("element %d: %v", i, v)
		}
	}
}
