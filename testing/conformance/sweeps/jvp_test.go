package sweeps

import (
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
)

// special is a set of numbers at which derivatives have to be chosen, or at which intermediate results are infinite.
type special struct {
	name  string
	first bool // only the first element of each array is replaced
	alone bool // one array is changed at a time
	value float64
}

// specials are tried in addition to the numbers of a case. NaN means that every element becomes the first one.
var specials = []special{
	{"all 0", false, false, 0},
	{"one array 0", false, true, 0},
	{"first element 0", true, true, 0},
	{"first element +Inf", true, true, math.Inf(1)},
	{"first element -Inf", true, true, math.Inf(-1)},
	{"one array +Inf", false, true, math.Inf(1)},
	{"one array -Inf", false, true, math.Inf(-1)},
	{"one array of ties", false, true, math.NaN()},
	{"one array 1", false, true, 1},
	{"one array -1", false, true, -1},
}

// replaced returns x with the special numbers.
func (p special) replaced(x *nd.Array) *nd.Array {
	y := x.Copy().Reshape(-1)
	v := nd.Scalar(p.value)
	if math.IsNaN(p.value) {
		v = y.Index(nd.At(0)).Copy()
	}
	if p.first {
		y.Assign(v, nd.At(0))
	} else {
		y.Assign(v)
	}
	return y.Reshape(x.Shape()...)
}

// notLinear is the reason of functions that change gradients: there is no Jacobian.
const notLinear = "the gradient is a non-linear function of the gradient that arrives"

// betweenOperations is the reason of functions that consist of several operations, of which one makes a slope of 0, and
// the next multiplies it by the infinity: docs/gradients.md describes this.
const betweenOperations = "a slope of 0 in one operation meets the infinite factor of another one"

// notCompared are the functions that TestSweepJVP does not compare, with the reasons.
var notCompared = map[string]string{
	"nnabla.functions.clip_grad_by_norm":  notLinear,
	"nnabla.functions.clip_grad_by_value": notLinear,
	"nnabla.functions.top_k_grad":         notLinear,
	"numpy.linalg.cond":                   "at a matrix of zeros it is a constant NaN or Inf",
}

// finiteOnly are the functions that TestSweepJVP does not compare at infinities, with the reasons.
var finiteOnly = map[string]string{
	"chainer.functions.n_step_bigru":   betweenOperations,
	"chainer.functions.n_step_bilstm":  betweenOperations,
	"chainer.functions.n_step_gru":     betweenOperations,
	"chainer.functions.n_step_lstm":    betweenOperations,
	"chainer.functions.triplet":        betweenOperations,
	"chainer.links.Inception":          betweenOperations,
	"chainer.links.InceptionBN":        betweenOperations,
	"chainer.links.NStepBiRNNReLU":     betweenOperations,
	"chainer.links.NStepGRU":           betweenOperations,
	"chainer.links.NStepRNNReLU":       betweenOperations,
	"mxnet.npx.rnn":                    betweenOperations,
	"nnabla.functions.warp_by_flow":    "a pixel with the weight 0 is infinite",
	"nnabla.parametric_functions.lstm": betweenOperations,
	"numpy.geomspace":                  "the common ratio is infinite",
	"torch.linalg.ldl_solve":           betweenOperations,
	"torch.nn.functional.grid_sample":  "a pixel with the weight 0 is infinite",
	"torch.nn.functional.pdist":        "the difference of infinite points is NaN",
}

// TestSweepJVP compares three ways to the same derivatives: Tape.VJP, whose kernels are fused; Tape.VJPRecorded, which
// computes the gradient by differentiable functions; and grad.JVP, which differentiates that gradient with respect to
// its seed. It compares them at the numbers of the cases and at 0, ±Inf and ties. A NaN in one of them, if another one
// has a finite number, is an error.
func TestSweepJVP(t *testing.T) {
	swept := map[string]bool{} // Go functions
	compared := 0
	sweep(t, func(s *subject) error {
		if swept[s.functionName()] || notCompared[s.c.Function] != "" {
			return nil
		}
		v, err := s.variables(points[0])
		if err != nil || v == nil {
			return nil // TestSweepGradients checks this
		}
		swept[s.functionName()] = true
		compared++
		if err := v.compareModes(); err != nil {
			return fmt.Errorf("at the case's own numbers: %w", err)
		}
		for _, p := range specials {
			if math.IsInf(p.value, 0) && finiteOnly[s.c.Function] != "" {
				continue
			}
			if err := v.compareModesAt(p); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
		}
		return nil
	})
	t.Logf("compared %d functions", compared)
	if *sweepOnly == "" && compared < 400 {
		t.Errorf("compared only %d functions", compared)
	}
}

// mostArrays is the number of arrays that are compared by JVP, and changed one after the other. Functions of more arrays
// are networks, whose parts have rows of their own.
const mostArrays = 4

// compareModesAt compares the derivatives at special numbers of all arrays together, or of one array after the other.
func (v *variables) compareModesAt(p special) error {
	for i := range v.all {
		if !v.all[i].varies {
			continue
		}
		w := &variables{s: v.s, all: slices.Clone(v.all), outputs: v.outputs, eps: v.eps}
		for k := range w.all {
			if a := &w.all[k]; a.varies && (k == i || !p.alone) {
				a.x = p.replaced(a.x)
			}
		}
		if err := w.compareModes(); err != nil {
			return fmt.Errorf("of %s: %w", v.all[i].path, err)
		}
		if !p.alone || i+1 == mostArrays {
			break
		}
	}
	return nil
}

