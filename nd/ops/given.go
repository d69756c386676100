package ops

import "github.com/ndgrad/ndgrad/nd"

// showGiven has a refusal show the operands that the caller gave, where a function has made others of them that differ by axes of
// length 1. It is to be deferred.
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
