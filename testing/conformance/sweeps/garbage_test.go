package sweeps

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/runner"
)

// TestSweepGarbage calls every function on a device that records its allocated blocks. After the arguments, the results
// and the gradients are released, no block may remain: no temporary of the function, and no argument because of a
// dropped view.
func TestSweepGarbage(t *testing.T) {
	dev := &census{Device: mustDevice(t, "cpu")}
	dev.forget()
	sweep(t, func(s *subject) error { return s.leftOn(dev) })
}

// leftOn returns an error about the blocks that a call leaves on the device: without gradients, with arguments that
// must be copied and converted, and with gradients.
func (s *subject) leftOn(dev *census) error {
	asIs := func(x *nd.Array) *nd.Array { return x }
	if err := s.leaves(dev, nil, asIs); err != nil {
		return err
	}
	if err := s.leaves(dev, nil, reversed); err != nil {
		return fmt.Errorf("reversed in memory, in 16 bits: %w", err)
	}
	var paths []string
	for path, x := range s.plain.args {
		if x.DType().IsInexact() && !s.fn.Row.MayWrite(path) {
			paths = append(paths, path)
		}
	}
	if paths == nil {
		return nil
	}
	if err := s.leaves(dev, paths, asIs); err != nil {
		return fmt.Errorf("with gradients: %w", err)
	}
	return nil
}

// leaves calls the function, releases all arguments and results, and returns an error about the remaining blocks. The
// parameters of a parametric function were created before.
func (s *subject) leaves(dev *census, gradients []string, form func(*nd.Array) *nd.Array) error {
	scope, err := s.scope(dev, nil, false)
	if err != nil {
		return err
	}
	how := catalogue.CallOptions{Device: dev, Gradients: gradients, Scope: scope}
	if how.Scope != nil {
		if _, err := s.callAndRelease(how, form); err != nil {
			return err
		}
	}
	dev.forget()
	if isRefused, err := s.callAndRelease(how, form); err != nil || isRefused {
		return err
	}
	return dev.unfreed(s.functionName() == s.c.Function)
}

// callAndRelease calls the function and releases all arguments and results.
func (s *subject) callAndRelease(how catalogue.CallOptions, form func(*nd.Array) *nd.Array) (isRefused bool, err error) {
	named, err := runner.Arguments(s.f, s.fn, runner.WithMode(s.fn, s.c), func(_ string, x *nd.Array) *nd.Array {
		there := catalogue.OnDevice(x, how.Device)
		y := form(there)
		if y != there {
			there.Release()
		}
		return y
	})
	if err != nil {
		return false, err
	}
	result, err := s.fn.Call(nil, named, how)
	if err != nil {
		return true, nil
	}
	for _, v := range result.Values {
		releaseArrays(v)
	}
	for _, x := range result.Arguments {
		x.Release()
	}
	for _, x := range result.Gradients {
		x.Release()
	}
	if st := result.State; st != nil {
		st.C.Release()
		st.H.Release()
	}
	releaseArrays(named)
	return false, nil
}

// reversed returns the same elements in reverse memory order, and real numbers in 16 bits.
func reversed(x *nd.Array) *nd.Array {
	if x == nil || x.IsScalar() || x.Rank() == 0 {
		return x
	}
	turned := x.Flip()
	defer turned.Release()
	dt := x.DType()
	if dt.IsFloat() {
		dt = dtype.Float16
	} else if dt.IsInteger() {
		dt = dtype.Int16
	}
	y := turned.AsType(dt)
	if y == turned {
		y = turned.Copy()
	}
	defer y.Release()
	return y.Flip()
}

// releaseArrays releases the arrays among arguments and results.
func releaseArrays(v any) { eachArray(v, (*nd.Array).Release) }

// eachArray calls f for the arrays among arguments and results.
func eachArray(v any, f func(x *nd.Array)) {
	switch v := v.(type) {
	case *nd.Array:
		f(v)
	case []*nd.Array:
		for _, x := range v {
			f(x)
		}
	case interface{ Outputs() []*nd.Array }:
		eachArray(v.Outputs(), f)
	case []any:
		for _, x := range v {
			eachArray(x, f)
		}
	case map[string]any:
		for _, x := range v {
			eachArray(x, f)
		}
	}
}

// TestCensus checks that a dropped temporary, and a dropped view of a released array, are found.
func TestCensus(t *testing.T) {
	dev := &census{Device: mustDevice(t, "cpu")}
	dev.forget()
	x := nd.Ones([]int{3}, nd.ArrayOptions{Device: dev})
	y, dropped := ops.Square(x), x.Reshape(3, 1)
	x.Release()
	if err := dev.unfreed(false); err == nil || !strings.HasPrefix(err.Error(), "2 of 2 blocks") {
		t.Errorf("with a result and a view: %v", err)
	}
	y.Release()
	dropped.Release()
	if err := dev.unfreed(false); err != nil {
		t.Error(err)
	}
}
