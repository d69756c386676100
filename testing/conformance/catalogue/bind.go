package catalogue

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/fft"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// Function is a row together with the binding of its documented arguments to the Go function.
type Function struct {
	InScope bool // calls run in a scope of nd.TidyAll

	Name   string
	Row    *Row
	Params []Param // the documented arguments in order

	fn      reflect.Value
	in      []reflect.Type // of the Go parameters, without the options
	fields  bool           // whether the first parameter is a struct whose fields are documented arguments
	streams []int          // indices of the parameters that are random streams, which no document names
	scoped  bool           // whether the first or second parameter is the scope of a parametric function, which no document names
	scope   int            // index of that parameter
	options reflect.Type
}

// Bind binds every documented argument: first to the Go parameters, in order, then by name to the fields of the
// options.
func Bind(row *Row) (*Function, error) {
	sig, err := parseSignature(row.Signature)
	if err != nil {
		return nil, err
	}
	f := &Function{Name: sig.name, Row: row, Params: sig.params, fn: reflect.ValueOf(row.Func)}
	if f.fn.Kind() != reflect.Func {
		return nil, fmt.Errorf("%s: Func is a %T", f.Name, row.Func)
	}
	f.splitParameters()
	next := 0
	if f.fields = f.hasReceiver(); f.fields {
		next++
	}
	f.scope = slices.Index(f.in[:min(len(f.in), f.leadingParameters())], scopeType)
	if f.scoped = f.scope >= 0; f.scope == next {
		next++
	}
	skipStreams := func() {
		for ; next < len(f.in) && f.in[next] == randType; next++ {
			f.streams = append(f.streams, next)
		}
	}
	for i := range f.Params {
		p := &f.Params[i]
		p.slot = -1
		skipStreams()
		switch {
		case slices.Contains(row.Ignores, p.Name):
		case f.scoped && viewArgument(p.Name) != nil && !f.takesName(p.Name, next):
			p.Type, p.view = viewArgument(p.Name), true
		case f.fields && p.bindField(f.in[0]):
		case next < len(f.in):
			p.slot, p.Type = next, f.in[next]
			if next++; next == f.scope {
				next++
			}
		default:
			field, ok := optionField(f.options, cmp.Or(row.Renames[p.Name], p.Name))
			if !ok {
				return nil, fmt.Errorf("%s: argument %s matches no parameter or option of %s", f.Name, p.Name, f.fn.Type())
			}
			p.field, p.Type = field, f.options.FieldByIndex(field).Type
		}
	}
	if skipStreams(); next < len(f.in) {
		return nil, fmt.Errorf("%s: no documented argument for parameter %d of %s", f.Name, next, f.fn.Type())
	}
	for _, name := range slices.Concat(row.Writes, row.Ignores) {
		if f.Param(name) == nil {
			return nil, fmt.Errorf("%s: the signature has no argument %s", f.Name, name)
		}
	}
	return f, nil
}

// leadingParameters returns the number of leading Go parameters that may be the scope, which no document names: in a method
// the scope follows the receiver.
func (f *Function) leadingParameters() int {
	if f.fields || len(f.Params) > 0 && f.Params[0].Name == "self" {
		return 2
	}
	return 1
}

// takesName reports whether the Go parameter at index next takes the argument name as text. It then names a parameter,
// not a scope.
func (f *Function) takesName(argument string, next int) bool {
	return argument == "name" && next < len(f.in) && f.in[next].Kind() == reflect.String
}

// BindAll returns the functions of rows by their documented names. It returns an error if a row does not match its
// function or if two rows have the same name.
func BindAll(rows []Row) (map[string]*Function, error) {
	functions := make(map[string]*Function, len(rows))
	for i := range rows {
		f, err := Bind(&rows[i])
		if err != nil {
			return nil, err
		}
		if functions[f.Name] != nil {
			return nil, fmt.Errorf("two rows for %s", f.Name)
		}
		functions[f.Name] = f
	}
	return functions, nil
}

var functions = sync.OnceValues(func() (map[string]*Function, error) { return BindAll(Rows()) })

