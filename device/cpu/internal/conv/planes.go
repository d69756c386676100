package conv

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// layout says where the elements of the source lie that a band of the result's rows needs: in the source itself, or in
// planes, which are copies of its channels padded with zeros. If pixels advance in steps, an axis of a plane is split
// by the remainder of its index, so that neighbouring pixels stay neighbours.
type layout struct {
	inPlace     bool
	band        int // axis
	height      int // rows of a full band
	bands       int
	extent      [3]int // elements of the source along each axis, for a full band
	pixelStride [3]int // stride from pixel to pixel
	phaseStride [3]int // stride from remainder to remainder
	channel     int    // strides
	image       int
	size        int // elements of an image
}

// planeBytes limits the planes that are made at once, so that they stay in the second-level cache.
const planeBytes = 1 << 20

// fits reports whether no pixel needs anything outside the source.
func (c *correlation) fits() bool {
	for axis := range c.axes {
		a := &c.axes[axis]
		for i := range a.phases {
			last := a.pixels(c.result.shape[3+axis], i) - 1
			for _, shift := range a.phases[i].shifts {
				if last >= 0 && (shift < 0 || last*a.advance+shift >= c.source.shape[3+axis]) {
					return false
				}
			}
		}
	}
	return true
}

// extentFor returns how many elements of the source along an axis n pixels of the result need.
func (a *axis) extentFor(n int) int {
	return (strided.CeilDiv(n, a.step)-1)*a.advance + a.hi - a.lo + 1
}

// layOut plans bands of about the given number of pixels, for the given number of channels at once.
func (c *correlation) layOut(channels, pixels int, inPlace bool) *layout {
	l := &layout{inPlace: inPlace, band: c.bandAxis()}
	perRow := broadcast.Size(c.result.shape[3:]) / c.result.shape[3+l.band]
	step := c.axes[l.band].step
	most := c.result.shape[3+l.band]
	l.height = min(most, strided.RoundUp(strided.CeilDiv(pixels, perRow), step))
	for {
		l.bands = strided.CeilDiv(most, l.height)
		l.height = min(most, strided.RoundUp(strided.CeilDiv(most, l.bands), step)) // bands of about the same size
		l.bands = strided.CeilDiv(most, l.height)
		l.setStrides(c)
		if inPlace || l.height <= step || channels*l.channel*c.kernels.Size <= planeBytes {
			break
		}
		l.height = strided.RoundUp(l.height/2, step)
	}
	l.size = channels * l.channel
	if inPlace {
		l.channel, l.image = c.source.strides[2], c.source.strides[0]
	} else {
		l.image = l.size
	}
	return l
}

// setStrides computes the strides.
func (l *layout) setStrides(c *correlation) {
	next := 1
	for axis := 2; axis >= 0; axis-- {
		a, n := &c.axes[axis], c.result.shape[3+axis]
		if axis == l.band {
			n = l.height
		}
		l.extent[axis] = a.extentFor(n)
		if l.inPlace {
			l.pixelStride[axis], l.phaseStride[axis] = a.advance*c.source.strides[3+axis], c.source.strides[3+axis]
			continue
		}
		cells := strided.CeilDiv(l.extent[axis], a.advance)
		l.pixelStride[axis], l.phaseStride[axis] = next, next*cells
		next *= cells * a.advance
	}
	l.channel = next
}

// shiftOf returns the offset of a tap's shift.
func (l *layout) shiftOf(c *correlation, axis, shift int) int {
	if l.inPlace {
		return shift * l.phaseStride[axis]
	}
	far := shift - c.axes[axis].lo
	return far%c.axes[axis].advance*l.phaseStride[axis] + far/c.axes[axis].advance*l.pixelStride[axis]
}

// rowsOf returns how many rows a band has.
func (l *layout) rowsOf(c *correlation, band int) int {
	return min(l.height, c.result.shape[3+l.band]-band*l.height)
}

// base returns the start of a band's source elements, for a layout in the source.
func (l *layout) base(c *correlation, n, g, channel, band int) unsafe.Pointer {
	a := &c.axes[l.band]
	first := min(band*l.height/a.step*a.advance, c.source.shape[3+l.band]-1) // pixels without taps may lie after the last element
	return c.source.plus(n*c.source.strides[0] + g*c.source.strides[1] + channel*c.source.strides[2] + first*c.source.strides[3+l.band])
}

