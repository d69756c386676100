package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
)

// parametricRecurrentRows is the chapter of parametric functions of sequences.
var parametricRecurrentRows = []Row{
	{Signature: "nnabla.parametric_functions.embed(inp, n_inputs, n_features, fix_parameters=False, name=None)", Func: nn.Embed},
	{Signature: "nnabla.parametric_functions.lstm(x, h, c, state_size, w_init=None, b_init=None, fix_parameters=False, name=None)",
		Func: func(s *nn.Scope, x, h, c *nd.Array, size int, w, b nn.Initializer) (hn, cn *nd.Array) {
			st := nn.State{H: h, C: c}
			nn.LSTMCell(s, x, &st, size, nn.LSTMCellOptions{WInit: w, BInit: b})
			return st.H, st.C
		}},
	{Signature: "nnabla.parametric_functions.LSTMCell(batch_size, state_size, h=None, c=None, name=None, x=None, w_init=None, b_init=None, fix_parameters=False)",
		Func: lstmCell, Note: "a state is a value, nn.State; x, w_init, b_init and fix_parameters are those of the calls that follow"},
	{Signature: "nnabla.parametric_functions.LSTMCell.__call__(x, w_init, b_init, fix_parameters)",
		Func: func(s *nn.Scope, x *nd.Array, w, b nn.Initializer) *nd.Array {
			return lstmCell(s, x.Dim(0), x.Dim(1), nil, nil, []*nd.Array{x}, w, b)[0]
		}, Note: "of a cell with as many units as x has inputs"},
}

// lstmCell calls a cell on several inputs in turn, and returns the output of each, and then the memory.
func lstmCell(s *nn.Scope, batch, size int, h, c *nd.Array, xs []*nd.Array, w, b nn.Initializer) []*nd.Array {
	const fn nd.Func = "catalogue.LSTMCell"
	st := nn.State{H: h, C: c}
	var out []*nd.Array
	for _, x := range xs {
		if fn.Check(x); x.Rank() != 2 || x.Dim(0) != batch {
			panic(fn.Errorf([]*nd.Array{x}, "want a batch of %d", batch))
		}
		out = append(out, nn.LSTMCell(s, x, &st, size, nn.LSTMCellOptions{WInit: w, BInit: b}))
	}
	return append(out, st.C)
}
