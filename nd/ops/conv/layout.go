package conv

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// images returns x with the axes (batch, group, channel, sizes...), given the number of channels per group.
func (s *convolutionShape) images(channels int) *nd.Array {
	x := s.x
	if s.channelsLast {
		x = x.MoveAxis([]int{-1}, []int{len(s.outer)})
	}
	y := x.Reshape(slices.Concat([]int{s.batch, s.group, channels}, s.sizes)...)
	release.Unless(x, s.x)
	return y
}

// weight returns w with the axes (group, filter, channel, taps...).
func (s *convolutionShape) weight() *nd.Array {
	w := s.w
	if s.channelsLast {
		w = w.MoveAxis([]int{-1}, []int{1})
	}
	y := w.Reshape(slices.Concat([]int{s.group, s.filters / s.group, s.groupChannels}, s.taps)...)
	release.Unless(w, s.w)
	return y
}

// splitBias returns the bias either as fused, for the kernel to add, or as later, to be added after it. The kernel does
// not add it if the window has more axes than the kernel supports, the result is of integers, or the bias changes the
// result's dtype.
func (s *convolutionShape) splitBias(b *nd.Array) (fused, later *nd.Array) {
	if b == nil || len(s.sizes) > kernelAxes {
		return nil, b
	}
	if !s.dtype.IsInexact() || !s.dtypeGiven && ufunc.CommonType([]*nd.Array{s.x, s.w, b}) != s.dtype {
		return nil, b
	}
	return b, nil
}
