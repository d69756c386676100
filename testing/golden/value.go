package golden

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Value is an argument or an expected result of a case: nil (None), bool, [*big.Int], float64, complex128, string,
// [List], [Object], or one of the types below.
type Value any

// List is a list of values.
type List []Value

// Array is the key of an array in the npz file.
type Array string

// Arrays are the keys of a list of arrays.
type Arrays []string

// DType is an element type, by NumPy's name.
type DType string

// Slice is Python's start:stop:step. Each part is nil, a *big.Int, or in grids such as r_[0:1:5j] a float64 or
// complex128.
type Slice struct{ Start, Stop, Step Value }

// Function is a callable that is given by name.
type Function string

// RandomState is NumPy's generator with a seed.
type RandomState uint64

// parseNumber parses a number in Python or JSON notation and distinguishes 2 from 2.0.
func parseNumber(text string) (Value, error) {
	if !strings.ContainsAny(text, ".eE") {
		i, ok := new(big.Int).SetString(text, 10)
		if !ok {
			return nil, fmt.Errorf("bad number %q", text)
		}
		return i, nil
	}
	return strconv.ParseFloat(text, 64)
}

// interpret replaces all objects with a meaning in a value.
func interpret(v Value) (Value, error) {
	var err error
	switch v := v.(type) {
	case List:
		for i := range v {
			if v[i], err = interpret(v[i]); err != nil {
				return nil, err
			}
		}
	case Object:
		if err := v.interpretMembers(); err != nil {
			return nil, err
		}
		return v.meaning()
	}
	return v, nil
}

// interpretMembers interprets the values of an object, which stays an object of names.
func (o Object) interpretMembers() (err error) {
	for i := range o {
		if o[i].Value, err = interpret(o[i].Value); err != nil {
			return fmt.Errorf("%s: %w", o[i].Name, err)
		}
	}
	return nil
}

// meaning converts an object that represents another type to that type. Other objects stay unchanged.
func (o Object) meaning() (Value, error) {
	if len(o) != 1 {
		return o, nil
	}
	switch v := o[0].Value; o[0].Name {
	case "array":
		if key, ok := v.(string); ok {
			return Array(key), nil
		}
	case "arrays":
		if keys, ok := arraysOf(v); ok {
			return keys, nil
		}
	case "dtype":
		if name, ok := v.(string); ok {
			return DType(name), nil
		}
	case "slice":
		if list, ok := v.(List); ok && len(list) == 3 {
			return Slice{list[0], list[1], list[2]}, nil
		}
	case "float":
		if text, ok := v.(string); ok {
			return floatOf(text)
		}
	case "complex":
		if list, ok := v.(List); ok && len(list) == 2 {
			re, ok1 := Float(list[0])
			im, ok2 := Float(list[1])
			if ok1 && ok2 {
				return complex(re, im), nil
			}
		}
	case "function":
		if name, ok := v.(string); ok {
			return Function(name), nil
		}
	case "RandomState":
		if seed, ok := v.(*big.Int); ok && seed.IsUint64() {
			return RandomState(seed.Uint64()), nil
		}
	}
	return o, nil
}

func arraysOf(v Value) (Arrays, bool) {
	list, ok := v.(List)
	keys := make(Arrays, len(list))
	for i := 0; ok && i < len(list); i++ {
		keys[i], ok = list[i].(string)
	}
	return keys, ok
}

func floatOf(text string) (Value, error) {
	switch text {
	case "nan":
		return math.NaN(), nil
	case "inf":
		return math.Inf(1), nil
	case "-inf":
		return math.Inf(-1), nil
	}
	return nil, fmt.Errorf(`{"float": %q}: want nan, inf or -inf`, text)
}

// Float returns a number as a float64. It accepts integers.
func Float(v Value) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case *big.Int:
		f, _ := new(big.Float).SetInt(v).Float64()
		return f, true
	}
	return 0, false
}

// Int returns an integer if an int can hold it.
func Int(v Value) (int, bool) {
	i, ok := v.(*big.Int)
	if !ok || !i.IsInt64() || int64(int(i.Int64())) != i.Int64() {
		return 0, false
	}
	return int(i.Int64()), true
}