// Lookup returns the function of a documented name, or a [*Refusal] if it does not exist.
func Lookup(name string) (*Function, error) {
	all, err := functions()
	if err != nil {
		return nil, err
	}
	if f := all[name]; f != nil {
		return f, nil
	}
	for _, l := range LeftOutNames() {
		if l.Name == name {
			return nil, &Refusal{Kind: Unknown, Err: fmt.Errorf("%s is left out: %s", name, l.Reason)}
		}
	}
	return nil, &Refusal{Kind: Unknown, Err: fmt.Errorf("%s is not in the catalogue", name)}
}

// Param returns the documented argument with a name, or nil.
func (f *Function) Param(name string) *Param {
	for i := range f.Params {
		if f.Params[i].Name == name {
			return &f.Params[i]
		}
	}
	return nil
}

// splitParameters separates the options from the other parameters.
func (f *Function) splitParameters() {
	t := f.fn.Type()
	n := t.NumIn()
	if t.IsVariadic() {
		if f.options = optionsStruct(t.In(n - 1).Elem()); f.options != nil {
			n--
		}
	}
	for i := range n {
		f.in = append(f.in, t.In(i))
	}
}

// axesAlone is the options struct of a function whose only options are axes.
type axesAlone struct{ Axes []int }

// optionStructs are the structs of options of the interfaces that package ops does not seal.
var optionStructs = sync.OnceValue(func() map[reflect.Type]reflect.Type {
	return map[reflect.Type]reflect.Type{
		reflect.TypeFor[nd.ArrayOption]():                             reflect.TypeFor[nd.ArrayOptions](),
		reflect.TypeFor[nd.SpaceOption]():                             reflect.TypeFor[nd.SpaceOptions](),
		reflect.TypeFor[nd.IndicesOption]():                           reflect.TypeFor[nd.IndicesOptions](),
		reflect.TypeFor[linalg.NormOption]():                          reflect.TypeFor[linalg.NormOptions](),
		reflect.TypeFor[fft.Option]():                                 reflect.TypeFor[fft.Options](),
		reflect.TypeFor[fft.AxesOption]():                             reflect.TypeFor[fft.AxesOptions](),
		reflect.TypeFor[loss.CrossEntropyOption]():                    reflect.TypeFor[loss.CrossEntropyOptions](),
		reflect.TypeFor[normalize.BatchNormalizationOption]():         reflect.TypeFor[normalize.BatchNormalizationOptions](),
		reflect.TypeFor[normalize.NormNormalizationOption]():          reflect.TypeFor[normalize.NormNormalizationOptions](),
		reflect.TypeFor[normalize.NormalizeOption]():                  reflect.TypeFor[normalize.NormalizeOptions](),
		reflect.TypeFor[normalize.RMSNormalizationOption]():           reflect.TypeFor[normalize.RMSNormalizationOptions](),
		reflect.TypeFor[normalize.LayerNormalizationOption]():         reflect.TypeFor[normalize.LayerNormalizationOptions](),
		reflect.TypeFor[normalize.WeightStandardizationOption]():      reflect.TypeFor[normalize.WeightStandardizationOptions](),
		reflect.TypeFor[normalize.WeightNormalizationOption]():        reflect.TypeFor[normalize.WeightNormalizationOptions](),
		reflect.TypeFor[normalize.SpectralNormOption]():               reflect.TypeFor[normalize.SpectralNormOptions](),
		reflect.TypeFor[nn.BatchNormalizationOption]():                reflect.TypeFor[nn.BatchNormalizationOptions](),
		reflect.TypeFor[nn.LayerNormalizationOption]():                reflect.TypeFor[nn.LayerNormalizationOptions](),
		reflect.TypeFor[nn.WeightNormalizationOption]():               reflect.TypeFor[nn.WeightNormalizationOptions](),
		reflect.TypeFor[nn.SpectralNormOption]():                      reflect.TypeFor[nn.SpectralNormOptions](),
		reflect.TypeFor[initializer.WeightNormalizationScaleOption](): reflect.TypeFor[initializer.WeightNormalizationScaleOptions](),
	}
})

// optionsStruct is the struct of options that a variadic parameter takes, or nil if it takes something else. The only method of an
// interface that package ops seals returns the struct.
func optionsStruct(t reflect.Type) reflect.Type {
	switch {
	case optionStructs()[t] != nil:
		return optionStructs()[t]
	case t.Kind() == reflect.Struct && t != indexType:
		return t
	case t.Kind() == reflect.Interface && t.NumMethod() == 1 && t.Method(0).Type.NumOut() == 1:
		return t.Method(0).Type.Out(0)
	case t.Kind() == reflect.Slice && t.Name() == "Axes":
		return reflect.TypeFor[axesAlone]()
	}
	return nil
}

