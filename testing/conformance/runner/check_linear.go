package runner

import (
	"fmt"
	"math/cmplx"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// matrix is one matrix on the host.
type matrix struct {
	rows, cols int
	data       []complex128
}

// matricesOf splits a stack of matrices.
func matricesOf(x *nd.Array) []matrix {
	shape := x.Shape()
	m := matrix{rows: shape[len(shape)-2], cols: shape[len(shape)-1]}
	e := compare.ElementsOf(x)
	count := 1
	for _, n := range shape[:len(shape)-2] {
		count *= n
	}
	all := make([]matrix, count)
	for k := range all {
		all[k] = matrix{m.rows, m.cols, make([]complex128, m.rows*m.cols)}
		for i := range all[k].data {
			all[k].data[i] = e.ComplexAt(k*m.rows*m.cols + i)
		}
	}
	return all
}

// diagonals returns matrices with the vectors of x on their diagonals.
func diagonals(x *nd.Array, rows, cols int) []matrix {
	shape := x.Shape()
	n := shape[len(shape)-1]
	e := compare.ElementsOf(x)
	count := 1
	for _, d := range shape[:len(shape)-1] {
		count *= d
	}
	all := make([]matrix, count)
	for k := range all {
		all[k] = matrix{rows, cols, make([]complex128, rows*cols)}
		for i := range n {
			all[k].data[i*cols+i] = e.ComplexAt(k*n + i)
		}
	}
	return all
}

func (a matrix) times(b matrix) matrix {
	c := matrix{a.rows, b.cols, make([]complex128, a.rows*b.cols)}
	for i := range a.rows {
		for j := range b.cols {
			for k := range a.cols {
				c.data[i*c.cols+j] += a.data[i*a.cols+k] * b.data[k*b.cols+j]
			}
		}
	}
	return c
}

func (a matrix) adjoint() matrix {
	b := matrix{a.cols, a.rows, make([]complex128, len(a.data))}
	for i := range a.rows {
		for j := range a.cols {
			b.data[j*b.cols+i] = cmplx.Conj(a.data[i*a.cols+j])
		}
	}
	return b
}

func identity(n int) matrix {
	a := matrix{n, n, make([]complex128, n*n)}
	for i := range n {
		a.data[i*n+i] = 1
	}
	return a
}

// near returns an error unless got equals want; the tolerance of each element is that of the largest.
func near(tol compare.Tolerance, what string, got, want matrix) error {
	if got.rows != want.rows || got.cols != want.cols {
		return fmt.Errorf("%s: %d×%d, want %d×%d", what, got.rows, got.cols, want.rows, want.cols)
	}
	largest := 0.0
	for _, v := range want.data {
		largest = max(largest, cmplx.Abs(v))
	}
	for i := range want.data {
		if d := cmplx.Abs(got.data[i] - want.data[i]); !(d <= tol.ATol+tol.RTol*largest) {
			return fmt.Errorf("%s: %s is %v, want %v", what, compare.Position(i, []int{want.rows, want.cols}), got.data[i], want.data[i])
		}
	}
	return nil
}

// orthonormal returns an error unless the columns of all matrices are orthonormal.
func orthonormal(tol compare.Tolerance, what string, x *nd.Array) error {
	for _, q := range matricesOf(x) {
		if err := near(tol, "the columns of "+what+" are not orthonormal", q.adjoint().times(q), identity(q.cols)); err != nil {
			return err
		}
	}
	return nil
}

// shapesMatch compares the shapes of the results with the expected ones.
func (t *trial) shapesMatch(c *golden.Case) ([]*nd.Array, error) {
	shapes, _ := expected(c, "shapes").(golden.List)
	xs, err := t.resultArrays(len(shapes))
	if err != nil {
		return nil, err
	}
	for i, want := range shapes {
		if !equalValue(compare.Tolerance{}, xs[i].Shape(), want) {
			return nil, fmt.Errorf("result %d has shape %v, want %v", i, xs[i].Shape(), catalogue.Describe(want))
		}
	}
	return xs, nil
}

// output compares a result with the only array in outputs.
func (t *trial) output(c *golden.Case, tol compare.Tolerance, got *nd.Array) error {
	want, err := t.file.Array(c.Outputs[0])
	if err != nil {
		return err
	}
	return tol.Compare(got, want)
}

// checkQR checks that Q has orthonormal columns and QR is a, and compares |R|, which is unique.
func (t *trial) checkQR(c *golden.Case, tol compare.Tolerance) error {
	xs, err := t.shapesMatch(c)
	if err != nil {
		return err
	}
	want, err := t.file.Array(c.Outputs[0])
	if err != nil {
		return err
	}
	upper := xs[len(xs)-1]
	if upper.DType() != want.DType() {
		return fmt.Errorf("dtype of R: %s, want %s", upper.DType(), want.DType())
	}
	got := matricesOf(upper)
	for k, m := range matricesOf(want) {
		for i, v := range got[k].data {
			got[k].data[i] = complex(cmplx.Abs(v), 0)
		}
		if err := near(tol, "|R|", got[k], m); err != nil {
			return err
		}
	}
	if len(xs) == 1 {
		return nil
	}
	if err := orthonormal(tol, "Q", xs[0]); err != nil {
		return err
	}
	return t.product(c, tol, "QR", matricesOf(xs[0]), matricesOf(upper))
}

// product returns an error unless the product of factors is the argument a.
func (t *trial) product(c *golden.Case, tol compare.Tolerance, what string, factors ...[]matrix) error {
	a, err := t.argument(c, "a")
	if err != nil {
		return err
	}
	for k, want := range matricesOf(a) {
		got := factors[0][k]
		for _, f := range factors[1:] {
			got = got.times(f[k])
		}
		if err := near(tol, what, got, want); err != nil {
			return err
		}
	}
	return nil
}

// checkSVD checks that u has orthonormal columns, v has orthonormal rows and u·diag(s)·v is a, and compares s, which is
// unique.
func (t *trial) checkSVD(c *golden.Case, tol compare.Tolerance) error {
	xs, err := t.shapesMatch(c)
	if err != nil {
		return err
	}
	names, _ := expected(c, "names").(golden.List)
	s := slices.Index(names, golden.Value("s"))
	if s < 0 || s >= len(xs) {
		return fmt.Errorf("the case names no s")
	}
	if err := t.output(c, tol, xs[s]); err != nil {
		return fmt.Errorf("s: %w", err)
	}
	if len(xs) == 1 {
		return nil
	}
	u, v := xs[0], xs[2]
	if err := orthonormal(tol, "u", u); err != nil {
		return err
	}
	if err := orthonormal(tol, "v's transpose", v.T()); err != nil {
		return err
	}
	return t.product(c, tol, "u·diag(s)·v", matricesOf(u), diagonals(xs[s], u.Dim(-1), v.Dim(-2)), matricesOf(v))
}

// checkEigh checks that v has orthonormal columns and v·diag(w)·vᴴ is a, and compares w, which is unique.
func (t *trial) checkEigh(c *golden.Case, tol compare.Tolerance) error {
	xs, err := t.resultArrays(2)
	if err != nil {
		return err
	}
	w, v := xs[0], xs[1]
	if err := t.output(c, tol, w); err != nil {
		return fmt.Errorf("eigenvalues: %w", err)
	}
	if err := orthonormal(tol, "v", v); err != nil {
		return err
	}
	vs := matricesOf(v)
	adjoints := make([]matrix, len(vs))
	for k := range vs {
		adjoints[k] = vs[k].adjoint()
	}
	return t.product(c, tol, "v·diag(w)·vᴴ", vs, diagonals(w, v.Dim(-1), v.Dim(-1)), adjoints)
}
