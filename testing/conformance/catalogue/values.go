package catalogue

import (
	"fmt"
	"math/big"
	"reflect"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
)

// Slice is Python's start:stop:step. Each part is nil, an integer, or in grids such as r_[0:1:5j] a float or complex
// number.
type Slice struct{ Start, Stop, Step any }

// plain converts a value to the form that conversions start from: integers become *big.Int, floats float64, complex
// numbers complex128, and lists []any; a nil list is None. Arrays, lists of arrays and bytes stay unchanged.
func plain(v any) any {
	switch v := v.(type) {
	case nil, bool, string, *big.Int, float64, complex128, *nd.Array, []*nd.Array, dtype.DType, *nd.Rand, nd.Index, []nd.Index, []byte:
		return v
	case Slice:
		return Slice{plain(v.Start), plain(v.Stop), plain(v.Step)}
	}
	switch r := reflect.ValueOf(v); {
	case r.Kind() == reflect.Slice && r.IsNil():
		return nil
	case r.Kind() == reflect.Slice, r.Kind() == reflect.Array:
		list := make([]any, r.Len())
		for i := range list {
			list[i] = plain(r.Index(i).Interface())
		}
		return list
	}
	return plainNumber(v)
}

// plainNumber is plain for a number; other values stay unchanged.
func plainNumber(v any) any {
	switch r := reflect.ValueOf(v); {
	case r.CanInt():
		return big.NewInt(r.Int())
	case r.CanUint():
		return new(big.Int).SetUint64(r.Uint())
	case r.CanFloat():
		return r.Float()
	case r.CanComplex():
		return r.Complex()
	}
	return v
}

// asInt returns an integer if an int can hold it.
func asInt(v any) (int, bool) {
	i, ok := v.(*big.Int)
	if !ok || !i.IsInt64() || int64(int(i.Int64())) != i.Int64() {
		return 0, false
	}
	return int(i.Int64()), true
}

// asFloat returns a number as a float64; integers are accepted.
func asFloat(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case *big.Int:
		f, _ := new(big.Float).SetInt(v).Float64()
		return f, true
	}
	return 0, false
}

// converter converts values, in the form that plain gives them, to values for Go parameters.
type converter struct {
	device device.Device                            // device of new arrays; nil for the default
	array  func(path string, x *nd.Array) *nd.Array // called for every array; returns what is passed instead
	scope  *nn.Scope                                // for a parametric function; nil for a new one
}

// unfit returns the error that a Go parameter cannot hold a value; a compiler would refuse the call.
func unfit(path string, v any, t reflect.Type) error {
	return &Refusal{Kind: Unfit, Err: fmt.Errorf("argument %s: a %s cannot hold %v", path, t, Describe(v))}
}

// Describe formats a value for a message.
func Describe(v any) string {
	if v == nil {
		return "None"
	}
	return fmt.Sprintf("%v", v)
}

var (
	arrayType   = reflect.TypeFor[*nd.Array]()
	indexType   = reflect.TypeFor[nd.Index]()
	indicesType = reflect.TypeFor[[]nd.Index]()
	dtypeType   = reflect.TypeFor[dtype.DType]()
	castingType = reflect.TypeFor[dtype.Casting]()
	randType    = reflect.TypeFor[*nd.Rand]()
	bigIntType  = reflect.TypeFor[*big.Int]()
	anyType     = reflect.TypeFor[any]()

	functionType = reflect.TypeFor[func(xs []*nd.Array) []*nd.Array]()
)

// convert converts the argument at path, such as "x" or "ws[0][3]", to a value of type t.
func (c *converter) convert(path string, v any, t reflect.Type) (reflect.Value, error) {
	switch t {
	case arrayType:
		x, err := c.operand(path, v)
		return reflect.ValueOf(x), err
	case indicesType:
		ix, err := c.indices(path, v)
		return reflect.ValueOf(ix), err
	case indexType:
		ix, err := c.index(path, v)
		return reflect.ValueOf(ix), err
	case randType, bigIntType:
		if reflect.TypeOf(v) == t {
			return reflect.ValueOf(v), nil
		}
		return reflect.Value{}, unfit(path, v, t)
	case initializerType:
		return c.initializer(path, v)
	case stateType:
		return c.state(path, v)
	case treeType:
		return c.tree(path, v)
	case layerType:
		return c.layer(path, v)
	case dtypeType:
		return dtypeOf(path, v)
	case castingType:
		return castingOf(path, v)
	case functionType:
		return functionOf(path, v)
	case anyType:
		x := c.anything(path, v)
		return reflect.ValueOf(&x).Elem(), nil // type any, also if x is nil
	}
	if v == nil {
		return reflect.Zero(t), nil
	}
	if _, isList := itemsOf(v); !isList && reflect.TypeOf(v).AssignableTo(t) {
		return reflect.ValueOf(v), nil
	}
	switch t.Kind() {
	case reflect.Func:
		return functionOn(path, v, t)
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
	case reflect.Map:
		return c.dictionary(path, v, t)
	}
	return scalar(path, v, t)
}