// compareModes compares the derivatives with respect to each array that varies.
func (v *variables) compareModes() error {
	var xs []*nd.Array
	var paths []string
	for _, a := range v.all {
		if a.varies {
			xs, paths = append(xs, a.x), append(paths, a.path)
		}
	}
	var failure error
	_, err := catalogue.Try(func() any {
		failure = v.compareModesOf(xs, paths)
		return nil
	})
	if _, refused := err.(*catalogue.Refusal); refused {
		return nil // of a special number
	}
	return errors.Join(err, failure)
}

func (v *variables) compareModesOf(xs []*nd.Array, paths []string) error {
	results := func(xs ...*nd.Array) (ys []*nd.Array) {
		o := v.call(xs)
		if o.err != nil {
			panic(o.err)
		}
		all := v.s.outputs(o)
		for _, i := range v.outputs {
			ys = append(ys, all[i])
		}
		return ys
	}
	tape := grad.NewTape()
	defer tape.Release()
	watched := make([]*nd.Array, len(xs))
	for i, x := range xs {
		watched[i] = tape.Watch(x)
	}
	ys := results(watched...)
	var weights []*nd.Array
	for k, y := range ys {
		if hasNaN(y) {
			return nil
		}
		weights = append(weights, weightsFor(y, k))
	}
	plain, recorded := tape.VJP(ys, weights, watched...), tape.VJPRecorded(ys, weights, watched...)
	for i, x := range xs {
		if plain[i] == nil && recorded[i] == nil {
			continue
		}
		if plain[i] == nil || recorded[i] == nil {
			return fmt.Errorf("with respect to %s: only one of VJP and VJPRecorded has a gradient", paths[i])
		}
		if err := v.closeModes(recorded[i], plain[i]); err != nil {
			return fmt.Errorf("with respect to %s: VJPRecorded: %w", paths[i], err)
		}
		if i >= mostArrays {
			continue
		}
		direction := directionFor(x, i)
		want, size := realInner(plain[i], direction)
		got := 0.0
		for k := range ys {
			_, jv := grad.JVP(func(x *nd.Array) *nd.Array {
				moved := slices.Clone(xs)
				moved[i] = x
				return results(moved...)[k]
			}, x, direction)
			part, more := realInner(weights[k], jv)
			got, size = got+part, size+more
		}
		if math.IsNaN(got) && finite(plain[i]) || math.IsNaN(want) && !math.IsNaN(got) && !math.IsInf(got, 0) {
			return fmt.Errorf("with respect to %s: the derivative in a direction is %v by JVP, %v by the gradient %v", paths[i], got, want, plain[i])
		}
		if math.Abs(got-want) > 1e5*v.eps*(size+1) {
			return fmt.Errorf("with respect to %s: the derivative in a direction is %v by JVP, %v by VJP", paths[i], got, want)
		}
	}
	return nil
}

// closeModes compares gradients element by element.
func (v *variables) closeModes(got, want *nd.Array) error {
	g, w := compare.ElementsOf(got), compare.ElementsOf(want)
	scale := 1.0
	for i := range want.Size() {
		if m := cmplx.Abs(w.ComplexAt(i)); !math.IsInf(m, 0) && !math.IsNaN(m) {
			scale = max(scale, m)
		}
	}
	for i := range want.Size() {
		a, b := g.ComplexAt(i), w.ComplexAt(i)
		if a == b || !isFinite(a) && !isFinite(b) {
			continue // sums of infinities depend on the order
		}
		if !(cmplx.Abs(a-b) <= 1e5*v.eps*scale) {
			return fmt.Errorf("%v, VJP: %v", got, want)
		}
	}
	return nil
}

// directionFor returns random numbers, none of which is near 0, like x.
func directionFor(x *nd.Array, i int) *nd.Array {
	r := rand.New(rand.NewPCG(uint64(i), 12))
	return numbersLike(x, func() float64 { return math.Copysign(0.5+r.Float64(), r.Float64()-0.5) })
}

// realInner returns Re Σ conj(a)·b, and the sum of the moduli.
func realInner(a, b *nd.Array) (sum, size float64) {
	x, y := compare.ElementsOf(a), compare.ElementsOf(b)
	for i := range a.Size() {
		p, q := x.ComplexAt(i), y.ComplexAt(i)
		sum += real(p) * real(q)
		if a.DType().IsComplex() || b.DType().IsComplex() {
			sum += imag(p) * imag(q)
		}
		size += cmplx.Abs(p) * cmplx.Abs(q)
	}
	return sum, size
}

func isFinite(z complex128) bool { return !cmplx.IsNaN(z) && !cmplx.IsInf(z) }

func hasNaN(x *nd.Array) bool { return nd.Value[bool](ops.Any(ops.IsNaN(x.Detach()))) }
func finite(x *nd.Array) bool { return nd.Value[bool](ops.All(ops.IsFinite(x.Detach()))) }
