package sweeps

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// emptied are ways to leave little of an array.
var emptied = []struct {
	name string
	of   func(x *nd.Array) *nd.Array
}{
	{"empty", func(x *nd.Array) *nd.Array { return x.Index(nd.Until(0)) }},
	{"empty at the end", func(x *nd.Array) *nd.Array { return x.Index(nd.Ellipsis(), nd.Until(0)) }},
	{"without axes", func(x *nd.Array) *nd.Array { return x.Ravel().Index(nd.At(0)) }},
}

// withoutGradientWhereEmpty are functions whose gradient may be refused though that of more elements is not.
var withoutGradientWhereEmpty = map[string]string{
	"cupy.linalg.svd": "it then has vectors beyond the singular values, which are not determined",
	"cupy.linalg.qr":  "a complete q then has columns that are not determined",
}

// TestSweepEmpty passes arrays without elements, and without axes: all that have a shape in common together. The
// function works or refuses; where it works, so do its gradient and the gradient of that, unless they are refused of
// the arrays that the case has.
func TestSweepEmpty(t *testing.T) {
	sweep(t, func(s *subject) error {
		derivatives := withoutGradientWhereEmpty[s.c.Function] == "" && s.recordedTwice(func(_ string, x *nd.Array) *nd.Array { return x }) == nil
		for _, shape := range s.shapes() {
			for _, e := range emptied {
				if len(shape) == 0 || slices.Contains(shape, 0) {
					continue
				}
				edit := func(_ string, x *nd.Array) *nd.Array {
					if slices.Equal(x.Shape(), shape) {
						return e.of(x)
					}
					return x
				}
				o := s.call(setting{edit: edit, fresh: true})
				if o.err != nil && !o.refused() {
					return fmt.Errorf("%s in place of shape %v: %w", e.name, shape, o.err)
				}
				if o.err != nil || !derivatives {
					continue
				}
				if err := s.recordedTwice(edit); err != nil {
					return fmt.Errorf("%s in place of shape %v: %w", e.name, shape, err)
				}
			}
		}
		return nil
	})
}

// recordedTwice calls the function under a tape and takes gradients, and gradients of those, which have the shapes of the
// arguments.
func (s *subject) recordedTwice(edit func(path string, x *nd.Array) *nd.Array) error {
	tape := grad.NewTape()
	defer tape.Release()
	var xs []*nd.Array
	o := s.call(setting{fresh: true, edit: func(path string, x *nd.Array) *nd.Array {
		x = edit(path, x)
		if x.DType().IsInexact() && !s.fn.Row.MayWrite(path) {
			x = tape.Watch(x)
			xs = append(xs, x)
		}
		return x
	}})
	if o.err != nil {
		return fmt.Errorf("recorded: %w", o.err)
	}
	firsts, err := recordedGradients(tape, s.outputs(o), xs)
	if err != nil {
		return fmt.Errorf("the gradient: %w", err)
	}
	if _, err = recordedGradients(tape, firsts, xs); err != nil {
		return fmt.Errorf("the second gradient: %w", err)
	}
	return nil
}

// recordedGradients takes gradients of what is recorded among ys.
func recordedGradients(tape *grad.Tape, ys, xs []*nd.Array) ([]*nd.Array, error) {
	ys = slices.DeleteFunc(slices.Clone(ys), func(y *nd.Array) bool {
		if y == nil || !y.DType().IsInexact() {
			return true
		}
		n, _ := y.Node()
		return n == nil
	})
	if len(ys) == 0 || len(xs) == 0 {
		return nil, nil
	}
	gs, err := catalogue.Try(func() []*nd.Array { return tape.VJPRecorded(ys, nil, xs...) })
	if err != nil {
		return nil, err
	}
	for i, g := range gs {
		if g != nil && !slices.Equal(g.Shape(), xs[i].Shape()) {
			return nil, fmt.Errorf("one of shape %v for an argument of shape %v", g.Shape(), xs[i].Shape())
		}
	}
	return gs, nil
}

// shapes lists the different shapes of the arrays among the arguments.
func (s *subject) shapes() [][]int {
	var shapes [][]int
	for _, path := range s.plain.paths {
		shape := s.plain.args[path].Shape()
		if !slices.ContainsFunc(shapes, func(other []int) bool { return slices.Equal(other, shape) }) {
			shapes = append(shapes, shape)
		}
	}
	return shapes
}
