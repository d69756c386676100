package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// x/2·(1 + tanh(u)) is x·sigmoid(2u), which stays accurate for negative u if 2u = ax + bx³ is known well enough: an
// error of u causes a relative error of the same size in the result. Below float64 it is enough to compute in float64.
//
// In float64, h is x rounded to 13 bits; then h·(A + B·h²) is exact, where A and B are a and b rounded to as many bits
// as that allows, and the rest is small. Where the sigmoid underflows it is the square of exp(u), which does not
// underflow.
var gelu = ufunc.Definition{Fn: "ops.GELU", Loop: ufunc.RealFloat,
	Body: "double v = min(max(x, -30), 30); double u = v * (1.5957691216057308 + 0.07135481627260025 * (v * v)); " +
		"y = max(x, -30) * sigmoid(u)",
	Body64: "v = max(x, -30); w = min(v, 30); h = rint(w * 256) / 256; s = h * h; " +
		"head = h * (1.5957691215444356 + 0.07135009765625 * s); " +
		"rest = (w - h) * (1.5957691216057308 + 0.07135481627260025 * (w * (w + h) + s)) + " +
		"h * (6.129509145186187e-11 + 4.718616350248776e-06 * s); " +
		"u = head + rest; r = rest - (u - head); p = sigmoid(u); e = exp(u / 2); " +
		"y = u < -64 ? (v * e) * (e + e * r) : v * (p + p * (1 - p) * r)",
	Gradient: "v = min(max(x, -30), 30); s = v * v; " +
		"p = sigmoid(v * (1.5957691216057308 + 0.07135481627260025 * s)); " +
		"gx = gy * (p + v * p * (1 - p) * (1.5957691216057308 + 3 * 0.07135481627260025 * s))"}

// GELU returns x/2·(1 + tanh(√(2/π)·(x + 0.044715x³))), within 4 ulp: the usual approximation of GELUErf.
//
// Source: D. Hendrycks, K. Gimpel, Gaussian Error Linear Units, 2016.
// PyTorch: nn.functional.gelu (with approximate "tanh"). NNabla: gelu.
func GELU(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&gelu, x, opts) }

// In float64, where the distribution function underflows, it is computed as the density times an asymptotic series in
// 1/x². h is x rounded to 12 bits, so that its square is exact.
var geluErf = ufunc.Definition{Fn: "ops.GELUErf", Loop: ufunc.RealFloat,
	Body: "double v = max(x, -2000); y = v * ndtr(v)",
	Body64: "v = max(x, -2000); h = rint(v * 64) / 64; e = exp(-0.5 * (h * h)) * exp(-0.5 * (v - h) * (v + h)); s = 1 / (v * v); " +
		"series = 1 - s * (1 - 3 * s * (1 - 5 * s * (1 - 7 * s * (1 - 9 * s * (1 - 11 * s))))); " +
		"y = v < -36 ? -0.3989422804014327 * e * series : v * ndtr(v)",
	Gradient: "v = min(max(x, -2000), 2000); gx = gy * (ndtr(v) + v * (0.3989422804014327 * exp(-0.5 * v * v)))"}

// GELUErf returns x·Φ(x) = x/2·(1 + erf(x/√2)), within 4 ulp.
//
// Source: D. Hendrycks, K. Gimpel, Gaussian Error Linear Units, 2016.
// PyTorch: nn.functional.gelu. MXNet: leaky_relu (with act_type gelu_erf).
func GELUErf(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&geluErf, x, opts) }