// scalar converts bools, strings and numbers; it accepts an integer for a float, and a number for a complex number.
func scalar(path string, v any, t reflect.Type) (reflect.Value, error) {
	out := reflect.New(t).Elem()
	ok := false
	switch t.Kind() {
	case reflect.Bool:
		var b bool
		b, ok = v.(bool)
		out.SetBool(b)
	case reflect.String:
		var s string
		s, ok = v.(string)
		out.SetString(s)
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
		f, ok = asFloat(v)
		out.SetFloat(f)
	case reflect.Complex64, reflect.Complex128:
		var z complex128
		if z, ok = v.(complex128); !ok {
			var f float64
			f, ok = asFloat(v)
			z = complex(f, 0)
		}
		out.SetComplex(z)
	}
	if !ok {
		return out, unfit(path, v, t)
	}
	return out, nil
}

// list converts lists; a single value counts as a list with one item, as for axis=0.
func (c *converter) list(path string, v any, t reflect.Type) (reflect.Value, error) {
	items, isList := itemsOf(v)
	if !isList {
		items = []any{v}
	}
	var out reflect.Value
	if t.Kind() == reflect.Array {
		if out = reflect.New(t).Elem(); len(items) != t.Len() {
			return out, unfit(path, v, t)
		}
	} else {
		out = reflect.MakeSlice(t, len(items), len(items))
	}
	for i, item := range items {
		e, err := c.convert(itemPath(path, i, isList), item, t.Elem())
		if err != nil {
			return out, err
		}
		out.Index(i).Set(e)
	}
	return out, nil
}

// dictionary converts {name: value}.
func (c *converter) dictionary(path string, v any, t reflect.Type) (reflect.Value, error) {
	entries, ok := v.(map[string]any)
	if !ok {
		return reflect.Value{}, unfit(path, v, t)
	}
	out := reflect.MakeMapWithSize(t, len(entries))
	for name, entry := range entries {
		key, err := keyOf(path, name, t.Key())
		if err != nil {
			return out, err
		}
		e, err := c.convert(path+"."+name, plain(entry), t.Elem())
		if err != nil {
			return out, err
		}
		out.SetMapIndex(key, e)
	}
	return out, nil
}

// keyOf returns a map key, a string or a number; cases write both as strings.
func keyOf(path, name string, t reflect.Type) (reflect.Value, error) {
	if t.Kind() == reflect.String {
		return reflect.ValueOf(name).Convert(t), nil
	}
	i, ok := new(big.Int).SetString(name, 10)
	if !ok {
		return reflect.Value{}, unfit(path, name, t)
	}
	return scalar(path, i, t)
}

// itemsOf returns the items of a list, including a list of arrays.
func itemsOf(v any) ([]any, bool) {
	switch v := v.(type) {
	case []any:
		return v, true
	case []*nd.Array:
		items := make([]any, len(v))
		for i, x := range v {
			items[i] = x
		}
		return items, true
	}
	return nil, false
}

func itemPath(path string, i int, isList bool) string {
	if !isList {
		return path
	}
	return fmt.Sprintf("%s[%d]", path, i)
}

func dtypeOf(path string, v any) (reflect.Value, error) {
	switch v := v.(type) {
	case nil:
		return reflect.ValueOf(dtype.Unspecified), nil
	case dtype.DType:
		return reflect.ValueOf(v), nil
	case string:
		if d, err := dtype.Parse(v); err == nil {
			return reflect.ValueOf(d), nil
		}
	}
	return reflect.Value{}, unfit(path, v, dtypeType)
}

// anything returns the value itself, for a function that takes any value, after passing its arrays to c.array.
func (c *converter) anything(path string, v any) any {
	switch v := v.(type) {
	case *nd.Array:
		return c.array(path, v)
	case []*nd.Array:
		xs := make([]*nd.Array, len(v))
		for i, x := range v {
			xs[i] = c.array(itemPath(path, i, true), x)
		}
		return xs
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = c.anything(itemPath(path, i, true), item)
		}
		return items
	}
	return v
}

// castingOf reads the name of a casting rule. An unknown name becomes an unknown rule, which the function refuses.
func castingOf(path string, v any) (reflect.Value, error) {
	name, ok := v.(string)
	if !ok {
		return reflect.Value{}, unfit(path, v, castingType)
	}
	rule, err := dtype.ParseCasting(name)
	if err != nil {
		rule = dtype.CastUnsafe + 1
	}
	return reflect.ValueOf(rule), nil
}
