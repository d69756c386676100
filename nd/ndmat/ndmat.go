// Package ndmat converts gonum's matrices to arrays, and arrays to matrices. If possible, both share one memory, so
// that a write to one is visible in the other.
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

// From returns a matrix as a float64 array with two axes. The array shares the memory of a [mat.Dense], of a part of
// one, of a [mat.VecDense] (which has one column) and of their transposes; every other kind of matrix is copied.
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

// To returns an array as a matrix. The array has two axes, or one axis, which becomes a column. The matrix shares the
// memory of a contiguous float64 array on the CPU. Every other array is copied; float64 must hold all values of its
// dtype. Gonum has no empty matrices, so an empty array is refused.
func To(x *nd.Array) *mat.Dense {
	const fn nd.Func = "ndmat.To"
	fn.Check(x)
	if rank := x.Rank(); rank < 1 || rank > 2 || x.Size() == 0 {
		panic(fn.Errorf([]*nd.Array{x}, "want one or two axes, and at least one element"))
	}
	if !dtype.CanCast(x.DType(), dtype.Float64, dtype.CastSafe) {
		panic(fn.Errorf([]*nd.Array{x}, "float64 cannot hold all values of %s: convert with AsType", x.DType()))
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
