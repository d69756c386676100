package lanes

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

func TestRoutines(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		for range 60 {
			routines[float32](t, rng, 1e-4)
			routines[float64](t, rng, 1e-12)
		}
	})
}

// routines compares each routine with scalar loops.
func routines[T Float](t *testing.T, rng *rand.Rand, limit float64) {
	draw := func(n int) []T {
		x := make([]T, n)
		for i := range x {
			x[i] = T(rng.NormFloat64())
		}
		return x
	}
	same := func(what string, got, want []T) {
		t.Helper()
		for i, v := range want {
			if !(math.Abs(float64(got[i]-v)) <= limit) && (got[i] == got[i] || v == v) {
				t.Fatalf("%s: element %d is %v, want %v", what, i, got[i], v)
			}
		}
	}
	w := Width[T]()
	rows, columns := rng.IntN(6), rng.IntN(6)
	c := Rows[T]{draw(w * 50), 7 * w, w}
	if rng.IntN(3) == 0 {
		c.Row = 0
	}
	f, u := draw(w*14), Rows[T]{draw(w * 50), w, 7 * w}
	want := append([]T{}, c.Data...)
	for i := range rows {
		for j := range columns {
			for l := range w {
				want[i*c.Row+j*c.Column+l] -= f[2*i*w+l] * u.Data[i*u.Row+j*u.Column+l]
			}
		}
	}
	Subtract(rows, columns, c, f, 2*w, u)
	same("Subtract", c.Data, want)

	length := rng.IntN(50)
	a, row, factors := draw(6*53), draw(50)[:length], draw(20)
	want = append([]T{}, a...)
	for i := range rows {
		for j, v := range row {
			want[i*53+j] -= factors[3*i] * v
		}
	}
	SubtractOuter(rows, a, 53, factors, 3, row)
	same("SubtractOuter", a, want)

	triangle, x, inverses := draw(40*41), draw(40*60), draw(40)
	size, n, tRow, tColumn, xRow, first := rng.IntN(40), rng.IntN(60), 41, 1, 60, 0
	if rng.IntN(2) == 0 {
		tRow, tColumn = tColumn, tRow
	}
	for i := range triangle {
		triangle[i] *= 0.2
	}
	if size > 0 && rng.IntN(2) == 0 {
		first, tRow, tColumn, xRow = size-1, -tRow, -tColumn, -xRow
	}
	t0, x0 := -first*(tRow+tColumn), -first*xRow
	want = append([]T{}, x...)
	plainTriangle(size, n, &triangle[t0], tRow, tColumn, inverses, &want[x0], xRow)
	Triangle(size, n, &triangle[t0], tRow, tColumn, inverses, &x[x0], xRow)
	same("Triangle", x, want)

	y := draw(6 * 60)
	want = append([]T{}, y...)
	plainScale(rows, length, want, 57, x[3], x, 53)
	Scale(rows, length, y, 57, x[3], x, 53)
	same("Scale", y, want)

	row = draw(150)[:rng.IntN(150)]
	if rng.IntN(4) == 0 {
		row = draw(2*piece + 100)
	}
	for range rng.IntN(3) * min(len(row), 1) {
		row[rng.IntN(len(row))] = T([]float64{math.NaN(), 50, -50}[rng.IntN(3)])
	}
	factors, x = draw(8)[:rng.IntN(8)], draw(8*(2*piece+100))
	xRow = len(x) / 8
	want = append([]T{}, row...)
	for i, f := range factors {
		for j := range want {
			want[j] -= f * x[i*xRow+j]
		}
	}
	got := SubtractRows(row, factors, x, xRow)
	same("SubtractRows", row, want)
	largest := 0
	for j, v := range row {
		if most := row[largest]; most == most && !(max(v, -v) <= max(most, -most)) {
			largest = j
		}
	}
	if got != largest {
		t.Fatalf("SubtractRows of %d elements says %d, want %d", len(row), got, largest)
	}
}

// TestFactors compares the factorisations with the plain ones, lane by lane, also of singular matrices and NaN.
func TestFactors(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		for range 60 {
			factors[float32](t, rng, 1e-3)
			factors[float64](t, rng, 1e-11)
		}
	})
}

func FuzzTwins(f *testing.F) {
	f.Add(uint8(1), uint64(1))
	f.Fuzz(func(t *testing.T, level uint8, seed uint64) {
		defer isa.Narrow(level)()
		rng := rand.New(rand.NewPCG(5, seed))
		routines[float32](t, rng, 1e-4)
		routines[float64](t, rng, 1e-12)
		factors[float32](t, rng, 1e-3)
		factors[float64](t, rng, 1e-11)
		jacobi[float32](t, rng, 0x1p-24)
		jacobi[float64](t, rng, 0x1p-53)
	})
}

