package functions

import (
	"math"

	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/trace"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// rsqrt is 1/√x, with two roundings.
func rsqrt(k vec.Kind, x, t []reg.VecPhysical) {
	k.Splat(k.Const(1), t[0])
	for i := range x {
		k.Sqrt(x[i], x[i])
		k.Div(x[i], t[0], x[i])
	}
}

func rsqrtText(b *trace.Body, x trace.Value) trace.Value { return b.Div(b.Const(1), b.Sqrt(x)) }

// cbrtTerms are the coefficients of ∛(1+f) for f from -1/4 to 1/2, to 16 and 22 bits.
var cbrtTerms = numbers{
	single: []float64{0x1.000096p0, 0x1.554dap-2, -0x1.cad86ap-4, 0x1.048ep-4, -0x1.f2dcp-6},
	double: []float64{0x1.fffffap-1, 0x1.5554f6p-2, -0x1.c6f9f6p-4, 0x1.fa2e98p-5, -0x1.59e15ep-5, 0x1.f80c52p-6, -0x1.df103ep-7},
}

// cbrt is ∛z for z = (1+f)·2^r, r from -1 to 1, times a power of two. A step of Halley's method, y + y·(z-y³)/(z+2y³),
// triples the number of correct digits.
func cbrt(b *trace.Body, x trace.Value) trace.Value {
	k, f := split(b, b.Abs(x))
	third := b.Round(vec.Nearest, b.Mul(k, b.Const(1.0/3)))
	r := b.FNMA(third, b.Const(3), k)
	z := b.Mul(b.Add(f, b.Const(1)), b.Power(r))
	factor := b.Select(b.Less(r, b.Const(0)), b.Const(1/math.Cbrt(2)), b.Const(1))
	factor = b.Select(b.Less(b.Const(0), r), b.Const(math.Cbrt(2)), factor)
	y := b.Mul(b.Polynomial(f, cbrtTerms.of(b, f)...), factor)
	square, squareRest := exactSquare(b, y)
	excess := b.FNMA(squareRest, y, b.FNMA(square, y, z))
	y = b.FMA(y, aboutQuotient(b, excess, b.FMA(b.Add(square, square), y, z)), y)
	y = b.Mul(y, b.Power(third))
	return b.Select(b.Less(b.Abs(k), b.Const(math.Inf(1))), b.CopySign(y, x), b.Add(x, x))
}

// exactSquare is x² and its rounding error.
func exactSquare(b *trace.Body, x trace.Value) (square, rest trace.Value) {
	square = b.Mul(x, x)
	return square, b.FMS(x, x, square)
}

// hypot is √(x²+y²). float32 is computed in float64, which represents every square; float64 with both numbers scaled.
// If one number is infinite, the result is infinite, even if the other is NaN.
func hypot(b *trace.Body, x, y trace.Value) trace.Value {
	x, y = b.Abs(x), b.Abs(y)
	var h trace.Value
	if b.Double(x) {
		high := b.Max(x, y)
		scale := b.Select(b.Less(high, b.Const(0x1p-450)), b.Const(0x1p600), b.Const(1))
		scale = b.Select(b.Less(b.Const(0x1p500), high), b.Const(0x1p-600), scale)
		back := b.Select(b.Less(high, b.Const(0x1p-450)), b.Const(0x1p-600), b.Const(1))
		back = b.Select(b.Less(b.Const(0x1p500), high), b.Const(0x1p600), back)
		u, v := b.Mul(x, scale), b.Mul(y, scale)
		h = b.Mul(b.Sqrt(b.FMA(u, u, b.Mul(v, v))), back)
	} else {
		h = b.InDouble(func(widen func(trace.Value) trace.Value) trace.Value {
			u, v := widen(x), widen(y)
			return b.Sqrt(b.FMA(u, u, b.Mul(v, v)))
		})
	}
	infinite := b.Const(math.Inf(1))
	h = b.Select(b.Equal(x, infinite), infinite, h)
	return b.Select(b.Equal(y, infinite), infinite, h)
}
