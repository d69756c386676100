package cudaops

import (
	"math/bits"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// mostCorners is the largest number of elements around a point: two along each of three axes.
const mostCorners = 8

// sampling holds the parameters of a kernel of sample.cu besides its loop.
type sampling struct {
	first, x, slope, outer, axes int
	keys, numbers, parts         uint64
	wide                         bool // keys have 8 bytes
	base, none, scale            int  // of keys
}

func (d *Device) sample(l *device.Launch, name string, points int, s sampling) {
	a := newArguments(limitOf(l.Rank))
	locations := l.N - s.first
	for _, v := range []int{locations, s.first, int(l.Bounds), s.x, s.slope, s.outer, s.axes} {
		a.int(v)
	}
	a.word(s.keys)
	a.word(s.numbers)
	a.word(s.parts)
	a.bool(s.wide)
	a.int(s.base)
	a.int(s.none)
	a.int(s.scale)
	const most = 6
	for _, axis := range l.Axes[:locations] {
		a.int(axis.Stride)
		a.int(axis.Size)
	}
	a.n += 2 * (most - locations)
	a.launchLoop(l, l.N, device.MaxOperands)
	d.run(l.Func, entry{file: "sample", name: name}, over(points), threads, 0, a)
}

// Sample stores interpolated values of x.
func (d *Device) Sample(l *device.Launch) {
	d.enter(l)
	d.sample(l, "sample", l.Size(), sampling{first: 2, x: 1, slope: -1})
}

// SampleGrad adds up the gradients of each element, in the order of the points: it sorts the contributions by element.
func (d *Device) SampleGrad(l *device.Launch) {
	d.enter(l)
	n := l.Size() * mostCorners
	if n == 0 {
		return
	}
	axes := l.Axes[:l.N-2]
	d.clear(l, indexCheck{device: d, fn: l.Func}, 0, axes)
	var offsets span
	for axis, n := range l.Shape[:l.Rank] {
		offsets.add(n, l.Operands[0].Strides[axis])
	}
	for _, axis := range axes {
		offsets.add(axis.Size, axis.Stride)
	}
	size := offsets.keySize()
	keys, parts := d.scratch(l.Func, size*n), d.scratch(l.Func, 8*n)
	defer parts.free()
	s := sampling{first: 2, slope: -1, keys: keys.address, parts: parts.address, wide: size == 8, none: offsets.count()}
	scaled := *l // its strides lead from key to key
	for axis := range l.Rank {
		scaled.Operands[0].Strides[axis] /= offsets.step()
	}
	for k := range axes {
		scaled.Axes[k].Stride /= offsets.step()
	}
	s.base = -offsets.lowest / offsets.step()
	d.sample(&scaled, "sample_parts", l.Size(), s)
	keys, numbers := d.sortedKeys(l.Func, keys, size, bits.Len(uint(offsets.count())), n)
	s.keys, s.numbers, s.base, s.scale = keys.address, numbers.address, offsets.lowest, offsets.step()
	d.sample(l, "sample_sums", n, s)
	keys.free()
	numbers.free()
}

// SampleLocationsGrad stores the gradients with respect to the sampled locations.
func (d *Device) SampleLocationsGrad(l *device.Launch) {
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
