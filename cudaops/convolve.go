package cudaops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// window adds a Window.
func (a *arguments) window(w *device.Window) {
	a.int(w.Rank)
	for _, values := range [][3]int{w.Size, w.Stride, w.Dilation, w.Before} {
		for _, v := range values {
			a.int(v)
		}
	}
}

// weightThreads is the number of threads that share the products of a weight's gradient.
const weightThreads = 64

// Convolve computes the output of a convolution, or one of the operands from the output and the other.
func (d *Device) Convolve(l *device.Launch) {
	d.enter(l)
	r := l.Window.Rank
	places, channels, taps := broadcast.Size(l.Shape[3:3+r]), l.Shape[3+r], broadcast.Size(l.Shape[4+r:4+2*r])
	n, g, m := l.Shape[0], l.Shape[1], l.Shape[2]
	a := newArguments(limitOf(l.Rank))
	a.window(&l.Window)
	a.bool(l.N > 3)
	a.loop(l.Shape[:l.Rank])
	order := [3]int{0, 1, 2} // of y, x and w among the operands
	e := entry{file: "convolve", name: "convolve_output"}
	points := n * g * m * places
	switch l.Part {
	case device.PartInput:
		order = [3]int{1, 0, 2}
		e.name = "convolve_input"
		points = n * g * channels * broadcast.Size(l.Window.Size[:r])
	case device.PartWeight:
		order = [3]int{1, 2, 0}
		e.name = "convolve_weight"
		points = g * m * channels * taps
	}
	for _, k := range order {
		a.operand(&l.Operands[k], l.Rank)
	}
	if l.N > 3 {
		a.operand(&l.Operands[3], l.Rank)
	} else {
		a.skip(1)
	}
	e.class = classOf(l.Operands[0].DType)
	if l.Part == device.PartWeight {
		d.run(l.Func, e, min(points, maxBlocks), weightThreads, 0, a)
	} else {
		d.run(l.Func, e, over(points), threads, 0, a)
	}
}

// Pool combines elements in windows.
func (d *Device) Pool(l *device.Launch) {
	d.enter(l)
	a := newArguments(limitOf(l.Rank))
	a.window(&l.Window)
	a.int(int(l.Combine))
	a.bool(!l.Operands[1].Memory.IsNil())
	a.launchLoop(l, 3, 3)
	d.run(l.Func, entry{file: "pool", name: "pool"}, over(broadcast.Size(l.Shape[:2+l.Window.Rank])), threads, 0, a)
}

// PoolGrad gathers the gradients of the windows that an element is in.
func (d *Device) PoolGrad(l *device.Launch) {
	d.enter(l)
	a := newArguments(limitOf(l.Rank))
	a.window(&l.Window)
	a.int(int(device.CombineSum))
	a.bool(l.N > 2)
	a.launchLoop(l, l.N, 3)
	points := l.Shape[0] * l.Shape[1] * broadcast.Size(l.Window.Size[:l.Window.Rank])
	d.run(l.Func, entry{file: "pool", name: "pool_grad"}, over(points), threads, 0, a)
}
