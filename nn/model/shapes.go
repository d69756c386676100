package model

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
)

// Networks compute shapes: the lengths of an array, some of them, their products, a shape for another array. The calls of a
// model mostly see the same shapes as the call before. So each of these steps keeps what it returned last, and returns it again
// if its inputs are the same: the same arrays, or for the first of such steps arrays of the same shapes.

// turn is what a step that depends on shapes computed last.
type turn struct {
	shapes  [][]int     // of the inputs, if the step depends only on these
	in      []*nd.Array // otherwise the inputs, which are kept by other steps
	out     []Value
	version []uint32 // of the outputs
}

// most is the number of elements up to which results are kept.
const most = 1 << 10

// again returns the outputs of the last turn of a step, if it had the same inputs.
func (r *run) again(s *step, in []Value) ([]Value, bool) {
	if !s.ofShapes {
		return nil, false
	}
	t := s.last.Load()
	if t == nil {
		return nil, false
	}
	for k, v := range in {
		x, _ := v.(*nd.Array)
		if t.shapes != nil {
			if x == nil || !slices.Equal(t.shapes[k], x.Shape()) {
				return nil, false
			}
		} else if x != t.in[k] {
			return nil, false
		}
	}
	for i, v := range t.out {
		if x := v.(*nd.Array); x.IsReleased() || x.Version() != t.version[i] {
			return nil, false
		}
	}
	return t.out, true
}

// keep keeps the outputs of a step for its next turn, if they are small arrays, and the inputs are kept, too. It reports whether
// it has done so: then they have no owner among the values of the call.
func (r *run) keep(s *step, in, out []Value) bool {
	if !s.ofShapes {
		return false
	}
	t := &turn{out: out}
	for _, v := range in {
		x, ok := v.(*nd.Array)
		switch {
		case v != nil && !ok:
			return false
		case !s.OfShapes:
			if r.owners[x] > 0 {
				return false
			}
			t.in = append(t.in, x)
		case x == nil:
			return false
		default:
			t.shapes = append(t.shapes, slices.Clone(x.Shape()))
		}
	}
	for _, v := range out {
		x, ok := v.(*nd.Array)
		if !ok || x == nil || x.Size() > most || r.owners[x] > 0 || slices.Contains(in, v) && s.OfShapes {
			return false
		}
		if node, _ := x.Node(); node != nil {
			return false
		}
		t.version = append(t.version, x.Version())
	}
	s.last.Store(t)
	return true
}
