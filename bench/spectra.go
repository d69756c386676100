package bench

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
)

// spectra are eigenvalues and singular values, with and without vectors.
func spectra() []Case {
	var all []Case
	general := func(dt dtype.DType, shape ...int) *nd.Array { return floats(dt, -1, 1, shape...) }
	symmetric := func(dt dtype.DType, shape ...int) *nd.Array {
		a := general(dt, shape...)
		return ops.Add(a, a.SwapAxes(-1, -2))
	}
	one := func(name string, operand func() *nd.Array, f func(x *nd.Array) *nd.Array) {
		all = append(all, fixed("lapack/"+name, 0, func() []*nd.Array { return []*nd.Array{operand()} }, func(in []*nd.Array) *nd.Array { return f(in[0]) }))
	}
	add := func(name string, operand func(dt dtype.DType, shape ...int) *nd.Array, f func(x *nd.Array) *nd.Array, doubles, singles []int) {
		for _, n := range doubles {
			one(fmt.Sprintf("%s/%d/f64", name, n), func() *nd.Array { return operand(dtype.Float64, n, n) }, f)
		}
		for _, n := range singles {
			one(fmt.Sprintf("%s/%d/f32", name, n), func() *nd.Array { return operand(dtype.Float32, n, n) }, f)
		}
	}
	eigh := func(x *nd.Array) *nd.Array {
		w, v := linalg.Eigh(x)
		w.Release()
		return v
	}
	svd := func(x *nd.Array) *nd.Array {
		u, s, vt := linalg.SVD(x)
		s.Release()
		vt.Release()
		return u
	}
	eig := func(x *nd.Array) *nd.Array {
		w, v := linalg.Eig(x)
		w.Release()
		return v
	}
	add("eigh", symmetric, eigh, []int{64, 256, 1024, 2048}, []int{64, 256, 1024})
	one("eigh/1000x8x8/f64", func() *nd.Array { return symmetric(dtype.Float64, 1000, 8, 8) }, eigh)
	add("eigvalsh", symmetric, func(x *nd.Array) *nd.Array { return linalg.EigvalsH(x) }, []int{64, 256, 1024}, []int{1024})
	add("svd", general, svd, []int{64, 256, 1024, 2048}, []int{64, 256, 1024})
	one("svd/1000x8x8/f64", func() *nd.Array { return general(dtype.Float64, 1000, 8, 8) }, svd)
	add("svdvals", general, func(x *nd.Array) *nd.Array { return linalg.SVDVals(x) }, []int{64, 256, 1024}, []int{1024})
	add("eig", general, eig, []int{64, 256, 1024}, []int{256})
	add("eigvals", general, linalg.Eigvals, []int{64, 256, 1024}, nil)
	return all
}
