package catalogue

import (
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
)

// Refusal is what the called function refused with.
type Refusal struct{ Err error }

func (r *Refusal) Error() string { return "refused: " + r.Err.Error() }

// Guard calls f. An *nd.Error that it panics with is a refusal, any other panic an error with the place it came from.
func Guard[T any](f func() T) (v T, err error) {
	defer func() {
		e := recover()
		if e == nil {
			return
		}
		if asError, ok := e.(error); ok {
			var refused *nd.Error
			if errors.As(asError, &refused) {
				err = &Refusal{refused}
				return
			}
		}
		err = fmt.Errorf("panic: %v (%s)", e, origin(string(debug.Stack())))
	}()
	return f(), nil
}

// origin finds the line of the library that a panic came from.
func origin(stack string) string {
	_, stack, _ = strings.Cut(stack, "panic(")
	for line := range strings.Lines(stack) {
		line = strings.TrimSpace(line)
		if !strings.Contains(line, ".go:") || strings.Contains(line, "/src/runtime/") || strings.Contains(line, "/src/reflect/") {
			continue
		}
		line, _, _ = strings.Cut(line, " ")
		parts := strings.Split(line, "/")
		return strings.Join(parts[max(0, len(parts)-3):], "/")
	}
	return "unknown place"
}

// PlainResults lists what a function returned, lists of arrays spread out. An error among the results refuses the call.
func PlainResults(out []reflect.Value) ([]any, error) {
	var results []any
	for _, v := range out {
		x := v.Interface()
		if err, ok := x.(error); ok {
			return nil, &Refusal{err}
		}
		switch x := x.(type) {
		case []*nd.Array:
			for _, y := range x {
				results = append(results, y)
			}
		case [][]*nd.Array:
			for _, list := range x {
				for _, y := range list {
					results = append(results, y)
				}
			}
		default:
			if v.Type() == reflect.TypeFor[error]() {
				continue // nil
			}
			results = append(results, x)
		}
	}
	return results, nil
}

// Arrays returns the results as arrays, numbers as such without axes; nil stands where nothing is returned.
func Arrays(results []any) ([]*nd.Array, error) {
	if len(results) == 1 {
		if r, ok := results[0].(interface{ Outputs() []*nd.Array }); ok {
			return r.Outputs(), nil // a struct of an adapter, with properties that expected names
		}
	}
	xs := make([]*nd.Array, len(results))
	for i, r := range results {
		switch r := r.(type) {
		case *nd.Array:
			xs[i] = r
		case bool:
			xs[i] = nd.Full(nil, r)
		case int:
			xs[i] = nd.Full(nil, r)
		case int64:
			xs[i] = nd.Full(nil, r)
		case float64:
			xs[i] = nd.Full(nil, r)
		case complex128:
			xs[i] = nd.Full(nil, r)
		case []int:
			xs[i] = nd.FromSlice(r)
		default:
			return nil, fmt.Errorf("result %d is a %T, want an array", i, r)
		}
	}
	return xs, nil
}
