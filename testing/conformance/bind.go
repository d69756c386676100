package conformance

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// binding is a row whose documented arguments were found in its Go function.
type binding struct {
	row     *Row
	sig     signature
	fn      reflect.Value
	in      []slot // the Go parameters, without the options
	options reflect.Type
	targets map[string]target
}

// slot is one Go parameter: it takes the documented argument of that name, or the stream of random numbers.
type slot struct {
	name string
	t    reflect.Type
}

// target is where a documented argument goes.
type target struct {
	param   *param
	slot    int   // the place among the Go parameters, or -1
	field   []int // the field of the options
	ignored bool
}

// randomSeed is that of the stream which functions get that draw.
const randomSeed = 20240229

// bind finds the place of every documented argument: the Go parameters take them in their order, the rest goes by name
// to the fields of the options, if there are any.
func bind(row *Row) (*binding, error) {
	sig, err := parseSignature(row.Signature)
	if err != nil {
		return nil, err
	}
	b := &binding{row: row, sig: sig, fn: reflect.ValueOf(row.Func), targets: map[string]target{}}
	if b.fn.Kind() != reflect.Func {
		return nil, fmt.Errorf("%s: Func is a %T", sig.name, row.Func)
	}
	b.splitParameters()
	next := 0
	for i := range sig.params {
		p := &sig.params[i]
		for next < len(b.in) && b.in[next].t == randType && b.in[next].name == "" {
			next++ // a stream has no documented name
		}
		switch {
		case slices.Contains(row.Ignores, p.name):
			b.targets[p.name] = target{param: p, slot: -1, ignored: true}
		case next < len(b.in):
			b.in[next].name = p.name
			b.targets[p.name] = target{param: p, slot: next}
			next++
		default:
			field, ok := optionField(b.options, p.name)
			if !ok {
				return nil, fmt.Errorf("%s: argument %s has no place in %s", sig.name, p.name, b.fn.Type())
			}
			b.targets[p.name] = target{param: p, slot: -1, field: field}
		}
	}
	for ; next < len(b.in); next++ {
		if b.in[next].t != randType {
			return nil, fmt.Errorf("%s: no documented argument for parameter %d of %s", sig.name, next, b.fn.Type())
		}
	}
	for _, names := range [][]string{row.Writes, row.Ignores} {
		for _, name := range names {
			if _, ok := b.targets[name]; !ok {
				return nil, fmt.Errorf("%s: the signature has no argument %s", sig.name, name)
			}
		}
	}
	return b, nil
}

// splitParameters parts the options from the other parameters.
func (b *binding) splitParameters() {
	t := b.fn.Type()
	n := t.NumIn()
	if t.IsVariadic() && t.In(n-1).Elem().Kind() == reflect.Struct && t.In(n-1).Elem() != indexType {
		n--
		b.options = t.In(n).Elem()
	}
	for i := range n {
		b.in = append(b.in, slot{t: t.In(i)})
	}
}

// optionField finds the field of a documented name: upper and lower case and underscores do not count, and one axis
// may stand for axes.
func optionField(options reflect.Type, name string) ([]int, bool) {
	if options == nil {
		return nil, false
	}
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
	also := map[string]string{"axis": "axes", "axes": "axis"}
	for _, want := range []string{plain(name), also[plain(name)]} {
		for _, f := range reflect.VisibleFields(options) {
			if f.IsExported() && want != "" && plain(f.Name) == want {
				return f.Index, true
			}
		}
	}
	return nil, false
}

// arguments makes the Go arguments of a call, for reflect's CallSlice or Call. With explicit, arguments that the case
// leaves out are given the document's default; without, options are left alone.
func (b *binding) arguments(args golden.Object, explicit bool, c *converter) ([]reflect.Value, error) {
	for _, m := range args {
		if _, ok := b.targets[m.Name]; !ok {
			return nil, fmt.Errorf("argument %s is unknown to the row %s", m.Name, b.row.Signature)
		}
	}
	in := make([]reflect.Value, len(b.in))
	for i, s := range b.in {
		if s.name == "" {
			in[i] = reflect.ValueOf(nd.NewRand(randomSeed))
		}
	}
	var options reflect.Value
	if b.options != nil {
		options = reflect.New(b.options).Elem()
	}
	given := false
	if field, ok := b.deviceField(); ok && c.device != nil {
		options.FieldByIndex(field).Set(reflect.ValueOf(c.device))
		given = true
	}
	for i := range b.sig.params {
		p := &b.sig.params[i]
		to := b.targets[p.name]
		v, ok := args.Get(p.name)
		if to.ignored || !ok && !explicit && to.slot < 0 {
			continue
		}
		if !ok {
			if !p.hasDefault {
				return nil, fmt.Errorf("argument %s is missing, and has no default", p.name)
			}
			v = p.def
		}
		t := b.typeOf(to)
		if p.name == "where" && t == arrayType && v == true {
			v = nil
		}
		x, err := c.convert(p.name, v, t)
		if err != nil {
			return nil, err
		}
		if to.slot >= 0 {
			in[to.slot] = x
		} else {
			options.FieldByIndex(to.field).Set(x)
			given = true
		}
	}
	if b.options != nil {
		list := reflect.MakeSlice(reflect.SliceOf(b.options), 0, 1)
		if given {
			list = reflect.Append(list, options)
		}
		in = append(in, list)
	}
	return in, nil
}

// deviceField finds the option that says where a new array is made: no document has it.
func (b *binding) deviceField() ([]int, bool) {
	if b.options == nil {
		return nil, false
	}
	f, ok := b.options.FieldByName("Device")
	return f.Index, ok && f.Type == reflect.TypeFor[device.Device]()
}

func (b *binding) typeOf(to target) reflect.Type {
	if to.slot >= 0 {
		return b.in[to.slot].t
	}
	return b.options.FieldByIndex(to.field).Type
}

// call calls the function.
func (b *binding) call(in []reflect.Value) []reflect.Value {
	if b.fn.Type().IsVariadic() {
		return b.fn.CallSlice(in)
	}
	return b.fn.Call(in)
}

// withMode adds what a case says beside its arguments, where the row has an argument for it: the mode of the call that a
// note gives (MXNet's training or inference), and the number of results that are wanted.
func (b *binding) withMode(c *golden.Case) golden.Object {
	args := slices.Clone(c.Args)
	if _, ok := b.targets["is_train"]; ok {
		args = append(args, golden.Member{Name: "is_train", Value: strings.HasPrefix(c.Note, "mode=train")})
	}
	if _, ok := b.targets["n_results"]; ok {
		args = append(args, golden.Member{Name: "n_results", Value: big.NewInt(int64(len(c.Outputs)))})
	}
	return args
}
