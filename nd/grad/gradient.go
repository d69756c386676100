package grad

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// Gradient returns the gradients of Σy with respect to each of xs, or nil for an x that y does not depend on. For
// complex arrays the gradient is ∂L/∂Re + i·∂L/∂Im of the real part L of Σy. The record stays: Gradient can be called
// again.
func (t *Tape) Gradient(y *nd.Array, xs ...*nd.Array) []*nd.Array {
	return t.run("Tape.Gradient", []*nd.Array{y}, nil, xs, false)
}

// GradientRecorded is Gradient with recorded results, which can be differentiated again, to any order.
func (t *Tape) GradientRecorded(y *nd.Array, xs ...*nd.Array) []*nd.Array {
	return t.run("Tape.GradientRecorded", []*nd.Array{y}, nil, xs, true)
}

// VJP returns the gradients of Σ⟨gy, y⟩ over several results. Each gy has the shape, dtype and device of its result. If
// gys is nil, or one of its elements is nil, ones are used.
func (t *Tape) VJP(ys, gys []*nd.Array, xs ...*nd.Array) []*nd.Array {
	return t.run("Tape.VJP", ys, gys, xs, false)
}

// VJPRecorded is VJP with recorded results. They also depend on gys, if these are recorded.
func (t *Tape) VJPRecorded(ys, gys []*nd.Array, xs ...*nd.Array) []*nd.Array {
	return t.run("Tape.VJPRecorded", ys, gys, xs, true)
}

// run makes a pass from ys to xs for function fn.
func (t *Tape) run(fn nd.Func, ys, gys, xs []*nd.Array, recorded bool) []*nd.Array {
	if gys == nil {
		gys = make([]*nd.Array, len(ys))
	}
	t.check(fn, ys, gys, xs)
	p := newPass(t, ys, xs, recorded, false)
	defer p.recycle()
	return p.back(ys, gys, xs)
}

// check refuses arrays that are not recorded on this tape, and gradients that do not match the results.
func (t *Tape) check(fn nd.Func, ys, gys, xs []*nd.Array) {
	t.muted = true
	defer func() { t.muted = false }()
	fn.Check(xs...)
	fn.Check(ys...)
	if len(gys) != len(ys) {
		panic(fn.Errorf(ys, "%d gradients for %d results", len(gys), len(ys)))
	}
	for i, y := range ys {
		if n, _ := y.Node(); n != nil && n.Tape != nd.Recorder(t) {
			panic(fn.Errorf([]*nd.Array{y}, "result %d is recorded on another tape", i))
		}
		if g := gys[i]; g != nil {
			fn.Check(g, y)
			if why := unlike(g, y); why != "" {
				panic(fn.Errorf([]*nd.Array{g, y}, "the gradient of result %d %s", i, why))
			}
		}
	}
	for i, x := range xs {
		if n, _ := x.Node(); n == nil || n.Tape != nd.Recorder(t) {
			panic(fn.Errorf([]*nd.Array{x}, "array %d is not recorded here: differentiate with respect to an array that Watch returned, or one computed from it", i))
		}
	}
}

// unlike says why g cannot be a gradient of y, or a direction for y. It is empty if g can be one.
func unlike(g, y *nd.Array) string {
	switch {
	case g.IsScalar():
		return "is a Scalar, which has no dtype of its own: want nd.Full"
	case !broadcast.Equal(g.Layout().Shape, y.Layout().Shape):
		return fmt.Sprintf("has shape %s: want %s", broadcast.FormatShape(g.Shape()), broadcast.FormatShape(y.Shape()))
	case g.DType() != y.DType():
		return fmt.Sprintf("is %s: want %s", g.DType(), y.DType())
	}
	return ""
}
