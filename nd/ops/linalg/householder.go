package linalg

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// HouseholderProduct returns the first columns of the product H₀·H₁·… of reflections Hᵢ = I - τᵢ·vᵢ·vᵢᴴ. The vector vᵢ
// is 0 above index i, 1 at index i, and equals column i of h below it; the rest of h is not read. For the result of
// [QRReflectors], with h transposed, the product is q.
//
// Shapes: (…, m, n) and (…, k), where k ≤ n ≤ m, give (…, m, n).
// PyTorch: linalg.householder_product, orgqr.
func HouseholderProduct(h, tau *nd.Array) *nd.Array {
	const fn nd.Func = "linalg.HouseholderProduct"
	fn.Check(h, tau)
	given := []*nd.Array{h, tau}
	if h.Rank() < 2 || tau.Rank() != h.Rank()-1 || h.Dim(-2) < h.Dim(-1) || tau.Dim(-1) > h.Dim(-1) {
		panic(fn.Errorf(given, "want h of m rows and n ≤ m columns, and tau of at most n numbers"))
	}
	made := fn.Temporaries(&h, &tau)
	defer made.Release()
	t := matrixType(fn, h, tau)
	h, tau = h.AsType(t), tau.AsType(t)
	batch := sameBatch(fn, h, tau.ExpandDims(-1))
	m, n := h.Dim(-2), h.Dim(-1)
	one := made.Own(nd.Eye(m, n, 0, nd.ArrayOptions{DType: t, Device: h.Device()}))
	q := reflected(made, h, tau, one.BroadcastTo(append(batch, m, n)...), HouseholderMultiplyOptions{})
	return made.Keep(q)
}

// HouseholderMultiplyOptions are the options of HouseholderMultiply.
type HouseholderMultiplyOptions struct {
	// Right multiplies from the right: c·q instead of q·c.
	Right bool
	// Adjoint multiplies by the transposed, conjugated q.
	Adjoint bool
}

// HouseholderMultiply returns q·c for the product q of reflections, which is a square matrix; [HouseholderProduct] says
// what the reflections are. It applies them one after the other, so that q, which may be large, is not computed.
//
// Shapes: h (…, m, n), tau (…, k) with k ≤ n and k ≤ m, and c (…, m, p) give (…, m, p); with Right, c (…, p, m) gives (…,
// p, m). The axes before broadcast.
// PyTorch: ormqr.
func HouseholderMultiply(h, tau, c *nd.Array, opts ...HouseholderMultiplyOptions) *nd.Array {
	const fn nd.Func = "linalg.HouseholderMultiply"
	fn.Check(h, tau, c)
	o := options.Read(fn, opts)
	given := []*nd.Array{h, tau, c}
	if h.Rank() < 2 || c.Rank() < 2 || tau.Rank() != h.Rank()-1 || tau.Dim(-1) > min(h.Dim(-2), h.Dim(-1)) {
		panic(fn.Errorf(given, "want h of m rows and n columns, tau of at most m and at most n numbers, and matrices c"))
	}
	side := -2
	if o.Right {
		side = -1
	}
	if c.Dim(side) != h.Dim(-2) {
		panic(fn.Errorf(given, "reflections of %d elements, and %d along axis %d of c: want equally many", h.Dim(-2), c.Dim(side), side))
	}
	made := fn.Temporaries(&h, &tau, &c)
	defer made.Release()
	t := matrixType(fn, h, tau, c)
	h, tau, c = h.AsType(t), tau.AsType(t), c.AsType(t)
	batch, err := broadcast.Shapes(batchOf(h), batchOf(tau.ExpandDims(-1)), batchOf(c))
	if err != nil {
		panic(fn.Errorf(given, "%v", err))
	}
	return made.Keep(reflected(made, h, tau, c.BroadcastTo(append(batch, c.Dim(-2), c.Dim(-1))...), o))
}

// reflected applies the reflections to c. The last one is applied first from the left, the first one from the right; with
// Adjoint the other way round.
func reflected(made *nd.Temporaries, h, tau, c *nd.Array, o HouseholderMultiplyOptions) *nd.Array {
	given, m, k := c, h.Dim(-2), tau.Dim(-1)
	one := made.Own(nd.Eye(m, k, 0, nd.ArrayOptions{DType: h.DType(), Device: h.Device()}))
	vectors := ops.Add(ops.Tril(columns(h, 0, k), -1), one)
	if o.Adjoint {
		tau = ops.Conj(tau)
	}
	factors := tau.ExpandDims(-1, -2) // shape (…, k, 1, 1)
	for step := range k {
		i := step
		if o.Right == o.Adjoint {
			i = k - 1 - step
		}
		v, factor := columns(vectors, i, i+1), factors.Index(nd.Ellipsis(), nd.At(i), nd.All(), nd.All())
		var change *nd.Array
		if o.Right {
			change = ops.MatMul(ops.Multiply(ops.MatMul(c, v), factor), adjoint(v))
		} else {
			change = ops.MatMul(v, ops.Multiply(ops.MatMul(adjoint(v), c), factor))
		}
		next := release.Operands(ops.Subtract(c, change), change)
		release.Unless(c, given)
		c = next
	}
	if k == 0 {
		c = c.Copy()
	}
	return c
}
