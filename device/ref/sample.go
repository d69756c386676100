package ref

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Sample sums, at each point, the elements at all corners times their weights.
func (d *Device) Sample(l *device.Launch) {
	y, x := d.operand(l, 0), d.operand(l, 1)
	s := d.sampling(l, 2)
	for _, point := range points(shape(l)) {
		total := 0.0
		if s.isNaN(point) {
			total = math.NaN()
		}
		for _, c := range s.corners(point, x.dtype, -1) {
			total += c.weight * x.load(x.at(point)+c.at, dtype.Float64).x
		}
		y.store(y.at(point), value{x: total}, dtype.Float64)
	}
}

// SampleGrad adds gy times the weights to the elements at all corners.
func (d *Device) SampleGrad(l *device.Launch) {
	gx, gy := d.operand(l, 0), d.operand(l, 1)
	s := d.sampling(l, 2)
	totals := map[int]float64{} // by element number
	sizes := make([]int, len(s.axes))
	for j, axis := range s.axes {
		sizes[j] = axis.Size
	}
	own := slices.Clone(shape(l)) // without the axes that gx does not have
	for axis, stride := range gx.strides {
		if stride == 0 {
			own[axis] = min(own[axis], 1)
		}
	}
	for _, point := range points(own) {
		for _, index := range points(sizes) {
			at := gx.at(point)
			for j, axis := range s.axes {
				at += index[j] * axis.Stride
			}
			totals[at] += 0
		}
	}
	for _, point := range points(shape(l)) {
		if s.isNaN(point) {
			continue
		}
		for _, c := range s.corners(point, gx.dtype, -1) {
			totals[gx.at(point)+c.at] += c.weight * gy.load(gy.at(point), dtype.Float64).x
		}
	}
	for at, total := range totals {
		gx.store(at, value{x: total}, dtype.Float64)
	}
}

// sampling has the locations of a kernel, the axes that they index, and the meaning of locations out of range.
type sampling struct {
	locations []operand
	axes      []device.IndexAxis
	bounds    device.Bounds
}

func (d *Device) sampling(l *device.Launch, first int) sampling {
	return sampling{d.operands(l, first, l.N), l.Axes[:l.N-first], l.Bounds}
}

// empty reports whether an axis is empty.
func (s sampling) empty() bool {
	return slices.ContainsFunc(s.axes, func(axis device.IndexAxis) bool { return axis.Size == 0 })
}

// isNaN reports whether a location at a point is NaN, and no axis is empty.
func (s sampling) isNaN(point []int) bool {
	if s.empty() {
		return false
	}
	for _, p := range s.locations {
		if p.dtype.IsFloat() && math.IsNaN(p.load(p.at(point), dtype.Float64).x) {
			return true
		}
	}
	return false
}

// corner is an element that counts at a point: its offset from the element of the loop, and its weight.
type corner struct {
	at     int
	weight float64
}

// corners returns the corners at a point. Along the axis of location number slope the weights are those of the
// derivative: -1 and 1.
func (s sampling) corners(point []int, t dtype.DType, slope int) []corner {
	all := []corner{{0, 1}}
	if s.isNaN(point) {
		return nil
	}
	for j, p := range s.locations {
		var along []corner // of the axis alone
		if p.dtype.IsFloat() {
			location := p.load(p.at(point), dtype.Float64).x
			location = max(-2, min(location, float64(s.axes[j].Size)+1)) // out of range, like every location that is farther away
			down := math.Floor(location)
			low, high := rounded(1-(location-down), t), rounded(location-down, t)
			if j == slope {
				low, high = -1, 1
			}
			along = []corner{{int(down), low}, {int(down) + 1, high}}
		} else {
			along = []corner{{int(p.load(p.at(point), dtype.Int64).i), 1}}
		}
		before := all
		all = nil
		for _, c := range along {
			location, ok := inBounds(int64(c.at), int64(s.axes[j].Size), s.bounds)
			if !ok || c.weight == 0 {
				continue
			}
			for _, b := range before {
				all = append(all, corner{b.at + int(location)*s.axes[j].Stride, b.weight * c.weight})
			}
		}
	}
	return all
}

// rounded returns x rounded to an element type.
func rounded(x float64, t dtype.DType) float64 {
	if t == dtype.Float32 {
		return float64(float32(x))
	}
	return x
}
