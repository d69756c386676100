package sweeps

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/runner"
)

// TestSweepMadeBy calls every function and releases its results. The refusal of a released array names the function that
// made it, which must be the one that the program called, not a function that it calls. A view of an argument names the
// function that made the argument.
func TestSweepMadeBy(t *testing.T) {
	sweep(t, func(s *subject) error {
		called := s.functionName()
		if called == s.c.Function { // the row's own code, which may call several functions
			return nil
		}
		if s.c.Function == "chainer.links.Parameter" { // returns a parameter as its tape knows it
			return nil
		}
		scope, err := s.scope(mustDevice(t, "cpu"), nil, false)
		if err != nil {
			return err
		}
		var given []*nd.Array
		named, err := runner.Arguments(s.f, s.fn, runner.WithMode(s.fn, s.c), func(_ string, x *nd.Array) *nd.Array {
			given = append(given, x)
			return x
		})
		if err != nil {
			return err
		}
		result, err := s.fn.Call(nil, named, catalogue.CallOptions{Scope: scope})
		if err != nil {
			return nil
		}
		for _, v := range result.Values {
			eachArray(v, func(x *nd.Array) {
				if x == nil || x.IsScalar() || x.IsReleased() || slices.ContainsFunc(given, func(g *nd.Array) bool { return x.SharesMemory(g) }) {
					return
				}
				x.Release()
				message := fmt.Sprint(nd.Catch(func() { x.Copy() }))
				_, maker, _ := strings.Cut(message, "made by ")
				if name := catalogue.NameInErrors(called); err == nil && !isNamed(name, maker) {
					err = fmt.Errorf("%s: %s", name, message)
				}
			})
		}
		return err
	})
}
