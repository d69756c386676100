// Package view makes views of arrays for several packages below ops.
package view

import "github.com/ndgrad/ndgrad/nd"

// Span returns a view of the indices from…to-1 along an axis.
func Span(x *nd.Array, axis, from, to int) *nd.Array {
	ix := make([]nd.Index, axis+1)
	ix[axis] = nd.Span(from, to)
	return x.Index(ix...)
}

// DropLeading returns v without leading axes of length 1 beyond rank axes, as NumPy's assignments drop them.
func DropLeading(v *nd.Array, rank int) *nd.Array {
	for v.Rank() > rank && v.Dim(0) == 1 {
		v = v.Squeeze(0)
	}
	return v
}
