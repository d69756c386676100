package runner

import (
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
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

// run makes the arguments and calls the function. It returns a *refusal where the call was refused, or the Go
// parameters cannot hold the arguments of a case that expects a TypeError; any other error is a failure.
func (t *trial) run(b *catalogue.Function, c *golden.Case, explicit bool) error {
	t.loaded, t.version = map[string]*nd.Array{}, map[string]uint32{}
	in, err := b.Arguments(WithMode(b, c), explicit, &catalogue.Converter{Load: t.load, Device: t.device})
	var unfit *catalogue.UnfitError
	if errors.As(err, &unfit) && c.ErrorType == "TypeError" {
		return &catalogue.Refusal{Err: err}
	}
	if err != nil {
		return err
	}
	out, err := catalogue.Guard(func() []reflect.Value { return b.Call(in) })
	if err == nil {
		t.results, err = catalogue.PlainResults(out)
	}
	if written := t.written(b.Row); written != "" && err == nil {
		return fmt.Errorf("it changed its argument %s, which the row's Writes does not name", written)
	}
	if _, refused := err.(*catalogue.Refusal); refused && t.anyWritten() {
		return fmt.Errorf("it wrote to an argument before it refused: %w", err)
	}
	return err
}

func (t *trial) load(path, key string) (*nd.Array, error) {
	x, err := t.file.Array(key)
	if err != nil {
		return nil, err
	}
	x = catalogue.Place(x, t.device)
	if t.watch != nil {
		x = t.watch(path, x)
	}
	t.loaded[path], t.version[path] = x, x.Version()
	return x, nil
}

// written names an argument that was changed though it should not be.
func (t *trial) written(row *catalogue.Row) string {
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

// WithMode adds what a case says beside its arguments, where the row has an argument for it: the mode of the call that a
// note gives (MXNet's training or inference), and the number of results that are wanted.
func WithMode(b *catalogue.Function, c *golden.Case) golden.Object {
	args := slices.Clone(c.Args)
	if _, ok := b.Targets["is_train"]; ok {
		args = append(args, golden.Member{Name: "is_train", Value: strings.HasPrefix(c.Note, "mode=train")})
	}
	if _, ok := b.Targets["n_results"]; ok {
		args = append(args, golden.Member{Name: "n_results", Value: big.NewInt(int64(len(c.Outputs)))})
	}
	return args
}
