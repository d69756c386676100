package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// parametricBlockRows is the chapter of recurrent cells, embeddings, normalisations and attention with parameters.
var parametricBlockRows = []Row{
	{Signature: "nnabla.parametric_functions.embed(inp, n_inputs, n_features, fix_parameters=False, name=None, initializer=None)", Func: nn.Embed},
	{Signature: "nnabla.parametric_functions.lstm(x, h, c, state_size, w_init=None, b_init=None, fix_parameters=False, name=None)",
		Func: func(s *nn.Scope, x, h, c *nd.Array, size int, w, b initializer.Initializer) (hNext, cNext *nd.Array) {
			st := nn.State{C: c, H: h}
			nn.LSTMCell(s, x, &st, size, nn.LSTMCellOptions{WInit: w, BInit: b})
			return st.H, st.C
		}},
	{Signature: "nnabla.parametric_functions.LSTMCell(batch_size, state_size, h=None, c=None, name=None, x=[], w_init=None, b_init=None, fix_parameters=False)",
		Func: func(s *nn.Scope, size int, h, c *nd.Array, xs []*nd.Array, w, b initializer.Initializer) (outputs []*nd.Array) {
			st := nn.State{C: c, H: h}
			for _, x := range xs {
				outputs = append(outputs, nn.LSTMCell(s, x, &st, size, nn.LSTMCellOptions{WInit: w, BInit: b}))
			}
			return append(outputs, st.C)
		}, Ignores: []string{"batch_size"}, Note: "the cell is an nn.State with as many rows as the first input"},
	{Signature: "nnabla.parametric_functions.LSTMCell.__call__(self, x, w_init=None, b_init=None, fix_parameters=False, state_size=1, name=None)",
		Func: func(s *nn.Scope, cell *nn.State, x *nd.Array, w, b initializer.Initializer, size int) *nd.Array {
			return nn.LSTMCell(s, x, cell, size, nn.LSTMCellOptions{WInit: w, BInit: b})
		}, Note: "self is an nn.State"},
}
