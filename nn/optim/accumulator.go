package optim

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
)

// Accumulator adds up the gradients of several batches for one update. It owns the arrays of its sums, which outlive
// the tape:
//
//	for range batches {
//		model := params.Watch(tape)
//		sums.Add(optim.GradientsOf(model, loss(model)))
//		tape.Reset()
//	}
//	opt.Update(sums.Mean())
//	sums.Reset()
type Accumulator struct {
	list  []*accumulated
	of    map[*nn.Param]*accumulated
	count int
}

// accumulated holds the sum of a parameter's gradients.
type accumulated struct {
	name  string
	param *nn.Param
	sum   *nd.Array // nil before the first gradient
	some  bool      // whether a gradient was added since Reset
}

// NewAccumulator returns an accumulator without gradients.
func NewAccumulator() *Accumulator {
	return &Accumulator{of: map[*nn.Param]*accumulated{}}
}

// Add adds gradients, after carrying out the statements about them. State weight decay on the result of Mean instead:
// Add always adds decay to the gradients, also for an optimizer with decoupled decay. Sums of 16-bit parameters are
// float32.
func (a *Accumulator) Add(g *Gradients) {
	const fn nd.Func = "Accumulator.Add"
	g.checkValid(fn)
	var c chain
	for _, e := range g.list {
		s := a.of[e.param]
		if s == nil {
			s = &accumulated{name: e.name, param: e.param}
			a.list, a.of[e.param] = append(a.list, s), s
		}
		if e.value == nil {
			continue
		}
		w := e.param.Value()
		t := dtype.ComputeType(w.DType())
		c.read(fn, e, len(e.steps), coupled, roomBeside(0, 4))
		program, in := &shared().effective, []*nd.Array{}
		if s.sum == nil {
			s.sum = nd.Empty(w.Shape(), nd.ArrayOptions{DType: t, Device: w.Device()})
		}
		if s.some {
			program, in = &shared().added, append(in, s.sum)
		}
		run(fn, program.of(t, &c), c.scalars, []*nd.Array{s.sum}, c.operands(in, w))
		c.releaseTemporaries()
		s.some = true
	}
	a.count++
}

// Count returns how often Add was called since Reset.
func (a *Accumulator) Count() int { return a.count }

// Sum returns the sums of the gradients. They are valid until the next call of Add or Reset. A parameter without any
// gradient has no sum.
func (a *Accumulator) Sum() *Gradients {
	g := &Gradients{}
	for _, s := range a.list {
		e := &gradient{name: s.name, param: s.param}
		if s.some {
			e.value = s.sum
		}
		g.list = append(g.list, e)
	}
	return g
}

// Mean returns the sums divided by the number of calls of Add. The result is valid until the next call of Add or Reset.
func (a *Accumulator) Mean() *Gradients {
	g := a.Sum()
	g.Scale(1 / float64(max(a.count, 1)))
	return g
}

// Reset sets the accumulator back to empty and keeps its memory for the next sums.
func (a *Accumulator) Reset() {
	a.count = 0
	for _, s := range a.list {
		s.some = false
	}
}
