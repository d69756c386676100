package cudaops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

const valueBytes = 16 // of a Value in kernels/opcodes.cuh

// Sort sorts along the last axis, stably.
func (d *Device) Sort(l *device.Launch) {
	d.enter(l)
	total := l.Size()
	if total == 0 {
		return
	}
	n := l.Shape[l.Rank-1]
	keep := n
	if l.Keep > 0 {
		keep = min(l.Keep, n)
	}
	values, from, to := d.scratch(l.Func, valueBytes*total), d.scratch(l.Func, 8*total), d.scratch(l.Func, 8*total)
	step := func(name string, width int) {
		a := newArguments(limitOf(l.Rank))
		a.int(n)
		a.int(total)
		a.int(width)
		a.int(int(dtype.ComputeType(l.Operands[2].DType)))
		a.bool(l.Descending)
		a.int(keep)
		a.word(values.address)
		a.word(from.address)
		a.word(to.address)
		a.launchLoop(l, 3, 3)
		d.run(l.Func, entry{file: "sort", name: name}, over(total), threads, 0, a)
		from, to = to, from
	}
	step("sort_begin", 0)
	for width := 1; width < n; width *= 2 {
		step("sort_merge", width)
	}
	step("sort_end", 0)
	values.free()
	from.free()
	to.free()
}

// SearchSorted counts the elements of a sorted row that are less than x.
func (d *Device) SearchSorted(l *device.Launch) {
	d.enter(l)
	a := newArguments(limitOf(l.Rank))
	a.int(l.Axes[0].Stride)
	a.int(l.Axes[0].Size)
	a.bool(l.Right)
	a.launchLoop(l, 3, 3)
	d.run(l.Func, entry{file: "sort", name: "search_sorted"}, over(l.Size()), threads, 0, a)
}
