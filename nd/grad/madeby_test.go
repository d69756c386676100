package grad_test

import (
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
)

// TestResultsNameTheFunctionThatWasCalled uses results of composed functions after Reset. The message must name these
// functions, not the last function that they call.
func TestResultsNameTheFunctionThatWasCalled(t *testing.T) {
	for name, of := range map[string]func(x *nd.Array) *nd.Array{
		"normalize.Normalize": func(x *nd.Array) *nd.Array { return normalize.Normalize(x) },
		"linalg.Norm":         func(x *nd.Array) *nd.Array { return linalg.Norm(x) },
		"ops.CorrCoef":        func(x *nd.Array) *nd.Array { return ops.CorrCoef(x) },
		"ops.NanStd":          func(x *nd.Array) *nd.Array { return ops.NanStd(x) },
	} {
		tape := grad.NewTape()
		y := of(tape.Watch(nd.FromSlice([]float64{1, 2, 3, 5, 7, 4}, 2, 3)))
		tape.Reset()
		want := "made by " + name + " under a released tape: Keep it, or use it before Reset"
		if err := nd.Catch(func() { ops.Exp(y) }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
