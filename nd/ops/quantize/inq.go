package quantize

import (
	"cmp"
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// INQSelection selects the half of the weights that a step of INQ fixes.
type INQSelection string

const (
	INQLargestAbs INQSelection = "largest_abs" // the weights of the largest absolute value
	INQRandom     INQSelection = "random"      // each weight with probability 1/2
)

// INQOptions are the options of NewINQ.
type INQOptions struct {
	// NumBits is the number of bits of a fixed weight; two of them are for its sign and zero. 0 means 4.
	NumBits int
	// Iterations are the steps, counted from 0, at which half of the weights that still learn are fixed, rounded down but
	// at least one. The last of these steps fixes all.
	Iterations []int
	// SelectionAlgorithm selects this half; the default is INQLargestAbs.
	SelectionAlgorithm INQSelection
	// Rand is the stream for INQRandom.
	Rand *nd.Rand
	// Steps is the number of earlier steps, for a training that is continued.
	Steps int
}

// INQ is the state of the incremental quantisation of a layer's weights between steps: the number of the step, and the
// fixed weights. Each layer needs its own INQ.
type INQ struct {
	options    INQOptions
	steps      int
	w, isFixed *nd.Array // the state after the last step; nil before the first
}

// NewINQ returns the state for a layer before its first step.
func NewINQ(opts ...INQOptions) *INQ {
	const fn nd.Func = "quantize.NewINQ"
	o := options.Read(fn, opts)
	o.NumBits = cmp.Or(o.NumBits, 4)
	if o.SelectionAlgorithm == "" {
		o.SelectionAlgorithm = INQLargestAbs
	}
	switch {
	case o.NumBits < 2 || o.Steps < 0:
		panic(fn.Errorf(nil, "NumBits %d, Steps %d: want at least two bits, and no negative number of steps", o.NumBits, o.Steps))
	case o.SelectionAlgorithm != INQLargestAbs && o.SelectionAlgorithm != INQRandom:
		panic(fn.Errorf(nil, "SelectionAlgorithm %q: want largest_abs or random", o.SelectionAlgorithm))
	case o.SelectionAlgorithm == INQRandom && o.Rand == nil:
		panic(fn.Errorf(nil, "SelectionAlgorithm random: give it a Rand"))
	}
	o.Iterations = slices.Clone(o.Iterations)
	return &INQ{options: o, steps: o.Steps}
}

// Steps returns the number of steps so far.
func (q *INQ) Steps() int { return q.steps }

// State returns the state for saving: the number of steps, and the weights after the last step and which of them are
// fixed (both nil before the first step). The arrays are the state's own arrays.
func (q *INQ) State() (steps int, w, isFixed *nd.Array) { return q.steps, q.w, q.isFixed }

// Restore sets the state to a result of State; it copies the arrays.
func (q *INQ) Restore(steps int, w, isFixed *nd.Array) {
	const fn nd.Func = "INQ.Restore"
	switch {
	case steps < 0 || (w == nil) != (isFixed == nil):
		panic(fn.Errorf(nil, "%d steps: want no negative number, and both arrays or none", steps))
	case w != nil:
		if fn.Check(w, isFixed); !w.DType().IsFloat() || isFixed.DType() != dtype.Bool || !broadcast.Equal(w.Shape(), isFixed.Shape()) {
			panic(fn.Errorf([]*nd.Array{w, isFixed}, "want weights of floats, and bools of their shape"))
		}
	}
	q.Release()
	if q.steps = steps; w != nil {
		q.w, q.isFixed = w.Copy(), isFixed.Copy()
	}
}

// Rand returns the stream for "random", or nil.
func (q *INQ) Rand() *nd.Rand { return q.options.Rand }

// Release releases the arrays of the state; the next step treats its weights as unknown.
func (q *INQ) Release() {
	if q.w != nil {
		q.w.Release()
		q.isFixed.Release()
		q.w, q.isFixed = nil, nil
	}
}

const inqStep nd.Func = "INQ.Step"

// powers rounds the fixed weights, whose previous values are old; exponents is the number of exponents.
var powers = ufunc.Definition{Fn: inqStep, In: "T w, T old, T most, bool isFixed", Scalars: "T exponents", Loop: ufunc.RealFloat,
	Body: `top = floor(log2(most / 1.5)) + 1;
		bottom = top + 1 - exponents;
		a = abs(old);
		q = a < exp2(bottom - 1) ? T(0) : exp2(min(max(floor(log2(a / 1.5)) + 1, bottom), top));
		y = !isFixed ? w : old != old ? old : old < 0 ? -q : q`,
	Gradient: "gw = gy; gold = T(0); gmost = T(0)"}

// Step returns the weights of a layer for its next forward pass, and which of them are fixed (bool). Fixed weights keep
// their values from the step before, even if an optimizer changed them. At the steps in Iterations more weights are
// fixed. All fixed weights are rounded to powers of two, or 0. fixed, of any dtype, is nonzero for additional weights
// to be fixed; nil means none. The gradient is straight-through, also for fixed weights: gy.
//
//	wq, fixed := inq.Step(w, nil)
//	y := ops.Affine(x, wq)
//
// With n the exponent of the power of two that is nearest to the largest weight, fixed weights are 0 or have exponents
// from n + 1 - 2^(bits-2) to n; mantissas from 3/2 on round up. NNabla's inq_affine and inq_convolution are ops.Affine
// and conv.Convolution with such weights, and overwrite the old weights.
//
// Source: A. Zhou et al., Incremental Network Quantization: Towards Lossless CNNs with Low-Precision Weights, 2017.
func (q *INQ) Step(w, fixed *nd.Array) (y, isFixed *nd.Array) {
	fn := inqStep
	q.check(fn, w, fixed)
	made := fn.Temporaries(&w, &fixed)
	defer made.Release()
	old, isFixed := q.restored(fn, w, fixed)
	if at := q.options.Iterations; slices.Contains(at, q.steps) {
		next := nd.Scalar(true)
		if q.steps != at[len(at)-1] {
			next = q.half(old, isFixed)
		}
		isFixed = ops.LogicalOr(isFixed, next)
	}
	y = q.rounded(w, old, isFixed)
	q.endStep(y, isFixed)
	return made.Keep(y), made.Keep(isFixed)
}

// Weights returns the weights of a layer for an evaluation between two steps: the result of Step without fixing more
// weights. It changes nothing, so that several goroutines may call it.
func (q *INQ) Weights(w, fixed *nd.Array) *nd.Array {
	const fn nd.Func = "INQ.Weights"
	q.check(fn, w, fixed)
	made := fn.Temporaries(&w, &fixed)
	defer made.Release()
	old, isFixed := q.restored(fn, w, fixed)
	return made.Keep(q.rounded(w, old, isFixed))
}

// check panics if the weights are not floats, or do not have the shape of the earlier steps.
func (q *INQ) check(fn nd.Func, w, fixed *nd.Array) {
	in := []*nd.Array{w}
	if fixed != nil {
		in = append(in, fixed)
	}
	fn.Check(in...)
	switch {
	case !w.DType().IsFloat():
		panic(fn.Errorf(in, "want weights of floats"))
	case fixed != nil && !broadcast.Equal(w.Shape(), fixed.Shape()):
		panic(fn.Errorf(in, "want arrays of one shape"))
	case q.w != nil && !broadcast.Equal(q.w.Shape(), w.Shape()):
		panic(fn.Errorf(in, "the weights had shape %s before: each layer needs its own INQ", broadcast.FormatShape(q.w.Shape())))
	}
}

// restored returns w, detached, with the fixed weights from the last step, and which weights are fixed.
func (q *INQ) restored(fn nd.Func, w, fixed *nd.Array) (old, isFixed *nd.Array) {
	if fixed == nil {
		isFixed = fn.NewFilled(dtype.Bool, w.Shape(), 0, w)
	} else {
		isFixed = ops.NotEqual(fixed, 0)
	}
	if q.w == nil {
		return w.Detach(), isFixed
	}
	kept, keptFixed := q.w, q.isFixed
	if kept.Device() != w.Device() { // weights from a file are on the CPU
		kept, keptFixed = kept.To(w.Device()), keptFixed.To(w.Device())
		defer kept.Release()
		defer keptFixed.Release()
	}
	return ops.Where(keptFixed, kept, w.Detach()), ops.LogicalOr(isFixed, keptFixed)
}

// rounded returns w with powers of two for the fixed weights, whose previous values are old.
func (q *INQ) rounded(w, old, isFixed *nd.Array) *nd.Array {
	most := nd.Scalar(0)
	if w.Size() > 0 {
		most = ops.Max(ops.Absolute(old))
	}
	return powers.Compute([]float64{math.Ldexp(1, q.options.NumBits-2)}, w, old, most, isFixed)
}

// half is true for about half of the weights that are not fixed.
func (q *INQ) half(w, isFixed *nd.Array) *nd.Array {
	if q.options.SelectionAlgorithm == INQRandom {
		return inqStep.Coins(q.options.Rand, 0.5, w.Shape(), w)
	}
	learning := w.Size() - nd.Value[int](ops.CountNonzero(isFixed))
	order := ops.ArgSort(ops.Where(isFixed, -1, ops.Absolute(w)).Ravel(), ops.SortOptions{Descending: true})
	largest := inqStep.NewFilled(dtype.Bool, order.Shape(), 0, order)
	largest.Assign(nd.Scalar(true), nd.Pick(order.Index(nd.Until(min(max(learning/2, 1), learning)))))
	return largest.Reshape(w.Shape()...)
}

// endStep ends a step. The kept arrays are on no tape.
func (q *INQ) endStep(w, isFixed *nd.Array) {
	if q.w == nil || q.w.Device() != w.Device() {
		q.Release()
		q.w = nd.Empty(w.Shape(), nd.ArrayOptions{DType: w.DType(), Device: w.Device()})
		q.isFixed = nd.Empty(w.Shape(), nd.ArrayOptions{DType: dtype.Bool, Device: w.Device()})
	}
	q.w.Assign(w.Detach())
	q.isFixed.Assign(isFixed)
	q.steps++
}