// optionField returns the field for a documented name. It ignores case and underscores, and Axes may answer to axis.
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

// byName collects the arguments of a call by name. Positional arguments are the documented ones in order; an argument
// *name takes all that follow.
func (f *Function) byName(args []any, named map[string]any) (map[string]any, error) {
	all := make(map[string]any, len(args)+len(named))
	for i, v := range args {
		if i == len(f.Params) {
			return nil, f.misuse("got %d arguments, want at most %d", len(args), len(f.Params))
		}
		if p := &f.Params[i]; p.Stars == 1 {
			all[p.Name] = args[i:]
			break
		}
		all[f.Params[i].Name] = v
	}
	for name, v := range named {
		if f.Param(name) == nil {
			return nil, f.misuse("argument %s is unknown to the row %s", name, f.Row.Signature)
		}
		if _, twice := all[name]; twice {
			return nil, f.misuse("argument %s is given twice", name)
		}
		all[name] = v
	}
	return all, nil
}

func (f *Function) misuse(format string, args ...any) error {
	return &Refusal{Kind: Misuse, Err: fmt.Errorf("%s: "+format, append([]any{f.Name}, args...)...)}
}

// arguments returns the Go arguments of a call, for reflect's CallSlice or Call. With defaults, missing arguments get
// the document's defaults; without, missing options are left to the library.
func (f *Function) arguments(args map[string]any, defaults bool, rng *nd.Rand, c *converter) ([]reflect.Value, error) {
	in := make([]reflect.Value, len(f.in))
	for _, i := range f.streams {
		in[i] = reflect.ValueOf(rng)
	}
	if f.scoped {
		view, err := f.view(args, c)
		if err != nil {
			return nil, err
		}
		in[f.scope] = reflect.ValueOf(view)
	}
	var options reflect.Value
	if f.options != nil {
		options = reflect.New(f.options).Elem()
	}
	given := false
	if field, ok := f.deviceField(); ok && c.device != nil {
		options.FieldByIndex(field).Set(reflect.ValueOf(c.device))
		given = true
	}
	if f.fields {
		receiver, err := f.receiver(args, defaults, c)
		if err != nil {
			return nil, err
		}
		in[0] = receiver
	}
	for i := range f.Params {
		p := &f.Params[i]
		v, ok := args[p.Name]
		if p.Ignored() || p.view || p.receiver || !ok && !defaults && p.slot < 0 {
			continue
		}
		x, err := f.argument(p, v, ok, c)
		if err != nil {
			return nil, err
		}
		if p.slot >= 0 {
			in[p.slot] = x
		} else {
			options.FieldByIndex(p.field).Set(x)
			given = true
		}
	}
	if f.options != nil {
		t := f.fn.Type()
		list := reflect.MakeSlice(t.In(t.NumIn()-1), 0, 1)
		if axes, ok := options.Interface().(axesAlone); ok {
			given = given && axes.Axes != nil
			options = reflect.ValueOf(axes.Axes).Convert(list.Type().Elem())
		}
		if given {
			list = reflect.Append(list, options)
		}
		in = append(in, list)
	}
	return in, nil
}

// argument converts a value for its parameter. If no value is given, it converts the document's default.
func (f *Function) argument(p *Param, v any, given bool, c *converter) (reflect.Value, error) {
	if !given {
		if !p.HasDefault {
			return reflect.Value{}, f.misuse("argument %s is missing, and has no default", p.Name)
		}
		v = p.Default
	}
	v = plain(v)
	if p.Name == "where" && p.Type == arrayType && v == true {
		v = nil
	}
	return c.convert(p.Name, v, p.Type)
}

// deviceField returns the option for the device of a new array, which no document has.
func (f *Function) deviceField() ([]int, bool) {
	if f.options == nil {
		return nil, false
	}
	field, ok := f.options.FieldByName("Device")
	return field.Index, ok && field.Type == reflect.TypeFor[device.Device]()
}
