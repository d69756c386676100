package runner

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// matchExpected compares results that are not arrays, or properties of an array, with a case's field expected.
func matchExpected(tol compare.Tolerance, results []any, want golden.Value) error {
	var got any
	switch len(results) {
	case 0:
		return fmt.Errorf("got nothing, want %v", catalogue.Describe(want))
	case 1:
		got = results[0]
	default:
		got = results
	}
	return match(tol, got, want)
}

func match(tol compare.Tolerance, got any, want golden.Value) error {
	if o, ok := want.(golden.Object); ok {
		for _, m := range o {
			v, err := property(got, m.Name)
			if err == nil {
				err = match(tol, v, m.Value)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", m.Name, err)
			}
		}
		return nil
	}
	if !equalValue(tol, got, want) {
		return fmt.Errorf("%s, want %s", Quoted(got), Quoted(want))
	}
	return nil
}

// Quoted formats a value for a message: texts quoted, pointers followed.
func Quoted(v any) string {
	if s, ok := v.(string); ok {
		return fmt.Sprintf("%q", s)
	}
	return catalogue.Describe(v)
}

// property returns the property that a name of expected selects from a result: a property of an array, a field of a
// struct, or an entry of a map that a row's adapter returns.
func property(got any, name string) (any, error) {
	if x, ok := got.(*nd.Array); ok && x != nil {
		if v, ok := arrayProperty(x, name); ok {
			return v, nil
		}
		return nil, fmt.Errorf("arrays lack this property: want a struct or a map with it")
	}
	v := reflect.ValueOf(got)
	for v.IsValid() && v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Struct:
		plain := strings.ReplaceAll(name, "_", "")
		f := v.FieldByNameFunc(func(field string) bool { return strings.EqualFold(field, plain) })
		if f.IsValid() && f.CanInterface() {
			return f.Interface(), nil
		}
	case reflect.Map:
		if e := v.MapIndex(reflect.ValueOf(name)); e.IsValid() {
			return e.Interface(), nil
		}
	}
	return nil, fmt.Errorf("a %T lacks this property", got)
}

func arrayProperty(x *nd.Array, name string) (any, bool) {
	switch name {
	case "shape":
		return x.Shape(), true
	case "dtype":
		return x.DType().String(), true
	case "strides":
		bytes := x.Strides()
		for k := range bytes {
			bytes[k] *= x.DType().Size()
		}
		return bytes, true
	case "size":
		return x.Size(), true
	case "nd", "ndim":
		return x.Rank(), true
	case "itemsize":
		return x.DType().Size(), true
	case "c_contiguous":
		return x.IsContiguous(), true
	case "f_contiguous":
		return x.IsFortran(), true
	case "float":
		return nd.Value[float64](x), true
	}
	return nil, false
}

// equalValue compares Go values with those in a case. A case may write an integer as text, and also anything with a
// String method, such as a dtype.
func equalValue(tol compare.Tolerance, got any, want golden.Value) bool {
	switch want := want.(type) {
	case nil:
		v := reflect.ValueOf(got)
		return !v.IsValid() || (v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice) && v.IsNil()
	case golden.List:
		return equalList(tol, got, want)
	case golden.Object:
		return match(tol, got, want) == nil
	case string:
		switch got := got.(type) {
		case string:
			return got == want
		case fmt.Stringer:
			return got.String() == want
		}
		i := bigInt(got)
		return i != nil && i.String() == want
	case golden.DType:
		return equalValue(tol, got, string(want))
	case bool:
		b, ok := got.(bool)
		return ok && b == want
	case *big.Int:
		if i := bigInt(got); i != nil {
			return i.Cmp(want) == 0
		}
	case complex128:
		z, ok := got.(complex128)
		return ok && tol.Close(real(z), real(want)) && tol.Close(imag(z), imag(want))
	}
	g, ok1 := floatValue(got)
	w, ok2 := golden.Float(want)
	return ok1 && ok2 && (tol.Close(g, w) || math.IsNaN(g) && math.IsNaN(w))
}

func equalList(tol compare.Tolerance, got any, want golden.List) bool {
	v := reflect.ValueOf(got)
	if k := v.Kind(); k != reflect.Slice && k != reflect.Array || v.Len() != len(want) {
		return false
	}
	for i, w := range want {
		if !equalValue(tol, v.Index(i).Interface(), w) {
			return false
		}
	}
	return true
}

// bigInt converts an integer of any Go type; it returns nil for other values.
func bigInt(v any) *big.Int {
	if i, ok := v.(*big.Int); ok {
		return i
	}
	switch r := reflect.ValueOf(v); {
	case r.IsValid() && r.CanInt():
		return big.NewInt(r.Int())
	case r.IsValid() && r.CanUint():
		return new(big.Int).SetUint64(r.Uint())
	}
	return nil
}

func floatValue(v any) (float64, bool) {
	if i := bigInt(v); i != nil {
		f, _ := new(big.Float).SetInt(i).Float64()
		return f, true
	}
	r := reflect.ValueOf(v)
	if !r.IsValid() || !r.CanFloat() {
		return 0, false
	}
	return r.Float(), true
}
