package cudaops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// mostCorners is how many elements a point may lie between: two along each of three axes.
const mostCorners = 8

// sampling has what a kernel of sample.cu is told besides its loop.
type sampling struct {
	first, x, slope, outer, axes int
	keys, points, parts          uint64
}

func (d *Device) sample(l *device.Launch, name string, points int, s sampling) {
	a := newArguments(limitOf(l.Rank))
	places := l.N - s.first
	for _, v := range []int{places, s.first, int(l.Bounds), s.x, s.slope, s.outer, s.axes} {
		a.int(v)
	}
	a.word(s.keys)
	a.word(s.points)
	a.word(s.parts)
	const most = 6
	for _, axis := range l.Axes[:places] {
		a.int(axis.Stride)
		a.int(axis.Size)
	}
	a.n += 2 * (most - places)
	a.launchLoop(l, l.N, device.MaxOperands)
	d.run(l.Func, entry{file: "sample", name: name}, over(points), threads, 0, a)
}

// Sample stores what lies between elements of x.
func (d *Device) Sample(l *device.Launch) {
	d.enter(l)
	d.sample(l, "sample", l.Size(), sampling{first: 2, x: 1, slope: -1})
}

// SampleGrad adds up what each element has contributed, in the order of the points: it sorts the contributions by their elements.
func (d *Device) SampleGrad(l *device.Launch) {
	d.enter(l)
	n := l.Size() * mostCorners
	if n == 0 {
		return
	}
	d.clear(l, verdict{device: d, fn: l.Func}, 0, l.Axes[:l.N-2])
	keys, points, parts := d.scratch(l.Func, 8*n), d.scratch(l.Func, 8*n), d.scratch(l.Func, 8*n)
	defer parts.free()
	s := sampling{first: 2, slope: -1, keys: keys.address, points: points.address, parts: parts.address}
	d.sample(l, "sample_parts", l.Size(), s)
	keys, points = d.sortPairs(l.Func, keys, points, n)
	s.keys, s.points = keys.address, points.address
	d.sample(l, "sample_sums", n, s)
	keys.free()
	points.free()
}

// SamplePlacesGrad stores the gradients by the places.
func (d *Device) SamplePlacesGrad(l *device.Launch) {
	d.enter(l)
	for j := range l.Outputs {
		turned, axes := ownFirst(l, j)
		outer := broadcast.Size(turned.Shape[:axes])
		if outer > 0 && turned.Size() > 0 {
			d.sample(turned, "sample_slope", outer, sampling{first: l.Outputs + 2, x: l.Outputs + 1, slope: j, outer: outer, axes: axes})
		}
		turned.Recycle()
	}
}
