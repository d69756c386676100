package linalg

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// lu holds the factors of matrices with exchanged rows, P·A = L·U, packed in one, and which rows were exchanged. It is not
// recorded: what is computed from it has gradients of its own.
type lu struct {
	fn                nd.Func
	factors, exchange *nd.Array
}

func luOf(fn nd.Func, a *nd.Array) lu {
	m, n := a.Dim(-2), a.Dim(-1)
	f := newFactorisation(fn, a, batchOf(a), m, n)
	packed := f.write(a.DType(), m, n)
	exchange := f.write(dtype.Int64, min(m, n))
	f.read(a)
	f.run(device.Device.LU)
	return lu{fn, packed, exchange}
}

func (f lu) release() {
	f.factors.Release()
	f.exchange.Release()
}

// diagonal is that of U, whose product is the determinant but for the sign.
func (f lu) diagonal() *nd.Array { return f.factors.Diagonal(0, -2, -1) }

// isSingular waits for the device: it tells whether one of the matrices is.
func (f lu) isSingular() bool {
	d := f.diagonal()
	isZero := releasing(ops.Equal(d, nd.Scalar(0)), d, nil)
	any := releasing(ops.Any(isZero), isZero, nil)
	defer any.Release()
	return nd.Value[bool](any)
}

// parity is -1 where an odd number of rows was exchanged, else 1.
func (f lu) parity() *nd.Array {
	row := nd.ArangeInt(0, f.exchange.Dim(-1), 1, nd.ArrayOptions{Device: f.exchange.Device()})
	defer row.Release()
	signs := ops.Where(ops.Equal(f.exchange, row), nd.Scalar(1), nd.Scalar(-1))
	return ops.Prod(signs, ops.Over(-1)).AsType(f.factors.DType())
}

// order says for every row of P·A which row of A it is. The exchanges are followed on the host.
func (f lu) order() *nd.Array {
	m, k := f.factors.Dim(-2), f.exchange.Dim(-1)
	exchange := nd.ToSlice[int64](f.exchange)
	shape := f.factors.Shape()
	count := 1
	for _, n := range shape[:len(shape)-2] {
		count *= n
	}
	order := make([]int64, count*m)
	for b := range count {
		one := order[b*m : (b+1)*m]
		for i := range one {
			one[i] = int64(i)
		}
		for i, with := range exchange[b*k : (b+1)*k] {
			one[i], one[with] = one[with], one[i]
		}
	}
	return nd.FromSliceOn(f.factors.Device(), order, shape[:len(shape)-1]...)
}

// solve returns A⁻¹·b.
func (f lu) solve(b *nd.Array) *nd.Array {
	vector := f.order()
	order := releasing(vector.ExpandDims(-1), vector, nil)
	batch := sameBatch(f.fn, order, b)
	m, n := b.Dim(-2), b.Dim(-1)
	whole, from := b.BroadcastTo(append(batch, m, n)...), order.BroadcastTo(append(batch, m, 1)...)
	permuted := ops.TakeAlongAxis(whole, from, -2)
	releasing(permuted, whole, b)
	releasing(permuted, from, order)
	order.Release()
	return f.substitute(permuted)
}

// inverse returns A⁻¹.
func (f lu) inverse() *nd.Array {
	column := nd.ArangeInt(0, f.factors.Dim(-1), 1, nd.ArrayOptions{Device: f.factors.Device()})
	vector := f.order()
	order := releasing(vector.ExpandDims(-1), vector, nil)
	isOne := ops.Equal(order, column)
	permutation := isOne.AsType(f.factors.DType())
	for _, x := range []*nd.Array{column, order, isOne} {
		x.Release()
	}
	return f.substitute(permutation)
}

// substitute returns U⁻¹·L⁻¹·b.
func (f lu) substitute(b *nd.Array) *nd.Array {
	y := triangle{fn: f.fn, unit: true}.solve(f.factors, b)
	x := triangle{fn: f.fn, upper: true}.solve(f.factors, y)
	b.Release()
	y.Release()
	return x
}
