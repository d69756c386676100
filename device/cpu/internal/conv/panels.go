package conv

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	tiles "github.com/ndgrad/ndgrad/device/cpu/internal/simd/conv"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// panelBytes bounds a panel of packed weights, so that it stays in the first-level cache.
const panelBytes = 24 << 10

// findWeights finds the weights of passes where they lie, if the taps of each channel follow each other there; others are
// copied in order.
func findWeights[T scalar.Number](c *correlation, passes []subconvolution) {
	q := c.q
	step, flat := q.w.flat(3)
	flat = flat && (step == 1 || q.taps == 1) && len(passes) == 1 && q.taps <= panelBytes/(c.kernels.Vectors*c.kernels.Lanes*c.kernels.Size)
	var room tensor
	if !flat {
		room = q.dense(&q.w, q.dtype)
	}
	next := 0
	for i := range passes {
		p := &passes[i]
		if flat {
			p.weight, p.group, p.row, p.channel = q.w.base, q.w.strides[0], c.weight.row, c.weight.channel
			p.inOrder = c.channels == 1 || p.channel == p.taps
			continue
		}
		p.row, p.channel, p.inOrder = c.channels*p.taps, p.taps, true
		if p.row == 0 {
			p.weight = room.base // not what follows the room
			continue
		}
		p.weight = room.plus(next)
		p.group = c.rows * p.row
		gatherWeights[T](c, p)
		next += q.g * p.group
	}
}

// gatherWeights copies the weights of a pass to its own place.
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
	workers.ForRanges(q.g*c.rows, float64(p.row), func(from, to int) {
		for i := from; i < to; i++ {
			dst := memory.Slice[T](unsafe.Add(p.weight, i*p.row*q.dtype.Size()), p.row)
			source := (*T)(q.w.plus(i/c.rows*q.w.strides[0] + i%c.rows*c.weight.row))
			for channel := range c.channels {
				for t, at := range taps {
					dst[channel*p.taps+t] = *memory.Advance(source, channel*c.weight.channel+at)
				}
			}
		}
	})
}

// terms returns how many terms of a pass a panel for so many rows holds.
func (c *correlation) terms(p *subconvolution, rows int) int {
	n := min(panelBytes/(rows*c.kernels.Size), tiles.MostTerms)
	if !p.inOrder {
		n = n / p.taps * p.taps
	}
	return n
}

// pack lays out the weights of rows [row, row+rows) for terms [from, to) in a panel: for each term the rows side by side,
// width of them with zeros behind.
func (c *correlation) pack(p *subconvolution, panel unsafe.Pointer, g, row, rows, width, from, to int) {
	size := c.kernels.Size
	if rows < width {
		clear(memory.Slice[byte](panel, (to-from)*width*size))
	}
	source := unsafe.Add(p.weight, (g*p.group+row*p.row)*size)
	if p.inOrder {
		c.kernels.Transpose(rows, to-from, panel, width, unsafe.Add(source, from*size), p.row)
		return
	}
	first := from / p.taps
	for channel := first; channel < to/p.taps; channel++ {
		own := unsafe.Add(panel, (channel-first)*p.taps*width*size)
		c.kernels.Transpose(rows, p.taps, own, width, unsafe.Add(source, channel*p.channel*size), p.row)
	}
}
