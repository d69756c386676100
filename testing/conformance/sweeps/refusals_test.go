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

// mustRefuse says what is wrong where a call was not refused by an *nd.Error that names a function. A function that
// returns an argument as it is, such as dropout at inference, need not look at it.
func (o outcome) mustRefuse() error {
	if o.err == nil {
		for _, x := range o.args {
			if len(o.results) == 1 && o.results[0] == any(x) {
				return nil
			}
		}
		return fmt.Errorf("it was not refused")
	}
	return o.mayRefuse()
}

// mayRefuse is mustRefuse for a call that may also work. A refusal must name the function that was called: that of the library
// which the row called.
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

// isNamed tells whether a refusal names the function that was called. The methods of values, such as link.LSTM.Apply, are known by
// the type, link.LSTM, and as methods, LSTM.Apply.
func isNamed(called, name string) bool {
	return called == name || strings.HasPrefix(called, name+".") || strings.HasSuffix(called, "."+name)
}

// namedByProgram are functions that refuse under a name that the program has given.
var namedByProgram = map[string]string{
	"Kernel.CallMany":      "the kernel's",
	"ReductionKernel.Call": "the kernel's",
	"Function.Call":        "the function's",
	"Func.Errorf":          "the row's own",
}

// with replaces one array among the arguments.
func with(path string, f func(x *nd.Array) *nd.Array) setting {
	return setting{fresh: true, edit: func(at string, x *nd.Array) *nd.Array {
		if at == path {
			return f(x)
		}
		return x
	}}
}

// shapeAlone are functions that ask for an argument's shape or dtype alone, which released arrays keep.
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
	"mxnet.npx.broadcast_like":      "the second argument stands for a shape",
	"mxnet.npx.reshape_like":        "the second argument stands for a shape",
	"mxnet.npx.slice_like":          "the second argument stands for a shape",
	"mxnet.npx.arange_like":         "counts as many elements as its argument has",
	"nnabla.functions.broadcast_to": "the first argument stands for a shape",
	"nnabla.functions.shape":        "metadata",
}

// isAssertion tells functions of tests, which report a difference where others refuse, and compare across devices.
func (s *subject) isAssertion() bool { return strings.HasPrefix(s.c.Function, "cupy.testing.assert") }

// TestSweepMissing passes nothing in place of each array, and arrays that were released.
func TestSweepMissing(t *testing.T) {
	sweep(t, func(s *subject) error {
		if s.isAssertion() {
			return nil
		}
		for _, path := range s.plain.paths {
			missing := s.call(with(path, func(*nd.Array) *nd.Array { return nil }))
			check := missing.mayRefuse // further arguments may be optional here
			if s.isFirst(path) && !s.optional(path) {
				check = missing.mustRefuse
			}
			if err := check(); err != nil {
				return fmt.Errorf("without %s: %w", path, err)
			}
			released := s.call(with(path, func(x *nd.Array) *nd.Array {
				x = x.Copy()
				x.Release()
				return x
			}))
			check = released.mustRefuse
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

// isFirst tells whether an argument, or the list that it is in, is the first that is an array.
func (s *subject) isFirst(path string) bool {
	root, _, _ := strings.Cut(path, "[")
	first, _, _ := strings.Cut(s.plain.paths[0], "[")
	return root == first
}

// optional tells whether an argument has a default.
func (s *subject) optional(path string) bool {
	p := s.fn.Param(path)
	return p != nil && p.HasDefault
}

// isInitial tells whether an argument, or the map that it is in, makes initial values of parameters, which are copied to the parameters'
// device.
func (s *subject) isInitial(path string) bool {
	root, _, _ := strings.Cut(path, ".")
	p := s.fn.Param(root)
	return p != nil && (p.Type == reflect.TypeFor[initializer.Initializer]() || p.Type == reflect.TypeFor[map[string]initializer.Initializer]())
}

// eachAlone are functions that do not bring the elements of their arguments together.
var eachAlone = map[string]string{
	"chainer.functions.identity":    "returns its arguments",
	"cupy.atleast_1d":               "returns a view of each",
	"cupy.atleast_2d":               "returns a view of each",
	"cupy.atleast_3d":               "returns a view of each",
	"cupy.ix_":                      "returns a view of each",
	"mxnet.npx.broadcast_like":      "asks only for a shape",
	"mxnet.npx.reshape_like":        "asks only for a shape",
	"mxnet.npx.slice_like":          "asks only for a shape",
	"nnabla.functions.broadcast_to": "asks only for a shape",
}

// TestSweepMixedDevices passes each array on another device than the others.
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
			elsewhere := with(path, func(x *nd.Array) *nd.Array { return catalogue.Place(x, ref) })
			elsewhere.late = true // the operation refuses, of the parameters too
			o := s.call(elsewhere)
			if err := o.mustRefuse(); err != nil {
				return fmt.Errorf("%s is on another device: %w", path, err)
			}
		}
		return nil
	})
}

// TestSweepScalars passes a weak number, which has no memory, in place of each array. The function works or refuses.
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

// TestSweepShapes passes each array with an element more or less along an axis, with an axis more, and with one less.
// The function works or refuses.
func TestSweepShapes(t *testing.T) {
	edits := []struct {
		name string
		of   func(x *nd.Array) *nd.Array
	}{
		{"an element more along the last axis", func(x *nd.Array) *nd.Array { return longer(x, -1) }},
		{"an element more along the first axis", func(x *nd.Array) *nd.Array { return longer(x, 0) }},
		{"an element less along the last axis", func(x *nd.Array) *nd.Array { return x.Index(nd.Ellipsis(), nd.From(1)) }},
		{"an element less along the first axis", func(x *nd.Array) *nd.Array { return x.Index(nd.From(1)) }},
		{"an axis less", func(x *nd.Array) *nd.Array { return x.Index(nd.At(0)) }},
		{"an axis more", func(x *nd.Array) *nd.Array { return x.ExpandDims(0) }},
		{"an axis more at the end", func(x *nd.Array) *nd.Array { return x.ExpandDims(-1) }},
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

// axisUnused are functions that do not always ask for their axis.
var axisUnused = map[string]string{
	"numpy.cross": "the axes of each do not count where axis is given", "mxnet.npx.sequence_mask": "without lengths it copies"}

// TestSweepAxes passes axes that no array has.
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
				if err := o.mustRefuse(); err != nil {
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
