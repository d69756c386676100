package catalogue

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// integer is an argument of any type as an int; another value is refused, as a compiler would.
func integer(v any) int {
	switch v := v.(type) {
	case int:
		return v
	case *big.Int:
		if v.IsInt64() {
			return int(v.Int64())
		}
	}
	panic(nd.Func("catalogue.integer").Errorf(nil, "%v is no integer", v))
}

func integers(list []any) []int {
	out := make([]int, len(list))
	for i, v := range list {
		out[i] = integer(v)
	}
	return out
}

// oneOrMore is an integer, or a list of them, as a list.
func oneOrMore(v any) []int {
	if list, ok := v.([]any); ok {
		return integers(list)
	}
	return []int{integer(v)}
}

// number is an argument of any type as a float64.
func number(v any) float64 {
	switch v := v.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	f, ok := asFloat(v)
	if !ok {
		panic(nd.Func("catalogue.number").Errorf(nil, "%v is no number", v))
	}
	return f
}

// among refuses a text that is none of those that a document lists.
func among(fn nd.Func, option, text string, listed ...string) {
	if !slices.Contains(listed, text) {
		panic(fn.Errorf(nil, "%s %q: want one of %s", option, text, strings.Join(listed, ", ")))
	}
}

// weakOf is a number as an operand.
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

// arrayOf makes an array of what NumPy's array function takes: an array, a number, or nested lists. Numbers take the
// dtype, where there is one, and must fit it; else they promote together.
func arrayOf(v any, t dtype.DType) *nd.Array {
	switch v := v.(type) {
	case *nd.Array:
		return v
	case []*nd.Array:
		return stacked(v)
	case []any:
		if len(v) == 0 {
			return nd.Zeros([]int{0}, nd.ArrayOptions{DType: t})
		}
		items := make([]*nd.Array, len(v))
		for i, item := range v {
			items[i] = arrayOf(item, t)
		}
		return stacked(items)
	}
	x, ok := weakOf(v)
	if !ok {
		panic(nd.Func("catalogue.arrayOf").Errorf(nil, "%s is no array", fmt.Sprint(v)))
	}
	if !t.Valid() {
		t = x.DType()
		if !x.Fits(t) {
			t = dtype.Uint64
		}
	}
	y := nd.Zeros(nil, nd.ArrayOptions{DType: t})
	y.Assign(x)
	return y
}
