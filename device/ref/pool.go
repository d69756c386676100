package ref

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Pool combines the points of each window that lie in the input, in row-major order, accumulated as in Reduce. At ties
// the first largest element wins, and the first NaN precedes all other elements.
func (d *Device) Pool(l *device.Launch) {
	y, x := d.operand(l, 0), d.operand(l, 2)
	p := newSliding(l)
	t := y.compute()
	for _, window := range points(p.outer) {
		total := newTotal(l.Combine, t)
		first := 0
		for position, k := range points(p.kernel) {
			at, inside := p.elementAt(x, window, k)
			if !inside {
				continue
			}
			v := x.load(at, total.accumulator)
			if l.Combine == device.CombineMax {
				if !total.empty && !replaces(v, total.sum, t) {
					continue
				}
				total.empty, first = true, position // v replaces the largest element so far
			}
			total.add(v)
		}
		y.store(y.at(window), total.value(), t)
		if !l.Operands[1].Memory.IsNil() {
			positions := d.operand(l, 1)
			positions.store(positions.at(window), value{i: int64(first)}, positions.dtype)
		}
	}
}

// PoolGrad adds each window's gradient to the element that operand 2 selects, or without operand 2 to all elements in
// the window.
func (d *Device) PoolGrad(l *device.Launch) {
	gx, gy := d.operand(l, 0), d.operand(l, 1)
	p := newSliding(l)
	t := gx.compute()
	totals := map[int]*total{} // by element number
	for _, plane := range points(p.outer[:2]) {
		for _, point := range points(p.size) {
			totals[p.element(gx, plane, point)] = newTotal(device.CombineSum, t)
		}
	}
	for _, window := range points(p.outer) {
		g := gy.load(gy.at(window), device.CarriedType(t))
		for position, k := range points(p.kernel) {
			if l.N == 3 {
				positions := d.operand(l, 2)
				if positions.load(positions.at(window), positions.dtype).i != int64(position) {
					continue
				}
			}
			if at, inside := p.elementAt(gx, window, k); inside {
				totals[at].add(g)
			}
		}
	}
	for at, total := range totals {
		gx.store(at, total.value(), t)
	}
}

// sliding describes how the windows of a pooling slide over its input.
type sliding struct {
	outer, kernel []int // the loop's axes: outer has batch, channel and window positions; kernel has the points of a window
	size          []int // of the input's axes
	window        *device.Window
}

func newSliding(l *device.Launch) sliding {
	w := &l.Window
	outer, kernel := split(l, w.Rank)
	return sliding{outer: outer, kernel: kernel, size: w.Size[:w.Rank], window: w}
}

// elementAt returns the number of x's element at point k of a window, and whether the point lies in x.
func (p sliding) elementAt(x operand, window, k []int) (at int, inside bool) {
	point := make([]int, len(k))
	for axis := range point {
		w := p.window
		point[axis] = window[2+axis]*w.Stride[axis] + k[axis]*w.Dilation[axis] - w.Before[axis]
		if point[axis] < 0 || point[axis] >= p.size[axis] {
			return 0, false
		}
	}
	return p.element(x, window[:2], point), true
}

// element returns the number of the element at an index of the input. Its strides along the windows are the input's
// strides times the windows' strides.
func (p sliding) element(x operand, plane, point []int) int {
	at := x.offset + broadcast.Dot(plane, x.strides[:2])
	for axis, i := range point {
		at += i * (x.strides[2+axis] / p.window.Stride[axis])
	}
	return at
}

// replaces reports whether v, of type t, replaces the largest element so far: v is larger, or the first NaN.
func replaces(v, largest value, t dtype.DType) bool {
	if t.IsUnsigned() {
		return uint64(v.i) > uint64(largest.i)
	}
	return v.i > largest.i || v.x > largest.x || v.x != v.x && largest.x == largest.x
}
