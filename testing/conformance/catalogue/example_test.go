package catalogue_test

import (
	"errors"
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

func ExampleCall() {
	x := nd.FromSlice([]float64{1, 2, 3, 4}, 2, 2)
	r, err := catalogue.Call("cupy.sum", []any{x}, map[string]any{"axis": 0, "keepdims": true})
	fmt.Println(r.Values[0], err)

	_, err = catalogue.Call("cupy.sum", []any{x, 2}, nil)
	var refused *catalogue.Refusal
	fmt.Println(errors.As(err, &refused) && refused.Kind == catalogue.Refused)
	_, err = catalogue.Call("cupy.sum", []any{x}, map[string]any{"axes": 0})
	fmt.Println(errors.As(err, &refused) && refused.Kind == catalogue.Misuse)
	// Output:
	// [[4. 6.]] <nil>
	// true
	// true
}

func ExampleCall_gradients() {
	x := nd.FromSlice([]float64{-2, 3})
	r, err := catalogue.Call("chainer.functions.leaky_relu", []any{x}, map[string]any{"slope": 0.5},
		catalogue.CallOptions{Gradients: []string{"x"}})
	fmt.Println(r.Values[0], r.Gradients["x"], err)
	// Output: [-1.  3.] [0.5 1. ] <nil>
}
