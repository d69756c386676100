package sparse_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sparse"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestGradients checks first and second derivatives with respect to the stored elements and to dense operands.
func TestGradients(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		m, _ := repeated(dev)
		csr := m.ToCSR()
		x, y := random(1, dev, 4, 3), random(2, dev, 3, 4)
		v := nd.FromSlice([]float64{0.3, -1.2, 0.8, 2}).To(dev)
		data := nd.FromSlice([]float64{0.4, -1.3, 0.7, 1.9, 0.2, -0.6, 1.1}).To(dev)
		for name, test := range map[string]struct {
			f  gradcheck.Function
			xs []*nd.Array
		}{
			"ToDense":     {func(xs ...*nd.Array) *nd.Array { return ops.Square(m.WithData(xs[0]).ToDense()) }, []*nd.Array{data}},
			"MatMul":      {func(xs ...*nd.Array) *nd.Array { return sparse.MatMul(m.WithData(xs[0]), xs[1]) }, []*nd.Array{data, x}},
			"vector":      {func(xs ...*nd.Array) *nd.Array { return sparse.MatMul(m.WithData(xs[0]), xs[1]) }, []*nd.Array{data, v}},
			"DenseMatMul": {func(xs ...*nd.Array) *nd.Array { return sparse.DenseMatMul(xs[1], m.WithData(xs[0])) }, []*nd.Array{data, y}},
			"conversions": {func(xs ...*nd.Array) *nd.Array {
				return ops.Square(m.WithData(xs[0]).ToCSC().ToCSR().T().ToCSR().Data)
			}, []*nd.Array{data}},
			"not linear": {func(xs ...*nd.Array) *nd.Array {
				return sparse.Tanh(sparse.Square(m.WithData(xs[0]))).ToDense()
			}, []*nd.Array{data}},
			"Multiply": {func(xs ...*nd.Array) *nd.Array {
				return sparse.Divide(sparse.Multiply(m.WithData(xs[0]), xs[1]), xs[2]).ToDense()
			}, []*nd.Array{data, v, nd.Full(nil, 1.5).To(dev)}},
			"Sum": {func(xs ...*nd.Array) *nd.Array {
				return ops.Square(sparse.Sum(m.WithData(xs[0]), ops.Over(0)))
			}, []*nd.Array{data}},
			"Add": {func(xs ...*nd.Array) *nd.Array {
				return ops.Square(sparse.Subtract(sparse.Add(m.WithData(xs[0]), csr.WithData(xs[1])), m.T()).Data)
			}, []*nd.Array{data, v}},
			"SparseMatMul": {func(xs ...*nd.Array) *nd.Array {
				return sparse.SparseMatMul(m.WithData(xs[0]), csr.WithData(xs[1])).Data
			}, []*nd.Array{data, v}},
			"parts": {func(xs ...*nd.Array) *nd.Array {
				c := csr.WithData(xs[0])
				rows := sparse.TakeRows(c, nd.FromSlice([]int{2, 0, 2}).To(dev))
				return ops.MatMul(sparse.SliceColumns(rows, 0, 2).ToDense(), ops.Square(sparse.SliceRows(c, 0, 2).ToDense()))
			}, []*nd.Array{v}},
			"FromDense": {func(xs ...*nd.Array) *nd.Array {
				return ops.Square(sparse.FromDense(ops.Add(xs[0], 9)).ToDense())
			}, []*nd.Array{x}},
			"RowSparse": {func(xs ...*nd.Array) *nd.Array {
				return ops.Square(sparse.NewRowSparse(xs[0], nd.FromSlice([]int{1, 5, 1, 0}).To(dev), 6).ToDense())
			}, []*nd.Array{x}},
		} {
			t.Run(name, func(t *testing.T) {
				gradcheck.Check(t, test.f, test.xs...)
				gradcheck.CheckSecondOrder(t, test.f, test.xs...)
			})
		}
	})
}

func TestComplexGradients(t *testing.T) {
	data := nd.FromSlice([]complex128{1 + 2i, -0.5i, 0.3})
	m := sparse.NewCSR(data, nd.FromSlice([]int{0, 1, 0}), nd.FromSlice([]int{0, 2, 3}), 2, 2)
	x := nd.FromSlice([]complex128{0.2 - 1i, 0.7i})
	f := func(xs ...*nd.Array) *nd.Array { return sparse.MatMul(sparse.Conj(m.WithData(xs[0])), xs[1]) }
	gradcheck.Check(t, f, data, x)
	gradcheck.CheckSecondOrder(t, f, data, x)
}

// TestMemoryUnderATape multiplies and runs the backward pass twice with one tape: memory that a product released must
// not be read again.
func TestMemoryUnderATape(t *testing.T) {
	m := sparse.FromDense(random(3, nd.Zeros(nil).Device(), 6, 5))
	x := random(4, nd.Zeros(nil).Device(), 5, 4)
	var first []float64
	tape := grad.NewTape()
	for range 3 {
		data, w := tape.Watch(m.Data), tape.Watch(x)
		y := sparse.MatMul(m.WithData(data), w)
		gs := tape.Gradient(ops.Sum(ops.Square(y)), data, w)
		got := append(nd.ToSlice[float64](gs[0]), nd.ToSlice[float64](gs[1])...)
		if first == nil {
			first = got
		}
		for i := range got {
			if got[i] != first[i] {
				t.Fatalf("gradient %v, at first %v", got, first)
			}
		}
		tape.Reset()
	}
}
