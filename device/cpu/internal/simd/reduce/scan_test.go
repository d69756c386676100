package reduce

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

func TestFind(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		testFind(t, Find[float32])
		testFind(t, Find[float64])
	})
}

func testFind[T scalar.Float](t *testing.T, find func(a *T, n int, v T) int) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := 1; n < 200; n++ {
		a := make([]T, n+1)
		for i := range a {
			a[i] = T(rng.IntN(4))
		}
		index := rng.IntN(n)
		for _, v := range []T{7, T(math.NaN()), T(math.Inf(-1)), 0} {
			a[index] = v
			want := plainFind(&a[0], n, v)
			if got := find(&a[0], n, v); got != want {
				t.Fatalf("%v among %d: %d, want %d", v, n, got, want)
			}
		}
	}
}

func TestArgColumns(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		testArgColumns(t, ArgColumns[float32, int32])
		testArgColumns(t, ArgColumns[float64, int64])
	})
}

func testArgColumns[T scalar.Float, P RowIndex](t *testing.T, kernel func(op Op, best *T, indices *P, a *T, rows, n, pitch, first int)) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, op := range []Op{Max, Min} {
		for _, n := range lengths[:24] {
			for kind := range kinds {
				const rows = 9
				pitch := n + rng.IntN(3)
				a := values[T](rng, kind, rows*pitch)
				got, want := guarded[T](n), guarded[T](n)
				copy(got[1:n+1], a)
				copy(want, got)
				gotAt, wantAt := make([]P, n+2), make([]P, n+2)
				kernel(op, &got[1], &gotAt[1], &a[0], rows, n, pitch, 5)
				plainIndices(op, &want[1], &wantAt[1], &a[0], rows, n, pitch, 5)
				for i := range got {
					if got[i] != want[i] && want[i] == want[i] || gotAt[i] != wantAt[i] {
						t.Fatalf("op %d of %d columns, kind %d: column %d: %v at %d, want %v at %d", op, n, kind, i-1, got[i], gotAt[i], want[i], wantAt[i])
					}
				}
			}
		}
	}
}

func TestScan(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		testScan(t, Scan[float32])
		testScan(t, Scan[float64])
	})
}

func testScan[T scalar.Float](t *testing.T, scan func(op Op, dst, a *T, n int, carry float64) float64) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, op := range []Op{Sum, Prod} {
		for _, n := range lengths {
			for kind := range kinds {
				if op == Prod && kind > 0 {
					continue
				}
				a := values[T](rng, kind, n)
				got, want := guarded[T](n), guarded[T](n)
				last, wantLast := scan(op, &got[1], &a[0], n, 1.5), plainScan(op, &want[1], &a[0], n, 1.5)
				for i := range got {
					checkRow(t, "scan", got[i], want[i], float64(n))
				}
				checkRow(t, "last", last, wantLast, float64(n))
				scan(op, &a[0], &a[0], n, 1.5)
				for i, v := range a {
					if v != got[i+1] && v == v {
						t.Fatalf("in place: %v, want %v", v, got[i+1])
					}
				}
			}
		}
	}
}

func TestScanColumns(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		testScanColumns(t, ScanColumns[float32])
		testScanColumns(t, ScanColumns[float64])
	})
}

func testScanColumns[T scalar.Float](t *testing.T, scan func(op Op, dst, a *T, totals *float64, rows, n, pitchDst, pitch int)) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, op := range []Op{Sum, Prod} {
		for _, n := range lengths[:24] {
			const rows = 5
			pitch := n + rng.IntN(3)
			a := values[T](rng, rng.IntN(kinds), rows*pitch)
			got, want := make([]T, rows*(n+1)), make([]T, rows*(n+1))
			totals, wantTotals := guarded[float64](n), guarded[float64](n)
			scan(op, &got[0], &a[0], &totals[1], rows, n, n+1, pitch)
			plainScanColumns(op, &want[0], &a[0], &wantTotals[1], rows, n, n+1, pitch)
			for i := range got {
				checkRow(t, "scan", got[i], want[i], 0)
			}
			for i := range totals {
				checkRow(t, "total", totals[i], wantTotals[i], 0)
			}
		}
	}
}

func TestTotals(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 5))
		for _, n := range append([]int{2 * Longest, 9999}, lengths...) {
			a, b := values[float32](rng, 0, n), values[float64](rng, 0, n)
			checkRow(t, "float32", WideTotal(&a[0], n), plainWideTotal(&a[0], n), float64(n))
			checkRow(t, "float64", WideTotal(&b[0], n), Total(b), float64(n))
		}
	})
}
