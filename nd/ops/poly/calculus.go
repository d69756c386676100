package poly

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// powers returns the exponents n, …, 1 on the device of p. They are int64, which makes small dtypes wide.
func powers(made *nd.Temporaries, n int, p *nd.Array) *nd.Array {
	return made.Own(nd.ArangeInt(n, 0, -1, nd.ArrayOptions{Device: p.Device()}))
}

// Der returns the m-th derivative of a polynomial in its variable. The exponents are int64: small integers become int64
// and small floats float64, as in NumPy.
//
// Shapes: (n) gives (n-m), or (0) if m is larger than n.
// NumPy: polyder.
func Der(p *nd.Array, m int) *nd.Array {
	const fn nd.Func = "poly.Der"
	fn.Check(p)
	if m < 0 {
		panic(fn.Errorf([]*nd.Array{p}, "derivative %d: want one of order 0 or more", m))
	}
	made := fn.Temporaries(&p)
	defer made.Release()
	y := coefficients(fn, p, p)
	for range min(m, y.Dim(0)) {
		n := y.Dim(0) - 1
		y = ops.Multiply(y.Index(nd.Until(n)), powers(made, n, y))
	}
	return made.Keep(y)
}

// IntOptions are the options of Int.
type IntOptions struct {
	// K holds the constants of integration: one for each integration, in the order of integration, or one for all. Nil
	// means zeros.
	K *nd.Array
}

// Int returns the m-th integral of a polynomial over its variable, with coefficients in float64 or complex128, as in NumPy.
//
// Shapes: (n) gives (n+m).
// NumPy: polyint.
func Int(p *nd.Array, m int, opts ...IntOptions) *nd.Array {
	const fn nd.Func = "poly.Int"
	k := options.Read(fn, opts).K
	fn.Check(p)
	if m < 0 {
		panic(fn.Errorf([]*nd.Array{p}, "integral %d: want one of order 0 or more", m))
	}
	if k != nil {
		fn.Check(p, k)
	}
	made := fn.Temporaries(&p, &k)
	defer made.Release()
	y := coefficients(fn, p, p, k)
	fn.CheckAllocatable(wide(y), m, broadcast.Sum(y.Dim(0), m)) // room for all intermediate integrals
	if k != nil {
		if k = coefficients(fn, k, p, k); k.Dim(0) != 1 && k.Dim(0) != m {
			panic(fn.Errorf([]*nd.Array{p, k}, "%d constants of %d integrations: want as many, or one", k.Dim(0), m))
		}
	}
	for step := range m {
		constant := zeros(made, 1, y)
		if k != nil {
			step = min(step, k.Dim(0)-1)
			constant = k.Index(nd.Span(step, step+1))
		}
		y = ops.Concatenate([]*nd.Array{ops.Divide(y, powers(made, y.Dim(0), y)), constant})
	}
	return made.Keep(y)
}
