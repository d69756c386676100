package compliance

import (
	"errors"
	"math/cmplx"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// What factorisations leave open, such as signs, differs from device to device. So their product must be the matrix, factors
// have the form that they should, and only what is determined must agree with the reference device.

var (
	batches       = [][]int{nil, {1}, {3}, {2, 3}, {0}, {2, 0}}
	matrixShapes  = [][2]int{{1, 1}, {2, 2}, {3, 3}, {5, 3}, {3, 5}, {4, 1}, {1, 4}, {0, 0}, {0, 3}, {3, 0}, {7, 7}, {12, 4}, {4, 12}}
	largeShapes   = [][2]int{{40, 33}, {20, 41}, {50, 50}}
	squares       = []int{0, 1, 2, 3, 5, 8, 17}
	largeSquares  = []int{33, 50}
	factorisables = []dtype.DType{dtype.Float32, dtype.Float64, dtype.Complex64, dtype.Complex128}
)

// overShapes calls test for batches of matrices of many small shapes, and for single large ones.
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

// matrices are the matrices of a batch, each by rows in complex128.
type matrices struct {
	rows, columns int
	all           [][]complex128
}

func (m matrices) at(k, i, j int) complex128 { return m.all[k][i*m.columns+j] }

// read returns what an outcome has in an operand of so many rows and columns.
func (out outcome) read(a *array, rows, columns int) matrices {
	m := matrices{rows: rows, columns: columns}
	places := a.places()
	for k := 0; rows*columns > 0 && k < len(places); k += rows * columns {
		one := make([]complex128, rows*columns)
		for i := range one {
			one[i] = load(a.dtype, elementAt(out.blocks[&a.block[0]], a.dtype, places[k+i])).z
		}
		m.all = append(m.all, one)
	}
	if rows*columns == 0 {
		m.all = make([][]complex128, broadcast.Size(a.Shape[:len(a.Shape)-2]))
	}
	return m
}

// product returns the matrix products, of matrices or their adjoints, one by one.
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

// withDiagonal returns a with its columns multiplied by the elements of vectors.
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

// firstColumns returns the first columns of all matrices.
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

// units are identity matrices.
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

// alike demands that the matrices are equal but for rounding errors of type t.
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

// orthonormal demands that the columns are unit vectors at right angles.
func (s *suite) orthonormal(what string, t dtype.DType, a matrices) {
	s.Helper()
	s.alike(what, t, product(a, a, true, false), units(a, a.columns))
}

// ordered demands that each vector of the batch is in ascending order.
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

// triangular demands zeros below the diagonal, or above it.
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

// realDiagonal demands that no number on the diagonal has an imaginary part.
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

// shapeOf is the shape of a batch's matrices.
func shapeOf(batch []int, rows, columns int) []int {
	return append(append([]int{}, batch...), rows, columns)
}

// output returns an array for a result of matrices, or for one of vectors.
func (s *suite) output(t dtype.DType, batch []int, rows, columns int) *array {
	return s.any(t, shapeOf(batch, rows, columns), wild)
}

func (s *suite) vectorOutput(t dtype.DType, batch []int, n int) *array {
	a := s.any(t, shapeOf(batch, n, 1), wild)
	a.Strides[len(batch)+1] = 0
	return a
}

// matricesOf returns an operand with matrices that make returns, one after the other. Some batches vary along some of
// their axes only.
func (s *suite) matricesOf(t dtype.DType, batch []int, rows, columns int, draw func() []complex128) *array {
	vary := all(len(batch) + 2)
	for k := range batch {
		vary[k] = s.IntN(5) != 0
	}
	a := s.strided(t, shapeOf(batch, rows, columns), vary, wild)
	for k, places := 0, a.places(); rows*columns > 0 && k < len(places); k += rows * columns {
		for i, v := range draw() {
			number{z: v}.store(t, a.pointer(places[k+i]))
		}
	}
	return a
}

// normals returns numbers around 0 of a type.
func (s *suite) normals(t dtype.DType, n int) []complex128 {
	x := make([]complex128, n)
	for i := range x {
		x[i] = tame(s.Rand, t).z
	}
	return x
}

// restored completes, in place, matrices of which one triangle was given, as Hermitian ones.
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

// ofOneTriangle has not-a-numbers in place of what stands above the diagonal, or below it.
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

// both makes a call on the device and on the reference, and checks that nothing but outputs was written.
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

// before is the outcome of doing nothing: what the operands hold at first.
func (c call) before() outcome {
	out := outcome{blocks: map[*byte][]byte{}}
	for _, a := range c.operands() {
		if a != nil {
			out.blocks[&a.block[0]] = a.block
		}
	}
	return out
}

// refused demands that the device says that there is no such factorisation.
func (s *suite) refused(what string, c call) {
	s.Helper()
	var refusal *device.MatrixError
	var unsupported *device.Unsupported
	for _, dev := range []device.Device{s.reference, s.dev} {
		_, err := c.on(dev, dev != s.reference)
		if errors.As(err, &unsupported) {
			s.Skipf("the device has no kernel %s", unsupported.Kernel)
		}
		if !errors.As(err, &refusal) {
			s.Fatalf("%s: the kernel ended with %v, want a *device.MatrixError", what, err)
		}
	}
}
