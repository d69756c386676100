package conv

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/conv"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// panelBytes limits the size of a panel of packed weights, so that it stays in the first-level cache.
const panelBytes = 24 << 10

// findWeights locates the weights of subconvolutions in the tensor itself if the taps of each channel are contiguous
// there; otherwise it copies them in order.
func findWeights[T scalar.Number](c *correlation, subs []subconvolution) {
	q := c.q
	step, flat := q.w.flat(3)
	flat = flat && (step == 1 || q.taps == 1) && len(subs) == 1 && q.taps <= panelBytes/(c.kernels.Vectors*c.kernels.Lanes*c.kernels.Size)
	var room tensor
	if !flat {
		room = q.dense(&q.w, q.dtype)
	}
	next := 0
	for i := range subs {
		p := &subs[i]
		if flat {
			p.weight, p.groupStride, p.outStride, p.inStride = q.w.base, q.w.strides[0], c.weight.out, c.weight.in
			p.inOrder = c.inChannels == 1 || p.inStride == p.taps
			continue
		}
		p.outStride, p.inStride, p.inOrder = c.inChannels*p.taps, p.taps, true
		if p.outStride == 0 {
			p.weight = room.base // not the memory after the scratch
			continue
		}
		p.weight = room.plus(next)
		p.groupStride = c.outChannels * p.outStride
		gatherWeights[T](c, p)
		next += q.g * p.groupStride
	}
}

// gatherWeights copies the weights of a subconvolution to its own memory.
func gatherWeights[T scalar.Number](c *correlation, p *subconvolution) {
	q := c.q
	taps := make([]int, 0, p.taps)
	for _, i := range c.axes[0].phases[p.phase[0]].taps {
		for _, j := range c.axes[1].phases[p.phase[1]].taps {
			for _, k := range c.axes[2].phases[p.phase[2]].taps {
				taps = append(taps, i*q.w.strides[3]+j*q.w.strides[4]+k*q.w.strides[5])
			}
		}
	}
	workers.ForRanges(q.g*c.outChannels, float64(p.outStride), func(from, to int) {
		for i := from; i < to; i++ {
			dst := memory.Slice[T](unsafe.Add(p.weight, i*p.outStride*q.dtype.Size()), p.outStride)
			source := (*T)(q.w.plus(i/c.outChannels*q.w.strides[0] + i%c.outChannels*c.weight.out))
			for channel := range c.inChannels {
				for t, at := range taps {
					dst[channel*p.taps+t] = *memory.Advance(source, channel*c.weight.in+at)
				}
			}
		}
	})
}

// terms returns how many terms of a subconvolution a panel for the given number of channels holds: all taps of some input channels. A panel
// is a part of the sums, so the number depends on nothing but the shapes.
func (c *correlation) terms(p *subconvolution, channels int) int {
	n := min(panelBytes/(channels*c.kernels.Size), conv.MostTerms)
	if p.taps > 0 && p.taps <= n {
		n = n / p.taps * p.taps
	}
	return n
}

// The kernels' own routine transposes panels and the sums of bands, not move.Transpose: for the few channels and taps
// of a panel it takes as little as half the time, and it supports negative strides of the result.

// pack lays out the weights of some output channels, starting at one, for the terms [from, to), in a panel: for each
// term the channels next to each other, padded with zeros to width.
func (c *correlation) pack(p *subconvolution, panel unsafe.Pointer, g, channel, channels, width, from, to int) {
	size := c.kernels.Size
	if channels < width {
		clear(memory.Slice[byte](panel, (to-from)*width*size))
	}
	source := unsafe.Add(p.weight, (g*p.groupStride+channel*p.outStride)*size)
	if p.inOrder {
		c.kernels.Transpose(channels, to-from, panel, width, unsafe.Add(source, from*size), p.outStride)
		return
	}
	first := from / p.taps
	for in := first; in < to/p.taps; in++ {
		own := unsafe.Add(panel, (in-first)*p.taps*width*size)
		c.kernels.Transpose(channels, p.taps, own, width, unsafe.Add(source, in*p.inStride*size), p.outStride)
	}
}
