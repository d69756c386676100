package ops

import (
	"sync"

	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// onDemand names elementwise definitions that few programs need: those of options. They are made at the first use of
// one, so that other programs do not hold them.
type onDemand int

const (
	absoluteAtCorner onDemand = iota
	hardSigmoidAtCorners
	preluAtCorner
	maximumAtTie
	minimumAtTie
	tiedElement
	beyondLength
	onDemandCount
)

var onDemandDefinitions struct {
	once sync.Once
	all  *[onDemandCount]ufunc.Definition
}

// definition returns the definition. The scalars of functions with a Kink are its index for corners, as atCorner returns
// it, or the parts of the gradient that the operands get at a tie.
func (k onDemand) definition() *ufunc.Definition {
	d := &onDemandDefinitions
	d.once.Do(func() {
		const (
			nans  = "isnan(a) && isnan(b)"
			parts = "ga = tie ? gy * first : (left ? gy : T(0)); gb = tie ? gy * last : (left ? T(0) : gy)"
		)
		d.all = &[onDemandCount]ufunc.Definition{
			absoluteAtCorner: {Fn: "ops.Absolute", Scalars: "T kink", Body: absoluteBody, Loop: ufunc.RealFloat,
				Gradient: "corner = kink == 0 ? T(-1) : (kink == 1 ? T(1) : T(0)); gx = gy * (x == 0 ? corner : sign(x))"},
			hardSigmoidAtCorners: {Fn: "ops.HardSigmoid", Scalars: "T kink", Body: hardSigmoidBody, Loop: ufunc.RealFloat,
				Gradient: "low = kink == 1 ? T(0.2) : (kink == 3 ? T(0.1) : T(0)); high = kink == 0 ? T(0.2) : (kink == 3 ? T(0.1) : T(0)); " +
					"gx = abs(x) > 2.5 ? T(0) : gy * (x == -2.5 ? low : (x == 2.5 ? high : T(0.2))) + (x - x)"},
			preluAtCorner: {Fn: "ops.PReLU", In: "T x, T w", Scalars: "T kink", Body: preluBody, Loop: ufunc.RealFloat,
				Gradient: "corner = kink == 1 ? T(1) : (kink == 2 ? min(max(w, 0), 1) : (kink == 3 ? (1 + w) / 2 : w)); " +
					"gx = x > 0 ? gy : gy * (x == 0 ? corner : w); gw = x > 0 ? T(0) : gy * x"},
			maximumAtTie: {Fn: "ops.Maximum", Two: true, Scalars: "T first, T last", Body: maximumBody,
				Gradient: "tie = a == b || " + nans + "; left = a >= b || isnan(a); " + parts},
			minimumAtTie: {Fn: "ops.Minimum", Two: true, Scalars: "T first, T last", Body: minimumBody,
				Gradient: "tie = a == b || " + nans + "; left = a <= b || isnan(a); " + parts},
			// Whether an element equals the extreme, where NaNs are equal.
			tiedElement: {Fn: "ops.Max", Two: true, Body: "a == b || " + nans, Out: "bool"},
			// Softmax of elements whose index i is less than the length n. If n is 0, the others become 0 instead of -Inf,
			// because Softmax is undefined if all elements are -Inf.
			beyondLength: {Fn: "ops.Softmax", In: "T x, int64 i, int64 n", Scalars: "T other", Body: "i < n ? x : (n > 0 ? other : T(0))"},
		}
	})
	return &d.all[k]
}
