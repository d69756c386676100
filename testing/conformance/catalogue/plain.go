package catalogue

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// integer converts an argument of any type to an int, and refuses other values, as a compiler would.
func integer(v any) int {
	switch v := v.(type) {
	case int:
		return v
	case int64:
		return int(v)
	case *big.Int:
		if v.IsInt64() {
			return int(v.Int64())
		}
	}
	panic(nd.Func("catalogue.integer").Errorf(nil, "%v: want an integer", v))
}

// converted converts the items of a list.
func converted[A, B any](list []A, convert func(A) B) []B {
	out := make([]B, len(list))
	for i, v := range list {
		out[i] = convert(v)
	}
	return out
}

func integers(list []any) []int { return converted(list, integer) }

// allOf converts the items of a list, all of which must have one type.
func allOf[E any](list []any) ([]E, error) {
	var err error
	items := converted(list, func(v any) E {
		item, ok := v.(E)
		if !ok && err == nil {
			err = fmt.Errorf("an item of the list is a %T: want a %T", v, item)
		}
		return item
	})
	return items, err
}

// eachOf calls a function of one array for each of several.
func eachOf(f func(*nd.Array) *nd.Array) func(xs []*nd.Array) []*nd.Array {
	return func(xs []*nd.Array) []*nd.Array { return converted(xs, f) }
}

// oneOrMore converts an integer, or a list of integers, to a list.
func oneOrMore(v any) []int {
	if list, ok := v.([]any); ok {
		return integers(list)
	}
	return []int{integer(v)}
}

// number converts an argument of any type to a float64.
func number(v any) float64 {
	switch v := v.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	f, ok := asFloat(v)
	if !ok {
		panic(nd.Func("catalogue.number").Errorf(nil, "%v: want a number", v))
	}
	return f
}

// requireOneOf refuses a text that is not in the document's list.
func requireOneOf(fn nd.Func, option, text string, listed ...string) {
	if !slices.Contains(listed, text) {
		panic(fn.Errorf(nil, "%s %q: want one of %s", option, text, strings.Join(listed, ", ")))
	}
}

// weakOf returns a number as a weak operand.
func weakOf(v any) (*nd.Array, bool) {
	switch v := v.(type) {
	case bool:
		return nd.Scalar(v), true
	case int:
		return nd.Scalar(v), true
	case *big.Int:
		return nd.ScalarInt(v), true
	case float64:
		return nd.Scalar(v), true
	case complex128:
		return nd.Scalar(v), true
	}
	return nil, false
}

// arrayOf converts the arguments of NumPy's array function: an array, a number, or nested lists. Numbers get the given
// dtype, which they must fit, or else they promote together.
func arrayOf(v any, t dtype.DType) *nd.Array {
	switch v := v.(type) {
	case *nd.Array:
		return v
	case []*nd.Array:
		return ops.Stack(v)
	case []any:
		if len(v) == 0 {
			return nd.Zeros([]int{0}, t)
		}
		return ops.Stack(converted(v, func(item any) *nd.Array { return arrayOf(item, t) }))
	}
	x, ok := weakOf(v)
	if !ok {
		panic(nd.Func("catalogue.arrayOf").Errorf(nil, "%s: want an array", fmt.Sprint(v)))
	}
	if !t.Valid() {
		t = x.DType()
		if !x.Fits(t) {
			t = dtype.Uint64
		}
	}
	y := nd.Zeros(nil, t)
	y.Assign(x)
	return y
}
