package sweeps

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// emptied are ways to reduce an array to few elements or none.
var emptied = []struct {
	name string
	of   func(x *nd.Array) *nd.Array
}{
	{"empty", func(x *nd.Array) *nd.Array { return x.Index(nd.Until(0)) }},
	{"empty at the end", func(x *nd.Array) *nd.Array { return x.Index(nd.Ellipsis(), nd.Until(0)) }},
	{"0-d", func(x *nd.Array) *nd.Array { return x.Ravel().Index(nd.At(0)) }},
}

// withoutGradientWhereEmpty are functions whose gradient may be refused for empty arrays only.
var withoutGradientWhereEmpty = map[string]string{
	"cupy.linalg.svd": "vectors beyond the singular values are not determined",
	"cupy.linalg.qr":  "some columns of a complete q are not determined",
}

// TestSweepEmpty replaces all arrays that have a shape in common by empty arrays, and by 0-d arrays. The function must
// work or refuse. If it works, its gradient and the gradient of that must work, too, unless they are refused for the
// case's arrays.
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
					return fmt.Errorf("%s instead of shape %v: %w", e.name, shape, o.err)
				}
				if o.err != nil || !derivatives {
					continue
				}
				if err := s.recordedTwice(edit); err != nil {
					return fmt.Errorf("%s instead of shape %v: %w", e.name, shape, err)
				}
			}
		}
		return nil
	})
}

// recordedTwice calls the function on a tape and computes gradients and their gradients, which must have the shapes of
// the arguments.
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

// recordedGradients computes the gradients of the recorded arrays among ys.
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
			return nil, fmt.Errorf("gradient of shape %v for an argument of shape %v", g.Shape(), xs[i].Shape())
		}
	}
	return gs, nil
}

// shapes lists the distinct shapes of the array arguments.
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
