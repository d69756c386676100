package catalogue

import (
	"fmt"
	"reflect"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
)

// Result is what came of a call.
type Result struct {
	// Values are the results: arrays, Go values, and structs of adapters. Lists of arrays are spread out.
	Values []any
	// Arguments are the arrays among the arguments, as the function got them: on its device, known to the tape. An item of a
	// list is "ws[1]".
	Arguments map[string]*nd.Array
	// Written are those that the function changed.
	Written map[string]*nd.Array
	// Gradients are those that were wanted; an argument that none flows to is missing.
	Gradients map[string]*nd.Array
	// State is that of a link after the call; nil for a function without one.
	State *nn.State
	// Scope has the parameters of a parametric function after the call; nil for any other.
	Scope *nn.Scope
}

// Arrays returns the results as arrays, numbers as such without axes; nil stands where nothing is returned. The error says
// which result is neither.
func (r *Result) Arrays() ([]*nd.Array, error) {
	if len(r.Values) == 1 {
		if v, ok := r.Values[0].(interface{ Outputs() []*nd.Array }); ok {
			return v.Outputs(), nil // a struct of an adapter, with properties that expected names
		}
	}
	xs := make([]*nd.Array, len(r.Values))
	for i, v := range r.Values {
		switch v := v.(type) {
		case *nd.Array:
			xs[i] = v
		case bool:
			xs[i] = nd.Full(nil, v)
		case int:
			xs[i] = nd.Full(nil, v)
		case int64:
			xs[i] = nd.Full(nil, v)
		case float64:
			xs[i] = nd.Full(nil, v)
		case complex128:
			xs[i] = nd.Full(nil, v)
		case []int:
			xs[i] = nd.FromSlice(v)
		default:
			return nil, fmt.Errorf("result %d is a %T, want an array", i, v)
		}
	}
	return xs, nil
}

// values lists what a function returned, lists of arrays spread out. An error among the results refuses the call.
func values(out []reflect.Value) ([]any, error) {
	var all []any
	for _, v := range out {
		switch x := v.Interface().(type) {
		case error:
			return nil, &Refusal{Kind: Refused, Err: x}
		case []*nd.Array:
			for _, y := range x {
				all = append(all, y)
			}
		case [][]*nd.Array:
			for _, list := range x {
				for _, y := range list {
					all = append(all, y)
				}
			}
		default:
			if v.Type() != reflect.TypeFor[error]() { // of a nil error
				all = append(all, x)
			}
		}
	}
	return all, nil
}
