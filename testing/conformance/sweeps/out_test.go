package sweeps

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// TestSweepWrites passes arrays that the function writes to as every second element of a larger array. The elements in
// between must not change.
func TestSweepWrites(t *testing.T) {
	sweep(t, func(s *subject) error {
		larger := map[string]*nd.Array{}
		o := s.call(setting{edit: func(path string, x *nd.Array) *nd.Array {
			if s.fn.Row.MayWrite(path) {
				x, larger[path] = interleaved(x)
			}
			return x
		}})
		if err := s.differs(o, s.plain, s.layoutComparer()); err != nil {
			return err
		}
		for path, whole := range larger {
			if err := sameAround(o.args[path], whole); err != nil {
				return fmt.Errorf("between the elements of %s: %w", path, err)
			}
		}
		return nil
	})
}

// sameAround returns an error if elements of the larger array that do not belong to an interleaved array have changed.
func sameAround(x, whole *nd.Array) error {
	got := whole.Copy()
	every := make([]nd.Index, x.Rank())
	for k := range every {
		every[k] = nd.From(1).By(2)
	}
	got.Assign(elsewhere(nil, x), every...)
	return identical(got, elsewhere(whole.Shape(), whole))
}

// withoutOut are functions that take another argument instead of out, as their cases do.
var withoutOut = map[string]string{"nnabla.functions.scatter_nd": "takes either a shape or out"}

// TestSweepOut passes as out: a separate array; an interleaved one; and each argument with the result's shape and
// dtype, unchanged and reversed. The result must always be the same.
func TestSweepOut(t *testing.T) {
	sweep(t, func(s *subject) error {
		p := s.fn.Param("out")
		if p == nil || withoutOut[s.c.Function] != "" || p.Type != reflect.TypeFor[*nd.Array]() || len(s.plain.results) != 1 {
			return nil
		}
		without := s.call(setting{args: dropOut})
		if without.err != nil || len(without.paths) == 0 {
			return nil // without an array there is no key for out
		}
		result, ok := without.results[0].(*nd.Array)
		if !ok {
			return nil
		}
		key := golden.Array(s.c.Keys()[0])
		try := func(how string, out func(path string, x *nd.Array, seen map[string]*nd.Array) *nd.Array) error {
			seen := map[string]*nd.Array{}
			o := s.call(setting{
				args: func(args golden.Object) golden.Object {
					return append(dropOut(args), golden.Member{Name: "out", Value: key})
				},
				edit: func(path string, x *nd.Array) *nd.Array {
					x = out(path, x, seen)
					seen[path] = x
					return x
				},
			})
			if o.err == nil && len(o.results) == 1 {
				switch returned := o.results[0].(*nd.Array); returned {
				case o.args["out"]:
				case nil: // NNabla documents that the function returns nothing
					o.results[0] = o.args["out"]
				default:
					return fmt.Errorf("%s: the function does not return out", how)
				}
			}
			want := without
			want.paths = nil
			if err := s.differs(o, want, s.layoutComparer()); err != nil {
				return fmt.Errorf("%s: %w", how, err)
			}
			return nil
		}
		var whole *nd.Array
		for _, of := range []struct {
			how  string
			make func() *nd.Array
		}{
			{"out", func() *nd.Array { return elsewhere(result.Shape(), result) }},
			{"interleaved out", func() (y *nd.Array) {
				y, whole = interleaved(elsewhere(result.Shape(), result))
				return y
			}},
		} {
			var made *nd.Array
			err := try(of.how, func(path string, x *nd.Array, _ map[string]*nd.Array) *nd.Array {
				if path == "out" {
					made = of.make()
					return made
				}
				return x
			})
			if err == nil && whole != nil {
				err = sameAround(made, whole)
			}
			if err != nil {
				return err
			}
		}
		for _, path := range without.paths {
			x := without.args[path]
			if x.DType() != result.DType() || !slices.Equal(x.Shape(), result.Shape()) {
				continue
			}
			for _, reversed := range []bool{false, true} {
				err := try(fmt.Sprintf("out is %s (reversed: %t)", path, reversed), func(at string, x *nd.Array, seen map[string]*nd.Array) *nd.Array {
					switch {
					case at != "out" && at != path:
						return x
					case at == path && seen["out"] == nil, at == "out" && seen[path] == nil:
						return x
					case reversed:
						return seen[path].Flip()
					}
					return seen[path]
				})
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func dropOut(args golden.Object) golden.Object {
	return slices.DeleteFunc(args, func(m golden.Member) bool { return m.Name == "out" })
}
