package runner

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// trial is one call of a case's function on separate arrays.
type trial struct {
	file   *golden.File
	device device.Device
	fn     *catalogue.Function
	result *catalogue.Result
}

// run calls the function with the arguments of a case.
func (t *trial) run(c *golden.Case, how catalogue.CallOptions) error {
	args, err := Arguments(t.file, t.fn, WithMode(t.fn, c), nil)
	if err != nil {
		return err
	}
	how.Device = t.device
	if t.fn.TakesScope() && how.Scope == nil {
		if how.Scope, err = t.scope(c); err != nil {
			return err
		}
	}
	t.result, err = t.fn.Call(nil, args, how)
	return err
}

// WithMode adds information outside a case's arguments, if the row has an argument for it: the mode of the call in the
// note (MXNet's training or inference), and the number of wanted results.
func WithMode(f *catalogue.Function, c *golden.Case) golden.Object {
	args := slices.Clone(c.Args)
	if f.Param("is_train") != nil {
		args = append(args, golden.Member{Name: "is_train", Value: strings.HasPrefix(c.Note, "mode=train")})
	}
	if f.Param("n_results") != nil {
		args = append(args, golden.Member{Name: "n_results", Value: big.NewInt(int64(len(c.Outputs)))})
	}
	return args
}

// Arguments converts the arguments of a case to those of a call, in the order of the signature. Each array is new, and
// edit may replace it; with a nil edit arrays stay unchanged.
func Arguments(file *golden.File, f *catalogue.Function, args golden.Object, edit func(path string, x *nd.Array) *nd.Array) (map[string]any, error) {
	m := maker{file, edit}
	all := make(map[string]any, len(args))
	for i := range f.Params {
		p := &f.Params[i]
		if v, ok := args.Get(p.Name); ok && !p.Ignored() {
			var err error
			if all[p.Name], err = m.value(p.Name, v); err != nil {
				return nil, err
			}
		}
	}
	for _, a := range args {
		if f.Param(a.Name) == nil && !(f.TakesScope() && a.Name == "params") {
			all[a.Name] = a.Value // the call will refuse it
		}
	}
	return all, nil
}

// maker converts the values of a case.
type maker struct {
	file *golden.File
	edit func(path string, x *nd.Array) *nd.Array
}

func (m maker) value(path string, v golden.Value) (any, error) {
	at := func(i int) string { return fmt.Sprintf("%s[%d]", path, i) }
	var err error
	switch v := v.(type) {
	case golden.Array:
		return m.array(path, string(v))
	case golden.Arrays:
		xs := make([]*nd.Array, len(v))
		for i, key := range v {
			if xs[i], err = m.array(at(i), key); err != nil {
				return nil, err
			}
		}
		return xs, nil
	case golden.List:
		items := make([]any, len(v))
		for i, item := range v {
			if items[i], err = m.value(at(i), item); err != nil {
				return nil, err
			}
		}
		return items, nil
	case golden.Object:
		entries := make(map[string]any, len(v))
		for _, e := range v {
			if entries[e.Name], err = m.value(path+"."+e.Name, e.Value); err != nil {
				return nil, err
			}
		}
		return entries, nil
	case golden.Slice:
		return catalogue.Slice{Start: v.Start, Stop: v.Stop, Step: v.Step}, nil
	case golden.DType:
		if d, err := dtype.Parse(string(v)); err == nil {
			return d, nil
		}
		return string(v), nil // a dtype that this library lacks
	case golden.Function:
		return string(v), nil
	case golden.RandomState:
		return nd.NewRand(uint64(v)), nil
	}
	return v, nil
}

func (m maker) array(path, key string) (*nd.Array, error) {
	x, err := m.file.Array(key)
	if err == nil && m.edit != nil {
		x = m.edit(path, x)
	}
	return x, err
}
