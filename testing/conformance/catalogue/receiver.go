package catalogue

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/link"
)

// Links are values: structs of hyperparameters with a method Apply. Their rows are method expressions. A documented
// link has a constructor, whose arguments become the fields, and is then called. The state of a link is an argument. A
// case may call a link several times.

var (
	stateType = reflect.TypeFor[*nn.State]()
	treeType  = reflect.TypeFor[*link.Tree]()
	layerType = reflect.TypeFor[link.Layer]()
)

// hasReceiver reports whether the first parameter is a struct whose fields are documented arguments. It is not if the
// documented arguments begin with self, which is then the struct.
func (f *Function) hasReceiver() bool {
	return len(f.in) > 1 && f.in[0].Kind() == reflect.Struct && f.in[1] == scopeType && (len(f.Params) == 0 || f.Params[0].Name != "self")
}

// bindField binds the argument to a field of the method's struct.
func (p *Param) bindField(t reflect.Type) bool {
	field, ok := optionField(t, p.Name)
	if ok {
		p.receiver, p.field, p.Type = true, field, t.FieldByIndex(field).Type
	}
	return ok
}

// receiver builds the struct of a method, as a document's constructor does.
func (f *Function) receiver(args map[string]any, defaults bool, c *converter) (reflect.Value, error) {
	made := reflect.New(f.in[0]).Elem()
	for i := range f.Params {
		p := &f.Params[i]
		v, ok := args[p.Name]
		if !p.receiver || !ok && !defaults {
			continue
		}
		x, err := f.argument(p, v, ok, c)
		if err != nil {
			return made, err
		}
		made.FieldByIndex(p.field).Set(x)
		if p.Name == "initial_bias" && ok && plain(v) == nil && p.Default != nil {
			made.FieldByName("NoBias").SetBool(true) // None means no bias, if it is not the default
		}
	}
	return made, nil
}

// layer builds a link from its documented name, "link", and the arguments of its constructor.
func (c *converter) layer(path string, v any) (reflect.Value, error) {
	if l, ok := v.(link.Layer); ok {
		return reflect.ValueOf(l), nil
	}
	args, _ := v.(map[string]any)
	name, ok := args["link"].(string)
	if !ok {
		return reflect.Value{}, unfit(path, v, layerType)
	}
	f, err := Lookup(name)
	if err != nil {
		return reflect.Value{}, err
	}
	args = maps.Clone(args)
	delete(args, "link")
	for name := range args {
		if p := f.Param(name); p == nil || !p.receiver && !p.Ignored() {
			return reflect.Value{}, f.misuse("the constructor has no argument %s", name)
		}
	}
	if !f.fields || !f.in[0].Implements(layerType) {
		return reflect.Value{}, unfit(path, v, layerType)
	}
	return f.receiver(args, false, c)
}

// tree builds a tree from nested pairs of labels.
func (c *converter) tree(path string, v any) (reflect.Value, error) {
	if label, ok := asInt(v); ok {
		return reflect.ValueOf(link.Leaf(label)), nil
	}
	pair, ok := v.([]any)
	if !ok || len(pair) != 2 {
		return reflect.Value{}, unfit(path, v, treeType)
	}
	var sides [2]*link.Tree
	for k := range sides {
		side, err := c.tree(itemPath(path, k, true), plain(pair[k]))
		if err != nil {
			return side, err
		}
		sides[k] = side.Interface().(*link.Tree)
	}
	return reflect.ValueOf(link.Branch(sides[0], sides[1])), nil
}

// state builds a state from {"c": memory, "h": output}, or the initial state from nil.
func (c *converter) state(path string, v any) (reflect.Value, error) {
	if v == nil {
		return reflect.ValueOf(new(nn.State)), nil
	}
	if st, ok := v.(*nn.State); ok {
		return reflect.ValueOf(st), nil
	}
	entries, ok := v.(map[string]any)
	if !ok {
		return reflect.Value{}, unfit(path, v, stateType)
	}
	st := new(nn.State)
	for name, at := range map[string]**nd.Array{"c": &st.C, "h": &st.H} {
		x, err := c.operand(path+"."+name, plain(entries[name]))
		if err != nil {
			return reflect.Value{}, err
		}
		*at = x
	}
	return reflect.ValueOf(st), nil
}

// times returns the inputs of several calls of a link if x is a list; nil for one call.
func (c *call) times(all map[string]any) []*nd.Array {
	xs, list := all["x"].([]*nd.Array)
	if p := c.f.Param("x"); list && p != nil && p.Type == arrayType && p.slot >= 0 && c.f.scoped {
		return xs
	}
	return nil
}

// each calls the function once per time step, with the same state, and lists the results.
func (c *call) each(in []reflect.Value, xs []*nd.Array) (all []any, err error) {
	for t := range max(len(xs), 1) {
		if t > 0 {
			in[c.f.Param("x").slot] = reflect.ValueOf(c.pass(timePath(t), xs[t]))
		}
		var more []any
		if c.f.fn.Type().IsVariadic() {
			more, err = returned(c.f.fn.CallSlice(in))
		} else {
			more, err = returned(c.f.fn.Call(in))
		}
		if all = append(all, more...); err != nil {
			return all, err
		}
	}
	if k := slices.Index(c.f.in, stateType); k >= 0 {
		c.result.State = in[k].Interface().(*nn.State)
	}
	return all, nil
}

func timePath(t int) string { return fmt.Sprintf("x[%d]", t) }
