package cudaops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// verdict is what a kernel learns about its indices: whether one is out of range, which only the device knows.
type verdict struct {
	device *Device
	fn     string
	found  scratch // nothing where no index can be out of range
}

const foundBytes = 24 // of a Found in kernels/indices.cuh

// verdict looks for the first index out of range, in row-major order of a loop; ignore, unless nil, is one that does not count.
func (d *Device) verdict(fn string, loop []int, indices []device.Operand, axes []device.IndexAxis, bounds device.Bounds, ignore *int) verdict {
	v := verdict{device: d, fn: fn}
	if bounds == device.BoundsDrop || len(indices) == 0 || broadcast.Size(loop) == 0 {
		return v
	}
	v.found = d.scratch(fn, foundBytes)
	d.check(fn, d.context.Fill8(v.found.address, 0xff, foundBytes, d.stream))
	for _, name := range []string{"find_index", "name_index"} {
		a := newArguments(limitOf(len(loop)))
		a.word(v.found.address)
		a.int(len(indices))
		a.int(int(bounds))
		if ignore != nil {
			a.int(1)
			a.int(*ignore)
		} else {
			a.int(0)
			a.int(0)
		}
		a.indexAxes(axes)
		a.loop(loop)
		for k := range indices {
			a.operand(&indices[k], len(loop))
		}
		a.skip(device.MaxIndices - len(indices))
		if name == "find_index" {
			d.run(fn, entry{file: "indices", name: name}, over(broadcast.Size(loop)), threads, 0, a)
		} else {
			d.run(fn, entry{file: "indices", name: name}, 1, 1, 0, a)
		}
	}
	return v
}

// indexAxes adds as many axes as there may be.
func (a *arguments) indexAxes(axes []device.IndexAxis) {
	for _, axis := range axes {
		a.int(axis.Stride)
		a.int(axis.Size)
	}
	a.n += 2 * (device.MaxIndices - len(axes))
}

// verdict adds a Verdict.
func (a *arguments) verdict(v verdict) {
	a.word(v.found.address)
	a.word(v.device.faults.address)
	a.int(v.device.functionID(v.fn))
}

// free gives the memory back, once the kernel that reads it is in the queue.
func (v verdict) free() {
	if v.found.device != nil {
		v.found.free()
	}
}
