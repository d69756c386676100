package linalg_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
)

// An error about a matrix says which of the batch it is, and what is wrong with it.
func TestErrorsNameTheMatrix(t *testing.T) {
	reference, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	functions := map[string]func(a *nd.Array){
		"SVD":        func(a *nd.Array) { linalg.SVD(a) },
		"SVDVals":    func(a *nd.Array) { linalg.SVDVals(a) },
		"Eigh":       func(a *nd.Array) { linalg.Eigh(a) },
		"EigvalsH":   func(a *nd.Array) { linalg.EigvalsH(a) },
		"Eig":        func(a *nd.Array) { linalg.Eig(a) },
		"Eigvals":    func(a *nd.Array) { linalg.Eigvals(a) },
		"PInv":       func(a *nd.Array) { linalg.PInv(a) },
		"LstSq":      func(a *nd.Array) { linalg.LstSq(a, a) },
		"Cond":       func(a *nd.Array) { linalg.Cond(a) },
		"MatrixRank": func(a *nd.Array) { linalg.MatrixRank(a) },
		"Cholesky":   func(a *nd.Array) { linalg.Cholesky(a) },
		"LowRankSVD": func(a *nd.Array) { linalg.LowRankSVD(nd.NewRand(1), a, 2) },
		"LowRankPCA": func(a *nd.Array) { linalg.LowRankPCA(nd.NewRand(1), a, 2) },
	}
	for _, dev := range []device.Device{nil, reference} {
		for _, dt := range []dtype.DType{dtype.Float32, dtype.Float64, dtype.Complex64, dtype.Complex128} {
			for name, f := range functions {
				for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
					if name == "Cholesky" && bad > 0 { // as in NumPy, the root of an infinite element of the diagonal
						continue
					}
					one := nd.Identity(3, nd.ArrayOptions{DType: dt, Device: dev})
					batch := one.BroadcastTo(4, 2, 3, 3).Copy()
					element := fmt.Sprint(bad)
					if dt.IsComplex() {
						element = fmt.Sprint(complex(bad, 0))
					}
					batch.Assign(nd.Scalar(bad), nd.At(2), nd.At(1), nd.At(2), nd.At(0))
					batch.Assign(nd.Scalar(bad), nd.At(3), nd.At(0), nd.At(1), nd.At(1))
					opstest.Refuses(t, "linalg."+name+": the matrix at [2, 1] of the batch (4, 2) has the element "+element+" at [2, 0]: want finite numbers", func() { f(batch) })
					opstest.Refuses(t, "linalg."+name+": the matrix has the element "+element+" at [1, 1]: want finite numbers", func() { f(batch.Index(nd.At(3), nd.At(0))) })
				}
			}
		}
	}
	good, negative, singular := nd.Identity(2), nd.FromRows([][]float64{{1, 2}, {2, 1}}), nd.FromRows([][]float64{{1, 2}, {2, 4}})
	batch := nd.Empty([]int{5, 2, 2})
	batch.Assign(good)
	batch.Assign(negative, nd.At(3))
	opstest.Refuses(t, "linalg.Cholesky: the matrix at [3] of the batch (5,) is not positive definite", func() { linalg.Cholesky(batch) })
	opstest.Refuses(t, "linalg.Cholesky: the matrix is not positive definite", func() { linalg.Cholesky(negative, linalg.CholeskyOptions{Upper: true}) })
	batch.Assign(singular, nd.At(2))
	opstest.Refuses(t, "linalg.Inv: the matrix at [2] of the batch (5,) is singular", func() { linalg.Inv(batch) })
	opstest.Refuses(t, "linalg.Inv: the matrix is singular", func() { linalg.Inv(singular) })
	opstest.Refuses(t, "linalg.Solve: the matrix at [2] of the batch (5,) is singular", func() { linalg.Solve(batch, good) })
	// Elements that are not read may be anything.
	strange := nd.FromRows([][]float64{{2, math.NaN()}, {0, 3}})
	linalg.Eigh(strange)
	linalg.Cholesky(strange)
	opstest.Refuses(t, "the matrix has the element NaN at [0, 1]", func() { linalg.Eigh(strange, linalg.EighOptions{UPLO: linalg.Upper}) })
	opstest.Refuses(t, "the matrix has the element NaN at [1, 0]", func() { linalg.EigvalsH(strange.T()) })
}
