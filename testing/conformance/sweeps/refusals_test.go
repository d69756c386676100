package sweeps

import (
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// checkRefused returns an error unless the call was refused by an *nd.Error that names a function. A function that
// returns an argument unchanged, such as dropout at inference, need not check it.
func (o outcome) checkRefused() error {
	if o.err == nil {
		for _, x := range o.args {
			if len(o.results) == 1 && o.results[0] == any(x) {
				return nil
			}
		}
		return fmt.Errorf("the call was not refused")
	}
	return o.mayRefuse()
}

// mayRefuse is mustRefuse for a call that may also work. A refusal must name the library function that the row called.
func (o outcome) mayRefuse() error {
	if o.err == nil {
		return nil
	}
	refusal, ok := o.err.(*catalogue.Refusal)
	if !ok {
		return o.err
	}
	var e *nd.Error
	switch {
	case !errors.As(o.err, &e):
	case e.Func == "" || e.Msg == "":
		return fmt.Errorf("the refusal names no function, or gives no reason: %q", e.Error())
	case refusal.Called != "" && !isNamed(refusal.Called, string(e.Func)) && namedByProgram[refusal.Called] == "":
		return fmt.Errorf("the row called %s, but is refused with %q", refusal.Called, e.Error())
	}
	return nil
}

// isNamed reports whether a refusal names the called function. Methods of values, such as link.LSTM.Apply, may be named
// by type, link.LSTM, or as methods, LSTM.Apply.
func isNamed(called, name string) bool {
	return called == name || strings.HasPrefix(called, name+".") || strings.HasSuffix(called, "."+name)
}

// namedByProgram are functions that refuse under a name that the program chose.
var namedByProgram = map[string]string{
	"Kernel.CallMany":      "the kernel's",
	"ReductionKernel.Call": "the kernel's",
	"Function.Call":        "the function's",
	"Func.Errorf":          "the row's own name",
}

// with replaces one array argument.
func with(path string, f func(x *nd.Array) *nd.Array) setting {
	return setting{fresh: true, edit: func(at string, x *nd.Array) *nd.Array {
		if at == path {
			return f(x)
		}
		return x
	}}
}

// shapeAlone are functions that read only the shape or dtype of an argument, which released arrays keep.
var shapeAlone = map[string]string{
	"chainer.Variable.__len__":      "metadata",
	"cupy.ndarray.__len__":          "metadata",
	"cupy.ndarray.dtype":            "metadata",
	"cupy.ndarray.flags":            "metadata",
	"cupy.ndarray.itemsize":         "metadata",
	"cupy.ndarray.nbytes":           "metadata",
	"cupy.ndarray.ndim":             "metadata",
	"cupy.ndarray.shape":            "metadata",
	"cupy.ndarray.size":             "metadata",
	"cupy.ndarray.strides":          "metadata",
	"mxnet.npx.broadcast_like":      "reads only the shape of the second argument",
	"mxnet.npx.reshape_like":        "reads only the shape of the second argument",
	"mxnet.npx.slice_like":          "reads only the shape of the second argument",
	"mxnet.npx.arange_like":         "reads only the number of elements",
	"nnabla.functions.broadcast_to": "reads only the shape of the first argument",
	"nnabla.functions.shape":        "metadata",
}

// isAssertion reports whether the function is a test assertion, which reports a difference instead of refusing, and
// compares across devices.
func (s *subject) isAssertion() bool { return strings.HasPrefix(s.c.Function, "cupy.testing.assert") }

// TestSweepMissing replaces each array by nil, and by a released array.
func TestSweepMissing(t *testing.T) {
	sweep(t, func(s *subject) error {
		if s.isAssertion() {
			return nil
		}
		for _, path := range s.plain.paths {
			missing := s.call(with(path, func(*nd.Array) *nd.Array { return nil }))
			check := missing.mayRefuse // later arguments may be optional here
			if s.isFirst(path) && !s.optional(path) {
				check = missing.checkRefused
			}
			if err := check(); err != nil {
				return fmt.Errorf("without %s: %w", path, err)
			}
			released := s.call(with(path, func(x *nd.Array) *nd.Array {
				x = x.Copy()
				x.Release()
				return x
			}))
			check = released.checkRefused
			if shapeAlone[s.c.Function] != "" {
				check = released.mayRefuse
			}
			if err := check(); err != nil {
				return fmt.Errorf("with %s released: %w", path, err)
			}
		}
		return nil
	})
}

// isFirst reports whether an argument, or the list that contains it, is the first array argument.
func (s *subject) isFirst(path string) bool {
	root, _, _ := strings.Cut(path, "[")
	first, _, _ := strings.Cut(s.plain.paths[0], "[")
	return root == first
}

// optional reports whether an argument has a default.
func (s *subject) optional(path string) bool {
	p := s.fn.Param(path)
	return p != nil && p.HasDefault
}

// isInitial reports whether an argument, or the map that contains it, gives initial values of parameters, which are
// copied to the parameters' device.
func (s *subject) isInitial(path string) bool {
	root, _, _ := strings.Cut(path, ".")
	p := s.fn.Param(root)
	return p != nil && (p.Type == reflect.TypeFor[initializer.Initializer]() || p.Type == reflect.TypeFor[map[string]initializer.Initializer]())
}

// eachAlone are functions that do not combine elements of different arguments.
var eachAlone = map[string]string{
	"chainer.functions.identity":    "returns its arguments",
	"cupy.atleast_1d":               "returns a view of each",
	"cupy.atleast_2d":               "returns a view of each",
	"cupy.atleast_3d":               "returns a view of each",
	"cupy.ix_":                      "returns a view of each",
	"cupy.ndarray.set":              "takes a value from any device",
	"mxnet.npx.broadcast_like":      "reads only a shape",
	"mxnet.npx.reshape_like":        "reads only a shape",
	"mxnet.npx.slice_like":          "reads only a shape",
	"nnabla.functions.broadcast_to": "reads only a shape",
}

// TestSweepMixedDevices moves each array to another device than the others.
func TestSweepMixedDevices(t *testing.T) {
	ref := mustDevice(t, "ref")
	sweep(t, func(s *subject) error {
		if len(s.plain.paths) < 2 || eachAlone[s.c.Function] != "" || s.isAssertion() {
			return nil
		}
		for _, path := range s.plain.paths {
			if s.isInitial(path) {
				continue
			}
			elsewhere := with(path, func(x *nd.Array) *nd.Array { return catalogue.OnDevice(x, ref) })
			elsewhere.late = true // the operation refuses, after creating parameters
			o := s.call(elsewhere)
			if err := o.checkRefused(); err != nil {
				return fmt.Errorf("%s is on another device: %w", path, err)
			}
		}
		return nil
	})
}

// TestSweepScalars replaces each array by a weak number, which has no memory. The function must work or refuse.
func TestSweepScalars(t *testing.T) {
	sweep(t, func(s *subject) error {
		for _, path := range s.plain.paths {
			for _, x := range []*nd.Array{nd.Scalar(1.5), nd.Scalar(1)} {
				o := s.call(with(path, func(*nd.Array) *nd.Array { return x }))
				if err := o.mayRefuse(); err != nil {
					return fmt.Errorf("%s is a Scalar: %w", path, err)
				}
			}
		}
		return nil
	})
}

// TestSweepShapes changes the shape of each array: one element more or less along an axis, one axis more, or one less.
// The function must work or refuse.
func TestSweepShapes(t *testing.T) {
	edits := []struct {
		name string
		of   func(x *nd.Array) *nd.Array
	}{
		{"one more element along the last axis", func(x *nd.Array) *nd.Array { return longer(x, -1) }},
		{"one more element along the first axis", func(x *nd.Array) *nd.Array { return longer(x, 0) }},
		{"one element less along the last axis", func(x *nd.Array) *nd.Array { return x.Index(nd.Ellipsis(), nd.From(1)) }},
		{"one element less along the first axis", func(x *nd.Array) *nd.Array { return x.Index(nd.From(1)) }},
		{"one axis less", func(x *nd.Array) *nd.Array { return x.Index(nd.At(0)) }},
		{"one more axis", func(x *nd.Array) *nd.Array { return x.ExpandDims(0) }},
		{"one more axis at the end", func(x *nd.Array) *nd.Array { return x.ExpandDims(-1) }},
	}
	sweep(t, func(s *subject) error {
		for _, path := range s.plain.paths {
			for _, e := range edits {
				o := s.call(with(path, func(x *nd.Array) *nd.Array {
					if x.Rank() == 0 || x.Size() == 0 {
						return x
					}
					return e.of(x)
				}))
				if err := o.mayRefuse(); err != nil {
					return fmt.Errorf("%s with %s: %w", path, e.name, err)
				}
			}
		}
		return nil
	})
}

// longer repeats the first element along an axis.
func longer(x *nd.Array, axis int) *nd.Array {
	shape := x.Shape()
	if axis < 0 {
		axis += len(shape)
	}
	shape[axis]++
	all := make([]nd.Index, axis+1)
	y := nd.Empty(shape, nd.ArrayOptions{DType: x.DType(), Device: x.Device()})
	all[axis] = nd.From(1)
	y.Assign(x, all...)
	all[axis] = nd.Until(1)
	y.Assign(x.Index(all...), all...)
	return y
}

// axisUnused are functions that do not always read their axis.
var axisUnused = map[string]string{
	"numpy.cross": "ignores the axes of the operands if axis is given", "mxnet.npx.sequence_mask": "without lengths it copies"}

// TestSweepAxes passes axes that are out of range for every array.
func TestSweepAxes(t *testing.T) {
	const beyond = 40
	sweep(t, func(s *subject) error {
		if len(s.plain.paths) == 0 || axisUnused[s.c.Function] != "" {
			return nil
		}
		for _, p := range s.fn.Params {
			if !strings.HasPrefix(p.Name, "axis") && !strings.HasPrefix(p.Name, "axes") || p.Ignored() {
				continue
			}
			for _, axis := range []int64{beyond, -beyond} {
				var bad golden.Value = big.NewInt(axis)
				if v, _ := s.c.Args.Get(p.Name); isList(v) || isList(p.Default) {
					bad = golden.List{bad}
				}
				o := s.call(setting{fresh: true, args: func(args golden.Object) golden.Object { return replaced(args, p.Name, bad) }})
				if err := o.checkRefused(); err != nil {
					return fmt.Errorf("%s=%d: %w", p.Name, axis, err)
				}
			}
		}
		return nil
	})
}

func isList(v golden.Value) bool {
	_, ok := listOf(v)
	return ok
}
