package conformance

import (
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// trial is one call of a case's function on arrays of its own.
type trial struct {
	file    *golden.File
	device  device.Device
	watch   func(path string, x *nd.Array) *nd.Array // for arguments with gradients; may be nil
	loaded  map[string]*nd.Array                     // the arguments' arrays by path, as the function got them
	version map[string]uint32                        // of each before the call
	results []any
}

// refusal is what the called function refused with.
type refusal struct{ err error }

func (r *refusal) Error() string { return "refused: " + r.err.Error() }

// run makes the arguments and calls the function. It returns a *refusal where the call was refused, or the Go
// parameters cannot hold the arguments of a case that expects a TypeError; any other error is a failure.
func (t *trial) run(b *binding, c *golden.Case, explicit bool) error {
	t.loaded, t.version = map[string]*nd.Array{}, map[string]uint32{}
	in, err := b.arguments(b.withMode(c), explicit, &converter{load: t.load, device: t.device})
	var unfit *unfitError
	if errors.As(err, &unfit) && c.ErrorType == "TypeError" {
		return &refusal{err}
	}
	if err != nil {
		return err
	}
	out, err := guard(func() []reflect.Value { return b.call(in) })
	if err == nil {
		t.results, err = plainResults(out)
	}
	if written := t.written(b.row); written != "" && err == nil {
		return fmt.Errorf("it changed its argument %s, which the row's Writes does not name", written)
	}
	if _, refused := err.(*refusal); refused && t.anyWritten() {
		return fmt.Errorf("it wrote to an argument before it refused: %w", err)
	}
	return err
}

func (t *trial) load(path, key string) (*nd.Array, error) {
	x, err := t.file.Array(key)
	if err != nil {
		return nil, err
	}
	x = place(x, t.device)
	if t.watch != nil {
		x = t.watch(path, x)
	}
	t.loaded[path], t.version[path] = x, x.Version()
	return x, nil
}

// written names an argument that was changed though it should not be.
func (t *trial) written(row *Row) string {
	for path, x := range t.loaded {
		root, _, _ := strings.Cut(path, "[")
		if x.Version() != t.version[path] && root != "out" && !slices.Contains(row.Writes, root) {
			return path
		}
	}
	return ""
}

func (t *trial) anyWritten() bool {
	for path, x := range t.loaded {
		if x.Version() != t.version[path] {
			return true
		}
	}
	return false
}

// guard calls f. An *nd.Error that it panics with is a refusal, any other panic an error with the place it came from.
func guard[T any](f func() T) (v T, err error) {
	defer func() {
		e := recover()
		if e == nil {
			return
		}
		if asError, ok := e.(error); ok {
			var refused *nd.Error
			if errors.As(asError, &refused) {
				err = &refusal{refused}
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

// plainResults lists what a function returned, lists of arrays spread out. An error among the results refuses the call.
func plainResults(out []reflect.Value) ([]any, error) {
	var results []any
	for _, v := range out {
		x := v.Interface()
		if err, ok := x.(error); ok {
			return nil, &refusal{err}
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

// arrays returns the results as arrays, numbers as such without axes; nil stands where nothing is returned.
func (t *trial) arrays() ([]*nd.Array, error) {
	if len(t.results) == 1 {
		if r, ok := t.results[0].(interface{ outputs() []*nd.Array }); ok {
			return r.outputs(), nil // a struct of an adapter, with properties that expected names
		}
	}
	xs := make([]*nd.Array, len(t.results))
	for i, r := range t.results {
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
