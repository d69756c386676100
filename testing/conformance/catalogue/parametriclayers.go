package catalogue

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
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

	{Signature: "nnabla.parametric_functions.svd_affine(inp, n_outmaps, r, base_axis=1, uv_init=None, b_init=None, fix_parameters=False, rng=None, with_bias=True, name=None)",
		Func: func(s *nn.Scope, x *nd.Array, out []int, r int, opts ...nn.SVDAffineOptions) *nd.Array {
			o := options.Read(parametric, opts)
			o.OutShape = out
			return nn.SVDAffine(s, x, broadcast.Size(out), r, o)
		}, Ignores: ownStream},
	{Signature: "nnabla.parametric_functions.svd_convolution(inp, outmaps, kernel, r, pad=None, stride=None, dilation=None, uv_init=None, b_init=None, base_axis=1, fix_parameters=False, rng=None, with_bias=True, name=None)",
		Func: nn.SVDConvolution, Ignores: ownStream},
	{Signature: "nnabla.parametric_functions.cpd3_convolution(inp, outmaps, kernel, r, pad=None, stride=None, dilation=None, oik_init=None, b_init=None, base_axis=1, fix_parameters=False, rng=None, with_bias=True, max_iter=500, stopping_criterion=1e-05, lambda_reg=0.0, name=None)",
		Func: nn.CPD3Convolution, Ignores: ownStream},
}
