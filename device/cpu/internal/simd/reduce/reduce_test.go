package reduce

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// lengths are row lengths: around the sizes of vectors and of the groups that are combined side by side, and a few
// longer ones.
var lengths = []int{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 23, 31, 32, 33, 47, 63, 64, 65, 100, 127, 128, 129, 130, 191, 255, 256, 257, 300, 1000}

func TestRows(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		testRows(t, Rows[float32])
		testRows(t, Rows[float64])
	})
}

// testRows compares every operation with its reference, on rows with and without special values.
func testRows[T scalar.Float](t *testing.T, kernel func(op Op, dst, a *T, rows, n, pitch int)) {
	rng := rand.New(rand.NewPCG(1, 2))
	for op := Sum; op <= Magnitudes; op++ {
		for _, n := range lengths {
			for kind := range kinds {
				if op == Prod && (kind == 1 || kind == 2) {
					continue // the product of 0 and infinity depends on the order
				}
				const rows = 6
				pitch, offset := n+rng.IntN(3), rng.IntN(17)
				a := values[T](rng, kind, offset+rows*pitch)[offset:]
				got, want := guarded[T](rows), guarded[T](rows)
				kernel(op, &got[1], &a[0], rows, n, pitch)
				plainRows(op, &want[1], &a[0], rows, n, pitch)
				for i := range got {
					checkRow(t, fmt.Sprintf("op %d of %d %T, kind %d, row %d", op, n, got[i], kind, i-1), got[i], want[i], magnitude(op, want[i], a, i-1, n, pitch))
				}
			}
		}
	}
}

// kinds is the number of kinds of values: ordinary ones, some special ones among them, and only special ones.
const kinds = 4

var specials = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 5e-324, 1e-45, 3, -3}

func values[T scalar.Float](rng *rand.Rand, kind, n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(rng.Float64()*2 - 1)
		switch {
		case kind == 1 && rng.IntN(40) == 0, kind == 2:
			x[i] = T(specials[rng.IntN(len(specials))])
		case kind == 3:
			x[i] = T(math.NaN())
		}
	}
	return x
}

// guarded returns room for n results between two guards that must not change.
func guarded[T scalar.Float](n int) []T {
	z := make([]T, n+2)
	z[0], z[n+1] = 77, 78
	return z
}

// magnitude is the scale for the rounding errors of a row's result; 0 if the result is exact.
func magnitude[T scalar.Float](op Op, v T, a []T, row, n, pitch int) (sum float64) {
	if row < 0 || row*pitch+n > len(a) {
		return 0
	}
	switch op {
	case Prod:
		return math.Abs(float64(v)) * float64(n)
	case Sum, Squares, Magnitudes:
		for _, x := range a[row*pitch:][:n] {
			sum += math.Abs(float64(x))
		}
	}
	return sum
}

func checkRow[T scalar.Float](t *testing.T, what string, got, want T, magnitude float64) {
	t.Helper()
	if got == want || got != got && want != want {
		return
	}
	eps := 2.3e-16
	if unsafe.Sizeof(got) == 4 {
		eps = 1.2e-7
	}
	if !(math.Abs(float64(got)-float64(want)) <= 8*eps*magnitude) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

func TestPairRows(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		testPairRows(t, PairRows[float32])
		testPairRows(t, PairRows[float64])
	})
}

func testPairRows[T scalar.Float](t *testing.T, kernel func(op PairOp, dst, a, b *T, rows, n, pitch, pitchB int)) {
	rng := rand.New(rand.NewPCG(3, 4))
	for op := Products; op <= Deviations; op++ {
		for _, n := range lengths {
			for kind := range kinds {
				const rows = 6
				pitch, pitchB, offset := n+rng.IntN(3), n+rng.IntN(2), rng.IntN(17)
				a, b := values[T](rng, kind, offset+rows*pitch)[offset:], values[T](rng, kind/2, offset+rows*pitchB)[offset:]
				got, want := guarded[T](rows), guarded[T](rows)
				kernel(op, &got[1], &a[0], &b[0], rows, n, pitch, pitchB)
				plainPairRows(op, &want[1], &a[0], &b[0], rows, n, pitch, pitchB)
				for i := range got {
					checkRow(t, fmt.Sprintf("op %d of %d %T, kind %d, row %d", op, n, got[i], kind, i-1), got[i], want[i], 4*float64(n))
				}
			}
		}
	}
}

func TestColumns(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		testColumns(t, Columns[float32])
		testColumns(t, Columns[float64])
	})
}

func testColumns[T scalar.Float](t *testing.T, kernel func(op Op, dst, a *T, rows, n, pitch int)) {
	rng := rand.New(rand.NewPCG(5, 6))
	for op := Sum; op <= FMin; op++ {
		for _, n := range lengths[:len(lengths)-1] {
			for _, rows := range []int{0, 1, 2, 7, 8, 9, 19} {
				kind := rng.IntN(kinds)
				if op == Prod {
					kind = 0 // the product of 0 and infinity depends on the order
				}
				pitch, offset := n+rng.IntN(3), rng.IntN(17)
				a := values[T](rng, kind, offset+rows*pitch+1)[offset:]
				got, want := guarded[T](n), guarded[T](n)
				copy(got[1:n+1], values[T](rng, rng.IntN(kinds), n))
				copy(want, got)
				kernel(op, &got[1], &a[0], rows, n, pitch)
				plainColumns(op, &want[1], &a[0], rows, n, pitch)
				for i := range got {
					scale := float64(rows + 1)
					if op > Prod {
						scale = 0
					}
					checkRow(t, fmt.Sprintf("op %d of %d rows of %d %T, kind %d, column %d", op, rows, n, got[i], kind, i-1), got[i], want[i], scale)
				}
			}
		}
	}
}

// TestColumnsAreIndependent checks that a column's result does not depend on the other columns.
func TestColumnsAreIndependent(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(7, 8))
		const rows, n = 21, 75
		a := values[float32](rng, 0, rows*n)
		all := make([]float32, n)
		Columns(Sum, &all[0], &a[0], rows, n, n)
		for from := range n {
			part := make([]float32, n-from)
			Columns(Sum, &part[0], &a[from], rows, n-from, n)
			for k, v := range part {
				if v != all[from+k] {
					t.Fatalf("column %d, computed with those from %d on: %v, want %v", from+k, from, v, all[from+k])
				}
			}
		}
	})
}

func BenchmarkRows(b *testing.B) {
	for _, n := range []int{3, 10, 64, 1000, 4096} {
		a := make([]float32, 1<<14)
		for i := range a {
			a[i] = float32(i % 7)
		}
		rows := len(a) / n
		dst := make([]float32, rows)
		for op, name := range map[Op]string{Sum: "sum", Max: "max"} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.SetBytes(int64(4 * rows * n))
				for b.Loop() {
					Rows(op, &dst[0], &a[0], rows, n, n)
				}
			})
		}
	}
}
