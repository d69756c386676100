package blas

import (
	"fmt"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// draw returns a matrix of random numbers, with contiguous rows or columns that do not lie one after another.
func draw[T Number](rng *rand.Rand, rows, columns int, across bool) Matrix[T] {
	a := Matrix[T]{Rows: rows, Columns: columns, Line: columns + 3, Step: 1}
	if across {
		a.Line, a.Step = 1, rows+2
	}
	a.Data = make([]T, (rows+3)*(columns+3))
	for i := range a.Data {
		a.Data[i] = Complex[T](rng.NormFloat64(), rng.NormFloat64())
	}
	return a
}

func wide[T Number](x T) complex128 { return complex(Parts(x)) }

// values returns the elements in complex128, conjugated if conj is set.
func values[T Number](a Matrix[T], conj bool) [][]complex128 {
	y := make([][]complex128, a.Rows)
	for i := range y {
		y[i] = make([]complex128, a.Columns)
		for j := range y[i] {
			if y[i][j] = wide(*a.At(i, j)); conj {
				y[i][j] = cmplx.Conj(y[i][j])
			}
		}
	}
	return y
}

func product128(a, b [][]complex128, columns int) [][]complex128 {
	y := make([][]complex128, len(a))
	for i := range y {
		y[i] = make([]complex128, columns)
		for k, v := range a[i] {
			for j := range y[i] {
				y[i][j] += v * b[k][j]
			}
		}
	}
	return y
}

// forTypes runs a test for each element type at every instruction level.
func forTypes(t *testing.T, r32, r64, c64, c128 func(t *testing.T)) {
	twin.Levels(t, func(t *testing.T) {
		t.Run("float32", r32)
		t.Run("float64", r64)
		t.Run("complex64", c64)
		t.Run("complex128", c128)
	})
}

func TestAddProduct(t *testing.T) {
	forTypes(t, addProduct[float32], addProduct[float64], addProduct[complex64], addProduct[complex128])
}

func addProduct[T Number](t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 150 {
		m, n, k := rng.IntN(40), rng.IntN(40), rng.IntN(40)
		if rng.IntN(4) == 0 {
			n = rng.IntN(3)
		}
		a, b, c := draw[T](rng, m, k, rng.IntN(2) == 0), draw[T](rng, k, n, rng.IntN(2) == 0), draw[T](rng, m, n, rng.IntN(2) == 0)
		form := Form(rng.IntN(4))
		alpha := []T{1, -1, Complex[T](0.5, -2)}[rng.IntN(3)]
		want, sum := values(c, false), product128(values(a, form&ConjugateLeft != 0), values(b, form&ConjugateRight != 0), n)
		outside := append([]T{}, c.Data...)
		AddProduct(c, alpha, a, b, form)
		for i := range m {
			for j := range n {
				want := want[i][j] + wide(alpha)*sum[i][j]
				if got := wide(*c.At(i, j)); !(cmplx.Abs(got-want) <= 100*Epsilon[T]()*float64(k+1)) {
					t.Fatalf("(%d, %d, %d), form %d, alpha %v: element (%d, %d) is %v, want %v", m, n, k, form, alpha, i, j, got, want)
				}
				outside[i*c.Line+j*c.Step] = *c.At(i, j)
			}
		}
		for i, v := range outside {
			if c.Data[i] != v {
				t.Fatalf("(%d, %d, %d): a number outside the matrix was written", m, n, k)
			}
		}
	}
}

func TestSubstitute(t *testing.T) {
	forTypes(t, substitution[float32], substitution[float64], substitution[complex64], substitution[complex128])
}

func substitution[T Number](t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 150 {
		n, columns := rng.IntN(70), rng.IntN(20)
		triangle, x := draw[T](rng, n, n, rng.IntN(2) == 0), draw[T](rng, n, columns, rng.IntN(2) == 0)
		form := Form(rng.IntN(16)) &^ ConjugateRight
		for i := range n {
			for j := range n {
				switch isRead := i == j && form&UnitDiagonal == 0 || i != j && j > i == (form&Upper != 0); {
				case !isRead:
					*triangle.At(i, j) = Complex[T](cmplxNaN())
				case i == j:
					*triangle.At(i, j) += Real[T](9)
				default:
					*triangle.At(i, j) *= Real[T](0.2)
				}
			}
		}
		before := values(x, false)
		right := rng.IntN(2) == 0
		if right {
			x, before = x.Transpose(), values(x.Transpose(), false)
			SubstituteRight(x, triangle, form)
		} else {
			Substitute(triangle, x, form)
		}
		read := values(triangle, form&ConjugateLeft != 0)
		for i := range n {
			for j := range n {
				switch {
				case i == j && form&UnitDiagonal != 0:
					read[i][j] = 1
				case i != j && j > i != (form&Upper != 0):
					read[i][j] = 0
				}
			}
		}
		var got [][]complex128
		if right {
			got = product128(values(x, false), read, n)
		} else {
			got = product128(read, values(x, false), columns)
		}
		for i := range got {
			for j, v := range got[i] {
				if !(cmplx.Abs(v-before[i][j]) <= 1000*Epsilon[T]()) {
					t.Fatalf("%d rows, %d columns, form %d, right %v: element (%d, %d) of the product is %v, want %v", n, columns, form, right, i, j, v, before[i][j])
				}
			}
		}
	}
}

func cmplxNaN() (re, im float64) { return real(cmplx.NaN()), imag(cmplx.NaN()) }

func TestVectors(t *testing.T) {
	forTypes(t, vectors[float32], vectors[float64], vectors[complex64], vectors[complex128])
}

func vectors[T Number](t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := range 40 {
		x, y := draw[T](rng, 1, n, false).Data[:n], draw[T](rng, 1, n, false).Data[:n]
		alpha := Complex[T](1.5, 2)
		var want complex128
		for i := range x {
			want += cmplx.Conj(wide(x[i])) * wide(y[i])
		}
		limit := 200 * Epsilon[T]()
		if got := wide(Dot(x, y)); !(cmplx.Abs(got-want) <= limit) {
			t.Errorf("the inner product of %d numbers is %v, want %v", n, got, want)
		}
		sum, scaled, divided := append([]T{}, y...), make([]T, n), append([]T{}, x...)
		Axpy(sum, alpha, x)
		Scale(scaled, alpha, x)
		Divide(divided, alpha)
		for i := range x {
			for what, pair := range map[string][2]complex128{
				"sum": {wide(sum[i]), wide(y[i]) + wide(alpha)*wide(x[i])}, "product": {wide(scaled[i]), wide(alpha) * wide(x[i])},
				"quotient": {wide(divided[i]), wide(x[i]) / wide(alpha)},
			} {
				if !(cmplx.Abs(pair[0]-pair[1]) <= limit) {
					t.Errorf("element %d of the %s is %v, want %v", i, what, pair[0], pair[1])
				}
			}
		}
	}
}

// TestProductsDoNotDependOnWorkers multiplies large matrices.
func TestProductsDoNotDependOnWorkers(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, shape := range [][3]int{{300, 200, 64}, {700, 5, 300}, {1, 900, 400}, {500, 500, 8}} {
		a, b, c := draw[float64](rng, shape[0], shape[2], false), draw[float64](rng, shape[2], shape[1], true), draw[float64](rng, shape[0], shape[1], false)
		var want string
		for _, count := range []int{1, 2, 3, 7} {
			workers.With(count, func() {
				y := c
				y.Data = append([]float64{}, c.Data...)
				AddProduct(y, -1, a, b, 0)
				if got := fmt.Sprint(y.Data); want == "" {
					want = got
				} else if got != want {
					t.Errorf("%v: %d workers give another result than one", shape, count)
				}
			})
		}
	}
}
