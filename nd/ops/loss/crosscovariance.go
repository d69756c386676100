package loss

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// CrossCovariance returns the covariance of every variable of y with every variable of z over the batch: (y -
// mean(y))ᵀ·(z - mean(z))/B. Half the sum of its squares is a penalty that keeps y and z independent.
//
// Shapes: y (B, M), z (B, N); the result (M, N).
//
// Source: B. Cheung et al., Discovering Hidden Factors of Variation in Deep Networks, 2014.
// Chainer: cross_covariance.
func CrossCovariance(y, z *nd.Array) *nd.Array {
	const fn nd.Func = "loss.CrossCovariance"
	fn.Check(y, z)
	if y.Rank() != 2 || z.Rank() != 2 || y.Dim(0) != z.Dim(0) {
		panic(fn.Errorf([]*nd.Array{y, z}, "want two matrices with equally many rows"))
	}
	made := fn.Temporaries(&y, &z)
	defer made.Release()
	return made.Keep(ops.Divide(ops.MatMul(centred(y).T(), centred(z)), y.Dim(0)))
}

// centred returns x minus its mean over the batch.
func centred(x *nd.Array) *nd.Array {
	mean := ops.Mean(x, ops.Over(0).KeepDims())
	return release.Operands(ops.Subtract(x, mean), mean)
}
