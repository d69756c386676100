package sweeps

import (
	"fmt"
	"math"
	"math/cmplx"
	"testing"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestSweepWider multiplies arrays by 2^100 and 2^-100, each argument alone and all together, and compares the results
// and gradients of float32 with those of float64, whose range holds the squares and cubes of such numbers. A number
// of float32 must be near the number of float64 if the latter is in the range of float32. TestSweepRange asks more of homogeneous
// functions; this one also covers functions with margins, epsilons and thresholds.
func TestSweepWider(t *testing.T) {
	swept := map[string]bool{} // Go functions
	compared := 0
	sweep(t, func(s *subject) error {
		if swept[s.functionName()] || s.fn.Row.Random || outOfRange[s.c.Function] != "" || narrower[s.c.Function] != "" {
			return nil
		}
		for _, paths := range s.scalable() {
			swept[s.functionName()] = true
			for _, factor := range []float64{0x1p66, 0x1p100, 0x1p-66, 0x1p-100} {
				wide, ok := s.scaledBy(paths, factor, dtype.Float64)
				if !ok {
					continue
				}
				got, ok := s.scaledBy(paths, factor, dtype.Float32)
				if !ok || len(got) != len(wide) {
					continue
				}
				compared++
				for i := range wide {
					if err := nearWider(wide[i], got[i]); err != nil {
						return fmt.Errorf("%v, multiplied by %.2g: result or gradient %d: %w", paths, factor, i, err)
					}
				}
			}
		}
		return nil
	})
	if compared < 1000 && *sweepOnly == "" {
		t.Errorf("%d comparisons: the sweep compares nothing", compared)
	}
	t.Logf("%d comparisons", compared)
}

// narrower says why a function of float32 leaves the range although its result in float64 does not.
var narrower = map[string]string{
	"chainer.functions.black_out":                          "products of vectors leave the range before their softmax, which is flat there",
	"chainer.functions.kl_multinomial":                     "the quotient of probabilities far below eps rounds to 1",
	"chainer.functions.n_step_bigru":                       productsOfLayers,
	"chainer.functions.n_step_gru":                         productsOfLayers,
	"chainer.links.Highway":                                productsOfLayers,
	"mxnet.npx.box_nms":                                    "areas of boxes leave the range",
	"mxnet.npx.modulated_deformable_convolution":           productsOfArguments,
	"mxnet.npx.rnn":                                        productsOfLayers,
	"nnabla.functions.gru":                                 productsOfLayers,
	"nnabla.functions.kl_multinomial":                      "the quotient of probabilities far below eps rounds to 1",
	"nnabla.functions.layer_normalization":                 "the gradient of equal elements is the rounding error of 0",
	"numpy.cumprod":                                        productsOfArguments,
	"numpy.spacing":                                        "it is the distance of neighbours in the dtype",
	"numpy.vecmat":                                         productsOfArguments,
	"torch.index_reduce":                                   productsOfArguments,
	"torch.linalg.householder_product":                     productsOfArguments,
	"torch.linalg.ldl_solve":                               productsOfArguments,
	"torch.linalg.lu_solve":                                productsOfArguments,
	"torch.nn.functional.binary_cross_entropy_with_logits": productsOfArguments,
}

const productsOfArguments = "products of elements leave the range"

// nearWider returns an error unless the numbers of float32 are near those of float64, where these are in the range of float32.
func nearWider(want, got measured) error {
	if len(want.values) != len(got.values) {
		return nil
	}
	info := dtype.Info(dtype.Float32)
	most := 0.0
	for _, w := range want.values {
		if size := cmplx.Abs(w); size <= info.Max {
			most = max(most, size)
		}
	}
	for i, w := range want.values {
		size := cmplx.Abs(w)
		if math.IsNaN(size) || size > info.Max/256 {
			continue
		}
		if g := got.values[i]; !(cmplx.Abs(g-w) <= 1e-3*size+1e-5*most+info.Tiny*0x1p12) {
			return fmt.Errorf("float32 %v, float64 %v", g, w)
		}
	}
	return nil
}
