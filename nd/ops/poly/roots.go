package poly

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// FromRoots returns the coefficients of the polynomial Π(x - r) with the given roots and the leading coefficient 1, floats or
// complex numbers. Those of conjugate pairs stay complex numbers, of which ops.Real gives the real parts. numpy.poly.
//
// Shapes: (n) gives (n+1).
func FromRoots(roots *nd.Array) *nd.Array {
	const fn nd.Func = "poly.FromRoots"
	fn.Check(roots)
	made := fn.Temporaries(&roots)
	defer made.Release()
	r := coefficients(fn, roots, roots)
	r = r.AsType(inexact(r))
	none := zeros(made, 1, r)
	y := made.Own(nd.OnesLike(none))
	for _, root := range ops.Unstack(r) {
		y = ops.Subtract(ops.Concatenate([]*nd.Array{y, none}), ops.Multiply(ops.Concatenate([]*nd.Array{none, y}), root))
	}
	return made.Keep(y)
}

// Roots returns the roots of a polynomial with real coefficients as complex numbers, ordered by their real, then by their
// imaginary parts: the eigenvalues of its companion matrix, found on the host. The gradient is that of simple roots, and is
// left out of others. numpy.roots, which returns them in another order, and as real numbers where all are.
//
// Shapes: (n) gives (k), where k is the degree: n-1 less the number of leading zeros.
func Roots(p *nd.Array) *nd.Array {
	const fn nd.Func = "poly.Roots"
	fn.Check(p)
	made := fn.Temporaries(&p)
	defer made.Release()
	c := coefficients(fn, p, p)
	if c.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{p}, "complex coefficients are not supported: there are no eigenvalues of general complex matrices"))
	}
	t := inexact(c)
	c = c.AsType(t)
	fn.CheckRoom(dtype.Float64, c.Dim(0), c.Dim(0))
	given := nd.ToSlice[float64](c.Detach().AsType(dtype.Float64))
	if slices.ContainsFunc(given, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		panic(fn.Errorf([]*nd.Array{p}, "a coefficient is infinite or not a number"))
	}
	roots, ok := companionRoots(given)
	if !ok {
		panic(fn.Errorf([]*nd.Array{p}, "the eigenvalues of the companion matrix were not found"))
	}
	made64 := nd.FromSliceOn(c.Device(), roots)
	y := made64.AsType(t.Complex())
	if y != made64 {
		made64.Release()
	}
	fn.Record(rootsOp{}, []*nd.Array{c}, y)
	return y
}

// companionRoots finds the roots of what is left without leading and trailing zeros; each trailing zero is a root 0.
func companionRoots(p []float64) (roots []complex128, ok bool) {
	notZero := func(v float64) bool { return v != 0 }
	first := slices.IndexFunc(p, notZero)
	if first < 0 {
		return []complex128{}, true
	}
	p = p[first:]
	roots = make([]complex128, 0, len(p)-1)
	for p[len(p)-1] == 0 {
		p, roots = p[:len(p)-1], append(roots, 0)
	}
	if n := len(p) - 1; n > 0 {
		a := blas64.General{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)}
		for k := range n {
			a.Data[k] = -p[k+1] / p[0]
			if k > 0 {
				a.Data[k*n+k-1] = 1
			}
		}
		re, im := make([]float64, n), make([]float64, n)
		none := blas64.General{Rows: n, Cols: n, Stride: n}
		size := []float64{0}
		lapack64.Geev(lapack.LeftEVNone, lapack.RightEVNone, a, re, im, none, none, size, -1)
		work := make([]float64, int(size[0]))
		if lapack64.Geev(lapack.LeftEVNone, lapack.RightEVNone, a, re, im, none, none, work, len(work)) != 0 {
			return nil, false
		}
		for k := range re {
			roots = append(roots, complex(re[k], im[k]))
		}
	}
	slices.SortFunc(roots, func(a, b complex128) int {
		return cmp.Or(cmp.Compare(real(a), real(b)), cmp.Compare(imag(a), imag(b)))
	})
	return roots, true
}

// rootsOp has the coefficients and the roots.
type rootsOp struct{}

func (rootsOp) Claims() nd.Claims { return nd.Claims{In: 1, Out: 1} }

// VJP follows from p(r) = 0: a change of the coefficient of xᵏ moves the root by -rᵏ/p'(r).
func (rootsOp) VJP(c *nd.Call) {
	fn := c.Func()
	p, r := c.In(0), c.Out(0)
	made := fn.Temporaries(&p, &r)
	defer made.Release()
	slope := val(made, Der(p, 1), r)
	multiple := ops.Equal(slope.Detach(), nd.Scalar(0))
	g := ops.Divide(c.Gy(0), ops.Conj(ops.Where(multiple, nd.Scalar(1), slope)))
	g = ops.Negative(ops.Where(multiple, nd.Scalar(0), g))
	c.SetGx(0, made.Keep(ops.Real(ops.VecMat(g, vander(made, r, p.Dim(0))))))
}

// vander has the powers of the points, the highest of n first, as rows.
func vander(made *nd.Temporaries, x *nd.Array, n int) *nd.Array {
	columns := make([]*nd.Array, n)
	for k := n - 1; k >= 0; k-- {
		if k == n-1 {
			columns[k] = made.Own(nd.OnesLike(x))
		} else {
			columns[k] = ops.Multiply(columns[k+1], x)
		}
	}
	return ops.Stack(columns, ops.Over(-1))
}
