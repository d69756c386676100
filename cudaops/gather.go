package cudaops

import "github.com/ndgrad/ndgrad/device"

// Gather stores the elements of x that the indices select. If y is new, it checks for indices out of range while it
// gathers, otherwise before.
func (d *Device) Gather(l *device.Launch) {
	d.enter(l)
	if l.Size() == 0 {
		return
	}
	if l.N == 2 {
		d.Copy(l)
		return
	}
	v := indexCheck{device: d, fn: l.Func}
	launch := uint64(0)
	if mayFail(l.Axes[:l.N-2], l.Bounds) {
		if l.Fresh {
			launch = d.faults.launch.Add(1)
		} else {
			v = d.checkIndexOperands(l)
			defer v.free()
		}
	}
	l.Rank = merge(l, nil, 0, l.Rank)
	inPieces(l, l.Rank, 0, func(l *device.Launch, first int) { d.gather(l, v, launch, first) })
}

// checkIndexOperands checks all index operands of a Gather or a Scatter.
func (d *Device) checkIndexOperands(l *device.Launch) indexCheck {
	return d.checkIndices(l.Func, l.Shape[:l.Rank], l.Operands[2:l.N], l.Axes[:l.N-2], l.Bounds, nil)
}

// gather gathers in a walk. It checks for indices out of range unless launch is 0.
func (d *Device) gather(l *device.Launch, v indexCheck, launch uint64, first int) {
	var walks [device.MaxOperands]walked
	for k := range l.N {
		walks[k] = walkedOf(&l.Operands[k])
	}
	y, x, axes := &walks[0], &walks[1], l.Axes[:l.N-2]
	name, size, step := "gather", y.size, x.size
	if l.Operands[0].DType != l.Operands[1].DType {
		name = "gather_converted"
	} else if last := l.Rank - 1; last >= 0 && y.strides[last] == 1 && x.strides[last] == 1 && isTail(l, last) {
		steps := 0
		for _, axis := range axes {
			steps |= axis.Stride * size
		}
		size = unitOf(l, steps, *y, *x)
		widen(l, size, y, x)
	}
	each, blocks := groups(l.Size(), size, mostGathered)
	a := newArguments(limitOf(l.Rank))
	a.indexCheckResult(v)
	a.indexChecking(d, l.Func, launch, first)
	a.int(size)
	a.int(each)
	a.int(int(l.Operands[0].DType))
	a.int(int(l.Operands[1].DType))
	a.indices(l.Operands[2:l.N], axes, l.Bounds, step, device.MaxIndices)
	a.walk(l, l.Rank, device.MaxOperands, walks[:l.N]...)
	if name == "gather_converted" {
		blocks = over(l.Size())
	}
	d.run(l.Func, entry{file: "gather", name: name}, blocks, threads, 0, a)
}

// isTail reports whether no index varies along an axis.
func isTail(l *device.Launch, axis int) bool {
	for k := 2; k < l.N; k++ {
		if l.Operands[k].Strides[axis] != 0 {
			return false
		}
	}
	return true
}
