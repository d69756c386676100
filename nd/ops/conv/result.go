package conv

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// finish gives the result the axes of x, and adds the bias.
func (s *convolutionShape) finish(y, b *nd.Array, channels int, sizes []int) *nd.Array {
	z := release.Replace(y, y.Reshape(slices.Concat(s.outer, []int{channels}, sizes)...))
	if s.channelsLast {
		z = release.Replace(z, z.MoveAxis([]int{len(s.outer)}, []int{-1}))
	}
	if b != nil {
		if !s.channelsLast {
			b = b.Reshape(append([]int{channels}, broadcast.Ones(len(sizes))...)...)
			defer b.Release()
		}
		var o ops.UfuncOptions
		if s.dtypeGiven {
			o.DType = s.dtype
		}
		return release.Replace(z, ops.Add(z, b, o))
	}
	return z
}
