// Package window has the windows by which signals are multiplied before a transform: n symmetric samples, so that the
// first and the last are equal. (The windows of fft.STFT are periodic.) They are float64 on the CPU unless the options
// say otherwise. A window of one sample is 1; a window of fewer samples is empty.
package window

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// Bartlett returns the triangle 1 - |t| over t from -1 to 1.
// NumPy: bartlett.
func Bartlett(n int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "window.Bartlett"
	return sampled(fn, n, fn.ArrayOptions(opts), func(t *nd.Array) *nd.Array {
		return ops.Subtract(1, ops.Absolute(t))
	})
}

// Blackman returns 0.42 + 0.5·cos(πt) + 0.08·cos(2πt) over t from -1 to 1.
// NumPy: blackman.
func Blackman(n int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "window.Blackman"
	return sampled(fn, n, fn.ArrayOptions(opts), func(t *nd.Array) *nd.Array {
		return ops.Add(raised(0.42, 0.5, t), ops.Multiply(0.08, ops.Cos(ops.Multiply(2*math.Pi, t))))
	})
}

// Hamming returns 0.54 + 0.46·cos(πt) over t from -1 to 1.
// NumPy: hamming.
func Hamming(n int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "window.Hamming"
	return sampled(fn, n, fn.ArrayOptions(opts), func(t *nd.Array) *nd.Array { return raised(0.54, 0.46, t) })
}

// Hanning returns 0.5 + 0.5·cos(πt) over t from -1 to 1: von Hann's window.
// NumPy: hanning.
func Hanning(n int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "window.Hanning"
	return sampled(fn, n, fn.ArrayOptions(opts), func(t *nd.Array) *nd.Array { return raised(0.5, 0.5, t) })
}

// raised returns a + b·cos(πt).
func raised(a, b float64, t *nd.Array) *nd.Array {
	return ops.Add(a, ops.Multiply(b, ops.Cos(ops.Multiply(math.Pi, t))))
}

// Kaiser returns I₀(β·√(1-t²))/I₀(β) over t from -1 to 1, with the Bessel function of [ops.I0]. Beta 0 gives a
// rectangle; beta 5 is similar to Hamming, 6 to Hanning and 8.6 to Blackman.
// NumPy: kaiser.
func Kaiser(n int, beta float64, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "window.Kaiser"
	return sampled(fn, n, fn.ArrayOptions(opts), func(t *nd.Array) *nd.Array {
		height := ops.Multiply(beta, ops.Sqrt(ops.Subtract(1, ops.Square(t))))
		return ops.Divide(ops.I0(height), ops.I0(nd.Scalar(beta)))
	})
}

// sampled returns n samples of a function of t, which runs from -1 to 1.
func sampled(fn nd.Func, n int, o nd.ArrayOptions, f func(t *nd.Array) *nd.Array) *nd.Array {
	if o.DType.Valid() && !o.DType.IsInexact() {
		panic(fn.Errorf(nil, "dtype %s: want a float dtype", o.DType))
	}
	result := o.DType
	if !result.Valid() {
		result = dtype.Float64
	}
	o.DType = dtype.Float64
	if n = max(n, 0); n < 2 {
		o.DType = result
		return nd.Ones([]int{n}, o)
	}
	t := nd.ArangeInt(1-n, n, 2, o)
	defer t.Release()
	made := fn.Temporaries(&t)
	defer made.Release()
	return made.Keep(f(ops.Divide(t, n-1)).AsType(result))
}
