package reduce

import (
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// TestRowsFarApartAreCombinedAsAlone compares long rows, which are gone along far apart, with each row by itself, bit by
// bit.
func TestRowsFarApartAreCombinedAsAlone(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		for _, rows := range []int{15, 16, 19, 33} {
			for _, n := range []int{511, 512, 1000} {
				for _, pitch := range []int{n, n + 5, 2 * n, 3 * n} {
					rowsFarApart[float32](t, rows, n, pitch)
					rowsFarApart[float64](t, rows, n, pitch)
				}
			}
		}
	})
}

func rowsFarApart[T scalar.Float](t *testing.T, rows, n, pitch int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, uint64(n)))
	a, b := make([]T, (rows-1)*pitch+n), make([]T, (rows-1)*pitch+n)
	for i := range a {
		a[i], b[i] = T(rng.NormFloat64()), T(rng.NormFloat64())
	}
	got, want := make([]T, rows), make([]T, rows)
	compare := func(what string, op int) {
		t.Helper()
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("%s %d, %d rows of %d, %d apart: row %d is %v, by itself %v", what, op, rows, n, pitch, i, got[i], want[i])
			}
		}
	}
	for op := Sum; op <= Magnitudes; op++ {
		Rows(op, &got[0], &a[0], rows, n, pitch)
		for i := range rows {
			Rows(op, &want[i], &a[i*pitch], 1, n, pitch)
		}
		compare("operation", int(op))
	}
	for op := Products; op <= Deviations; op++ {
		PairRows(op, &got[0], &a[0], &b[0], rows, n, pitch, pitch)
		for i := range rows {
			PairRows(op, &want[i], &a[i*pitch], &b[i*pitch], 1, n, pitch, pitch)
		}
		compare("operation of pairs", int(op))
	}
}
