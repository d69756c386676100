package cudaops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// Scan combines each element with those before it, along the last axis.
func (d *Device) Scan(l *device.Launch) {
	d.enter(l)
	if l.Size() == 0 {
		return
	}
	a := newArguments(limitOf(l.Rank))
	a.int(int(l.Combine))
	a.bool(l.Exclusive)
	a.launchLoop(l, 2, 2)
	d.run(l.Func, entry{file: "scan", name: "scan"}, over(l.Size()/l.Shape[l.Rank-1]), threads, 0, a)
}

// ArgReduce stores the places of extremes along the last axes.
func (d *Device) ArgReduce(l *device.Launch) {
	d.enter(l)
	axes := l.Rank - l.Reduced
	outer, inner := broadcast.Size(l.Shape[:axes]), broadcast.Size(l.Shape[axes:l.Rank])
	if outer > 0 && inner == 0 {
		panic("cudaops: ArgReduce of no values")
	}
	a := newArguments(limitOf(l.Rank))
	a.int(int(l.Combine))
	a.int(outer)
	a.int(inner)
	a.int(axes)
	a.launchLoop(l, 2, 2)
	if inner <= shortRun {
		d.run(l.Func, entry{file: "scan", name: "arg_short"}, over(outer), threads, 0, a)
	} else {
		d.run(l.Func, entry{file: "scan", name: "arg_long"}, min(outer, maxBlocks), threads, 0, a)
	}
}