// planeFilling is the content of the planes of a band: parts of the source's channels, and zeros elsewhere.
type planeFilling struct {
	*correlation
	*layout
	band  int
	whole bool // there are no zeros
	clean bool // the planes hold zeros outside the parts of the band
	parts []planePart
}

// planePart is some elements of a channel: rows of n that have the same remainders.
type planePart struct{ from, to, rows, n int }

// fillingOf returns the filling for a band of planes that contain only zeros.
func (l *layout) fillingOf(c *correlation, band int) *planeFilling {
	f := &planeFilling{correlation: c, layout: l}
	f.plan(band)
	f.clean = true
	return f
}

// change makes f the filling of another band, in planes that hold the current one.
func (f *planeFilling) change(band int) {
	if band != f.band {
		f.plan(band)
	}
}

func (f *planeFilling) plan(band int) {
	l, source := f.layout, f.source
	begin, extent := [3]int{f.axes[0].lo, f.axes[1].lo, f.axes[2].lo}, l.extent
	a := &f.axes[l.band]
	begin[l.band] += band * l.height / a.step * a.advance
	extent[l.band] = a.extentFor(l.rowsOf(f.correlation, band))
	var lo, hi [3]int // the part that lies in the source
	f.band, f.whole, f.clean, f.parts = band, true, false, f.parts[:0]
	for axis := range lo {
		lo[axis] = min(max(0, -begin[axis]), extent[axis])
		hi[axis] = max(lo[axis], min(extent[axis], source.shape[3+axis]-begin[axis]))
		f.whole = f.whole && lo[axis] == 0 && hi[axis] == l.extent[axis]
	}
	down, along := f.axes[1].advance, f.axes[2].advance
	for i := lo[0]; i < hi[0]; i++ {
		for j := lo[1]; j < min(lo[1]+down, hi[1]); j++ {
			for k := lo[2]; k < min(lo[2]+along, hi[2]); k++ {
				f.parts = append(f.parts, planePart{
					from: (begin[0]+i)*source.strides[3] + (begin[1]+j)*source.strides[4] + (begin[2]+k)*source.strides[5],
					to:   l.offset(f.correlation, 0, i) + l.offset(f.correlation, 1, j) + l.offset(f.correlation, 2, k),
					rows: strided.CeilDiv(hi[1]-j, down), n: strided.CeilDiv(hi[2]-k, along),
				})
			}
		}
	}
}

// fillPlanes fills the planes of some channels of an image.
func fillPlanes[T scalar.Number](f *planeFilling, dst []T, n, g, from, to int) {
	if !f.whole && !f.clean {
		clear(dst[:(to-from)*f.layout.channel])
	}
	f.clean = true
	for channel := from; channel < to; channel++ {
		plane, source := &dst[(channel-from)*f.layout.channel], (*T)(f.source.at(n, g, channel))
		for i := range f.parts {
			part := &f.parts[i]
			copyPart(f, memory.Advance(plane, part.to), memory.Advance(source, part.from), part.rows, part.n)
		}
	}
}

// copyPart copies rows of n elements.
func copyPart[T scalar.Number](f *planeFilling, dst, source *T, rows, n int) {
	down, along := f.axes[1].advance*f.source.strides[4], f.axes[2].advance*f.source.strides[5]
	if along == 1 {
		f.kernels.CopyRows(rows, n, unsafe.Pointer(dst), f.pixelStride[1], unsafe.Pointer(source), down)
		return
	}
	for r := range rows {
		copyRun(unsafe.Slice(memory.Advance(dst, r*f.pixelStride[1]), n), source, r*down, along)
	}
}

// offset returns the offset of element i along a plane's axis.
func (l *layout) offset(c *correlation, axis, i int) int {
	advance := c.axes[axis].advance
	if advance == 1 {
		return i * l.pixelStride[axis]
	}
	return i%advance*l.phaseStride[axis] + i/advance*l.pixelStride[axis]
}
