package poly

import (
	"cmp"
	"math/cmplx"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
)

// FromRoots returns the coefficients of the polynomial Π(x - r) with the given roots and the leading coefficient 1, as
// floats or complex numbers. The coefficients for conjugate pairs stay complex; ops.Real returns their real parts.
//
// Shapes: (n) gives (n+1).
// NumPy: poly.
func FromRoots(roots *nd.Array) *nd.Array {
	const fn nd.Func = "poly.FromRoots"
	fn.Check(roots)
	made := fn.Temporaries(&roots)
	defer made.Release()
	r := coefficients(fn, roots, roots)
	r = r.AsType(dtype.MeanType(r.DType()))
	none := zeros(made, 1, r)
	y := made.Own(nd.OnesLike(none))
	for _, root := range ops.Unstack(r) {
		y = ops.Subtract(ops.Concatenate([]*nd.Array{y, none}), ops.Multiply(ops.Concatenate([]*nd.Array{none, y}), root))
	}
	return made.Keep(y)
}

// Roots returns the roots of a polynomial as complex numbers, ordered by their real parts, then by their imaginary
// parts: the eigenvalues of its companion matrix, computed on the host. Gradients flow from simple roots; multiple
// roots contribute none. NumPy's roots returns them in another order, and as real numbers if all are real.
//
// Shapes: (n) gives (k), where k is the degree: n-1 minus the number of leading zeros.
// NumPy: roots.
func Roots(p *nd.Array) *nd.Array {
	const fn nd.Func = "poly.Roots"
	fn.Check(p)
	made := fn.Temporaries(&p)
	defer made.Release()
	c := coefficients(fn, p, p)
	t := dtype.MeanType(c.DType())
	c = c.AsType(t)
	fn.CheckAllocatable(dtype.Complex128, c.Dim(0), c.Dim(0))
	given := nd.ToSlice[complex128](c.Detach().AsType(dtype.Complex128))
	if slices.ContainsFunc(given, func(v complex128) bool { return cmplx.IsNaN(v) || cmplx.IsInf(v) }) {
		panic(fn.Errorf([]*nd.Array{p}, "a coefficient is infinite or NaN"))
	}
	found := nd.FromSliceOn(c.Device(), companionRoots(given, t.IsComplex()))
	y := found.AsType(t.Complex())
	if y != found {
		found.Release()
	}
	fn.Record(rootsOp{}, []*nd.Array{c}, y)
	return fn.Made(y)
}

// companionRoots returns the roots after removing leading and trailing zeros; each trailing zero is a root 0.
func companionRoots(p []complex128, isComplex bool) []complex128 {
	notZero := func(v complex128) bool { return v != 0 }
	first := slices.IndexFunc(p, notZero)
	if first < 0 {
		return []complex128{}
	}
	p = p[first:]
	roots := make([]complex128, 0, len(p)-1)
	for p[len(p)-1] == 0 {
		p, roots = p[:len(p)-1], append(roots, 0)
	}
	if n := len(p) - 1; n > 0 {
		companion := make([]complex128, n*n)
		for k := range n {
			companion[k] = -p[k+1] / p[0]
			if k > 0 {
				companion[k*n+k-1] = 1
			}
		}
		a := nd.FromSlice(companion, n, n)
		if !isComplex {
			whole := a
			a = ops.Real(whole)
			whole.Release()
		}
		w := linalg.Eigvals(a)
		roots = append(roots, nd.ToSlice[complex128](w)...)
		a.Release()
		w.Release()
	}
	slices.SortFunc(roots, func(a, b complex128) int {
		return cmp.Or(cmp.Compare(real(a), real(b)), cmp.Compare(imag(a), imag(b)))
	})
	return roots
}

// rootsOp records the coefficients and the roots.
type rootsOp struct{}

func (rootsOp) Claims() nd.Claims { return nd.Claims{In: 1, Out: 1} }

// VJP follows from p(r) = 0: a change of the coefficient of xᵏ moves the root by -rᵏ/p'(r).
func (rootsOp) VJP(c *nd.Call) {
	fn := c.Func()
	p, r := c.In(0), c.Out(0)
	made := fn.Temporaries(&p, &r)
	defer made.Release()
	slope := val(made, Der(p, 1), r)
	multiple := ops.Equal(slope.Detach(), 0)
	g := ops.Divide(c.Gy(0), ops.Conj(ops.Where(multiple, 1, slope)))
	g = ops.Negative(ops.Where(multiple, 0, g))
	gp := ops.VecMat(g, vander(made, r, p.Dim(0))) // its conjugate is the gradient
	if p.DType().IsComplex() {
		gp = ops.Conj(gp)
	} else {
		gp = ops.Real(gp)
	}
	c.SetGx(0, made.Keep(gp))
}

// vander returns the powers of the points as rows, the highest of n powers first.
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
