// Package pooling combines the points of windows: the kernels Pool and PoolGrad.
//
// Windows of float32 and float64 with few points are combined by rows (rows.go, taps.go), all other windows by planes
// (planes.go).
package pooling

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Pool combines the points of windows. Sums of many points are accumulated in 64 bits.
func Pool(l *device.Launch) {
	p := newPlan(l, 2)
	t := dtype.ComputeType(l.Operands[0].DType)
	if p.byRows(t) {
		if t == dtype.Float64 {
			combineRows[float64](p, t)
		} else {
			combineRows[float32](p, t)
		}
		return
	}
	if l.Combine == device.CombineSum {
		switch {
		case t.IsComplex():
			sumPlanes[complex128](p, dtype.Complex128)
		case t.IsFloat():
			sumPlanes[float64](p, dtype.Float64)
		default:
			sumPlanes[int64](p, dtype.Int64)
		}
		return
	}
	switch {
	case t == dtype.Float64:
		maxPlanes(p, t, math.Inf(-1))
	case t == dtype.Float32:
		maxPlanes(p, t, float32(math.Inf(-1)))
	case t.IsBool() || t.IsUnsigned():
		maxPlanes(p, dtype.Uint64, uint64(0))
	default:
		maxPlanes(p, dtype.Int64, dtype.Info(t).MinInt)
	}
}

// PoolGrad sums gradients; sums of many are accumulated in 64 bits.
func PoolGrad(l *device.Launch) {
	p := newPlan(l, 0)
	switch t := dtype.ComputeType(l.Operands[0].DType); {
	case p.byRows(t) && t == dtype.Float64:
		gradRows[float64](p, t)
	case p.byRows(t):
		gradRows[float32](p, t)
	case t.IsComplex():
		gradPlanes[complex128](p, dtype.Complex128)
	case t.IsFloat():
		gradPlanes[float64](p, dtype.Float64)
	default:
		gradPlanes[int64](p, dtype.Int64)
	}
}

// plan is a kernel in progress. There are always three axes: missing ones come first, with length 1.
type plan struct {
	launch *device.Launch
	input  grid
	result grid // over the windows
	kernel [3]int
	window device.Window
}

// grid is an operand's layout: planes, and three axes within each.
type grid struct {
	operand int
	size    [3]int
	strides [3]int
}

func (g *grid) points() int { return g.size[0] * g.size[1] * g.size[2] }

// newPlan takes the input's layout from the operand that has the shape of the input.
func newPlan(l *device.Launch, input int) *plan {
	w := &l.Window
	p := &plan{launch: l, kernel: [3]int{1, 1, 1}}
	p.input, p.result = grid{operand: input, size: [3]int{1, 1, 1}}, grid{size: [3]int{1, 1, 1}}
	p.window = device.Window{Rank: 3, Stride: [3]int{1, 1, 1}, Dilation: [3]int{1, 1, 1}}
	lead := 3 - w.Rank
	for k := range w.Rank {
		axis := lead + k
		p.input.size[axis], p.result.size[axis], p.kernel[axis] = w.Size[k], l.Shape[2+k], l.Shape[2+w.Rank+k]
		p.input.strides[axis] = l.Operands[input].Strides[2+k] / w.Stride[k]
		p.window.Stride[axis], p.window.Dilation[axis], p.window.Before[axis] = w.Stride[k], w.Dilation[k], w.Before[k]
	}
	p.input.normalize()
	return p
}

// windowGrid returns the layout of an operand with one element per window.
func (p *plan) windowGrid(operand int) grid {
	g := grid{operand: operand, size: p.result.size}
	rank := p.launch.Window.Rank
	for k := range rank {
		g.strides[3-rank+k] = p.launch.Operands[operand].Strides[2+k]
	}
	g.normalize()
	return g
}

// normalize gives axes whose stride does not matter the stride 1.
func (g *grid) normalize() {
	for axis, n := range g.size {
		if n <= 1 {
			g.strides[axis] = 1
		}
	}
}

// clip is the part of a window along one axis that lies in the input: the window's points [from, to), and the index of
// the first of them in the input.
type clip struct{ from, to, start int }

// clips returns the parts of all windows along an axis.
func (p *plan) clips(axis int) []clip {
	all := make([]clip, p.result.size[axis])
	dilation, size := p.window.Dilation[axis], p.input.size[axis]
	for o := range all {
		start := o*p.window.Stride[axis] - p.window.Before[axis]
		s := clip{to: p.kernel[axis]}
		if start < 0 {
			s.from = (-start + dilation - 1) / dilation
		}
		s.to = min(s.to, max(0, (size-start+dilation-1)/dilation))
		s.from = min(s.from, s.to)
		s.start = start + s.from*dilation
		all[o] = s
	}
	return all
}