// one copies a lane of a matrix to all lanes of the plain routines.
func one[T Float](a Rows[T], rows, columns, lane int) Rows[T] {
	y := Rows[T]{make([]T, rows*columns*plainWidth), columns * plainWidth, plainWidth}
	for i := range rows {
		for j := range columns {
			for l := range plainWidth {
				y.Data[i*y.Row+j*y.Column+l] = a.Data[i*a.Row+j*a.Column+lane]
			}
		}
	}
	return y
}

func factors[T Float](t *testing.T, rng *rand.Rand, limit float64) {
	w := Width[T]()
	draw := func(rows, columns int) Rows[T] {
		a := Rows[T]{make([]T, rows*columns*w), columns * w, w}
		if rng.IntN(2) == 0 {
			a.Row, a.Column = w, rows*w
		}
		for i := range a.Data {
			a.Data[i] = T(rng.NormFloat64())
			if rng.IntN(50) == 0 {
				a.Data[i] = 0
			}
		}
		return a
	}
	same := func(what string, rows, columns, lane int, got, want Rows[T]) {
		t.Helper()
		for i := range rows {
			for j := range columns {
				x, v := float64(got.Data[i*got.Row+j*got.Column+lane]), float64(want.Data[i*want.Row+j*want.Column])
				if !(math.Abs(x-v) <= limit*(1+math.Abs(v))) && x != v && (x == x || v == v) {
					t.Fatalf("%s: element (%d, %d) in lane %d is %v, want %v", what, i, j, lane, x, v)
				}
			}
		}
	}
	m, n := 1+rng.IntN(7), 1+rng.IntN(7)
	a := draw(m, n)
	if rng.IntN(3) == 0 {
		a.Data[rng.IntN(len(a.Data))] = T(math.NaN())
	}
	before, pivots := Rows[T]{append([]T{}, a.Data...), a.Row, a.Column}, make([]T, min(m, n)*w)
	columns := rng.IntN(4)
	right, determinants := draw(m, columns), draw(1, 1)
	rightBefore := Rows[T]{append([]T{}, right.Data...), right.Row, right.Column}
	LU(m, n, a, w, pivots, columns, right)
	Determinant(min(m, n), a.Data, a.Row+a.Column, pivots, w, determinants.Data)
	for lane := range w {
		want, wantPivots := one(before, m, n, lane), make([]T, min(m, n)*plainWidth)
		wantRight, wantDeterminants := one(rightBefore, m, columns, lane), make([]T, plainWidth)
		plainLU(m, n, want, plainWidth, wantPivots, columns, wantRight)
		plainDeterminant(min(m, n), want.Data, want.Row+want.Column, wantPivots, plainWidth, wantDeterminants)
		same("LU", m, n, lane, a, want)
		same("exchanged rows", m, columns, lane, right, wantRight)
		same("determinants", 1, 1, lane, determinants, Rows[T]{wantDeterminants, plainWidth, plainWidth})
		same("pivots", min(m, n), 1, lane, Rows[T]{pivots, w, w}, Rows[T]{wantPivots, plainWidth, plainWidth})
	}

	s := draw(n, n)
	for i := range n {
		for lane := range w {
			if v := &s.Data[i*(s.Row+s.Column)+lane]; rng.IntN(20*n) > 0 {
				*v = 4*T(n) + *v
			}
		}
	}
	before = Rows[T]{append([]T{}, s.Data...), s.Row, s.Column}
	isPositive := Cholesky(n, s)
	for lane := range w {
		want, positive := one(before, n, n, lane), uint32(1)
		plainCholesky(n, want, &positive)
		if isPositive>>lane&1 != positive {
			t.Fatalf("lane %d is positive definite: %v, want %v", lane, isPositive>>lane&1, positive)
		}
		for i := range n {
			for j := i + 1; j < n; j++ {
				s.Data[i*s.Row+j*s.Column+lane], want.Data[i*want.Row+j*want.Column] = 0, 0
			}
		}
		same("Cholesky", n, n, lane, s, want)
	}

	for lane := range before.Data {
		before.Data[lane] *= 0.2
	}
	for i := range n {
		for lane := range w {
			before.Data[i*(s.Row+s.Column)+lane] += 1
		}
	}
	x, unit, upper := draw(n, m), rng.IntN(2) == 0, rng.IntN(2) == 0
	xBefore := Rows[T]{append([]T{}, x.Data...), x.Row, x.Column}
	first := func(r Rows[T], columns int) Rows[T] {
		if !upper {
			return r
		}
		from := (n-1)*r.Row + (columns-1)*r.Column
		return Rows[T]{r.Data[from:], -r.Row, -r.Column}
	}
	Substitute(n, m, first(before, n), first(x, m), unit)
	for lane := range w {
		want := one(xBefore, n, m, lane)
		plainSubstitute(n, m, first(one(before, n, n, lane), n), first(want, m), unit)
		same("Substitute", n, m, lane, x, want)
	}
}
