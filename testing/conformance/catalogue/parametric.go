package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// ownStream lists arguments for NumPy's generators, which are ignored: initial values come from the streams of a scope.
var ownStream = []string{"rng"}

// parametricRows is the chapter of parametric functions.
var parametricRows = []Row{
	{Signature: "nnabla.parametric_functions.affine(inp, n_outmaps, base_axis=1, w_init=None, b_init=None, fix_parameters=False, rng=None, with_bias=True, name=None)",
		Func: func(s *nn.Scope, x *nd.Array, out []int, base int, w, b initializer.Initializer, bias bool) *nd.Array {
			return nn.Affine(s, x, broadcast.Size(out), nn.AffineOptions{OutShape: out, BaseAxis: &base, WInit: w, BInit: b, WithBias: &bias})
		}, Ignores: ownStream},
	{Signature: "nnabla.parametric_functions.convolution(inp, outmaps, kernel, pad=None, stride=None, dilation=None, group=1, w_init=None, b_init=None, base_axis=1, fix_parameters=False, rng=None, with_bias=True, name=None)",
		Func: nn.Convolution, Ignores: ownStream},
	{Signature: "nnabla.parametric_functions.batch_normalization(inp, axes=[1], decay_rate=0.9, eps=1e-05, batch_stat=True, output_stat=False, fix_parameters=False, param_init=None, name=None)",
		Func: func(s *nn.Scope, x *nd.Array, axes ops.Axes, decay, eps float64, batch, stat bool, initial map[string]initializer.Initializer) []*nd.Array {
			o := nn.BatchNormalizationOptions{Axes: axes, DecayRate: &decay, Eps: &eps, BatchStat: &batch, ParamInit: initial}
			if stat {
				y, mean, variance := nn.BatchNormalizationWithStat(s, x, o)
				return []*nd.Array{y, mean, variance}
			}
			return []*nd.Array{nn.BatchNormalization(s, x, o)}
		}},
}
