package linalg

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// lu holds the factors of matrices with exchanged rows, P·A = L·U, packed in one array, the row exchanges, and the row
// of A for each row of P·A. A tape does not record it: the functions that use it define their own gradients.
type lu struct {
	fn                       nd.Func
	factors, exchange, order *nd.Array
}

func luOf(fn nd.Func, a *nd.Array) lu { return newLU(fn, a, true) }

func newLU(fn nd.Func, a *nd.Array, ordered bool) lu {
	m, n := a.Dim(-2), a.Dim(-1)
	f := newFactorisation(fn, a, batchOf(a), m, n)
	y := lu{fn: fn, factors: f.write(a.DType(), m, n), exchange: f.write(dtype.Int64, min(m, n))}
	if ordered {
		y.order = f.write(dtype.Int64, m)
	} else {
		f.Skip()
	}
	f.read(a)
	f.run(device.Device.LU)
	return y
}

func (f lu) release() {
	f.factors.Release()
	f.exchange.Release()
	if f.order != nil {
		f.order.Release()
	}
}

// diagonal returns the diagonal of U, whose product is the determinant up to the sign.
func (f lu) diagonal() *nd.Array { return f.factors.Diagonal(0, -2, -1) }

// isSingular reports whether one of the matrices is singular; it waits for the device.
func (f lu) isSingular() bool {
	d := f.diagonal()
	isZero := release.Operands(ops.Equal(d, 0), d)
	any := release.Operands(ops.Any(isZero), isZero)
	defer any.Release()
	return nd.Value[bool](any)
}

// firstSingular returns the name of the first singular matrix, for an error.
func (f lu) firstSingular() string {
	d := f.diagonal()
	zero := slices.Index(nd.ToSlice[bool](ops.Equal(d, 0)), true)
	return matrixName(batchOf(f.factors), zero/d.Dim(-1))
}

// parity returns -1 if an odd number of rows was exchanged, else 1.
func (f lu) parity() *nd.Array {
	row := nd.ArangeInt(0, f.exchange.Dim(-1), 1, nd.ArrayOptions{Device: f.exchange.Device()})
	defer row.Release()
	signs := ops.Where(ops.Equal(f.exchange, row), 1, -1)
	return ops.Prod(signs, ops.Over(-1)).AsType(f.factors.DType())
}

// solve returns A⁻¹·b.
func (f lu) solve(b *nd.Array) *nd.Array {
	return f.substitute(rowsAt(b, f.order, sameBatch(f.fn, f.factors, b)))
}

// inverse returns A⁻¹.
func (f lu) inverse() *nd.Array {
	order := f.order.ExpandDims(-1)
	return f.substitute(release.Operands(ops.OneHot(order, []int{f.factors.Dim(-1)}, f.factors.DType()), order))
}

// substitute returns U⁻¹·L⁻¹·b.
func (f lu) substitute(b *nd.Array) *nd.Array {
	y := triangle{fn: f.fn, unit: true}.solve(f.factors, b)
	x := triangle{fn: f.fn, upper: true}.solve(f.factors, y)
	b.Release()
	y.Release()
	return x
}
