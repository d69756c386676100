package linalg

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// The real matrix (Re -Im; Im Re) multiplies as the complex one does: its inverse is that of the inverse, and its singular
// values and eigenvalues are the complex one's, each twice.

// embedded returns the real matrices of complex ones.
func embedded(a *nd.Array) *nd.Array {
	re, im := ops.Real(a), ops.Imag(a)
	along := ops.Over(-1)
	top := ops.Concatenate([]*nd.Array{re, ops.Negative(im)}, along)
	bottom := ops.Concatenate([]*nd.Array{im, re}, along)
	return ops.Concatenate([]*nd.Array{top, bottom}, ops.Over(-2))
}

// stacked returns the real parts of a matrix over its imaginary ones: what its embedding has in the left half.
func stacked(a *nd.Array) *nd.Array {
	return ops.Concatenate([]*nd.Array{ops.Real(a), ops.Imag(a)}, ops.Over(-2))
}

// unstacked undoes stacked.
func unstacked(a *nd.Array) *nd.Array {
	n := a.Dim(-2) / 2
	return ops.Add(rows(a, 0, n), ops.Multiply(rows(a, n, 2*n), nd.Scalar(1i)))
}

// ofPairs returns one of each pair of equal neighbours, as their mean: its gradient does not depend on which of the two a vector
// belongs to.
func ofPairs(s *nd.Array) *nd.Array {
	shape := s.Shape()
	k := len(shape) - 1
	return ops.Mean(s.Reshape(append(shape[:k:k], shape[k]/2, 2)...), lastAxis)
}
