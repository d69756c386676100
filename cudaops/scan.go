package cudaops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// carriedIn returns the letter of the kernels for elements of a type, which depends on the type that numbers are
// carried in, and the size of that type: as in kernels/carried.cuh.
func carriedIn(t dtype.DType) (letter string, size int) {
	switch classOf(t) {
	case 'f', 'd':
		return "d", 8
	case 'c', 'z':
		return "z", 16
	case 'u':
		return "u", 8
	}
	return "i", 8
}

// How a scan is split depends only on its shape.
const (
	longestSerial = 64      // elements that one thread can always process
	manyRows      = 1 << 16 // enough rows for all threads of a GPU
	manyParts     = 1 << 17 // in all rows together
)

// Scan combines each element with those before it, along the last axis.
func (d *Device) Scan(l *device.Launch) {
	d.enter(l)
	if l.Size() == 0 {
		return
	}
	inPieces(l, l.Rank-1, 0, func(l *device.Launch, _ int) { d.scan(l) })
}

func (d *Device) scan(l *device.Launch) {
	last := l.Rank - 1
	n, rows := l.Shape[last], broadcast.Size(l.Shape[:last])
	parts, length := 1, n
	if n > longestSerial && rows < manyRows {
		length = max(1, (rows*n+manyParts*warpLanes-1)/(manyParts*warpLanes)) * warpLanes
		parts = (n + length - 1) / length
	}
	y, x := walkedOf(&l.Operands[0]), walkedOf(&l.Operands[1])
	letter, size := carriedIn(l.Operands[0].DType)
	same := 0
	if l.Operands[0].DType == l.Operands[1].DType {
		same = x.size
	}
	name, across := "", letter == "z" || isAcross(l, last)
	if across {
		name = "across_"
	}
	var partial scratch
	step := func(name string, blocks, threads int) {
		a := newArguments(limitOf(l.Rank))
		a.int(int(l.Combine))
		a.bool(l.Exclusive)
		for _, v := range []int{int(l.Operands[0].DType), int(l.Operands[1].DType), same, rows, n, parts, length, y.size * y.strides[last], x.size * x.strides[last]} {
			a.int(v)
		}
		a.bool(across)
		a.word(partial.address)
		a.walk(l, last, 2, y, x)
		d.run(l.Func, entry{file: "scan", name: "scan_" + name + letter}, min(blocks, maxBlocks), threads, 0, a)
	}
	const own = 128 // threads of a block
	blocks := (rows*parts + own - 1) / own
	if parts > 1 {
		partial = d.scratch(l.Func, size*rows*parts)
		defer partial.free()
		step("parts_"+name, blocks, own)
		step("join_", rows, min(1024, (parts+4*warpLanes-1)/(4*warpLanes)*warpLanes))
	}
	step(name, blocks, own)
}

// isAcross reports whether the neighbour in memory of an element that is read belongs to another row, or output,
// instead of the element's own row, which continues along axis.
func isAcross(l *device.Launch, axis int) bool {
	x := &l.Operands[1]
	for k := range axis {
		if l.Shape[k] > 1 && x.Strides[k] != 0 && abs(x.Strides[k]) < abs(x.Strides[axis]) {
			return true
		}
	}
	return false
}

// ArgReduce stores the indices of extremes along the last axes.
func (d *Device) ArgReduce(l *device.Launch) {
	d.enter(l)
	axes := l.Rank - l.Reduced
	outer, n := broadcast.Size(l.Shape[:axes]), broadcast.Size(l.Shape[axes:l.Rank])
	if outer > 0 && n == 0 {
		panic("cudaops: ArgReduce of an empty set of values")
	}
	if outer > 0 {
		inPieces(l, axes, 0, func(l *device.Launch, _ int) { d.extremes(l, axes, n) })
	}
}

// extremes finds the indices of extremes among n elements per output.
func (d *Device) extremes(l *device.Launch, axes, n int) {
	inner := device.NewLaunch()
	defer inner.Recycle()
	inner.Rank, inner.N = copy(inner.Shape[:], l.Shape[axes:l.Rank]), 1
	inner.Operands[0] = l.Operands[1]
	copy(inner.Operands[0].Strides[:], l.Operands[1].Strides[axes:l.Rank])
	inner.Rank = merge(inner, nil, 0, inner.Rank)

	outer := broadcast.Size(l.Shape[:axes])
	across := n > 1 && axes > 0 && isAcross(l, l.Rank-1)
	most, least := 1<<13, 1<<10 // warps, and the elements that justify one
	if across {
		most, least = 1<<17, 64 // threads, and the elements that justify one
	}
	parts := max(1, min(n/least, most/outer))
	length := (n + parts - 1) / parts
	parts = (n + length - 1) / length
	letter, size := carriedIn(l.Operands[1].DType)
	var partial scratch
	step := func(name string, teams int) {
		a := newArguments(limitOf(l.Rank))
		for _, v := range []int{int(l.Combine), int(l.Operands[0].DType), int(l.Operands[1].DType), outer, parts, length} {
			a.int(v)
		}
		a.bool(across)
		a.word(partial.address)
		a.walk(l, axes, 2, walkedOf(&l.Operands[0]), walkedOf(&l.Operands[1]))
		a.loop(inner.Shape[:inner.Rank])
		a.operand(&inner.Operands[0], inner.Rank)
		d.run(l.Func, entry{file: "extremes", name: name + letter}, min((teams+threads-1)/threads, maxBlocks), threads, 0, a)
	}
	teams := outer * parts
	if !across {
		teams *= warpLanes
	}
	if parts > 1 {
		partial = d.scratch(l.Func, (size+8)*outer*parts)
		defer partial.free()
	}
	step("arg_parts_", teams)
	if parts > 1 {
		step("arg_join_", warpLanes*outer)
	}
}
