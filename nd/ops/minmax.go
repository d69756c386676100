package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var maximum = ufunc.Definition{Fn: "ops.Maximum", Two: true, Body: "max(a, b)"}

// Maximum returns the larger of a and b, or NaN if either is NaN. At a tie the gradient goes to a. If one operand is
// NaN, the gradient goes to that operand; if both are, to a. NNabla's maximum2(x0, x1) is Maximum(x1, x0).
// NumPy: maximum. PyTorch: max (with two arrays). Chainer: maximum.
func Maximum(a, b *nd.Array, opts ...UfuncOptions) *nd.Array {
	return call2(&maximum, a, b, opts)
}

var minimum = ufunc.Definition{Fn: "ops.Minimum", Two: true, Body: "min(a, b)"}

// Minimum returns the smaller of a and b, or NaN if either is NaN. At a tie the gradient goes to a. If one operand is
// NaN, the gradient goes to that operand; if both are, to a. NNabla's minimum2(x0, x1) is Minimum(x1, x0).
// NumPy: minimum. PyTorch: min (with two arrays). Chainer: minimum.
func Minimum(a, b *nd.Array, opts ...UfuncOptions) *nd.Array {
	return call2(&minimum, a, b, opts)
}

var fmax = ufunc.Definition{Fn: "ops.FMax", Two: true, Body: "fmax(a, b)"}

// FMax returns the larger of a and b; if one operand is NaN, it returns the other one. The gradient goes to the operand
// that it returns, at a tie to a.
// NumPy: fmax.
func FMax(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return call2(&fmax, a, b, opts) }

var fmin = ufunc.Definition{Fn: "ops.FMin", Two: true, Body: "fmin(a, b)"}

// FMin returns the smaller of a and b; if one operand is NaN, it returns the other one. The gradient goes to the
// operand that it returns, at a tie to a.
// NumPy: fmin.
func FMin(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return call2(&fmin, a, b, opts) }

const clipName nd.Func = "ops.Clip"

var (
	clip      = ufunc.Definition{Fn: clipName, In: "T x, T low, T high", Body: "min(max(x, low), high)"}
	clipBelow = ufunc.Definition{Fn: clipName, In: "T x, T low", Body: "max(x, low)"}
	clipAbove = ufunc.Definition{Fn: clipName, In: "T x, T high", Body: "min(x, high)"}
)

// Clip returns x, raised to low where it is below low, then lowered to high where it is above high. low and high
// broadcast. nil is no bound; nor is an integer scalar beyond the range of x's dtype. At the bounds the gradient goes
// to x.
// NumPy: clip. PyTorch: clamp. NNabla: clip_by_value. Chainer: clip.
func Clip(x, low, high *nd.Array, opts ...UfuncOptions) *nd.Array {
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

// unbounded reports whether a scalar bound is beyond the range of integer dtype t, so that it has no effect.
func unbounded(t dtype.DType, bound *nd.Array, below bool) bool {
	return bound.IsScalar() && t.IsInteger() && !bound.Fits(t) && (nd.Value[float64](bound) < 0) == below
}

var clipGradByValue = ufunc.Definition{Fn: "ops.ClipGradByValue", In: "T x, T low, T high", Body: "x", Loop: ufunc.RealFloat,
	Gradient: "gx = gy > high ? high : (gy < low ? low : gy)"}

// ClipGradByValue returns x; its gradient is gy clipped to [low, high], which broadcast. If low > high, a gy above high
// becomes high, and any other gy below low becomes low.
// NNabla: clip_grad_by_value.
func ClipGradByValue(x, low, high *nd.Array) *nd.Array {
	return clipGradByValue.Compute(nil, x, low, high)
}
