package sweeps

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
	"github.com/ndgrad/ndgrad/testing/conformance/runner"

	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// subject is a case from which a sweep starts.
type subject struct {
	fn    *catalogue.Function
	f     *golden.File
	c     *golden.Case
	tol   compare.Tolerance
	plain outcome // outcome of the unchanged case
}

// setting is the change of a case that a sweep makes.
type setting struct {
	device device.Device                            // nil means the default
	edit   func(path string, x *nd.Array) *nd.Array // edits an array argument; may be nil
	args   func(args golden.Object) golden.Object   // edits the arguments as written in the case; may be nil
	params map[string]*nd.Array                     // replaces parameters of the scope; may be nil
	fresh  bool                                     // the scope starts without the case's parameters, whose shapes may not fit
	late   bool                                     // the call may create parameters before it refuses
}

// outcome is the result of a call.
type outcome struct {
	paths   []string             // names of the array arguments, in order
	args    map[string]*nd.Array // as the function got them
	scope   *nn.Scope            // for a parametric function
	results []any
	err     error // a *refusal, or a fault
}

func (o outcome) refused() bool {
	_, ok := o.err.(*catalogue.Refusal)
	return ok
}

// call calls the function of a subject. The outcome has a fault if the function panicked with anything but an
// *nd.Error, wrote to an argument that it must not change, or wrote to any argument before it refused.
func (s *subject) call(how setting) (o outcome) {
	o.args = map[string]*nd.Array{}
	args := runner.WithMode(s.fn, s.c)
	if how.args != nil {
		args = how.args(slices.Clone(args))
	}
	var named map[string]any
	failed, err := catalogue.Try(func() (err error) { // an edit may be refused
		named, err = runner.Arguments(s.f, s.fn, args, func(path string, x *nd.Array) *nd.Array {
			x = catalogue.OnDevice(x, how.device)
			if how.edit != nil {
				x = how.edit(path, x)
			}
			o.paths, o.args[path] = append(o.paths, path), x
			return x
		})
		return err
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		o.err = err
		return o
	}
	before := map[string]snapshot{}
	for path, x := range o.args {
		before[path] = snapshotOf(x)
	}
	view, err := s.enter(how, &o)
	if err != nil {
		o.err = err
		return o
	}
	params := parametersOf(o.scope)
	result, err := s.fn.Call(nil, named, catalogue.CallOptions{Device: how.device, Scope: view, Evaluation: true})
	if err == nil {
		o.results = result.Values
	}
	o.err = err
	if err := params.misused(s, how, o); err != nil {
		o.err = err
	}
	for _, path := range o.paths {
		if !before[path].changed(o.args[path]) {
			continue
		}
		mayChange := slices.ContainsFunc(o.paths, func(other string) bool {
			x := o.args[other]
			return x != nil && s.fn.Row.MayWrite(other) && x.SharesMemory(o.args[path])
		})
		if refusal, ok := o.err.(*catalogue.Refusal); ok && refusal.Late() {
			continue
		} else if ok {
			o.err = &catalogue.EarlyWrite{Argument: path, Refusal: refusal}
		} else if err == nil && !mayChange {
			o.err = &catalogue.Leak{Argument: path}
		}
	}
	return o
}

// snapshot is the content of an argument before a call.
type snapshot struct {
	version  uint32
	contents []byte
}

func snapshotOf(x *nd.Array) snapshot {
	if x == nil || x.IsReleased() || x.IsScalar() {
		return snapshot{}
	}
	return snapshot{x.Version(), contentsOf(x)}
}

func (s snapshot) changed(x *nd.Array) bool {
	if x == nil || x.IsReleased() || x.IsScalar() {
		return false
	}
	return x.Version() != s.version || !bytes.Equal(s.contents, contentsOf(x))
}

// contentsOf copies an array's elements in row-major order.
func contentsOf(x *nd.Array) []byte {
	return nd.ToSlice[uint8](x.Detach().Contiguous().Ravel().View(dtype.Uint8))
}

// comparer returns an error that says where an array differs from the wanted one.
type comparer func(got, want *nd.Array) error

// identical is the comparer for results that must be identical bit for bit.
func identical(got, want *nd.Array) error {
	same := got.DType() == want.DType() && slices.Equal(got.Shape(), want.Shape())
	if same && bytes.Equal(contentsOf(got), contentsOf(want)) {
		return nil
	}
	return compare.Identical(got, want)
}

// differs returns an error that says where two outcomes differ. They agree if both refused, or if all results and all
// arguments that the function may write to agree.
func (s *subject) differs(got, want outcome, same comparer) error {
	switch {
	case got.err != nil && !got.refused():
		return got.err
	case got.refused() && want.refused():
		return nil
	case got.refused() || want.refused():
		return fmt.Errorf("%s, want %s", got, want)
	case len(got.results) != len(want.results):
		return fmt.Errorf("%d results, want %d", len(got.results), len(want.results))
	}
	for i := range got.results {
		if err := differ(got.results[i], want.results[i], same); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
	}
	for _, path := range want.paths {
		if s.fn.Row.MayWrite(path) {
			if err := differ(got.args[path], want.args[path], same); err != nil {
				return fmt.Errorf("argument %s after the call: %w", path, err)
			}
		}
	}
	return nil
}

func (o outcome) String() string {
	if o.err != nil {
		return o.err.Error()
	}
	return "results"
}

// differ compares two results: arrays, structs with arrays, numbers, or texts.
func differ(got, want any, same comparer) error {
	if reflect.TypeOf(got) != reflect.TypeOf(want) {
		return fmt.Errorf("a %T, want a %T", got, want)
	}
	switch g := got.(type) {
	case *nd.Array:
		w := want.(*nd.Array)
		if g == nil || w == nil {
			if g != w {
				return fmt.Errorf("only one result exists")
			}
			return nil
		}
		return same(g, w)
	case interface{ Outputs() []*nd.Array }:
		w := want.(interface{ Outputs() []*nd.Array }).Outputs()
		for i, x := range g.Outputs() {
			if err := differ(x, w[i], same); err != nil {
				return err
			}
		}
		return nil
	case float64:
		if w := want.(float64); math.IsNaN(g) && math.IsNaN(w) {
			return nil
		}
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("%s, want %s", runner.Quoted(got), runner.Quoted(want))
	}
	return nil
}

// listOf returns a list from a case or from a signature.
func listOf(v golden.Value) (golden.List, bool) {
	items, ok := v.([]any)
	if !ok {
		list, ok := v.(golden.List)
		return list, ok
	}
	list := make(golden.List, len(items))
	for i, item := range items {
		list[i] = item
	}
	return list, true
}

// mustDevice finds a device.
func mustDevice(t *testing.T, name string) device.Device {
	t.Helper()
	dev, err := device.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return dev
}
