package conv

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// kernelAxes is the largest number of window axes that the kernel supports. A longer window sums its first axes tap by
// tap.
const kernelAxes = 3

// window returns the kernel's window for the axes from the given one on.
func (s *convolutionShape) window(from int) device.Window {
	w := device.Window{Rank: len(s.sizes) - from}
	copy(w.Size[:], s.sizes[from:])
	copy(w.Stride[:], s.stride[from:])
	copy(w.Dilation[:], s.dilation[from:])
	copy(w.Before[:], s.pad[from:])
	return w
}

// slide convolves x, with the axes (batch, group, channel, sizes...), with w, (group, filter, channel, taps...), over
// the axes of the window from the given one on. b is added if it is not nil and one kernel covers all these axes.
func (s *convolutionShape) slide(from int, x, w, b *nd.Array) *nd.Array {
	outputSizes := s.outputSizes[from:]
	if len(outputSizes) <= kernelAxes {
		shape := slices.Concat([]int{x.Dim(0), x.Dim(1), w.Dim(1)}, outputSizes)
		return convolve(s.fn, convolveOp{device.PartOutput, s.window(from), s.channelsLast, s.fast, s.then}, s.dtype, x, w, b, shape)
	}
	extent := s.dilation[from]*(s.taps[from]-1) + 1
	span := s.stride[from]*(outputSizes[0]-1) + 1
	padded := padAlong(x, 3, s.pad[from], max(span-1+extent-x.Dim(3)-s.pad[from], s.pad[from]))
	defer release.Unless(padded, x)
	made := s.fn.Temporaries(&padded, &w)
	defer made.Release()
	var y *nd.Array
	for k := range s.taps[from] {
		at := k * s.dilation[from]
		seen := padded.Index(nd.All(), nd.All(), nd.All(), nd.Span(at, at+span).By(s.stride[from]))
		y = added(y, splitBatch(s.slide(from+1, joinBatch(seen), atTap(w, k), nil), x.Dim(0), outputSizes[0]))
	}
	return made.Keep(y)
}

// slideTransposed is the transpose of slide: x has the axes (batch, group, filter, positions...), the result those of slide's x.
func (s *convolutionShape) slideTransposed(from int, x, w, b *nd.Array) *nd.Array {
	sizes := s.sizes[from:]
	if len(sizes) <= kernelAxes {
		shape := slices.Concat([]int{x.Dim(0), x.Dim(1), w.Dim(2)}, sizes)
		return convolve(s.fn, convolveOp{part: device.PartInput, window: s.window(from), last: s.channelsLast}, s.dtype, x, w, b, shape)
	}
	n, stride := x.Dim(3), s.stride[from]
	full := max(sizes[0]+2*s.pad[from], stride*n+s.dilation[from]*(s.taps[from]-1))
	made := s.fn.Temporaries(&x, &w)
	defer made.Release()
	joined := joinBatch(x)
	var y *nd.Array
	for k := range s.taps[from] {
		z := splitBatch(s.slideTransposed(from+1, joined, atTap(w, k), nil), x.Dim(0), n)
		apart := padAlong(z.ExpandDims(4), 4, 0, stride-1)
		shape := z.Shape()
		shape[3] *= stride
		at := k * s.dilation[from]
		y = added(y, padAlong(apart.Reshape(shape...), 3, at, full-at-shape[3]))
	}
	return made.Keep(y.Index(nd.All(), nd.All(), nd.All(), nd.Span(s.pad[from], s.pad[from]+sizes[0])))
}

// joinBatch makes axis 3 part of the batch; splitBatch undoes that.
func joinBatch(x *nd.Array) *nd.Array {
	x = x.MoveAxis([]int{3}, []int{1})
	shape := x.Shape()
	shape[1] *= shape[0]
	return x.Reshape(shape[1:]...)
}

func splitBatch(x *nd.Array, batch, n int) *nd.Array {
	return x.Reshape(slices.Concat([]int{batch, n}, x.Shape()[1:])...).MoveAxis([]int{1}, []int{3})
}

func atTap(w *nd.Array, k int) *nd.Array { return w.Index(nd.All(), nd.All(), nd.All(), nd.At(k)) }

func added(sum, x *nd.Array) *nd.Array {
	if sum == nil {
		return x
	}
	return ops.Add(sum, x)
}

// padAlong puts zeros before and after an axis.
func padAlong(x *nd.Array, axis, before, after int) *nd.Array {
	if before == 0 && after == 0 {
		return x
	}
	widths := make([][2]int, x.Rank())
	widths[axis] = [2]int{before, after}
	return ops.Pad(x, widths)
}
