package golden

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Case is one recorded call and its results.
type Case struct {
	ID       string
	Function string
	Args     Object

	Outputs     []string // keys of the results in order; "" if the call returns nothing there
	GradOutputs []string // one per output; "" if no gradient arrives there
	Grads       []Ref    // gradients of Σ⟨grad_outputs, outputs⟩ by argument
	Mutated     []Ref    // arguments after the call

	Expected    Value // a string, number, bool, list, or an Object of properties; see HasExpected
	HasExpected bool
	Check       string // how to judge the result if a comparison is not enough

	Registered []Parameter // the parameters that a parametric function creates, in order
	Expect     Value       // what a program of several calls returns, as written in the case

	Error                bool // the call must be refused
	ErrorType, ErrorText string

	Variant    string // one of several behaviours on which the systems differ
	Note       string
	RTol, ATol float64

	Raw json.RawMessage // the unparsed case
}

// Parameter is a parameter that a parametric function creates.
type Parameter struct {
	Path     string
	Shape    []int
	NeedGrad bool
	Init     Object // {uniform: [low, high]} or {constant: value}; nil if an argument determines the values
}

// Ref names an argument, such as "x" or "ws[0][3]", and the key of its array.
type Ref struct{ Name, Key string }

// parseCase parses one case.
func parseCase(raw json.RawMessage) (*Case, error) {
	v, err := parse(raw)
	if err != nil {
		return nil, err
	}
	o, ok := v.(Object)
	if !ok {
		return nil, fmt.Errorf("want a case that is an object")
	}
	c := &Case{Raw: raw}
	for _, m := range o {
		if err := c.set(m.Name, m.Value); err != nil {
			return nil, fmt.Errorf("case %s: %s: %w", c.ID, m.Name, err)
		}
	}
	if c.ID == "" || c.Function == "" {
		return nil, fmt.Errorf("want a case with an id and a function")
	}
	return c, nil
}

func (c *Case) set(name string, v Value) (err error) {
	ok := true
	switch name {
	case "id":
		c.ID, ok = v.(string)
	case "function":
		c.Function, ok = v.(string)
	case "args":
		if c.Args, ok = v.(Object); ok {
			err = c.Args.interpretMembers()
		}
	case "outputs":
		c.Outputs, err = keysOf(v)
	case "grad_outputs":
		c.GradOutputs, err = keysOf(v)
	case "grads":
		c.Grads, err = refsOf(v)
	case "mutated":
		c.Mutated, err = refsOf(v)
	case "expected":
		c.HasExpected = true
		c.Expected, err = expectedOf(v)
	case "registered":
		c.Registered, err = parametersOf(v)
	case "expect":
		c.Expect = v
	case "check":
		c.Check, ok = v.(string)
	case "error":
		c.Error, ok = v.(bool)
	case "error_type":
		c.ErrorType, ok = v.(string)
	case "error_text":
		c.ErrorText, ok = v.(string)
	case "variant":
		c.Variant, ok = v.(string)
	case "note":
		c.Note, ok = v.(string)
	case "rtol":
		c.RTol, ok = Float(v)
	case "atol":
		c.ATol, ok = Float(v)
	}
	if !ok {
		err = fmt.Errorf("unexpected %T", v)
	}
	return err
}

// expectedOf parses an expected value. The dtype of a result is a property, not an argument.
func expectedOf(v Value) (Value, error) {
	if o, ok := v.(Object); ok && len(o) == 1 && o[0].Name == "dtype" {
		return o, o.interpretMembers()
	}
	return interpret(v)
}

// keysOf parses a list of keys with nulls. null gives no keys.
func keysOf(v Value) ([]string, error) {
	if v == nil {
		return nil, nil
	}
	list, ok := v.(List)
	if !ok {
		return nil, fmt.Errorf("want a list, got %T", v)
	}
	keys := make([]string, len(list))
	for i, k := range list {
		if k == nil {
			continue
		}
		if keys[i], ok = k.(string); !ok {
			return nil, fmt.Errorf("want keys of arrays, got %T", k)
		}
	}
	return keys, nil
}

func refsOf(v Value) ([]Ref, error) {
	o, ok := v.(Object)
	if !ok {
		return nil, fmt.Errorf("want an object, got %T", v)
	}
	var refs []Ref
	for _, m := range o {
		key, ok := m.Value.(string)
		if !ok {
			return nil, fmt.Errorf("%s: want the key of an array, got %T", m.Name, m.Value)
		}
		refs = append(refs, Ref{m.Name, key})
	}
	return refs, nil
}

// parametersOf parses the field registered.
func parametersOf(v Value) ([]Parameter, error) {
	list, ok := v.(List)
	if !ok {
		return nil, fmt.Errorf("want a list, got %T", v)
	}
	var all []Parameter
	for _, item := range list {
		o, isObject := item.(Object)
		path, _ := o.Get("path")
		shape, _ := o.Get("shape")
		needGrad, _ := o.Get("need_grad")
		initial, _ := o.Get("init")
		p := Parameter{}
		lengths, ok1 := shape.(List)
		var ok2, ok3 bool
		p.Path, ok2 = path.(string)
		p.NeedGrad, ok3 = needGrad.(bool)
		p.Init, _ = initial.(Object)
		if !isObject || !ok1 || !ok2 || !ok3 {
			return nil, fmt.Errorf("want {path, shape, need_grad}, got %v", item)
		}
		for _, n := range lengths {
			length, ok := Int(n)
			if !ok {
				return nil, fmt.Errorf("%s: shape %v", p.Path, shape)
			}
			p.Shape = append(p.Shape, length)
		}
		all = append(all, p)
	}
	return all, nil
}

// Keys returns the keys of all arrays in the case, in text order. A key may occur more than once.
func (c *Case) Keys() []string {
	var keys []string
	var visit func(v Value)
	visit = func(v Value) {
		switch v := v.(type) {
		case Array:
			keys = append(keys, string(v))
		case Arrays:
			keys = append(keys, v...)
		case List:
			for _, item := range v {
				visit(item)
			}
		case Object:
			for _, m := range v {
				visit(m.Value)
			}
		}
	}
	visit(c.Args)
	for _, list := range [][]string{c.Outputs, c.GradOutputs} {
		for _, key := range list {
			if key != "" {
				keys = append(keys, key)
			}
		}
	}
	for _, refs := range [][]Ref{c.Grads, c.Mutated} {
		for _, r := range refs {
			keys = append(keys, r.Key)
		}
	}
	visit(c.Expected)
	return keys
}

// IsFormula reports whether the results come from a formula in NumPy, as the note says, because the system has none.
func (c *Case) IsFormula() bool {
	note := strings.ToLower(c.Note)
	return strings.HasPrefix(note, "numpy reference") || strings.Contains(note, "numpy formula")
}
