package grad

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// Gradient returns the gradients of Σy with respect to each of xs; nil for one that y does not depend on. For complex
// arrays it is ∂L/∂Re + i·∂L/∂Im of the real part L of Σy. The record stays: gradients can be asked for again.
func (t *Tape) Gradient(y *nd.Array, xs ...*nd.Array) []*nd.Array {
	return t.VJP([]*nd.Array{y}, nil, xs...)
}

// GradientRecorded is Gradient with results that are recorded themselves, so that they can be differentiated again, to
// any order.
func (t *Tape) GradientRecorded(y *nd.Array, xs ...*nd.Array) []*nd.Array {
	return t.VJPRecorded([]*nd.Array{y}, nil, xs...)
}

// VJP returns the gradients of Σ⟨gy, y⟩ over several results. A nil gy, or a nil element, stands for ones.
func (t *Tape) VJP(ys, gys []*nd.Array, xs ...*nd.Array) []*nd.Array {
	return t.run("Tape.VJP", ys, gys, xs, false)
}

// VJPRecorded is VJP with results that are recorded themselves. They depend on gys too, where these are recorded.
func (t *Tape) VJPRecorded(ys, gys []*nd.Array, xs ...*nd.Array) []*nd.Array {
	return t.run("Tape.VJPRecorded", ys, gys, xs, true)
}

func (t *Tape) run(fn string, ys, gys, xs []*nd.Array, recorded bool) []*nd.Array {
	if gys == nil {
		gys = make([]*nd.Array, len(ys))
	}
	t.check(fn, ys, gys, xs)
	p := newPass(t, ys, xs, recorded, false)
	defer p.recycle()
	return p.back(ys, gys, xs)
}

// check refuses arrays that are not recorded here and gradients of another shape.
func (t *Tape) check(fn string, ys, gys, xs []*nd.Array) {
	nd.Check(fn, xs...)
	nd.Check(fn, ys...)
	if len(gys) != len(ys) {
		panic(nd.Errorf(fn, ys, "%d gradients for %d results", len(gys), len(ys)))
	}
	for i, y := range ys {
		if n, _ := y.Node(); n != nil && n.Tape != nd.Recorder(t) {
			panic(nd.Errorf(fn, []*nd.Array{y}, "result %d is recorded on another tape", i))
		}
		if g := gys[i]; g != nil && !broadcast.Equal(g.Layout().Shape, y.Layout().Shape) {
			panic(nd.Errorf(fn, []*nd.Array{y, g}, "the gradient of result %d has another shape", i))
		}
	}
	for i, x := range xs {
		if n, _ := x.Node(); n == nil || n.Tape != nd.Recorder(t) {
			panic(nd.Errorf(fn, []*nd.Array{x}, "array %d is not recorded here: differentiate with respect to what Watch returned, or was computed from it", i))
		}
	}
}
