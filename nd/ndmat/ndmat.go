// Package ndmat makes arrays of gonum's matrices, and matrices of arrays: of one memory where it can be, so that both see what
// is written to either.
//
//	var svd mat.SVD
//	svd.Factorize(ndmat.To(x), mat.SVDThin)
package ndmat

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// From returns a matrix as an array of float64 with two axes. It shares the memory of a [mat.Dense], of a part of one, of a
// [mat.VecDense] (which has one column) and of their transposes; of every other kind of matrix it is a copy.
func From(m mat.Matrix) *nd.Array {
	switch m := m.(type) {
	case mat.RawMatrixer:
		raw := m.RawMatrix()
		return nd.WrapStrided(raw.Data, []int{raw.Rows, raw.Cols}, []int{raw.Stride, 1})
	case mat.RawVectorer:
		raw := m.RawVector()
		return nd.WrapStrided(raw.Data, []int{raw.N, 1}, []int{raw.Inc, 1})
	case mat.Untransposer:
		return From(m.Untranspose()).T()
	}
	rows, columns := m.Dims()
	data := make([]float64, 0, rows*columns)
	for i := range rows {
		for j := range columns {
			data = append(data, m.At(i, j))
		}
	}
	return nd.Wrap(data, rows, columns)
}

// To returns an array of two axes, or of one as a matrix of one column, as a matrix. It shares the memory of a contiguous array
// of float64 on the CPU; every other one is copied, if float64 holds what its dtype does. Gonum has no matrices without
// elements.
func To(x *nd.Array) *mat.Dense {
	const fn nd.Func = "ndmat.To"
	fn.Check(x)
	if rank := x.Rank(); rank < 1 || rank > 2 || x.Size() == 0 {
		panic(fn.Errorf([]*nd.Array{x}, "want one axis or two, and elements"))
	}
	if !dtype.CanCast(x.DType(), dtype.Float64, dtype.CastSafe) {
		panic(fn.Errorf([]*nd.Array{x}, "float64 does not hold all that %s does: convert with AsType", x.DType()))
	}
	rows, columns := x.Dim(0), 1
	if x.Rank() == 2 {
		columns = x.Dim(1)
	}
	if cpu, err := device.Get("cpu"); err == nil && x.Device() == cpu && x.DType() == dtype.Float64 && x.IsContiguous() {
		return mat.NewDense(rows, columns, nd.Data[float64](x))
	}
	return mat.NewDense(rows, columns, nd.ToSlice[float64](x))
}
