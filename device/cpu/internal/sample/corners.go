package sample

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/sample"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// block is the number of points of a table.
const block = sample.PlanePoints

// table has the corners of some points. A point has one corner for each combination of the corners along each axis.
// Arrays come first, so that vectors do not cross cache lines.
type table[T float] struct {
	offsets [8][block]int // in bytes
	weights [8][block]T
	slopes  [3][8][block]T // the weights for the derivative with respect to each location
	values  [8][block]T    // the elements at the corners, in one channel
	pairs   [4][block][2]T // neighbours that contain the elements at two corners
	results [3][block]T
	floats  [block]float64 // the locations along one axis
	ints    [block]int64
	axis    struct { // the first corner of each point along one axis, then the second
		offsets         [2 * block]int
		weights, slopes [2 * block]T // slopes are the weights for the derivative with respect to the location
	}
	upper  [2 * block / 8]byte // see sample.Pairs
	plane  sample.PlaneTable   // instead of offsets, if planar is true
	planar bool
	count  int
	base   int  // in bytes: the start of the offsets
	paired bool // corner c and corner c + count/2 lie in a pair, whose offset is that of c
	hasNaN bool // a weight is NaN
}

// takeTable returns a table, and the scratch memory to recycle after use.
func takeTable[T float]() (*table[T], *memory.Scratch) {
	room := memory.TakeScratch(int(unsafe.Sizeof(table[T]{})))
	return (*table[T])(room.At(0)), room
}

// locations are the locations along some of the loop's axes.
type locations struct {
	x      strided.View // the array that is read from or added to
	views  []strided.View
	axes   []device.IndexAxis
	clip   bool
	slopes bool // the slopes are needed, too
	pairs  int  // the number of the axis along which two corners are loaded at once, or -1
	planar bool // each block of points reads one plane
	plane  sample.Plane
	points int
}

// newLocations describes the operands from number first on, over some axes of the loop.
func newLocations(l *device.Launch, x, first, from, to int) *locations {
	p := &locations{x: strided.Within(l, x, from, to), axes: l.Axes[:l.N-first], clip: l.Bounds == device.BoundsClip, pairs: -1, points: 1}
	for k := first; k < l.N; k++ {
		p.views = append(p.views, strided.Within(l, k, from, to))
	}
	for _, n := range l.Shape[from:to] {
		p.points *= n
	}
	return p
}

// loadPairs has two corners loaded at once, if those along the last axis with float locations are neighbours in memory.
func (p *locations) loadPairs() {
	last := len(p.views) - 1
	for last >= 0 && p.views[last].DType == dtype.Int64 {
		last--
	}
	if last >= 0 && p.axes[last].Stride == 1 && p.axes[last].Size > 1 && sample.TakesPairs() {
		p.pairs = last
	}
	p.findPlane()
}

// fill fills the table with n points from start on.
func (t *table[T]) fill(p *locations, start, n int) {
	if t.planar = p.planar; t.planar {
		t.fillPlane(p, start, n)
		return
	}
	first := 0
	t.base, t.count, t.paired = 0, 1, p.pairs >= 0
	if t.onePlane(p, start, n) {
		p.views[0].Load(unsafe.Pointer(&t.floats), dtype.Float64, start, n)
		t.corners(p, 0, n, rowAt[int](unsafe.Pointer(&t.offsets), 2*block), rowAt[T](unsafe.Pointer(&t.weights), 2*block), rowAt[T](unsafe.Pointer(&t.slopes[0]), 2*block))
		first, t.count = 1, 2
	} else {
		t.lead(&p.x, start, n)
	}
	for j := range p.views {
		if v := &p.views[j]; v.DType == dtype.Int64 {
			v.Load(unsafe.Pointer(&t.ints), dtype.Int64, start, n)
			t.step(p, j, n)
		}
	}
	for j := first; j < len(p.views) && p.views[j].DType != dtype.Int64; j++ { // float locations come first
		p.views[j].Load(unsafe.Pointer(&t.floats), dtype.Float64, start, n)
		t.split(p, j, n)
		if p.slopes {
			t.updateSlopes(j, n)
		}
		t.combine(n)
	}
}

// onePlane reports whether the loop gives one element of x for all n points from start on, and all locations are
// floats: then the corners of the first axis start the table, relative to base.
func (t *table[T]) onePlane(p *locations, start, n int) bool {
	if p.views[len(p.views)-1].DType == dtype.Int64 {
		return false
	}
	if !p.x.Uniform {
		if p.x.Step() != 0 || start%p.x.Row()+n > p.x.Row() {
			return false
		}
		t.base = p.x.Offset(start) * p.x.Size
	}
	return true
}

// lead starts the table with the elements of the loop.
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
		at, step := c.Offset*x.Size, x.Step()*x.Size
		for i := range offsets[done : done+k] {
			offsets[done+i] = at + i*step
		}
		done += k
	}
}

// step adds the offsets of integer locations.
func (t *table[T]) step(p *locations, j, n int) {
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
func (t *table[T]) split(p *locations, j, n int) {
	t.corners(p, j, n, t.axis.offsets[:], t.axis.weights[:], t.axis.slopes[:])
}

func (t *table[T]) corners(p *locations, j, n int, offsets []int, weights, slopes []T) {
	axis := sample.Axis{Last: p.axes[j].Size - 1, Stride: p.axes[j].Stride * p.x.Size, Clip: p.clip}
	sample.Corners(n, t.floats[:], axis, offsets, weights, slopes, block)
	if j == p.pairs {
		sample.Pairs(n, offsets, offsets[block:], (axis.Last-1)*axis.Stride, t.upper[:], block/8)
	}
}

// offset returns the offset of the element at a corner.
func (t *table[T]) offset(corner, i int) int {
	if t.planar {
		return 4 * t.plane.At(corner, i)
	}
	offset := t.offsets[corner][i]
	if t.paired && corner < t.count/2 && t.upper[i/8]>>(i%8)&1 != 0 {
		offset += int(unsafe.Sizeof(t.weights[0][0]))
	}
	return offset
}

// combine multiplies the corners by those of one more axis.
func (t *table[T]) combine(n int) {
	for c := range t.count {
		offsets, weights := t.offsets[c][:], t.weights[c][:]
		sample.Offsets(n, offsets, t.offsets[t.count+c][:], offsets, t.axis.offsets[:], block)
		sample.Products(n, weights, t.weights[t.count+c][:], weights, t.axis.weights[:], block)
	}
	t.count *= 2
}

// updateSlopes updates the slopes of the previous axes, and adds those of the next axis.
func (t *table[T]) updateSlopes(next, n int) {
	for j := range next + 1 {
		from, corners := &t.slopes[j], t.axis.weights[:]
		if j == next {
			from, corners = &t.weights, t.axis.slopes[:]
		}
		for c := range t.count {
			sample.Products(n, t.slopes[j][c][:], t.slopes[j][t.count+c][:], from[c][:], corners, block)
		}
	}
}
