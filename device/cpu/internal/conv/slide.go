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
	height  int   // of the window, or of the part of it that a row needs
	tops    []int // the first row of that part, by row of the result; nil if all rows need the whole window
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
	u.shorten()
	space := memory.TakeScratch(q.g * c.outChannels * u.filter() * c.kernels.Size)
	u.weights = space.At(0)
	packColumns[T](u)
	units := q.n * q.g * u.bands
	workers.ForRanges(units, c.cost()/float64(units), func(from, to int) { slideRange[T](u, from, to) })
	space.Recycle()
}

// mostTops is the largest number of rows of the result with weights of their own.
const mostTops = 8

// shorten finds the part of the window that each row of the result needs, if the planes are so low that each window hangs over
// their edge. The rest of the window is multiplied by the padding alone.
func (u *sliding) shorten() {
	rows, low := u.result.shape[4], u.source.shape[4]
	height := low
	for height < u.height && !u.kernels.SlidesFor(height) {
		height++
	}
	if height >= u.height || rows > mostTops || u.bands > 1 || !u.weightIsFinite() {
		return
	}
	for row := range rows {
		u.tops = append(u.tops, min(max(0, -row-u.axes[1].lo), u.height-height))
	}
	u.height = height
}

// filter is the number of packed weights of a filter.
func (u *sliding) filter() int { return max(len(u.tops), 1) * len(u.columns) * u.height }

// packColumns lays out the weights column by column, from the top row that the window covers down.
func packColumns[T scalar.Number](u *sliding) {
	q, w := u.q, &u.q.w
	all := memory.Slice[T](u.weights, q.g*u.outChannels*u.filter())
	tops := u.tops
	if tops == nil {
		tops = []int{0}
	}
	for filter := range q.g * u.outChannels {
		own := all[filter*u.filter():]
		base := (*T)(w.plus(filter/u.outChannels*w.strides[0] + filter%u.outChannels*u.weight.out))
		for _, top := range tops {
			for t := range u.columns {
				at := t/q.window[2]*w.strides[3] + t%q.window[2]*w.strides[5]
				for j, shift := range u.axes[1].phases[0].shifts {
					if i := shift - u.axes[1].lo - top; 0 <= i && i < u.height {
						own[t*u.height+i] = *memory.Advance(base, at+j*w.strides[4])
					}
				}
			}
			own = own[len(u.columns)*u.height:]
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
			weights := unsafe.Add(u.weights, (g*u.outChannels+channel)*u.filter()*size)
			for i := range counts[0] {
				dst, src := unsafe.Add(to, i*r.strides[3]*size), unsafe.Add(space.At(0), i*u.pixelStride[0]*size)
				if u.tops == nil {
					u.kernels.Slide(u.height, counts[1], counts[2], dst, r.strides[4], src, u.pixelStride[1], u.columns, weights, u.start(g, channel))
				}
				for row, top := range u.tops {
					own, from := unsafe.Add(weights, row*len(u.columns)*u.height*size), unsafe.Add(src, (row+top)*u.pixelStride[1]*size)
					u.kernels.Slide(u.height, 1, counts[2], unsafe.Add(dst, row*r.strides[4]*size), r.strides[4], from, u.pixelStride[1], u.columns, own, u.start(g, channel))
				}
			}
		}
	}
	space.Recycle()
}
