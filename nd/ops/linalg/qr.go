package linalg

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// QRMode chooses the shapes of the results of QR.
type QRMode string

const (
	QRReduced  QRMode = "reduced"  // q has as many columns as r has rows that are not 0
	QRComplete QRMode = "complete" // q is square
)

// QROptions are the options of QR.
type QROptions struct {
	// Mode chooses the shapes; the default is QRReduced.
	Mode QRMode
}

// QR returns q with orthonormal columns and upper triangular r with q·r = a; the diagonal of r is real. [QRTriangle]
// and [QRReflectors] are the other modes.
//
// The gradient is that of matrices of full rank. A complete q may have more columns than a; only the space of the extra
// columns is determined, and a gradient that needs more than the space panics.
//
// Shapes: (…, m, n) gives (…, m, k) and (…, k, n), where k is the smaller of m and n, or m with mode complete.
// NumPy: linalg.qr.
func QR(a *nd.Array, opts ...QROptions) (q, r *nd.Array) {
	const fn nd.Func = "linalg.QR"
	mode := options.Read(fn, opts).Mode
	if mode != "" && mode != QRReduced && mode != QRComplete {
		panic(fn.Errorf([]*nd.Array{a}, "mode %q: want reduced or complete", mode))
	}
	given := a
	a = matrices(fn, a)
	q, r = qr(fn, a, mode == QRComplete && a.Dim(-2) > a.Dim(-1))
	return release.Converted(q, a, given), r
}

// QRTriangle returns only the r of [QR].
// NumPy: linalg.qr (with mode r).
func QRTriangle(a *nd.Array) *nd.Array {
	const fn nd.Func = "linalg.QRTriangle"
	made := fn.Temporaries(&a)
	defer made.Release()
	_, r := qr(fn, matrices(fn, a), false)
	return made.Keep(r)
}

func qr(fn nd.Func, a *nd.Array, full bool) (q, r *nd.Array) {
	m, n := a.Dim(-2), a.Dim(-1)
	k := min(m, n)
	if full {
		k = m
	}
	f := newFactorisation(fn, a, batchOf(a), m, n)
	f.Full = full
	q, r = f.write(a.DType(), m, k), f.write(a.DType(), k, n)
	f.read(a)
	f.run(device.Device.QR)
	fn.Record(qrOp{full}, []*nd.Array{a}, q, r)
	return q, r
}

type qrOp struct {
	full bool // q has more columns than a
}

func (op qrOp) VJP(c *nd.Call) {
	q, r, gq, gr := c.Out(0), c.Out(1), c.Gy(0), c.Gy(1)
	m, n := q.Dim(-2), r.Dim(-1)
	if op.full {
		q, gq = thinGradient(c.Func(), q, gq, n)
		r = rows(r, 0, n)
		if gr != nil {
			gr = rows(gr, 0, n)
		}
	}
	switch {
	case m >= n:
		c.SetGx(0, qrGradient(c.Func(), q, r, gq, gr))
	default: // the columns of a after the first m are q times those of r
		var gRest, gSquare *nd.Array
		if gr != nil {
			gSquare, gRest = columns(gr, 0, m), columns(gr, m, n)
			gq = sumOf(gq, ops.MatMul(columns(c.In(0), m, n), adjoint(gRest)))
			gRest = ops.MatMul(q, gRest)
		} else {
			gRest = nd.ZerosLike(columns(c.In(0).Detach(), m, n))
			defer gRest.Release()
		}
		left := qrGradient(c.Func(), q, columns(r, 0, m), gq, gSquare)
		c.SetGx(0, ops.Concatenate([]*nd.Array{left, gRest}, ops.Over(-1)))
	}
}

// qrGradient returns (gq + q·sym(r·grᴴ - gqᴴ·q))·r⁻ᴴ for square r, where sym makes a Hermitian matrix from the lower
// triangle. A missing gradient is nil.
func qrGradient(fn nd.Func, q, r, gq, gr *nd.Array) *nd.Array {
	var inner *nd.Array
	if gr != nil {
		inner = ops.MatMul(r, adjoint(gr))
	}
	if gq != nil {
		inner = sumOf(inner, ops.Negative(ops.MatMul(adjoint(gq), q)))
	}
	g := sumOf(gq, ops.MatMul(q, completed(inner, false)))
	return adjoint(triangle{fn: fn, upper: true}.solve(r, adjoint(g)))
}

// QRReflectors returns the result of LAPACK's geqrf, transposed. Row i of h holds, after the diagonal, the vector vᵢ of
// the reflection I - τᵢ·vᵢ·vᵢᴴ (without its leading zeros and its first element, 1), and up to the diagonal r
// transposed. The product of the reflections is q. No gradient flows.
//
// Shapes: (…, m, n) gives h (…, n, m) and tau (…, k), where k is the smaller of m and n.
// NumPy: linalg.qr (with mode raw). PyTorch: geqrf.
func QRReflectors(a *nd.Array) (h, tau *nd.Array) {
	const fn nd.Func = "linalg.QRReflectors"
	made := fn.Temporaries(&a)
	defer made.Release()
	a = matrices(fn, a).Detach()
	m, n := a.Dim(-2), a.Dim(-1)
	k := min(m, n)
	q, r := qr(fn, a, false)
	vectors, tau := reflectors(made, q)
	upper := r
	if m > k {
		upper = ops.Concatenate([]*nd.Array{r, made.Own(zeros(a, append(batchOf(a), m-k, n)))}, ops.Over(-2))
	}
	below := vectors
	if n > k {
		below = ops.Concatenate([]*nd.Array{vectors, made.Own(zeros(a, append(batchOf(a), m, n-k)))}, ops.Over(-1))
	}
	return made.Keep(transpose(ops.Add(upper, below))), made.Keep(tau)
}

// zeros returns zeros of the dtype and on the device of another array.
func zeros(like *nd.Array, shape []int) *nd.Array {
	return nd.Zeros(shape, nd.ArrayOptions{DType: like.DType(), Device: like.Device()})
}

// reflectors finds the reflections whose product is q. I - q is V·T for unit lower triangular V, the vectors, and upper
// triangular T with tau as its diagonal, so elimination without row exchanges gives both. A tau of 0 means no
// reflection; otherwise the real part of tau is at least 1. The result has the vectors' elements after their first.
func reflectors(made *nd.Temporaries, q *nd.Array) (vectors, tau *nd.Array) {
	m, k := q.Dim(-2), q.Dim(-1)
	if k == 0 {
		return q, made.Own(zeros(q, append(batchOf(q), 0)))
	}
	rest := ops.Subtract(made.Own(nd.Eye(m, k, 0, nd.ArrayOptions{DType: q.DType(), Device: q.Device()})), q)
	vs, taus := make([]*nd.Array, k), make([]*nd.Array, k)
	for j := range k {
		column := columns(rest, j, j+1)
		pivot := rows(column, j, j+1)
		isReflection := ops.Greater(ops.Real(pivot), 0.5)
		t := ops.Where(isReflection, pivot, 0.0)
		v := ops.Multiply(column, inverseOrZero(t))
		rest = ops.Subtract(rest, ops.MatMul(v, rows(rest, j, j+1)))
		vs[j], taus[j] = v, t
	}
	along := ops.Over(-1)
	tau = ops.Concatenate(taus, along).Squeeze(-2)
	return ops.Tril(ops.Concatenate(vs, along), -1), tau
}
