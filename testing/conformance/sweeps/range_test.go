package sweeps

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
)

// TestSweepRange multiplies arrays by about 1e30 and 1e-30 in float32, and by 1e200 and 1e-200 in float64: each argument
// alone, and all together. If a function is homogeneous, that is if moderate factors c multiply its results and
// gradients by powers of c, so do these. Powers that leave the range of the dtype do not count.
func TestSweepRange(t *testing.T) {
	swept, homogeneous := map[string]bool{}, map[string]bool{} // Go functions
	sweep(t, func(s *subject) error {
		if swept[s.functionName()] || s.fn.Row.Random || outOfRange[s.c.Function] != "" {
			return nil
		}
		for _, paths := range s.scalable() {
			swept[s.functionName()] = true
			for _, up := range []bool{true, false} {
				compared, err := s.scales(paths, up)
				if err != nil {
					return fmt.Errorf("%v: %w", paths, err)
				}
				homogeneous[s.functionName()] = homogeneous[s.functionName()] || compared
			}
		}
		return nil
	})
	found := 0
	for _, is := range homogeneous {
		if is {
			found++
		}
	}
	if found < 200 && *sweepOnly == "" {
		t.Errorf("%d of %d functions are homogeneous: the sweep compares nothing", found, len(swept))
	}
}

// outOfRange says why the results or gradients of a homogeneous function leave the range although their inputs do not.
var outOfRange = map[string]string{
	"chainer.functions.n_step_bilstm":                        productsOfLayers,
	"chainer.functions.n_step_birnn":                         productsOfLayers,
	"chainer.functions.n_step_lstm":                          productsOfLayers,
	"chainer.links.GRU":                                      productsOfLayers,
	"nnabla.functions.lstm":                                  productsOfLayers,
	"nnabla.functions.rnn":                                   productsOfLayers,
	"chainer.functions.negative_sampling":                    "products of vectors leave the range before their sigmoid, which is flat there",
	"nnabla.functions.multi_head_attention":                  "products of queries and keys leave the range before their softmax, which is flat there",
	"torch.nn.functional.scaled_dot_product_attention":       "products of queries and keys leave the range before their softmax, which is flat there",
	"chainer.functions.spatial_transformer_sampler":          roundedPositions,
	"nnabla.functions.deformable_convolution":                roundedPositions,
	"nnabla.functions.warp_by_grid":                          roundedPositions,
	"cupy.ReductionKernel":                                   "the caller's program squares",
	"nnabla.functions.batch_det":                             "the gradient is a product with the determinant",
	"numpy.average":                                          "products with the weights leave the range",
	"torch.nn.functional.nll_loss":                           "products with the weights leave the range",
	"numpy.histogram":                                        "equal numbers get bins of width 1 around them",
	"numpy.linalg.lstsq":                                     "the gradient reads the inverse of AᵀA",
	"torch.linalg.lstsq":                                     "the gradient reads the inverse of AᵀA",
	"torch.nn.functional.fractional_max_pool2d":              samplesOfWindows,
	"torch.nn.functional.fractional_max_pool2d_with_indices": samplesOfWindows,
	"torch.nn.functional.fractional_max_pool3d":              samplesOfWindows,
	"torch.nn.functional.fractional_max_pool3d_with_indices": samplesOfWindows,
	"numpy.polydiv":                                          "the gradient reads powers of the divisor's first coefficient",
}

const (
	productsOfLayers = "products of weights and states leave the range before their tanh or sigmoid, which is flat there"
	samplesOfWindows = "the samples are from 0 to 1, and rounded to the first indices of windows"
	roundedPositions = "positions are rounded to pixels: tiny ones are on the other side of an edge in the center of a pixel"
)

// scalable lists the arguments that are multiplied together: each array of floats or complex numbers, and all of them.
func (s *subject) scalable() (groups [][]string) {
	var all []string
	for _, path := range s.plain.paths {
		x := s.plain.args[path]
		if x.DType().IsInexact() && !s.fn.Row.MayWrite(path) && x.Size() > 0 && !slices.Contains(all, path) {
			if m := extent(x); m > 0 && m < 1e3 {
				all = append(all, path)
			}
		}
	}
	if len(all) > 1 && len(all) <= 3 {
		for _, path := range all {
			groups = append(groups, []string{path})
		}
	}
	if all != nil {
		groups = append(groups, all)
	}
	return groups
}

