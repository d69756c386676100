package catalogue

import (
	"reflect"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
)

// functionOf converts a documented name, given as an argument of another function, to a function of positional arrays.
// It returns its arrays with lists flattened. Arguments that are not arrays have the document's defaults, and random
// draws are the same in each call.
func functionOf(path string, v any) (reflect.Value, error) {
	if f, ok := v.(func(xs []*nd.Array) []*nd.Array); ok {
		return reflect.ValueOf(f), nil
	}
	name := reflect.ValueOf(v)
	if name.Kind() != reflect.String {
		return reflect.Value{}, unfit(path, v, functionType)
	}
	f, err := Lookup(name.String())
	if err != nil {
		return reflect.Value{}, err
	}
	return reflect.ValueOf(f.ofArrays), nil
}

// functionOn converts a documented name to a function type that takes arrays and returns one, such as the activation of
// a link. A name without dots, as documents write defaults, is Chainer's.
func functionOn(path string, v any, t reflect.Type) (reflect.Value, error) {
	name, ok := v.(string)
	for i := range t.NumIn() {
		ok = ok && t.In(i) == arrayType
	}
	if !ok || t.IsVariadic() || t.NumOut() != 1 || t.Out(0) != arrayType {
		return reflect.Value{}, unfit(path, v, t)
	}
	if !strings.Contains(name, ".") {
		name = "chainer.functions." + name
	}
	f, err := Lookup(name)
	if err != nil {
		return reflect.Value{}, err
	}
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		xs := make([]*nd.Array, len(in))
		for i, x := range in {
			xs[i] = x.Interface().(*nd.Array)
		}
		ys := f.ofArrays(xs)
		if len(ys) != 1 {
			panic(nd.Func(name).Errorf(xs, "got %d results, want one", len(ys)))
		}
		return []reflect.Value{reflect.ValueOf(ys[0])}
	}), nil
}

// ofArrays calls the function. It panics with an *nd.Error if the arrays do not match the signature.
func (f *Function) ofArrays(xs []*nd.Array) []*nd.Array {
	fn := nd.Func(f.Name)
	args := make([]any, len(xs))
	for i, x := range xs {
		args[i] = x
	}
	named, err := f.byName(args, nil)
	if err != nil {
		panic(fn.Errorf(xs, "%v", err))
	}
	const seed = 1
	same := &converter{array: func(_ string, x *nd.Array) *nd.Array { return x }}
	in, err := f.arguments(named, true, nd.NewRand(seed), same)
	if err != nil {
		panic(fn.Errorf(xs, "%v", err))
	}
	call := f.fn.Call
	if f.fn.Type().IsVariadic() {
		call = f.fn.CallSlice
	}
	results, err := returned(call(in))
	if err != nil {
		panic(fn.Errorf(xs, "%v", err))
	}
	var out []*nd.Array
	for _, v := range flattened(results) {
		y, ok := v.(*nd.Array)
		if !ok {
			panic(fn.Errorf(xs, "the function returns a %T: want arrays", v))
		}
		out = append(out, y)
	}
	return out
}
