package cudaops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// indexCheck is the result of a kernel's check of its indices: whether one is out of range. Only the device knows it.
type indexCheck struct {
	device *Device
	fn     string
	found  scratch // empty if no index can be out of range
}

const foundBytes = 32 // size of a Found in kernels/indices.cuh

// mostAlone is the largest number of points that one block checks alone, which saves clearing the result first.
const mostAlone = 4096

// mayFail reports whether an index may be out of range.
func mayFail(axes []device.IndexAxis, bounds device.Bounds) bool {
	switch bounds {
	case device.BoundsDrop:
		return false
	case device.BoundsWrap, device.BoundsClip:
		for _, axis := range axes {
			if axis.Size == 0 {
				return true
			}
		}
		return false
	}
	return len(axes) > 0
}

// checkIndices finds the first index out of range, in row-major order of a loop. ignore, unless nil, is an index that does
// not count.
func (d *Device) checkIndices(fn string, loop []int, indices []device.Operand, axes []device.IndexAxis, bounds device.Bounds, ignore *int) indexCheck {
	v := indexCheck{device: d, fn: fn}
	if !mayFail(axes, bounds) || broadcast.Size(loop) == 0 {
		return v
	}
	v.found = d.scratch(fn, foundBytes)
	l := indicesAlone(fn, loop, indices)
	defer l.Recycle()
	alone := l.Size() <= mostAlone
	if !alone {
		d.check(fn, d.context.Fill8(v.found.address, 0xff, foundBytes, d.stream))
	}
	before := 0
	inPieces(l, l.Rank, 0, func(l *device.Launch, first int) {
		a := newArguments(limitOf(l.Rank))
		a.word(v.found.address)
		a.bool(ignore != nil)
		if ignore != nil {
			a.int(*ignore)
		} else {
			a.int(0)
		}
		a.int(first)
		a.bool(alone)
		a.int(before)
		a.indices(l.Operands[:l.N], axes, bounds, 1, device.MaxIndices)
		var walks [device.MaxIndices]walked
		for k := range l.N {
			walks[k] = walkedOf(&l.Operands[k])
		}
		a.walk(l, l.Rank, device.MaxIndices, walks[:l.N]...)
		blocks, threads := min(over(l.Size()), 1024), threads
		if alone {
			blocks, threads = 1, min((l.Size()+31)/32*32, 1024)
		}
		before += blocks
		d.run(fn, entry{file: "indices", name: "find_index"}, blocks, threads, 0, a)
	})
	return v
}

// indicesAlone returns the loop over the axes along which indices vary. The first index out of range in this loop is
// also the first in the whole loop.
func indicesAlone(fn string, loop []int, indices []device.Operand) *device.Launch {
	l := device.NewLaunch()
	l.Func, l.N = fn, copy(l.Operands[:], indices)
	for axis, n := range loop {
		vary := false
		for k := range indices {
			vary = vary || indices[k].Strides[axis] != 0
		}
		if !vary {
			continue
		}
		l.Shape[l.Rank] = n
		for k := range indices {
			l.Operands[k].Strides[l.Rank] = indices[k].Strides[axis]
		}
		l.Rank++
	}
	l.Rank = merge(l, nil, 0, l.Rank)
	return l
}

// indices adds Indices with room for most: the operands' types, and the axes, whose strides are in units of the given
// number of bytes.
func (a *arguments) indices(operands []device.Operand, axes []device.IndexAxis, bounds device.Bounds, unit, most int) {
	a.int(len(operands))
	a.int(int(bounds))
	for k := range operands {
		a.int(int(operands[k].DType))
	}
	a.n += most - len(operands)
	for k := range operands {
		a.int(axes[k].Stride * unit)
		a.int(axes[k].Size)
	}
	a.n += 2 * (most - len(operands))
}

// indexChecking adds a Looking for a launch that itself checks for indices out of range. Launch 0 does not check.
func (a *arguments) indexChecking(d *Device, fn string, launch uint64, first int) {
	if launch != 0 {
		a.word(d.faults.blame)
	} else {
		a.word(0)
	}
	a.word(d.faults.address)
	a.int(d.functionID(fn))
	a.word(launch)
	a.int(first)
}

// indexCheckResult adds a Verdict, through which a kernel reads what the search for bad indices has found.
func (a *arguments) indexCheckResult(v indexCheck) {
	a.word(v.found.address)
	a.word(v.device.faults.address)
	a.int(v.device.functionID(v.fn))
}

// free frees the memory. It may be called as soon as the kernel that reads the memory is in the queue.
func (v indexCheck) free() {
	if v.found.device != nil {
		v.found.free()
	}
}
