package conv

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// finish gives the result the axes of x, and adds the bias.
func (s *convolutionShape) finish(y, b *nd.Array, channels int, places []int) *nd.Array {
	z := release.Replace(y, y.Reshape(slices.Concat(s.outer, []int{channels}, places)...))
	if s.last {
		z = release.Replace(z, z.MoveAxis([]int{len(s.outer)}, []int{-1}))
	}
	if b != nil {
		if !s.last {
			b = b.Reshape(append([]int{channels}, broadcast.Ones(len(places))...)...)
			defer b.Release()
		}
		var o ops.UfuncOptions
		if s.given {
			o.DType = s.dtype
		}
		return release.Replace(z, ops.Add(z, b, o))
	}
	return z
}
