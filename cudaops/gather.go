package cudaops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// Gather stores the elements of x at the places that indices say.
func (d *Device) Gather(l *device.Launch) {
	d.enter(l)
	if l.Size() == 0 {
		return
	}
	v := d.verdictOf(l)
	defer v.free()
	d.run(l.Func, entry{file: "gather", name: "gather"}, over(l.Size()), threads, 0, gatherArguments(l, v, 0, 0))
}

// verdictOf looks at all index operands of a Gather or a Scatter.
func (d *Device) verdictOf(l *device.Launch) verdict {
	return d.verdict(l.Func, l.Shape[:l.Rank], l.Operands[2:l.N], l.Axes[:l.N-2], l.Bounds, nil)
}

func gatherArguments(l *device.Launch, v verdict, keys, points uint64) *arguments {
	a := newArguments(limitOf(l.Rank))
	a.verdict(v)
	a.int(l.N - 2)
	a.int(int(l.Bounds))
	a.bool(l.Fresh)
	a.int(int(l.Combine))
	a.word(keys)
	a.word(points)
	a.indexAxes(l.Axes[:l.N-2])
	a.launchLoop(l, l.N, device.MaxOperands)
	return a
}

// Scatter combines elements of x into those of y that indices choose, in row-major order: it sorts the places, so that the points
// for one follow one another, and has a thread go through them.
func (d *Device) Scatter(l *device.Launch) {
	d.enter(l)
	n := l.Size()
	if n == 0 {
		return
	}
	v := d.verdictOf(l)
	defer v.free()
	if l.Cleared {
		d.clear(l, v, 0, l.Axes[:l.N-2])
	}
	keys, points := d.scratch(l.Func, 8*n), d.scratch(l.Func, 8*n)
	d.run(l.Func, entry{file: "gather", name: "scatter_places"}, over(n), threads, 0, gatherArguments(l, v, keys.address, points.address))
	keys, points = d.sortPairs(l.Func, keys, points, n)
	d.run(l.Func, entry{file: "gather", name: "scatter_runs"}, over(n), threads, 0, gatherArguments(l, v, keys.address, points.address))
	keys.free()
	points.free()
}

// clear sets operand k to 0, over the axes of the loop that it has and those that indices count along.
func (d *Device) clear(l *device.Launch, v verdict, k int, axes []device.IndexAxis) {
	o := l.Operands[k]
	var shape []int
	var strides [device.MaxRank]int
	add := func(n, stride int) {
		if n != 1 {
			strides[len(shape)] = stride
			shape = append(shape, n)
		}
	}
	for axis, n := range l.Shape[:l.Rank] {
		if stride := o.Strides[axis]; stride != 0 {
			add(n, stride)
		}
	}
	for _, axis := range axes {
		add(axis.Size, axis.Stride)
	}
	o.Strides = strides
	a := newArguments(limitOf(len(shape)))
	a.verdict(v)
	a.loop(shape)
	a.operand(&o, len(shape))
	d.run(l.Func, entry{file: "gather", name: "clear"}, max(1, over(broadcast.Size(shape))), threads, 0, a) // at least to report
}

// sortPairs sorts keys, stably, and with them their values. It gives back what it does not return.
func (d *Device) sortPairs(fn string, keys, values scratch, n int) (sortedKeys, sortedValues scratch) {
	if n == 1 {
		return keys, values
	}
	otherKeys, otherValues := d.scratch(fn, 8*n), d.scratch(fn, 8*n)
	for width := 1; width < n; width *= 2 {
		a := newArguments(narrow)
		a.int(n)
		a.int(width)
		a.word(keys.address)
		a.word(values.address)
		a.word(otherKeys.address)
		a.word(otherValues.address)
		d.run(fn, entry{file: "sort", name: "sort_pairs"}, over(n), threads, 0, a)
		keys, otherKeys = otherKeys, keys
		values, otherValues = otherValues, values
	}
	otherKeys.free()
	otherValues.free()
	return keys, values
}
