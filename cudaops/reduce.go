package cudaops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// How a reduction is cut up depends on its shape alone.
const (
	shortRun  = 64      // values that a thread combines
	partLen   = 1 << 14 // values of a part that is worth a block of its own
	mostParts = 1 << 10 // of an output
	totalSize = 24      // bytes of a Total
)

// Reduce combines a program's values along the last axes.
func (d *Device) Reduce(l *device.Launch) {
	d.enter(l)
	axes := l.Rank - l.Reduced
	outer, inner := broadcast.Size(l.Shape[:axes]), broadcast.Size(l.Shape[axes:l.Rank])
	if outer == 0 {
		return
	}
	parts := 0 // a thread an output
	if inner > shortRun {
		parts = max(1, min(inner/partLen, mostParts))
	}
	args := func(step int, partial uint64) *arguments {
		a := newArguments(limitOf(l.Rank))
		a.code(d.code(l.Func, l.Program))
		if l.Post != nil {
			a.code(d.code(l.Func, l.Post))
		} else {
			a.code(code{})
		}
		a.int(step)
		a.int(int(l.Combine))
		a.int(outer)
		a.int(inner)
		a.int(axes)
		a.int(parts)
		a.word(partial)
		a.scalars(l.Scalars[:], l.Program.Scalars, device.MaxScalars)
		var post []device.Param
		if l.Post != nil {
			post = l.Post.Scalars
		}
		a.scalars(l.Scalars[len(l.Program.Scalars):], post, postScalars)
		a.launchLoop(l, l.N, device.MaxOperands)
		return a
	}
	e := entry{file: "reduce", name: "reduce"}
	if l.Post != nil {
		e = e.forPrograms(l.Program, l.Post)
	} else {
		e = e.forPrograms(l.Program)
	}
	if parts == 0 {
		d.run(l.Func, e, over(outer), threads, 0, args(reduceShort, 0))
		return
	}
	s := d.scratch(l.Func, outer*parts*totalSize)
	d.run(l.Func, e, min(outer*parts, maxBlocks), threads, 0, args(reducePart, s.address))
	d.run(l.Func, e, over(outer), threads, 0, args(reduceJoin, s.address))
	s.free()
}

// The steps of the kernel: Step in kernels/reduce.cuh.
const (
	reduceShort = iota
	reducePart
	reduceJoin
)

// postScalars is the room for those of a reduction's last program.
const postScalars = 4
