package sweeps

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// textUnused are functions that may ignore a text argument.
var textUnused = map[string]string{
	"cupy.ElementwiseKernel":     "a user-defined name",
	"cupy.ReductionKernel":       "a user-defined name",
	"mxnet.npx.constraint_check": "a message",
	"numpy.array2string":         "a separator",
	"numpy.can_cast":             "an unknown rule allows nothing",

	"nnabla.parameter.parameter_scope":         "a user-defined name",
	"nnabla.parameter.get_parameter_or_create": "a user-defined name",
}

// TestSweepOptions replaces each number, list and text among the arguments by zeros, negative numbers, lists of other
// lengths, and meaningless texts. The function must work or refuse; it must refuse an unknown text.
func TestSweepOptions(t *testing.T) {
	sweep(t, func(s *subject) error {
		for _, p := range s.fn.Params {
			if p.Ignored() || p.IsView() || p.Name == "dtype" {
				continue
			}
			v, isGiven := s.c.Args.Get(p.Name)
			if !isGiven {
				v = p.Default
			}
			for _, bad := range badOptions(v, p.Type) {
				o := s.call(setting{fresh: true, args: func(args golden.Object) golden.Object { return replaced(args, p.Name, bad) }})
				check := o.mayRefuse
				if bad == golden.Value(nonsense) && textUnused[s.c.Function] == "" && !s.isAssertion() {
					check = o.checkRefused
				}
				if err := check(); err != nil {
					return fmt.Errorf("%s=%v: %w", p.Name, catalogue.Describe(bad), err)
				}
			}
		}
		return nil
	})
}

const nonsense = "nonsense"

// badOptions lists replacements for an argument of a type.
func badOptions(v golden.Value, t reflect.Type) []golden.Value {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	zero, negative := golden.Value(big.NewInt(0)), golden.Value(big.NewInt(-1))
	if v, _ := listOf(v); len(v) > 0 && !slices.ContainsFunc(v, func(item golden.Value) bool { _, ok := item.(*big.Int); return !ok }) {
		bad := []golden.Value{golden.List{}, v[:len(v)-1], append(slices.Clone(v), v[0])}
		for i := range v {
			for _, n := range []golden.Value{zero, negative} {
				other := slices.Clone(v)
				other[i] = n
				bad = append(bad, other)
			}
		}
		return bad
	}
	switch v.(type) {
	case string:
		if t.Kind() == reflect.String || t == reflect.TypeFor[any]() {
			return []golden.Value{nonsense}
		}
	case *big.Int:
		return []golden.Value{zero, negative}
	case nil:
		switch {
		case t.Kind() == reflect.Int:
			return []golden.Value{zero, negative}
		case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Int:
			return []golden.Value{golden.List{}, golden.List{zero}, golden.List{negative}, golden.List{negative, zero, zero, negative}}
		}
	}
	return nil
}

// replaced returns args with one argument replaced.
func replaced(args golden.Object, name string, v golden.Value) golden.Object {
	for i := range args {
		if args[i].Name == name {
			args[i].Value = v
			return args
		}
	}
	return append(args, golden.Member{Name: name, Value: v})
}
