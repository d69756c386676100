package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/view"
)

// byWeight returns, per row and with one column for each part, the first element at which the weights, added up in
// increasing order of the elements, reach that part of their total.
func byWeight(fn nd.Func, rows, weights, parts *nd.Array, partsType dtype.DType, skipNaN bool) *nd.Array {
	made := fn.Temporaries(&rows, &weights, &parts)
	defer made.Release()
	if weights.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{weights}, "want real weights"))
	}
	values, n := rows.Detach(), rows.Dim(1)
	w := weights.Detach().AsType(dtype.Float64)
	if nd.Value[bool](Any(Less(w, 0))) {
		panic(fn.Errorf([]*nd.Array{weights}, "want no weight below 0"))
	}
	known := made.Own(fn.NewFilled(dtype.Bool, rows.Shape(), 1, rows))
	if skipNaN {
		known = LogicalNot(IsNaN(values))
		w = Where(known, w, 0)
	}
	order := ArgSort(values, Over(1))
	total := CumSum(TakeAlongAxis(w, order, Over(1)), Over(1))
	reached := Divide(total, view.Span(total, 1, n-1, n))
	if nd.Value[bool](Any(LogicalAnd(IsNaN(reached), Any(known, Over(1).KeepDims())))) {
		panic(fn.Errorf([]*nd.Array{weights}, "want finite weights, and in every row one that is not 0"))
	}
	// Both are rounded to the dtype of q, so that a part of 0.2 equals the sum of two weights out of ten.
	reached, parts = reached.AsType(partsType).AsType(dtype.Float64), parts.AsType(partsType).AsType(dtype.Float64)
	reached = Where(Equal(reached, 0), -1, reached) // an element without weight is not the smallest element either
	at := SearchSorted(reached, parts.Detach().BroadcastTo(rows.Dim(0), parts.Size()))
	sorted := TakeAlongAxis(rows, order, Over(1))
	y := TakeAlongAxis(sorted, Minimum(at, n-1), Over(1))
	if !skipNaN && rows.DType().IsInexact() {
		y = orLast(sorted, y, y.DType())
	}
	return made.Keep(y)
}

// partsType returns the dtype in which parts of the whole are compared with sums of weights: q's dtype if it is a
// float. A scalar is as wide as x's elements.
func partsType(x, q *nd.Array, whole float64) dtype.DType {
	switch {
	case x.DType().IsFloat() && q.IsScalar():
		return x.DType()
	case x.DType().IsFloat() && whole > 1:
		return dtype.Promote(q.DType(), x.DType())
	case q.DType().IsFloat():
		return q.DType()
	}
	return dtype.Float64
}
