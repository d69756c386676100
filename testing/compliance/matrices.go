package compliance

import (
	"errors"
	"math/cmplx"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Factorisations are not unique: signs, for example, differ between devices. Therefore the product of the factors must
// be the matrix, the factors must have the required form, and only what is determined must agree with the reference
// device.

var (
	batches       = [][]int{nil, {1}, {3}, {2, 3}, {0}, {2, 0}}
	matrixShapes  = [][2]int{{1, 1}, {2, 2}, {3, 3}, {5, 3}, {3, 5}, {4, 1}, {1, 4}, {0, 0}, {0, 3}, {3, 0}, {7, 7}, {12, 4}, {4, 12}}
	largeShapes   = [][2]int{{40, 33}, {20, 41}, {50, 50}}
	squares       = []int{0, 1, 2, 3, 5, 8, 17}
	largeSquares  = []int{33, 50}
	factorisables = []dtype.DType{dtype.Float32, dtype.Float64, dtype.Complex64, dtype.Complex128}
)

// overShapes calls test for batches of matrices with many small shapes, and for single large ones.
func overShapes(test func(batch []int, m, n int)) {
	for _, batch := range batches {
		for _, shape := range matrixShapes {
			test(batch, shape[0], shape[1])
		}
	}
	for _, shape := range largeShapes {
		test(nil, shape[0], shape[1])
	}
}

// overSquares is overShapes for square matrices.
func overSquares(test func(batch []int, n int)) {
	for _, batch := range batches {
		for _, n := range squares {
			test(batch, n)
		}
	}
	for _, n := range largeSquares {
		test(nil, n)
	}
}

// matrices holds the matrices of a batch, each in row-major order in complex128.
type matrices struct {
	rows, columns int
	all           [][]complex128
}

func (m matrices) at(k, i, j int) complex128 { return m.all[k][i*m.columns+j] }

// read returns the matrices in an operand of an outcome, with the given numbers of rows and columns.
func (out outcome) read(a *array, rows, columns int) matrices {
	m := matrices{rows: rows, columns: columns}
	offsets := a.offsets()
	for k := 0; rows*columns > 0 && k < len(offsets); k += rows * columns {
		one := make([]complex128, rows*columns)
		for i := range one {
			one[i] = load(a.dtype, elementAt(out.blocks[&a.block[0]], a.dtype, offsets[k+i])).z
		}
		m.all = append(m.all, one)
	}
	if rows*columns == 0 {
		m.all = make([][]complex128, broadcast.Size(a.Shape[:len(a.Shape)-2]))
	}
	return m
}

// product returns the products of matrices or of their adjoints, pair by pair.
func product(a, b matrices, adjointA, adjointB bool) matrices {
	if adjointA {
		a = adjoint(a)
	}
	if adjointB {
		b = adjoint(b)
	}
	y := matrices{rows: a.rows, columns: b.columns}
	for k := range a.all {
		one := make([]complex128, a.rows*b.columns)
		for i := range a.rows {
			for j := range b.columns {
				for l := range a.columns {
					one[i*b.columns+j] += a.at(k, i, l) * b.at(k, l, j)
				}
			}
		}
		y.all = append(y.all, one)
	}
	return y
}

func transpose(a matrices) matrices {
	t := matrices{rows: a.columns, columns: a.rows}
	for k := range a.all {
		one := make([]complex128, len(a.all[k]))
		for i := range a.rows {
			for j := range a.columns {
				one[j*a.rows+i] = a.at(k, i, j)
			}
		}
		t.all = append(t.all, one)
	}
	return t
}

func adjoint(a matrices) matrices {
	t := transpose(a)
	for _, one := range t.all {
		for i, v := range one {
			one[i] = cmplx.Conj(v)
		}
	}
	return t
}

// withDiagonal returns a with its columns multiplied by the elements of diagonal.
func withDiagonal(a, diagonal matrices) matrices {
	y := matrices{rows: a.rows, columns: a.columns}
	for k := range a.all {
		one := slices.Clone(a.all[k])
		for i := range one {
			one[i] *= diagonal.all[k][i%a.columns]
		}
		y.all = append(y.all, one)
	}
	return y
}

// firstColumns returns the first columns of every matrix.
func firstColumns(a matrices, columns int) matrices {
	y := matrices{rows: a.rows, columns: columns}
	for k := range a.all {
		var one []complex128
		for i := range a.rows {
			one = append(one, a.all[k][i*a.columns:i*a.columns+columns]...)
		}
		y.all = append(y.all, one)
	}
	return y
}

func magnitudes(a matrices) matrices {
	y := matrices{rows: a.rows, columns: a.columns}
	for k := range a.all {
		one := slices.Clone(a.all[k])
		for i := range one {
			one[i] = complex(cmplx.Abs(one[i]), 0)
		}
		y.all = append(y.all, one)
	}
	return y
}

// units returns identity matrices.
func units(like matrices, n int) matrices {
	y := matrices{rows: n, columns: n}
	for range like.all {
		one := make([]complex128, n*n)
		for i := range n {
			one[i*n+i] = 1
		}
		y.all = append(y.all, one)
	}
	return y
}

// alike requires that the matrices are equal within rounding errors of type t.
func (s *suite) alike(what string, t dtype.DType, got, want matrices) {
	s.Helper()
	if got.rows != want.rows || got.columns != want.columns || len(got.all) != len(want.all) {
		s.Fatalf("%s: %d matrices of %d rows and %d columns, want %d of %d and %d", what,
			len(got.all), got.rows, got.columns, len(want.all), want.rows, want.columns)
	}
	for k := range want.all {
		size := 1.0
		for _, v := range want.all[k] {
			if !cmplx.IsInf(v) {
				size = max(size, cmplx.Abs(v))
			}
		}
		limit := 40 * epsilon(t) * size * float64(max(want.rows, want.columns, 4))
		for i, v := range want.all[k] {
			if x := got.all[k][i]; !equal(t, x, v, i) && !(cmplx.Abs(x-v) <= limit) {
				s.Fatalf("%s: element (%d, %d) of matrix %d is %g, want %g (within %g)", what, i/want.columns, i%want.columns, k, x, v, limit)
			}
		}
	}
}

// orthonormal requires that the columns are orthogonal unit vectors.
func (s *suite) orthonormal(what string, t dtype.DType, a matrices) {
	s.Helper()
	s.alike(what, t, product(a, a, true, false), units(a, a.columns))
}

// ordered requires that each vector of the batch is in ascending order, or in descending order.
func (s *suite) ordered(what string, a matrices, descending bool) {
	s.Helper()
	for _, one := range a.all {
		for i := 1; i < len(one); i++ {
			if one[i-1] != one[i] && real(one[i-1]) > real(one[i]) != descending {
				s.Fatalf("%s are out of order: %v", what, one)
			}
		}
	}
}

// triangular requires zeros below the diagonal, or above it.
func (s *suite) triangular(what string, a matrices, upper bool) {
	s.Helper()
	for k := range a.all {
		for i := range a.rows {
			for j := range a.columns {
				if (upper && j < i || !upper && j > i) && a.at(k, i, j) != 0 {
					s.Fatalf("%s: element (%d, %d) of matrix %d is %g, want 0", what, i, j, k, a.at(k, i, j))
				}
			}
		}
	}
}

// realDiagonal requires that the diagonals are real.
func (s *suite) realDiagonal(what string, a matrices) {
	s.Helper()
	for k := range a.all {
		for i := range min(a.rows, a.columns) {
			if imag(a.at(k, i, i)) != 0 {
				s.Fatalf("%s: element (%d, %d) of matrix %d is %g, want a real number", what, i, i, k, a.at(k, i, i))
			}
		}
	}
}

// shapeOf returns the shape of the matrices of a batch.
func shapeOf(batch []int, rows, columns int) []int {
	return append(append([]int{}, batch...), rows, columns)
}

// output returns an array for a result that is matrices or vectors.
func (s *suite) output(t dtype.DType, batch []int, rows, columns int) *array {
	return s.any(t, shapeOf(batch, rows, columns), wild)
}

func (s *suite) vectorOutput(t dtype.DType, batch []int, n int) *array {
	a := s.any(t, shapeOf(batch, n, 1), wild)
	a.Strides[len(batch)+1] = 0
	return a
}

// matricesOf returns an operand with the matrices that draw returns, one after the other. Some batches vary along only
// some of their axes.
func (s *suite) matricesOf(t dtype.DType, batch []int, rows, columns int, draw func() []complex128) *array {
	vary := all(len(batch) + 2)
	for k := range batch {
		vary[k] = s.IntN(5) != 0
	}
	a := s.strided(t, shapeOf(batch, rows, columns), vary, wild)
	for k, offsets := 0, a.offsets(); rows*columns > 0 && k < len(offsets); k += rows * columns {
		for i, v := range draw() {
			number{z: v}.store(t, a.pointer(offsets[k+i]))
		}
	}
	return a
}

// normals returns normally distributed numbers of a type.
func (s *suite) normals(t dtype.DType, n int) []complex128 {
	x := make([]complex128, n)
	for i := range x {
		x[i] = tame(s.Rand, t).z
	}
	return x
}

// restored completes matrices of which one triangle is given to Hermitian matrices, in place.
func restored(a matrices, upper bool) matrices {
	for k := range a.all {
		for i := range a.rows {
			for j := range a.columns {
				if j != i && j > i != upper {
					a.all[k][i*a.columns+j] = cmplx.Conj(a.at(k, j, i))
				}
			}
			a.all[k][i*a.columns+i] = complex(real(a.at(k, i, i)), 0)
		}
	}
	return a
}

// ofOneTriangle replaces the elements above or below the diagonal by NaN.
func ofOneTriangle(a []complex128, n int, upper bool) []complex128 {
	a = slices.Clone(a)
	for i := range n {
		for j := range n {
			if j != i && j > i != upper {
				a[i*n+j] = cmplx.NaN()
			}
		}
	}
	return a
}

// both makes a call on the device and on the reference device, and checks that only outputs were written.
func (s *suite) both(c call) (got, want outcome) {
	s.Helper()
	if s.settings != nil {
		s.checkSettings(c, "a factorisation")
	}
	got, want = s.launch(s.dev, c), s.launch(s.reference, c)
	if message := c.compare(got, got, -1, -1); message != "" {
		s.Fatalf("%s\n%s", message, c)
	}
	return got, want
}

// before is the outcome of no call: the initial content of the operands.
func (c call) before() outcome {
	out := outcome{blocks: map[*byte][]byte{}}
	for _, a := range c.operands() {
		if a != nil {
			out.blocks[&a.block[0]] = a.block
		}
	}
	return out
}

// refused requires that the device reports that the factorisation does not exist.
func (s *suite) refused(what string, c call) {
	s.Helper()
	var refusal *device.MatrixError
	var unsupported *device.Unsupported
	for _, dev := range []device.Device{s.reference, s.dev} {
		_, err := c.runOn(dev, dev != s.reference)
		if errors.As(err, &unsupported) {
			s.Skipf("the device has no kernel %s", unsupported.Kernel)
		}
		if !errors.As(err, &refusal) {
			s.Fatalf("%s: the kernel ended with %v, want a *device.MatrixError", what, err)
		}
	}
}
