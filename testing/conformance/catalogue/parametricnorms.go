package catalogue

import (
	"github.com/ndgrad/ndgrad/nn"
)

// parametricNormRows is the chapter of parametric normalisations and of parametric functions with slopes.
var parametricNormRows = []Row{
	{Signature: "nnabla.parametric_functions.prelu(inp, base_axis=1, shared=True, fix_parameters=False, name=None)", Func: nn.PReLU},
	{Signature: "nnabla.parametric_functions.mean_subtraction(inp, base_axis=1, update_running_mean=True, fix_parameters=False, name=None)",
		Func: nn.MeanSubtraction},
}
