package conv

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// sliding computes a correlation of groups with one channel, as depthwise convolutions have: each window slides down
// the plane of its channel. A unit of work is a band of a plane.
type sliding struct {
	*correlation
	*layout
	height  int   // of the window
	columns []int // the starts of the window's columns
	weights unsafe.Pointer
}

// mostSlides is the maximum number of filters per group that slide one after the other; slidePixels is about how many
// pixels a plane serves.
const (
	mostSlides  = 2
	slidePixels = 8192
)

// slides reports whether there are routines for the window, whose rows must be adjacent.
func (c *correlation) slides() bool {
	down, along := &c.axes[1], 5
	for axis := range c.axes {
		if len(c.axes[axis].phases) > 1 {
			return false
		}
	}
	return c.inChannels == 1 && c.outChannels <= mostSlides && down.advance == 1 && down.hi-down.lo+1 == c.q.window[1] &&
		c.kernels.SlidesFor(c.q.window[1]) && (c.result.strides[along] == 1 || c.result.shape[along] == 1)
}

func correlateSliding[T scalar.Number](c *correlation) {
	q := c.q
	u := &sliding{correlation: c, layout: c.layOut(1, slidePixels, false), height: q.window[1]}
	for _, i := range c.axes[0].phases[0].shifts {
		for _, k := range c.axes[2].phases[0].shifts {
			u.columns = append(u.columns, u.shiftOf(c, 0, i)+u.shiftOf(c, 2, k))
		}
	}
	space := memory.TakeScratch(q.g * c.outChannels * q.taps * c.kernels.Size)
	u.weights = space.At(0)
	packColumns[T](u)
	units := q.n * q.g * u.bands
	workers.ForRanges(units, c.cost()/float64(units), func(from, to int) { slideRange[T](u, from, to) })
	space.Recycle()
}

// packColumns lays out the weights column by column, from the top row that the window covers down.
func packColumns[T scalar.Number](u *sliding) {
	q, w := u.q, &u.q.w
	all := memory.Slice[T](u.weights, q.g*u.outChannels*q.taps)
	down := &u.axes[1]
	for filter := range q.g * u.outChannels {
		own := all[filter*q.taps:]
		base := (*T)(w.plus(filter/u.outChannels*w.strides[0] + filter%u.outChannels*u.weight.out))
		for t := range u.columns {
			at := t/q.window[2]*w.strides[3] + t%q.window[2]*w.strides[5]
			for j, shift := range down.phases[0].shifts {
				own[t*u.height+shift-down.lo] = *memory.Advance(base, at+j*w.strides[4])
			}
		}
	}
}

func slideRange[T scalar.Number](u *sliding, from, to int) {
	q, r, size := u.q, u.result, u.kernels.Size
	space := memory.TakeScratch((u.size + 2*u.kernels.Lanes) * size)
	plane := memory.Room[T](space, 0, u.size+2*u.kernels.Lanes)
	clear(plane)
	f := u.fillingOf(u.correlation, from%u.bands)
	for unit := from; unit < to; unit++ {
		band, g, n := unit%u.bands, unit/u.bands%q.g, unit/u.bands/q.g
		f.change(band)
		fillPlanes(f, plane, n, g, 0, 1)
		counts := [3]int(r.shape[3:])
		counts[u.band] = u.rowsOf(u.correlation, band)
		for channel := range u.outChannels {
			to := unsafe.Add(r.at(n, g, channel), band*u.layout.height*r.strides[3+u.band]*size)
			weights := unsafe.Add(u.weights, (g*u.outChannels+channel)*q.taps*size)
			for i := range counts[0] {
				dst, src := unsafe.Add(to, i*r.strides[3]*size), unsafe.Add(space.At(0), i*u.pixelStride[0]*size)
				u.kernels.Slide(u.height, counts[1], counts[2], dst, r.strides[4], src, u.pixelStride[1], u.columns, weights, u.start(g, channel))
			}
		}
	}
	space.Recycle()
}
