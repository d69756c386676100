package cudaops

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// Scan combines each element with those before it, along the last axis.
func (d *Device) Scan(l *device.Launch) {
	d.enter(l)
	if l.Size() == 0 {
		return
	}
	n := l.Shape[l.Rank-1]
	rows := l.Size() / n
	// A thread goes along a part. That parts are as long as there are of them makes all steps short.
	parts, length := 1, n
	if n > longestSerial && rows < manyRows {
		length = int(math.Sqrt(float64(n)))
		parts = (n + length - 1) / length
	}
	args := func(partial uint64) *arguments {
		a := newArguments(limitOf(l.Rank))
		a.int(int(l.Combine))
		a.bool(l.Exclusive)
		a.int(parts)
		a.int(length)
		a.word(partial)
		a.launchLoop(l, 2, 2)
		return a
	}
	if parts == 1 {
		d.run(l.Func, entry{file: "scan", name: "scan"}, over(rows), threads, 0, args(0))
		return
	}
	s := d.scratch(l.Func, rows*parts*totalSize)
	d.run(l.Func, entry{file: "scan", name: "scan_part"}, over(rows*parts), threads, 0, args(s.address))
	d.run(l.Func, entry{file: "scan", name: "scan_join"}, over(rows), threads, 0, args(s.address))
	d.run(l.Func, entry{file: "scan", name: "scan"}, over(rows*parts), threads, 0, args(s.address))
	s.free()
}

const (
	longestSerial = 256     // elements that a thread goes along anyway
	manyRows      = 1 << 16 // that are enough for all threads of a GPU
)

// ArgReduce stores the places of extremes along the last axes.
func (d *Device) ArgReduce(l *device.Launch) {
	d.enter(l)
	axes := l.Rank - l.Reduced
	outer, inner := broadcast.Size(l.Shape[:axes]), broadcast.Size(l.Shape[axes:l.Rank])
	if outer > 0 && inner == 0 {
		panic("cudaops: ArgReduce of no values")
	}
	parts := max(1, min(inner/partLen, mostParts))
	args := func(partial uint64) *arguments {
		a := newArguments(limitOf(l.Rank))
		a.int(int(l.Combine))
		a.int(outer)
		a.int(inner)
		a.int(axes)
		a.int(parts)
		a.word(partial)
		a.launchLoop(l, 2, 2)
		return a
	}
	if inner <= shortRun {
		d.run(l.Func, entry{file: "scan", name: "arg_short"}, over(outer), threads, 0, args(0))
		return
	}
	s := d.scratch(l.Func, outer*parts*bestSize)
	d.run(l.Func, entry{file: "scan", name: "arg_part"}, min(outer*parts, maxBlocks), threads, 0, args(s.address))
	d.run(l.Func, entry{file: "scan", name: "arg_join"}, over(outer), threads, 0, args(s.address))
	s.free()
}

const bestSize = 24 // bytes of a Best
