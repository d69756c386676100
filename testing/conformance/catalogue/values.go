package catalogue

import (
	"fmt"
	"math/big"
	"reflect"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// loader makes the array of a key for the argument at path, such as "x" or "ws[0][3]".
type loader func(path, key string) (*nd.Array, error)

// Converter turns the values of a case into those of Go parameters.
type Converter struct {
	Load   loader
	Device device.Device // where arrays are made; nil for the default
}

// UnfitError says that a Go parameter cannot hold a value: the compiler would refuse the call.
type UnfitError struct {
	path string
	v    golden.Value
	t    reflect.Type
}

func (e *UnfitError) Error() string {
	return fmt.Sprintf("argument %s: a %s does not hold %v", e.path, e.t, Describe(e.v))
}

func Describe(v golden.Value) string {
	if v == nil {
		return "None"
	}
	return fmt.Sprintf("%v", v)
}

var (
	ArrayType   = reflect.TypeFor[*nd.Array]()
	indexType   = reflect.TypeFor[nd.Index]()
	indicesType = reflect.TypeFor[[]nd.Index]()
	dtypeType   = reflect.TypeFor[dtype.DType]()
	randType    = reflect.TypeFor[*nd.Rand]()
	bigIntType  = reflect.TypeFor[*big.Int]()
	AnyType     = reflect.TypeFor[any]()
)

// convert makes a value of type t.
func (c *Converter) convert(path string, v golden.Value, t reflect.Type) (reflect.Value, error) {
	unfit := &UnfitError{path, v, t}
	switch t {
	case ArrayType:
		x, err := c.array(path, v, t)
		return reflect.ValueOf(x), err
	case indicesType:
		ix, err := c.indices(path, v)
		return reflect.ValueOf(ix), err
	case indexType:
		ix, err := c.index(path, v)
		return reflect.ValueOf(ix), err
	case randType:
		if seed, ok := v.(golden.RandomState); ok {
			return reflect.ValueOf(nd.NewRand(uint64(seed))), nil
		}
		return reflect.Value{}, unfit
	case bigIntType:
		if i, ok := v.(*big.Int); ok {
			return reflect.ValueOf(i), nil
		}
		return reflect.Value{}, unfit
	case dtypeType:
		return c.dtype(v, unfit)
	case AnyType:
		x, err := c.resolve(path, v)
		return boxed(x), err
	}
	if v == nil {
		return reflect.Zero(t), nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		inner, err := c.convert(path, v, t.Elem())
		if err != nil {
			return inner, err
		}
		p := reflect.New(t.Elem())
		p.Elem().Set(inner)
		return p, nil
	case reflect.Slice, reflect.Array:
		return c.list(path, v, t)
	}
	return scalar(v, t, unfit)
}

// boxed is x as a reflect.Value of type any, also where x is nil.
func boxed(x any) reflect.Value { return reflect.ValueOf(&x).Elem() }

// scalar converts bools, texts and numbers; an integer may stand for a float, and a number for a complex one.
func scalar(v golden.Value, t reflect.Type, unfit error) (reflect.Value, error) {
	out := reflect.New(t).Elem()
	ok := false
	switch t.Kind() {
	case reflect.Bool:
		var b bool
		b, ok = v.(bool)
		out.SetBool(b)
	case reflect.String:
		switch v := v.(type) {
		case string:
			out.SetString(v)
			ok = true
		case golden.Function:
			out.SetString(string(v))
			ok = true
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if i, isInt := v.(*big.Int); isInt && i.IsInt64() && !out.OverflowInt(i.Int64()) {
			out.SetInt(i.Int64())
			ok = true
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if i, isInt := v.(*big.Int); isInt && i.IsUint64() && !out.OverflowUint(i.Uint64()) {
			out.SetUint(i.Uint64())
			ok = true
		}
	case reflect.Float32, reflect.Float64:
		var f float64
		f, ok = golden.Float(v)
		out.SetFloat(f)
	case reflect.Complex64, reflect.Complex128:
		var z complex128
		if z, ok = v.(complex128); !ok {
			var f float64
			f, ok = golden.Float(v)
			z = complex(f, 0)
		}
		out.SetComplex(z)
	}
	if !ok {
		return out, unfit
	}
	return out, nil
}

// list converts lists; a single value counts as a list of one, as for axis=0.
func (c *Converter) list(path string, v golden.Value, t reflect.Type) (reflect.Value, error) {
	var items golden.List
	at := func(i int) string { return fmt.Sprintf("%s[%d]", path, i) }
	switch v := v.(type) {
	case golden.List:
		items = v
	case golden.Arrays:
		for _, key := range v {
			items = append(items, golden.Array(key))
		}
	default:
		items = golden.List{v}
		at = func(int) string { return path }
	}
	var out reflect.Value
	if t.Kind() == reflect.Array {
		if out = reflect.New(t).Elem(); len(items) != t.Len() {
			return out, &UnfitError{path, v, t}
		}
	} else {
		out = reflect.MakeSlice(t, len(items), len(items))
	}
	for i, item := range items {
		e, err := c.convert(at(i), item, t.Elem())
		if err != nil {
			return out, err
		}
		out.Index(i).Set(e)
	}
	return out, nil
}

func (c *Converter) dtype(v golden.Value, unfit error) (reflect.Value, error) {
	var name string
	switch v := v.(type) {
	case nil:
		return reflect.ValueOf(dtype.Unspecified), nil
	case golden.DType:
		name = string(v)
	case string:
		name = v
	default:
		return reflect.Value{}, unfit
	}
	d, err := dtype.Parse(name)
	if err != nil {
		return reflect.Value{}, unfit
	}
	return reflect.ValueOf(d), nil
}

// resolve gives a function that takes any value the value itself, with its arrays loaded: a *nd.Array, []*nd.Array,
// dtype.DType, []any, or what package golden says.
func (c *Converter) resolve(path string, v golden.Value) (any, error) {
	switch v := v.(type) {
	case golden.Array:
		return c.Load(path, string(v))
	case golden.Arrays:
		xs, err := c.list(path, v, reflect.TypeFor[[]*nd.Array]())
		return xs.Interface(), err
	case golden.DType:
		return dtype.Parse(string(v))
	case golden.List:
		items := make([]any, len(v))
		for i, item := range v {
			var err error
			if items[i], err = c.resolve(fmt.Sprintf("%s[%d]", path, i), item); err != nil {
				return nil, err
			}
		}
		return items, nil
	}
	return v, nil
}
