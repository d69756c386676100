package catalogue

import (
	"github.com/ndgrad/ndgrad/nn"
)

// parametricLayerRows is the chapter of further convolutions with parameters.
var parametricLayerRows = []Row{
	{Signature: "nnabla.parametric_functions.deconvolution(inp, outmaps, kernel, pad=None, stride=None, dilation=None, group=1, w_init=None, b_init=None, base_axis=1, fix_parameters=False, rng=None, with_bias=True, name=None)",
		Func: nn.Deconvolution, Ignores: ownStream},
	{Signature: "nnabla.parametric_functions.depthwise_convolution(inp, kernel, pad=None, stride=None, dilation=None, multiplier=1, w_init=None, b_init=None, base_axis=1, fix_parameters=False, rng=None, with_bias=True, name=None)",
		Func: nn.DepthwiseConvolution, Ignores: ownStream},
	{Signature: "nnabla.parametric_functions.depthwise_deconvolution(inp, kernel, pad=None, stride=None, dilation=None, divisor=1, w_init=None, b_init=None, base_axis=1, fix_parameters=False, rng=None, with_bias=True, name=None)",
		Func: nn.DepthwiseDeconvolution, Ignores: ownStream},
}
