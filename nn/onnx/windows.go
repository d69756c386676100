package onnx

import (
	"slices"
	"sync/atomic"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// windows are the attributes of operators that slide a window over the axes after the first two.
type windows struct {
	kernel, strides, dilations, pads []int
	auto                             string
	ceil                             bool
	last                             *atomic.Pointer[fitted]
}

// fitted are windows over arrays of some lengths. Most calls have those of the call before.
type fitted struct {
	lengths, kernel []int
	sliding
}

func (n *node) windows() windows {
	return windows{kernel: n.ints("kernel_shape"), strides: n.ints("strides"), dilations: n.ints("dilations"), pads: n.ints("pads"),
		auto: n.text("auto_pad", "NOTSET", "NOTSET", "", "VALID", "SAME_UPPER", "SAME_LOWER"), last: &atomic.Pointer[fitted]{}}
}

// sliding are windows over the axes of an array.
type sliding struct {
	kernel, stride, dilation []int
	front, back              []int // padding
	size                     []int // numbers of windows
	missing                  []int // elements behind the padding that the last window reads, as ceil_mode has it
}

// fit returns the windows of some weights over an array.
func (w windows) fit(c *call, x, weights *nd.Array) sliding {
	f := w.last.Load()
	if f == nil || !hasLengths(x, 2, f.lengths) || !hasLengths(weights, 2, f.kernel) {
		f = &fitted{lengths: c.spatial(x), kernel: c.spatial(weights)}
		f.sliding = w.over(c, f.lengths, f.kernel)
		w.last.Store(f)
	}
	return f.sliding
}

// hasLengths reports whether the axes from one on have the given lengths.
func hasLengths(x *nd.Array, from int, lengths []int) bool {
	if x.Rank() != from+len(lengths) {
		return false
	}
	for i, n := range lengths {
		if x.Dim(from+i) != n {
			return false
		}
	}
	return true
}

// over returns the windows over the last axes of an array. The attribute kernel_shape is that of the kernel if it is missing.
func (w windows) over(c *call, lengths, kernel []int) sliding {
	if w.kernel != nil {
		kernel = w.kernel
	}
	axes := len(lengths)
	s := sliding{kernel: kernel, stride: fill(w.strides, axes), dilation: fill(w.dilations, axes), front: make([]int, axes), back: make([]int, axes),
		size: make([]int, axes), missing: make([]int, axes)}
	if len(kernel) != axes || len(s.stride) != axes || len(s.dilation) != axes || w.pads != nil && len(w.pads) != 2*axes ||
		slices.Min(append(slices.Concat(kernel, s.stride, s.dilation), 1)) < 1 {
		c.refuse("windows of %d, strides %d, dilations %d and pads %d over %d axes", kernel, s.stride, s.dilation, w.pads, axes)
	}
	for i, n := range lengths {
		extent := s.dilation[i]*(kernel[i]-1) + 1
		switch w.auto {
		case "SAME_UPPER", "SAME_LOWER":
			s.size[i] = (n + s.stride[i] - 1) / s.stride[i]
			total := max((s.size[i]-1)*s.stride[i]+extent-n, 0)
			s.front[i] = total / 2
			if w.auto == "SAME_LOWER" {
				s.front[i] = total - total/2
			}
			s.back[i] = total - s.front[i]
			continue
		case "VALID":
		default:
			if w.pads != nil {
				s.front[i], s.back[i] = w.pads[i], w.pads[axes+i]
			}
		}
		room := n + s.front[i] + s.back[i] - extent
		if room < 0 && !w.ceil {
			c.refuse("a window of %d elements does not fit into axis %d of length %d with padding %d and %d", extent, i+2, n, s.front[i], s.back[i])
		}
		s.size[i] = max(room, 0)/s.stride[i] + 1
		if w.ceil {
			s.size[i] = (room+s.stride[i]-1)/s.stride[i] + 1
			if (s.size[i]-1)*s.stride[i] >= n+s.front[i] { // it would begin in the padding behind
				s.size[i]--
			}
			s.missing[i] = max((s.size[i]-1)*s.stride[i]+extent-(n+s.front[i]+s.back[i]), 0)
		}
	}
	return s
}

// fill returns the numbers, or ones.
func fill(values []int, axes int) []int {
	if values == nil {
		return slices.Repeat([]int{1}, axes)
	}
	return values
}

// isEven reports whether the padding is the same on both sides, and no window reaches beyond it.
func (s sliding) isEven() bool {
	return slices.Equal(s.front, s.back) && !slices.ContainsFunc(s.missing, func(n int) bool { return n != 0 }) && !slices.ContainsFunc(s.front, func(n int) bool { return n < 0 })
}

// padded returns x with the padding, filled with a value.
func (s sliding) padded(x, value *nd.Array) *nd.Array {
	widths := make([][2]int, x.Rank())
	for i := range s.front {
		widths[x.Rank()-len(s.front)+i] = [2]int{s.front[i], s.back[i] + s.missing[i]}
	}
	return padOrCut(x, widths, ops.PadOptions{Value: value})
}

// padOrCut pads axes, and cuts off where a width is negative.
func padOrCut(x *nd.Array, widths [][2]int, o ops.PadOptions) *nd.Array {
	ix, cut, grown := make([]nd.Index, len(widths)), false, false
	for i, w := range widths {
		from, to := max(-w[0], 0), x.Dim(i)-max(-w[1], 0)
		ix[i] = nd.Span(from, max(to, from))
		cut = cut || w[0] < 0 || w[1] < 0
		grown = grown || w[0] > 0 || w[1] > 0
		widths[i] = [2]int{max(w[0], 0), max(w[1], 0)}
	}
	if cut {
		x = x.Index(ix...)
	}
	if grown {
		x = ops.Pad(x, widths, o)
	}
	return x
}
