package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var maximum = ufunc.Definition{Fn: "ops.Maximum", Two: true, Body: "max(a, b)"}

// Maximum returns the larger of a and b, or a not-a-number if there is one. Where they are equal the gradient goes to a,
// and where one is not a number to that one, or to a of two. numpy.maximum, chainer maximum; nnabla maximum2 is Maximum(x1, x0).
// torch.max with two arrays.
func Maximum(a, b *nd.Array, opts ...UfuncOption) *nd.Array {
	return call2(&maximum, a, b, opts)
}

var minimum = ufunc.Definition{Fn: "ops.Minimum", Two: true, Body: "min(a, b)"}

// Minimum returns the smaller of a and b, or a not-a-number if there is one. Where they are equal the gradient goes to a,
// and where one is not a number to that one, or to a of two. numpy.minimum, chainer minimum; nnabla minimum2 is Minimum(x1, x0).
// torch.min with two arrays.
func Minimum(a, b *nd.Array, opts ...UfuncOption) *nd.Array {
	return call2(&minimum, a, b, opts)
}

var fmax = ufunc.Definition{Fn: "ops.FMax", Two: true, Body: "fmax(a, b)"}

// FMax returns the larger of a and b, or the other one where one is not a number; the gradient goes to the one that it
// returns, and to a where they are equal. numpy.fmax.
func FMax(a, b *nd.Array, opts ...UfuncOption) *nd.Array { return call2(&fmax, a, b, opts) }

var fmin = ufunc.Definition{Fn: "ops.FMin", Two: true, Body: "fmin(a, b)"}

// FMin returns the smaller of a and b, or the other one where one is not a number; the gradient goes to the one that it
// returns, and to a where they are equal. numpy.fmin.
func FMin(a, b *nd.Array, opts ...UfuncOption) *nd.Array { return call2(&fmin, a, b, opts) }

const clipName nd.Func = "ops.Clip"

var (
	clip      = ufunc.Definition{Fn: clipName, In: "T x, T low, T high", Body: "min(max(x, low), high)"}
	clipBelow = ufunc.Definition{Fn: clipName, In: "T x, T low", Body: "max(x, low)"}
	clipAbove = ufunc.Definition{Fn: clipName, In: "T x, T high", Body: "min(x, high)"}
)

// Clip returns x, but low where it is below, then high where it is above; both broadcast, and nil is no bound. An
// integer immediate beyond the range of x's dtype is none either. At the bounds the gradient goes to x. numpy.clip,
// chainer clip, nnabla clip_by_value, torch.clamp.
func Clip(x, low, high *nd.Array, opts ...UfuncOption) *nd.Array {
	if low != nil && x != nil && unbounded(x.DType(), low, true) {
		low = nil
	}
	if high != nil && x != nil && unbounded(x.DType(), high, false) {
		high = nil
	}
	switch {
	case low != nil && high != nil:
		return call(&clip, opts, nil, x, low, high)
	case low != nil:
		return call(&clipBelow, opts, nil, x, low)
	case high != nil:
		return call(&clipAbove, opts, nil, x, high)
	}
	return call1(&clipNothing, x, opts)
}

var clipNothing = ufunc.Definition{Fn: clipName, Body: "x"}

// unbounded reports whether no integer of dtype t is beyond an immediate bound.
func unbounded(t dtype.DType, bound *nd.Array, below bool) bool {
	return bound.IsScalar() && t.IsInteger() && !bound.Fits(t) && (nd.Value[float64](bound) < 0) == below
}

var clipGradByValue = ufunc.Definition{Fn: "ops.ClipGradByValue", In: "T x, T low, T high", Body: "x", Loop: ufunc.RealFloat,
	Gradient: "gx = gy > high ? high : (gy < low ? low : gy)"}

// ClipGradByValue returns x; its gradient is gy clipped to [low, high], which broadcast. Where low is larger, what is
// above high becomes high, and of the rest what is below low becomes low. nnabla clip_grad_by_value.
func ClipGradByValue(x, low, high *nd.Array) *nd.Array {
	return clipGradByValue.Compute(nil, x, low, high)
}
