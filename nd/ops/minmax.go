package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

const maximumBody, minimumBody = "max(a, b)", "min(a, b)"

var maximum = ufunc.Definition{Fn: "ops.Maximum", Two: true, Body: maximumBody}

// Maximum returns the larger of a and b, or NaN if either is NaN. At a tie the gradient goes to a, unless UfuncOptions
// has a Kink for ties. If one operand is NaN, the gradient goes to that operand; two NaNs are a tie.
// NumPy: maximum. PyTorch: max (with two arrays and KinkEven). NNabla: maximum_scalar (with the scalar as a),
// maximum2 (with KinkLast). Chainer: maximum.
func Maximum[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return callAtTie(&maximum, maximumAtTie, nd.AsArray(a), nd.AsArray(b), opts)
}

var minimum = ufunc.Definition{Fn: "ops.Minimum", Two: true, Body: minimumBody}

// Minimum returns the smaller of a and b, or NaN if either is NaN. At a tie the gradient goes to a, unless UfuncOptions
// has a Kink for ties. If one operand is NaN, the gradient goes to that operand; two NaNs are a tie.
// NumPy: minimum. PyTorch: min (with two arrays and KinkEven). NNabla: minimum_scalar (with the scalar as a),
// minimum2 (with KinkLast). Chainer: minimum.
func Minimum[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return callAtTie(&minimum, minimumAtTie, nd.AsArray(a), nd.AsArray(b), opts)
}

var fmax = ufunc.Definition{Fn: "ops.FMax", Two: true, Body: "fmax(a, b)"}

// FMax returns the larger of a and b; if one operand is NaN, it returns the other one. The gradient goes to the operand
// that it returns, at a tie to a.
// NumPy: fmax.
func FMax[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array { return call2(&fmax, a, b, opts) }

var fmin = ufunc.Definition{Fn: "ops.FMin", Two: true, Body: "fmin(a, b)"}

// FMin returns the smaller of a and b; if one operand is NaN, it returns the other one. The gradient goes to the
// operand that it returns, at a tie to a.
// NumPy: fmin.
func FMin[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array { return call2(&fmin, a, b, opts) }

var (
	clip    = ufunc.Definition{Fn: "ops.Clip", In: "T x, T low, T high", Body: "min(max(x, low), high)"}
	clipMin = ufunc.Definition{Fn: "ops.ClipMin", In: "T x, T low", Body: "max(x, low)"}
	clipMax = ufunc.Definition{Fn: "ops.ClipMax", In: "T x, T high", Body: "min(x, high)"}
)

// Clip returns min(max(x, low), high). The bounds broadcast. An integer scalar beyond the range of x's dtype is no
// bound. At the bounds the gradient goes to x. [ClipMin] and [ClipMax] have one bound.
// NumPy: clip. PyTorch: clamp. NNabla: clip_by_value. Chainer: clip.
func Clip[L, H nd.Operand](x *nd.Array, low L, high H, opts ...UfuncOption) *nd.Array {
	return clipped(x, nd.AsArray(low), nd.AsArray(high), opts)
}

func clipped(x, low, high *nd.Array, opts []UfuncOption) *nd.Array {
	clip.Fn.Check(x, low, high)
	hasMin, hasMax := bounds(x, low, true), bounds(x, high, false)
	switch {
	case hasMin && hasMax:
		return call(&clip, opts, nil, x, low, high)
	case hasMin:
		return call(&clipMin, opts, nil, x, low)
	case hasMax:
		return call(&clipMax, opts, nil, x, high)
	}
	return call1(&unclipped, x, opts)
}

// ClipMin returns max(x, low), as [Clip] without an upper bound.
// PyTorch: clamp_min.
func ClipMin[L nd.Operand](x *nd.Array, low L, opts ...UfuncOption) *nd.Array {
	return clippedBelow(x, nd.AsArray(low), opts)
}

func clippedBelow(x, low *nd.Array, opts []UfuncOption) *nd.Array {
	clipMin.Fn.Check(x, low)
	if !bounds(x, low, true) {
		return call1(&unclipped, x, opts)
	}
	return call(&clipMin, opts, nil, x, low)
}

// ClipMax returns min(x, high), as [Clip] without a lower bound.
// PyTorch: clamp_max.
func ClipMax[H nd.Operand](x *nd.Array, high H, opts ...UfuncOption) *nd.Array {
	return clippedAbove(x, nd.AsArray(high), opts)
}

func clippedAbove(x, high *nd.Array, opts []UfuncOption) *nd.Array {
	clipMax.Fn.Check(x, high)
	if !bounds(x, high, false) {
		return call1(&unclipped, x, opts)
	}
	return call(&clipMax, opts, nil, x, high)
}

var unclipped = ufunc.Definition{Fn: "ops.Clip", Body: "x"}

// bounds reports whether a bound limits integers of x's dtype: a number beyond their range limits nothing.
func bounds(x, bound *nd.Array, below bool) bool {
	t := x.DType()
	return !bound.IsScalar() || !t.IsInteger() || !bound.DType().IsInteger() || bound.Fits(t) || (nd.Value[float64](bound) < 0) != below
}

var clipGradByValue = ufunc.Definition{Fn: "ops.ClipGradByValue", In: "T x, T low, T high", Body: "x", Loop: ufunc.RealFloat,
	Gradient: "gx = gy > high ? high : (gy < low ? low : gy)"}

// ClipGradByValue returns x; its gradient is gy clipped to [low, high], which broadcast. If low > high, a gy above high
// becomes high, and any other gy below low becomes low.
// NNabla: clip_grad_by_value.
func ClipGradByValue[L, H nd.Operand](x *nd.Array, low L, high H) *nd.Array {
	return clipGradByValue.Compute(nil, x, nd.AsArray(low), nd.AsArray(high))
}
