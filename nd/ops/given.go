package ops

import "github.com/ndgrad/ndgrad/nd"

// showGiven makes an error show the caller's operands, for functions that add or drop axes of length 1 before they call
// others. Defer it.
func showGiven(operands ...*nd.Array) {
	refusal := recover()
	if refusal == nil {
		return
	}
	if e, ok := refusal.(*nd.Error); ok && len(e.Shapes) > 0 {
		e.Within, e.Shapes, e.DTypes = "", nil, nil
		for _, x := range operands {
			if x != nil {
				e.Shapes, e.DTypes = append(e.Shapes, x.Shape()), append(e.DTypes, x.DType())
			}
		}
	}
	panic(refusal)
}
