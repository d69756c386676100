package catalogue

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// Function is a row whose documented arguments were found in its Go function.
type Function struct {
	Row       *Row
	Signature signature
	Fn        reflect.Value
	in        []slot // the Go parameters, without the options
	options   reflect.Type
	Targets   map[string]target
}

// slot is one Go parameter: it takes the documented argument of that name, or the stream of random numbers.
type slot struct {
	name string
	t    reflect.Type
}

// target is where a documented argument goes.
type target struct {
	param   *Param
	slot    int   // the place among the Go parameters, or -1
	field   []int // the field of the options
	Ignored bool
}

// randomSeed is that of the stream which functions get that draw.
const randomSeed = 20240229

// Bind finds the place of every documented argument: the Go parameters take them in their order, the rest goes by name
// to the fields of the options, if there are any.
func Bind(row *Row) (*Function, error) {
	sig, err := parseSignature(row.Signature)
	if err != nil {
		return nil, err
	}
	b := &Function{Row: row, Signature: sig, Fn: reflect.ValueOf(row.Func), Targets: map[string]target{}}
	if b.Fn.Kind() != reflect.Func {
		return nil, fmt.Errorf("%s: Func is a %T", sig.name, row.Func)
	}
	b.splitParameters()
	next := 0
	for i := range sig.Params {
		p := &sig.Params[i]
		for next < len(b.in) && b.in[next].t == randType && b.in[next].name == "" {
			next++ // a stream has no documented name
		}
		switch {
		case slices.Contains(row.Ignores, p.Name):
			b.Targets[p.Name] = target{param: p, slot: -1, Ignored: true}
		case next < len(b.in):
			b.in[next].name = p.Name
			b.Targets[p.Name] = target{param: p, slot: next}
			next++
		default:
			field, ok := optionField(b.options, p.Name)
			if !ok {
				return nil, fmt.Errorf("%s: argument %s has no place in %s", sig.name, p.Name, b.Fn.Type())
			}
			b.Targets[p.Name] = target{param: p, slot: -1, field: field}
		}
	}
	for ; next < len(b.in); next++ {
		if b.in[next].t != randType {
			return nil, fmt.Errorf("%s: no documented argument for parameter %d of %s", sig.name, next, b.Fn.Type())
		}
	}
	for _, names := range [][]string{row.Writes, row.Ignores} {
		for _, name := range names {
			if _, ok := b.Targets[name]; !ok {
				return nil, fmt.Errorf("%s: the signature has no argument %s", sig.name, name)
			}
		}
	}
	return b, nil
}

// BindAll returns the functions of rows by their documented names, or an error where a row does not fit its function or two
// have one name.
func BindAll(rows []Row) (map[string]*Function, error) {
	functions := make(map[string]*Function, len(rows))
	for i := range rows {
		b, err := Bind(&rows[i])
		if err != nil {
			return nil, err
		}
		if functions[b.Signature.name] != nil {
			return nil, fmt.Errorf("two rows for %s", b.Signature.name)
		}
		functions[b.Signature.name] = b
	}
	return functions, nil
}

// splitParameters parts the options from the other parameters.
func (b *Function) splitParameters() {
	t := b.Fn.Type()
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

// Arguments makes the Go arguments of a call, for reflect's CallSlice or Call. With explicit, arguments that the case
// leaves out are given the document's default; without, options are left alone.
func (b *Function) Arguments(args golden.Object, explicit bool, c *Converter) ([]reflect.Value, error) {
	for _, m := range args {
		if _, ok := b.Targets[m.Name]; !ok {
			return nil, fmt.Errorf("argument %s is unknown to the row %s", m.Name, b.Row.Signature)
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
	if field, ok := b.deviceField(); ok && c.Device != nil {
		options.FieldByIndex(field).Set(reflect.ValueOf(c.Device))
		given = true
	}
	for i := range b.Signature.Params {
		p := &b.Signature.Params[i]
		to := b.Targets[p.Name]
		v, ok := args.Get(p.Name)
		if to.Ignored || !ok && !explicit && to.slot < 0 {
			continue
		}
		if !ok {
			if !p.HasDefault {
				return nil, fmt.Errorf("argument %s is missing, and has no default", p.Name)
			}
			v = p.Default
		}
		t := b.TypeOf(to)
		if p.Name == "where" && t == ArrayType && v == true {
			v = nil
		}
		x, err := c.convert(p.Name, v, t)
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
func (b *Function) deviceField() ([]int, bool) {
	if b.options == nil {
		return nil, false
	}
	f, ok := b.options.FieldByName("Device")
	return f.Index, ok && f.Type == reflect.TypeFor[device.Device]()
}

func (b *Function) TypeOf(to target) reflect.Type {
	if to.slot >= 0 {
		return b.in[to.slot].t
	}
	return b.options.FieldByIndex(to.field).Type
}

// Call calls the function.
func (b *Function) Call(in []reflect.Value) []reflect.Value {
	if b.Fn.Type().IsVariadic() {
		return b.Fn.CallSlice(in)
	}
	return b.Fn.Call(in)
}
