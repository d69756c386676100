package sample

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// block is how many points a table has.
const block = 256

// table has the corners of some points: of each as many as there are combinations of those along each axis.
type table[T float] struct {
	count   int
	lost    bool          // a weight is not a number
	offsets [8][block]int // in bytes
	weights [8][block]T
	slopes  [3][8][block]T // what the weights become by a step of each place
	values  [8][block]T    // what lies at the corners, in one channel
	results [3][block]T
	floats  [block]float64 // the places along one axis
	ints    [block]int64
	alone   [2]corner[T] // of one axis
}

// corner has one of the two corners along one axis, of some points.
type corner[T float] struct {
	offsets [block]int
	weights [block]T
	slopes  [block]T
}

// takeTable returns a table, to be given back.
func takeTable[T float]() (*table[T], *memory.Scratch) {
	room := memory.TakeScratch(int(unsafe.Sizeof(table[T]{})))
	return (*table[T])(room.At(0)), room
}

// places are the places of some of the loop's axes.
type places struct {
	x      strided.View // what is read from or added to
	views  []strided.View
	axes   []device.IndexAxis
	clip   bool
	slopes bool // the slopes are wanted, too
	points int
}

// newPlaces describes the operands from one number on, over some axes of the loop.
func newPlaces(l *device.Launch, x, first, from, to int) *places {
	p := &places{x: strided.Within(l, x, from, to), axes: l.Axes[:l.N-first], clip: l.Bounds == device.BoundsClip, points: 1}
	for k := first; k < l.N; k++ {
		p.views = append(p.views, strided.Within(l, k, from, to))
	}
	for _, n := range l.Shape[from:to] {
		p.points *= n
	}
	return p
}

// fill makes the table of n points from one on.
func (t *table[T]) fill(p *places, start, n int) {
	t.count = 1
	t.lead(&p.x, start, n)
	floats := 0
	for j := range p.views {
		if v := &p.views[j]; v.DType == dtype.Int64 {
			v.Load(unsafe.Pointer(&t.ints), dtype.Int64, start, n)
			t.step(p, j, n)
		}
	}
	for j := range p.views {
		if v := &p.views[j]; v.DType != dtype.Int64 {
			v.Load(unsafe.Pointer(&t.floats), dtype.Float64, start, n)
			t.split(p, j, n)
			if p.slopes {
				t.incline(floats, n)
			}
			t.combine(n)
			floats++
		}
	}
}

// lead begins with the elements that the loop leads to.
func (t *table[T]) lead(x *strided.View, start, n int) {
	offsets, weights := t.offsets[0][:n], t.weights[0][:n]
	for i := range weights {
		weights[i] = 1
	}
	if x.Uniform {
		clear(offsets)
		return
	}
	var c strided.Cursor
	c.Seek(x, start)
	for done := 0; done < n; c.NextRow() {
		k := min(x.Row()-c.Column(), n-done)
		for i := range k {
			offsets[done+i] = (c.Offset + i*x.Step()) * x.Size
		}
		done += k
	}
}

// step leads on by whole places.
func (t *table[T]) step(p *places, j, n int) {
	axis := p.axes[j]
	stride, last := axis.Stride*p.x.Size, int64(axis.Size-1)
	offsets, weights := t.offsets[0][:n], t.weights[0][:n]
	for i, k := range t.ints[:n] {
		if k < 0 || k > last {
			if !p.clip {
				weights[i] = 0
			}
			k = max(0, min(k, last))
		}
		offsets[i] += int(k) * stride
	}
}

// split finds the two corners along an axis.
func (t *table[T]) split(p *places, j, n int) {
	axis := p.axes[j]
	stride, last := axis.Stride*p.x.Size, axis.Size-1
	low, high := &t.alone[0], &t.alone[1]
	lows, highs, w0, w1 := low.offsets[:n], high.offsets[:n], low.weights[:n], high.weights[:n]
	for i, place := range t.floats[:n] {
		if !(place >= 0 && place < float64(last)) {
			t.splitOutside(p, i, place, stride, last)
			continue
		}
		down := int(place)
		rest := place - float64(down)
		lows[i], highs[i] = down*stride, down*stride+stride
		w0[i], w1[i] = T(1-rest), T(rest)
		if p.slopes {
			low.slopes[i], high.slopes[i] = -1, 1
		}
	}
}

// splitOutside is split of a place that x does not have two corners of, or that is not a number.
func (t *table[T]) splitOutside(p *places, i int, place float64, stride, last int) {
	low, high := &t.alone[0], &t.alone[1]
	if place != place {
		lost := T(math.NaN())
		low.offsets[i], low.weights[i], low.slopes[i] = 0, lost, lost
		high.offsets[i], high.weights[i], high.slopes[i] = 0, lost, lost
		return
	}
	place = max(-2, min(place, float64(last)+2))
	down := int(math.Floor(place))
	rest := place - float64(down)
	w0, w1, s0, s1 := T(1-rest), T(rest), T(-1), T(1)
	if !p.clip {
		if down < 0 || down > last {
			w0, s0 = 0, 0
		}
		if down < -1 || down >= last {
			w1, s1 = 0, 0
		}
	}
	low.offsets[i], low.weights[i], low.slopes[i] = max(0, min(down, last))*stride, w0, s0
	high.offsets[i], high.weights[i], high.slopes[i] = max(0, min(down+1, last))*stride, w1, s1
}

// combine adds the corners of one more axis.
func (t *table[T]) combine(n int) {
	low, high := &t.alone[0], &t.alone[1]
	for c := range t.count {
		offsets, weights := t.offsets[c][:n], t.weights[c][:n]
		above, heavy := t.offsets[t.count+c][:n], t.weights[t.count+c][:n]
		for i := range offsets {
			above[i] = offsets[i] + high.offsets[i]
			offsets[i] += low.offsets[i]
			heavy[i] = weights[i] * high.weights[i]
			weights[i] *= low.weights[i]
		}
	}
	t.count *= 2
}

// incline has the slopes of the axes before, and of the next.
func (t *table[T]) incline(next, n int) {
	low, high := &t.alone[0], &t.alone[1]
	for j := range next + 1 {
		a, b := low.weights[:n], high.weights[:n]
		from := &t.slopes[j]
		if j == next {
			a, b, from = low.slopes[:n], high.slopes[:n], &t.weights
		}
		for c := range t.count {
			source, below, above := from[c][:n], t.slopes[j][c][:n], t.slopes[j][t.count+c][:n]
			for i, w := range source {
				above[i] = w * b[i]
				below[i] = w * a[i]
			}
		}
	}
}
