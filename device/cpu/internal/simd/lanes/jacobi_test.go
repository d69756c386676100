package lanes

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

func TestJacobi(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(7, 8))
		for range 40 {
			jacobi[float32](t, rng, 0x1p-24)
			jacobi[float64](t, rng, 0x1p-53)
		}
	})
}

// jacobi compares sweeps with the plain ones, bit by bit, until there are no rotations. One lane is never rotated.
func jacobi[T Float](t *testing.T, rng *rand.Rand, epsilon float64) {
	w := Width[T]()
	m := 1 + rng.IntN(6)
	n, columns := m+rng.IntN(3), m*rng.IntN(2)
	a := Rows[T]{make([]T, m*n*w), n * w, w}
	if rng.IntN(2) == 0 {
		a.Row, a.Column = w, m*w
	}
	for i := range a.Data {
		a.Data[i] = T(rng.NormFloat64())
		if rng.IntN(9) == 0 {
			a.Data[i] = 0
		}
	}
	v := Rows[T]{make([]T, m*max(columns, 1)*w), max(columns, 1) * w, w}
	for i := range columns {
		for l := range w {
			v.Data[i*(v.Row+v.Column)+l] = 1
		}
	}
	limits := make([]T, w)
	for l := range limits {
		limits[l] = T(epsilon)
	}
	limits[0] = T(math.Inf(1))
	clone := func(r Rows[T]) Rows[T] { return Rows[T]{slices.Clone(r.Data), r.Row, r.Column} }
	equal := func(what string, lane, rows, columns int, got, want Rows[T]) {
		t.Helper()
		for i := range rows {
			for j := range columns {
				if x, y := got.Data[i*got.Row+j*got.Column+lane], want.Data[i*want.Row+j*want.Column]; x != y {
					t.Fatalf("%s, %d by %d: element (%d, %d) in lane %d is %v, want %v", what, m, n, i, j, lane, x, y)
				}
			}
		}
	}
	symmetric, vectors := clone(a), clone(v)
	for sweep := 0; ; sweep++ {
		before, vBefore := clone(symmetric), clone(vectors)
		rotated := Diagonalise(m, symmetric, columns, vectors, limits)
		for lane := range w {
			want, wantV, bits, limit := one(before, m, n, lane), one(vBefore, m, columns, lane), uint32(0), limits[lane]
			plainDiagonalise(m, want, columns, wantV, []T{limit, limit, limit, limit}, &bits)
			equal("Diagonalise", lane, m, m, symmetric, want)
			equal("its vectors", lane, m, columns, vectors, wantV)
			if rotated>>lane&1 != bits&1 || lane == 0 && bits != 0 {
				t.Fatalf("Diagonalise rotates lanes %b, want %d in lane %d", rotated, bits&1, lane)
			}
		}
		if rotated == 0 {
			break
		}
		if sweep == 20 {
			t.Fatalf("Diagonalise does not converge")
		}
	}
	rows, left := clone(a), clone(v)
	limit := T(8 * epsilon)
	for sweep := 0; ; sweep++ {
		before, leftBefore := clone(rows), clone(left)
		rotated := Orthogonalise(m, n, rows, columns, left, limit)
		for lane := range w {
			want, wantLeft, bits := one(before, m, n, lane), one(leftBefore, m, columns, lane), uint32(0)
			plainOrthogonalise(m, n, want, columns, wantLeft, &limit, &bits)
			equal("Orthogonalise", lane, m, n, rows, want)
			equal("its vectors", lane, m, columns, left, wantLeft)
			if rotated>>lane&1 != bits&1 {
				t.Fatalf("Orthogonalise rotates lanes %b, want %d in lane %d", rotated, bits&1, lane)
			}
		}
		if rotated == 0 {
			break
		}
		if sweep == 30 {
			return // rows of rounding errors
		}
	}
}
