package catalogue

import (
	"fmt"
	"reflect"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
)

// Result is the result of a call.
type Result struct {
	// Returned are the results as the function returned them: arrays, lists of arrays ([]*nd.Array), lists of such lists,
	// Go values, and structs of adapters. A link that is called for several time steps has the results of all steps, one
	// after the other.
	Returned []any
	// Values are the results with all lists of arrays flattened.
	Values []any
	// Arguments are the array arguments as the function got them: on its device and watched by the tape. An item of a
	// list is named "ws[1]".
	Arguments map[string]*nd.Array
	// Written are the arguments that the function changed.
	Written map[string]*nd.Array
	// Gradients are the requested gradients. An argument without a gradient is missing.
	Gradients map[string]*nd.Array
	// State is the state of a link after the call; nil for a function without a state.
	State *nn.State
	// Scope has the parameters of a parametric function after the call; nil for any other.
	Scope *nn.Scope
}

// Arrays returns the results as arrays, with numbers as 0-d arrays and nil for missing results. The error names the
// result that is neither.
func (r *Result) Arrays() ([]*nd.Array, error) {
	if len(r.Values) == 1 {
		if v, ok := r.Values[0].(interface{ Outputs() []*nd.Array }); ok {
			return v.Outputs(), nil // a struct of an adapter, whose properties expected names
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
			return nil, fmt.Errorf("result %d is a %T: want an array", i, v)
		}
	}
	return xs, nil
}

// returned lists the results of a function. A returned error becomes a refusal.
func returned(out []reflect.Value) ([]any, error) {
	var all []any
	for _, v := range out {
		x := v.Interface()
		if err, failed := x.(error); failed {
			return nil, &Refusal{Kind: Refused, Err: err}
		}
		if v.Type() != reflect.TypeFor[error]() { // not a nil error
			all = append(all, x)
		}
	}
	return all, nil
}

// flattened returns results with all lists of arrays flattened.
func flattened(results []any) []any {
	var all []any
	for _, v := range results {
		switch v := v.(type) {
		case []*nd.Array:
			for _, x := range v {
				all = append(all, x)
			}
		case [][]*nd.Array:
			for _, list := range v {
				all = append(all, flattened([]any{list})...)
			}
		default:
			all = append(all, v)
		}
	}
	return all
}

// moveTo moves arrays among results, and those in lists, to a device.
func moveTo(d device.Device, results []any) {
	for i, v := range results {
		switch v := v.(type) {
		case *nd.Array:
			results[i] = OnDevice(v, d)
		case []*nd.Array:
			for k, x := range v {
				v[k] = OnDevice(x, d)
			}
		case [][]*nd.Array:
			for _, list := range v {
				moveTo(d, []any{list})
			}
		}
	}
}
