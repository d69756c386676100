package sweeps

import (
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/runner"
)

// inOtherOrder are the functions whose results need not be contiguous.
var inOtherOrder = map[string]string{
	"chainer.functions.average_pooling_nd":       "more than three axes are pooled in two parts",
	"chainer.functions.max_pooling_nd":           "more than three axes are pooled in two parts",
	"chainer.functions.spatial_transformer_grid": "the document's order of axes is a view of the grid",
	"cupy.asfortranarray":                        "columns come first on request",
	"cupy.empty":                                 "columns come first on request",
	"cupy.ndarray.copy":                          "columns come first on request",
	"cupy.zeros":                                 "columns come first on request",
	"mxnet.npx.pooling":                          "with channels last, the kernel writes planes",
	"nnabla.functions.average_pooling":           "with channels last, the kernel writes planes",
	"nnabla.functions.max_pooling":               "with channels last, the kernel writes planes",
	"nnabla.functions.sum_pooling":               "with channels last, the kernel writes planes",
	"nnabla.functions.unpooling":                 "with channels last, the kernel writes planes",
	"numpy.einsum":                               "as in NumPy, the order of the output's axes is a view of the product",
}

// TestSweepContiguous calls every function with contiguous arrays: a result in memory of its own must be contiguous, so
// that nd.Data reads it. Views of an argument keep the argument's memory.
func TestSweepContiguous(t *testing.T) {
	sweep(t, func(s *subject) error {
		if inOtherOrder[s.c.Function] != "" {
			return nil
		}
		scope, err := s.scope(mustDevice(t, "cpu"), nil, false)
		if err != nil {
			return err
		}
		named, err := runner.Arguments(s.f, s.fn, runner.WithMode(s.fn, s.c), func(_ string, x *nd.Array) *nd.Array { return x.Copy() })
		if err != nil {
			return err
		}
		result, err := s.fn.Call(nil, named, catalogue.CallOptions{Device: mustDevice(t, "cpu"), Scope: scope})
		if err != nil {
			return nil
		}
		for k, v := range result.Values {
			if err := strided(fmt.Sprint("result ", k), v, result.Arguments); err != nil {
				return err
			}
		}
		return nil
	})
}

// strided returns an error about an array of v that is not contiguous and no view of an argument.
func strided(what string, v any, arguments map[string]*nd.Array) error {
	switch v := v.(type) {
	case *nd.Array:
		if v == nil || v.IsContiguous() {
			return nil
		}
		for _, x := range arguments {
			if x.SharesMemory(v) {
				return nil
			}
		}
		return fmt.Errorf("%s: shape %v, strides %v", what, v.Shape(), v.Strides())
	case []*nd.Array:
		for k, x := range v {
			if err := strided(fmt.Sprint(what, ", array ", k), x, arguments); err != nil {
				return err
			}
		}
	case []any:
		for k, x := range v {
			if err := strided(fmt.Sprint(what, ", value ", k), x, arguments); err != nil {
				return err
			}
		}
	}
	return nil
}
