package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

var maximum = elementwise{fn: "ops.Maximum", two: true, body: "max(a, b)"}

// Maximum returns the larger of a and b, or a not-a-number if there is one. Where they are equal the gradient goes to a,
// and where one is not a number to that one, or to a of two. numpy.maximum, chainer maximum; nnabla maximum2 is Maximum(x1, x0).
func Maximum(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return maximum.call2(a, b, opts) }

var minimum = elementwise{fn: "ops.Minimum", two: true, body: "min(a, b)"}

// Minimum returns the smaller of a and b, or a not-a-number if there is one. Where they are equal the gradient goes to a,
// and where one is not a number to that one, or to a of two. numpy.minimum, chainer minimum; nnabla minimum2 is Minimum(x1, x0).
func Minimum(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return minimum.call2(a, b, opts) }

var fmax = elementwise{fn: "ops.FMax", two: true, body: "fmax(a, b)"}

// FMax returns the larger of a and b, or the other one where one is not a number; the gradient goes to the one that it
// returns, and to a where they are equal. numpy.fmax.
func FMax(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return fmax.call2(a, b, opts) }

var fmin = elementwise{fn: "ops.FMin", two: true, body: "fmin(a, b)"}

// FMin returns the smaller of a and b, or the other one where one is not a number; the gradient goes to the one that it
// returns, and to a where they are equal. numpy.fmin.
func FMin(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return fmin.call2(a, b, opts) }

const clipName nd.Func = "ops.Clip"

var (
	clip      = elementwise{fn: clipName, in: "T x, T low, T high", body: "min(max(x, low), high)"}
	clipBelow = elementwise{fn: clipName, in: "T x, T low", body: "max(x, low)"}
	clipAbove = elementwise{fn: clipName, in: "T x, T high", body: "min(x, high)"}
)

// Clip returns x, but low where it is below, then high where it is above; both broadcast, and nil is no bound. An
// integer immediate beyond the range of x's dtype is none either. At the bounds the gradient goes to x. numpy.clip,
// chainer clip, nnabla clip_by_value.
func Clip(x, low, high *nd.Array, opts ...UfuncOptions) *nd.Array {
	if low != nil && x != nil && unbounded(x.DType(), low, true) {
		low = nil
	}
	if high != nil && x != nil && unbounded(x.DType(), high, false) {
		high = nil
	}
	switch {
	case low != nil && high != nil:
		return clip.call(opts, nil, x, low, high)
	case low != nil:
		return clipBelow.call(opts, nil, x, low)
	case high != nil:
		return clipAbove.call(opts, nil, x, high)
	}
	return clipNothing.call1(x, opts)
}

var clipNothing = elementwise{fn: clipName, body: "x"}

// unbounded reports whether no integer of dtype t is beyond an immediate bound.
func unbounded(t dtype.DType, bound *nd.Array, below bool) bool {
	return bound.IsScalar() && t.IsInteger() && !bound.Fits(t) && (nd.Value[float64](bound) < 0) == below
}

var clipGradByValue = elementwise{fn: "ops.ClipGradByValue", in: "T x, T low, T high", body: "x", loop: realFloat,
	gradient: "gx = gy > high ? high : (gy < low ? low : gy)"}

// ClipGradByValue returns x; its gradient is gy clipped to [low, high], which broadcast. Where low is larger, what is
// above high becomes high, and of the rest what is below low becomes low. nnabla clip_grad_by_value.
func ClipGradByValue(x, low, high *nd.Array) *nd.Array {
	return clipGradByValue.call(nil, nil, x, low, high)
}
