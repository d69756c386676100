//go:build !race

package sparse_test

import (
	"runtime/debug"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sparse"
)

// TestReleasedResultsLeaveNothing checks that calls whose results are released allocate no new block after the first
// calls, except one for each processor to which the goroutine moves. (Under the race detector sync.Pool drops items at
// random.)
func TestReleasedResultsLeaveNothing(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a GC cycle would drop the idle blocks
	const m, n = 60, 70
	elements := make([]float64, m*n)
	for i := range elements {
		if i%3 == 0 {
			elements[i] = float64(i)
		}
	}
	x := nd.FromSlice(elements, m, n)
	csr, square := sparse.FromDense(x), sparse.FromDense(x.Index(nd.All(), nd.Until(m)).Copy())
	csc, coo := csr.ToCSC(), csr.ToCOO()
	indices := make([]int, 500)
	for i := range indices {
		indices[i] = 7 * i % 50
	}
	at := nd.FromSlice(indices)
	repeated := sparse.NewCOO(nd.Ones([]int{len(indices)}), at, at.Copy(), m, n)
	row, wide := nd.Ones([]int{n}), nd.Ones([]int{n, 50})
	table := sparse.NewRowSparse(nd.Ones([]int{len(indices), 3}), at, 50)
	one := func(y *nd.Array) []*nd.Array { return []*nd.Array{y} }
	ofCSR := func(m *sparse.CSR) []*nd.Array { return []*nd.Array{m.Data, m.Indices, m.IndPtr} }
	ofCOO := func(m *sparse.COO) []*nd.Array { return []*nd.Array{m.Data, m.Row, m.Col} }
	ofRows := func(m *sparse.RowSparse) []*nd.Array { return []*nd.Array{m.Data, m.Indices} }
	given := map[*nd.Array]bool{table.Data: true, table.Indices: true}
	for _, xs := range [][]*nd.Array{ofCSR(csr), ofCSR(square), ofCSR(csc.T()), ofCOO(coo), ofCOO(repeated)} {
		for _, x := range xs {
			given[x] = true
		}
	}
	for name, f := range map[string]func() []*nd.Array{
		"FromDense":         func() []*nd.Array { return ofCSR(sparse.FromDense(x)) },
		"NewCSR":            func() []*nd.Array { return ofCSR(sparse.NewCSR(csr.Data, csr.Indices, csr.IndPtr, m, n)) },
		"NewCOO":            func() []*nd.Array { return ofCOO(sparse.NewCOO(coo.Data, coo.Row, coo.Col, m, n)) },
		"ToCSR of columns":  func() []*nd.Array { return ofCSR(csc.ToCSR()) },
		"ToCSR of repeated": func() []*nd.Array { return ofCSR(repeated.ToCSR()) },
		"ToCSC":             func() []*nd.Array { return ofCSR(csr.ToCSC().T()) },
		"ToCOO":             func() []*nd.Array { return ofCOO(csc.ToCOO()) },
		"SumDuplicates":     func() []*nd.Array { return ofCOO(repeated.SumDuplicates()) },
		"ToDense":           func() []*nd.Array { return one(csc.ToDense()) },
		"Sum":               func() []*nd.Array { return one(sparse.Sum(csr, ops.Over(0))) },
		"Add":               func() []*nd.Array { return ofCSR(sparse.Add(csr, coo)) },
		"Subtract":          func() []*nd.Array { return ofCSR(sparse.Subtract(csc, repeated)) },
		"SliceRows":         func() []*nd.Array { return ofCSR(sparse.SliceRows(csr, 1, 3)) },
		"SliceColumns":      func() []*nd.Array { return ofCSR(sparse.SliceColumns(csr, 1, 3)) },
		"TakeRows":          func() []*nd.Array { return ofCSR(sparse.TakeRows(csr, at)) },
		"MatMul":            func() []*nd.Array { return one(sparse.MatMul(csr, wide)) },
		"DenseMatMul":       func() []*nd.Array { return one(sparse.DenseMatMul(x, csr.T())) },
		"SparseMatMul":      func() []*nd.Array { return ofCSR(sparse.SparseMatMul(square, csc)) },
		"Sin":               func() []*nd.Array { return ofCOO(sparse.Sin(repeated)) },
		"Negative":          func() []*nd.Array { return ofCSR(sparse.Negative(csr)) },
		"Multiply":          func() []*nd.Array { return ofCSR(sparse.Multiply(csr, row)) },
		"RowsFromDense":     func() []*nd.Array { return ofRows(sparse.RowsFromDense(x)) },
		"Retain":            func() []*nd.Array { return ofRows(table.Retain(at)) },
		"rows ToDense":      func() []*nd.Array { return one(table.ToDense()) },
	} {
		call := func() {
			for _, y := range f() {
				if !given[y] {
					y.Release()
				}
			}
		}
		least := int64(1)
		for range 10 {
			before, _ := cpu.BlocksMade()
			call()
			made, _ := cpu.BlocksMade()
			least = min(least, made-before)
		}
		if least > 0 {
			t.Errorf("%s allocates new blocks in every call", name)
		}
	}
}
