package cpu

import (
	"unsafe"
)

// layout says where the elements of the source lie that a band of the result's rows needs: in the source itself, or in
// planes, copies of its channels with zeros around. Where places advance in steps, an axis of a plane is split by the
// remainder, so that neighbouring places always are neighbours.
type layout struct {
	inPlace bool
	band    int // axis
	height  int // rows of a full band
	bands   int
	extent  [3]int // elements of the source along each axis, for a full band
	cell    [3]int // stride from place to place
	split   [3]int // stride from remainder to remainder
	channel int    // strides
	image   int
	size    int // elements of an image
}

// planeBytes bounds the planes that are made at once, so that they stay in the second-level cache.
const planeBytes = 1 << 20

// fits reports whether no place needs anything outside of the source.
func (c *correlation) fits() bool {
	for axis := range c.axes {
		a := &c.axes[axis]
		for i := range a.phases {
			last := a.places(c.result.shape[3+axis], i) - 1
			for _, shift := range a.phases[i].shifts {
				if last >= 0 && (shift < 0 || last*a.advance+shift >= c.source.shape[3+axis]) {
					return false
				}
			}
		}
	}
	return true
}

// extentFor is how many elements of the source along an axis n places of the result need.
func (a *correlationAxis) extentFor(n int) int {
	return (ceilDiv(n, a.step)-1)*a.advance + a.hi - a.lo + 1
}

// layOut plans bands of about so many places, for so many channels at once.
func (c *correlation) layOut(channels, places int, inPlace bool) *layout {
	l := &layout{inPlace: inPlace, band: c.bandAxis()}
	perRow := product(c.result.shape[3:]) / c.result.shape[3+l.band]
	step := c.axes[l.band].step
	most := c.result.shape[3+l.band]
	l.height = min(most, roundUp(ceilDiv(places, perRow), step))
	for {
		l.bands = ceilDiv(most, l.height)
		l.height = min(most, roundUp(ceilDiv(most, l.bands), step)) // bands of about the same size
		l.bands = ceilDiv(most, l.height)
		l.lay(c)
		if inPlace || l.height <= step || channels*l.channel*c.kernels.Size <= planeBytes {
			break
		}
		l.height = roundUp(l.height/2, step)
	}
	l.size = channels * l.channel
	if inPlace {
		l.channel, l.image = c.source.strides[2], c.source.strides[0]
	} else {
		l.image = l.size
	}
	return l
}

// lay works out the strides.
func (l *layout) lay(c *correlation) {
	next := 1
	for axis := 2; axis >= 0; axis-- {
		a, n := &c.axes[axis], c.result.shape[3+axis]
		if axis == l.band {
			n = l.height
		}
		l.extent[axis] = a.extentFor(n)
		if l.inPlace {
			l.cell[axis], l.split[axis] = a.advance*c.source.strides[3+axis], c.source.strides[3+axis]
			continue
		}
		cells := ceilDiv(l.extent[axis], a.advance)
		l.cell[axis], l.split[axis] = next, next*cells
		next *= cells * a.advance
	}
	l.channel = next
}

// shiftOf returns where a tap's shift leads.
func (l *layout) shiftOf(c *correlation, axis, shift int) int {
	if l.inPlace {
		return shift * l.split[axis]
	}
	far := shift - c.axes[axis].lo
	return far%c.axes[axis].advance*l.split[axis] + far/c.axes[axis].advance*l.cell[axis]
}

// rowsOf returns how many rows a band has.
func (l *layout) rowsOf(c *correlation, band int) int {
	return min(l.height, c.result.shape[3+l.band]-band*l.height)
}

// base returns where the source of a band begins in place.
func (l *layout) base(c *correlation, n, g, channel, band int) unsafe.Pointer {
	a := &c.axes[l.band]
	return c.source.plus(n*c.source.strides[0] + g*c.source.strides[1] + channel*c.source.strides[2] +
		band*l.height/a.step*a.advance*c.source.strides[3+l.band])
}

// fillPlanes makes the planes of some channels of an image for a band.
func fillPlanes[T number](c *correlation, l *layout, dst []T, n, g, from, to, band int) {
	var begin [3]int // element of the source that the first of the planes is
	extent := l.extent
	for axis := range c.axes {
		begin[axis] = c.axes[axis].lo
	}
	a := &c.axes[l.band]
	begin[l.band] += band * l.height / a.step * a.advance
	extent[l.band] = a.extentFor(l.rowsOf(c, band))
	for channel := from; channel < to; channel++ {
		plane := dst[(channel-from)*l.channel:][:l.channel]
		source := (*T)(c.source.at(n, g, channel))
		for i := range extent[0] {
			for j := range extent[1] {
				row := plane[l.placeOf(c, 0, i)+l.placeOf(c, 1, j):]
				y, x := begin[0]+i, begin[1]+j
				inside := 0 <= y && y < c.source.shape[3] && 0 <= x && x < c.source.shape[4]
				at := y*c.source.strides[3] + x*c.source.strides[4]
				for r := range c.axes[2].advance {
					fillRow(c, row[r*l.split[2]:], source, inside, at, begin[2]+r, ceilDiv(extent[2]-r, c.axes[2].advance))
				}
			}
		}
	}
}

// placeOf returns where element i of a plane's axis lies.
func (l *layout) placeOf(c *correlation, axis, i int) int {
	advance := c.axes[axis].advance
	if advance == 1 {
		return i * l.cell[axis]
	}
	return i%advance*l.split[axis] + i/advance*l.cell[axis]
}

// fillRow copies every advance-th of a row's elements from one on, n of them; those outside are zeros.
func fillRow[T number](c *correlation, dst []T, source *T, inside bool, at, from, n int) {
	dst = dst[:n]
	advance, step, size := c.axes[2].advance, c.source.strides[5], c.source.shape[5]
	if !inside {
		clear(dst)
		return
	}
	lo := min(ceilDiv(-from, advance), n)
	hi := max(lo, min(ceilDiv(size-from, advance), n))
	clear(dst[:lo])
	clear(dst[hi:])
	if lo < hi {
		copyRun(dst[lo:hi], source, at+(from+lo*advance)*step, advance*step)
	}
}
