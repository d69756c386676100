package named_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// TestInitializerCall calls initializers of the library and of a user.
func TestInitializerCall(t *testing.T) {
	const of = "nnabla.initializer.BaseInitializer.__call__"
	equal(t, "a constant", one[*nd.Array](t, of, initializer.Constant(3), []int{2, 1}), nd.FromSlice([]float32{3, 3}, 2, 1))
	own := initializer.Initializer(func(_ *nd.Rand, shape []int, o nd.ArrayOptions) *nd.Array {
		return nd.Full(shape, len(shape), o)
	})
	equal(t, "a user's", one[*nd.Array](t, of, own, []int{1, 2, 1}), nd.FromSlice([]float32{3, 3}, 1, 2, 1))
	x := one[*nd.Array](t, of, initializer.Uniform(-1, 1), []int{100})
	equal(t, "dtype", x.DType(), dtype.Float32)
	for _, v := range nd.ToSlice[float64](x) {
		if v < -1 || v >= 1 {
			t.Errorf("a uniform number %v", v)
		}
	}
}

// TestLSTMCellCall runs two steps of a cell with one unit and compares them with the formula, computed here: with
// weights of 0 the gates are functions of the bias alone.
func TestLSTMCellCall(t *testing.T) {
	const of = "nnabla.parametric_functions.LSTMCell.__call__"
	bias := []float64{0.5, -1, 2, 0.25} // of the gates i, o, f and of g
	values := initializer.Values(nd.FromSlice([]float32{0.5, -1, 2, 0.25}, 4, 1))
	cell, scope := &nn.State{}, nn.NewScope()
	c := 0.0
	for step := range 2 {
		x := nd.FromSlice([]float32{1, 2, 3}, 1, 3)
		r := call(t, of, cell, x, with{"state_size": 1, "w_init": initializer.Constant(0), "b_init": values}, catalogue.CallOptions{Scope: scope})
		c = sigma(bias[2])*c + sigma(bias[0])*math.Tanh(bias[3])
		h := sigma(bias[1]) * math.Tanh(c)
		near(t, "the result", r.Values[0], h)
		near(t, "h", cell.H, h)
		near(t, "c", cell.C, c)
		if t.Failed() {
			t.Fatalf("in step %d", step)
		}
	}
	equal(t, "shape of the weights", scope.Get("lstm/affine/W").Shape(), []int{4, 4, 1})
	refused(t, "LSTMCell", of, cell, vector(1, 2))
}
