package layer

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
)

// BatchNormalization is a batch normalisation of X, whatever the names and the shape are that its parameters have in a package.
type BatchNormalization struct {
	X              *nd.Array
	Beta, Gamma    *nd.Array // nil where they are left out
	Mean, Variance *nd.Array // the running statistics; nil where they take no part
	Like           *nd.Array // of the dtype of the parameters, in which it computes
	Shape          []int     // in which parameters go with X; nil where they have it
	Options        normalize.BatchNormalizationOptions
}

// Apply returns X normalised.
func (n *BatchNormalization) Apply(fn nd.Func) *nd.Array {
	made := n.begin(fn)
	defer made.Release()
	return made.Keep(normalize.BatchNormalization(InDType(n.X, n.Like), n.Beta, n.Gamma, n.Mean, n.Variance, n.Options))
}

// WithStat returns X normalised, and the mean and the variance of the batch.
func (n *BatchNormalization) WithStat(fn nd.Func) (y, mean, variance *nd.Array) {
	made := n.begin(fn)
	defer made.Release()
	y, mean, variance = normalize.BatchNormalizationWithStat(InDType(n.X, n.Like), n.Beta, n.Gamma, n.Mean, n.Variance, n.Options)
	return made.Keep(y), made.Keep(mean), made.Keep(variance)
}

// Fused returns the positive part of X normalised plus z, which may be nil.
func (n *BatchNormalization) Fused(fn nd.Func, z *nd.Array) *nd.Array {
	made := fn.Temporaries(&n.X, &z, &n.Beta, &n.Gamma)
	defer made.Release()
	if z != nil {
		z = InDType(z, n.Like)
	}
	return made.Keep(normalize.FusedBatchNormalization(InDType(n.X, n.Like), n.Beta, n.Gamma, n.Mean, n.Variance, z, n.Options))
}

// begin replaces the operands by arrays of the function, and gives the parameters the shape that broadcasts with X.
func (n *BatchNormalization) begin(fn nd.Func) *nd.Temporaries {
	if n.Shape == nil {
		return fn.Temporaries(&n.X, &n.Beta, &n.Gamma)
	}
	made := fn.Temporaries(&n.X, &n.Beta, &n.Gamma, &n.Mean, &n.Variance)
	for _, p := range []**nd.Array{&n.Beta, &n.Gamma, &n.Mean, &n.Variance} {
		if *p != nil {
			*p = (*p).Reshape(n.Shape...)
		}
	}
	return made
}