// scales checks factors above 1 or below 1, and reports whether the function is homogeneous for them.
func (s *subject) scales(paths []string, up bool) (compared bool, err error) {
	// At the first factor, small numbers that a function adds (eps) no longer count, or already count.
	factors := []float64{0x1p44, 0x1p46, 0x1p49}
	if !up {
		factors = []float64{0x1p-44, 0x1p-46, 0x1p-49}
	}
	var at [3][]measured
	for i, f := range factors {
		var ok bool
		if at[i], ok = s.scaledBy(paths, f, dtype.Float64); !ok || len(at[i]) != len(at[0]) {
			return false, nil
		}
	}
	powers := make([]float64, len(at[0]))
	for i := range powers {
		var ok bool
		if powers[i], ok = power(at[0][i], at[1][i], factors[1]/factors[0], at[2][i], factors[2]/factors[0]); !ok {
			return false, nil
		}
	}
	for dt, extreme := range map[dtype.DType]float64{dtype.Float32: 0x1p100, dtype.Float64: 0x1p665} {
		if !up {
			extreme = 1 / extreme
		}
		base, ok := s.scaledBy(paths, factors[0], dt)
		if !ok || len(base) != len(powers) {
			continue
		}
		got, ok := s.scaledBy(paths, extreme, dt)
		if !ok || len(got) != len(powers) {
			return false, fmt.Errorf("%s, multiplied by %.2g: refused", dt, extreme)
		}
		for i, p := range powers {
			if err := scaledAs(base[i], got[i], math.Log2(extreme/factors[0])*p); err != nil {
				return false, fmt.Errorf("%s, multiplied by %.2g instead of %.2g: result or gradient %d: %w", dt, extreme, factors[0], i, err)
			}
		}
	}
	return true, nil
}

// measured are the numbers of a result or gradient, which outlive the tape.
type measured struct {
	dtype  dtype.DType
	shape  []int
	values []complex128
}

func measure(x *nd.Array) measured {
	m := measured{x.DType(), x.Shape(), make([]complex128, x.Size())}
	e := compare.ElementsOf(x)
	for i := range m.values {
		m.values[i] = e.ComplexAt(i)
	}
	return m
}

// scaledBy calls the function with some of its arguments multiplied by a factor, in a float dtype or the complex dtype of
// it. It returns the results and the gradients of those arguments.
func (s *subject) scaledBy(paths []string, factor float64, dt dtype.DType) (numbers []measured, ok bool) {
	tape := grad.NewTape()
	defer tape.Release()
	var watched []*nd.Array
	o := s.call(setting{
		args: s.withoutOutAndDType,
		edit: func(path string, x *nd.Array) *nd.Array {
			if !x.DType().IsInexact() || s.fn.Row.MayWrite(path) {
				return x
			}
			t := dt
			if x.DType().IsComplex() {
				t = dt.Complex()
			}
			if x = x.AsType(t); slices.Contains(paths, path) {
				x = tape.Watch(ops.Multiply(x, factor))
				watched = append(watched, x)
			}
			return x
		},
	})
	if o.err != nil {
		return nil, false
	}
	var recorded, weights []*nd.Array
	for i, y := range s.outputs(o) {
		if y == nil || !y.DType().IsInexact() || y.Size() == 0 {
			continue
		}
		numbers = append(numbers, measure(y.Detach()))
		if n, _ := y.Node(); n != nil {
			recorded, weights = append(recorded, y), append(weights, weightsFor(y, i))
		}
	}
	if recorded == nil {
		return numbers, numbers != nil
	}
	gradients, err := catalogue.Try(func() []*nd.Array { return tape.VJP(recorded, weights, watched...) })
	if err != nil {
		return nil, false
	}
	for _, g := range gradients {
		if g != nil {
			numbers = append(numbers, measure(g))
		}
	}
	return numbers, true
}

// power returns the power p for which two factors multiply numbers by factor^p.
func power(y, y1 measured, factor1 float64, y2 measured, factor2 float64) (p float64, ok bool) {
	for i, v := range y.values {
		if v != 0 && len(y1.values) == len(y.values) {
			p = math.Round(2*math.Log2(cmplx.Abs(y1.values[i]/v))/math.Log2(factor1)) / 2
			break
		}
	}
	return p, math.Abs(p) <= 4 && scaledExactly(y, y1, math.Pow(factor1, p)) && scaledExactly(y, y2, math.Pow(factor2, p))
}

// scaledExactly reports whether numbers are others times a factor, within rounding.
func scaledExactly(y, scaled measured, factor float64) bool {
	if !slices.Equal(y.shape, scaled.shape) {
		return false
	}
	for i, v := range y.values {
		want := v * complex(factor, 0)
		if !(cmplx.Abs(scaled.values[i]-want) <= 1e-10*cmplx.Abs(want)) {
			return false
		}
	}
	return true
}

// scaledAs returns an error unless got is y times 2^exponent, as far as that is in the range of the dtype.
func scaledAs(y, got measured, exponent float64) error {
	if !slices.Equal(y.shape, got.shape) {
		return fmt.Errorf("it has shape %v, want %v", got.shape, y.shape)
	}
	info := dtype.Info(got.dtype.Real())
	most, least := math.Log2(info.Max)-8, math.Log2(info.Tiny)+8
	half := complex(math.Exp2(-exponent/2), 0) // the power may leave the range
	for i, v := range y.values {
		if size := math.Log2(cmplx.Abs(v)) + exponent; !(size < most && size > least) {
			continue
		}
		if g := got.values[i] * half * half; !(cmplx.Abs(g-v) <= max(1e3*info.Eps, 1e-8)*cmplx.Abs(v)) {
			return fmt.Errorf("%s is %v, want %v·2^%v", compare.Position(i, y.shape), got.values[i], v, exponent)
		}
	}
	return nil
}
