// Package window has the windows by which signals are multiplied before a transform: n symmetric samples, so that the
// first and the last are equal, or with the option [Periodic] the first n of n+1 symmetric samples. (The windows of
// fft.STFT are periodic.) They are float64 on the CPU unless the options say otherwise. A window of one sample is 1; a
// window of fewer samples is empty.
package window

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// Form is an option of all windows, beside those of new arrays: window.Hanning(8, window.Periodic, dtype.Float32).
type Form string

const (
	Symmetric Form = "symmetric" // the first and the last sample are equal: the default
	Periodic  Form = "periodic"  // the first n of n+1 symmetric samples, which repeat with period n
)

// ArrayOption marks the form as an option.
func (Form) ArrayOption() {}

// Bartlett returns the triangle 1 - |t| over t from -1 to 1.
// NumPy: bartlett. PyTorch: signal.windows.bartlett, bartlett_window (with Periodic).
func Bartlett(n int, opts ...nd.ArrayOption) *nd.Array {
	return sampled("window.Bartlett", n, opts, func(t *nd.Array, _ int) *nd.Array { return ops.Subtract(1, ops.Absolute(t)) })
}

// Blackman returns 0.42 + 0.5·cos(πt) + 0.08·cos(2πt) over t from -1 to 1.
// NumPy: blackman. PyTorch: signal.windows.blackman, blackman_window (with Periodic).
func Blackman(n int, opts ...nd.ArrayOption) *nd.Array {
	return sampled("window.Blackman", n, opts, func(t *nd.Array, _ int) *nd.Array { return cosines(t, 0.42, 0.5, 0.08) })
}

// Cosine returns sin(π(i + ½)/n) for sample i of n, and sin(π(i + ½)/(n+1)) with Periodic.
// PyTorch: signal.windows.cosine.
func Cosine(n int, opts ...nd.ArrayOption) *nd.Array {
	return sampled("window.Cosine", n, opts, func(t *nd.Array, of int) *nd.Array {
		return ops.Cos(ops.Multiply(t, math.Pi/2*float64(of-1)/float64(of)))
	})
}

// Exponential returns exp(-|d|/tau), where d is the distance from the middle in samples. Tau must be positive.
// PyTorch: signal.windows.exponential.
func Exponential(n int, tau float64, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "window.Exponential"
	checkPositive(fn, "tau", tau)
	return sampled(fn, n, opts, func(t *nd.Array, of int) *nd.Array {
		return ops.Exp(ops.Multiply(ops.Absolute(t), float64(1-of)/2/tau))
	})
}

// Gaussian returns exp(-½(d/std)²), where d is the distance from the middle in samples. The standard deviation must be
// positive.
// PyTorch: signal.windows.gaussian.
func Gaussian(n int, std float64, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "window.Gaussian"
	checkPositive(fn, "std", std)
	return sampled(fn, n, opts, func(t *nd.Array, of int) *nd.Array {
		return ops.Exp(ops.Multiply(ops.Square(ops.Multiply(t, float64(of-1)/2/std)), -0.5))
	})
}

// checkPositive panics unless v is a positive number.
func checkPositive(fn nd.Func, name string, v float64) {
	if !(v > 0) {
		panic(fn.Errorf(nil, "%s = %v: want a positive number", name, v))
	}
}

// GeneralCosine returns Σ weights[j]·cos(πjt) over t from -1 to 1. It needs at least one weight.
// PyTorch: signal.windows.general_cosine.
func GeneralCosine(n int, weights []float64, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "window.GeneralCosine"
	if len(weights) == 0 {
		panic(fn.Errorf(nil, "no weights: want at least one"))
	}
	return sampled(fn, n, opts, func(t *nd.Array, _ int) *nd.Array { return cosines(t, weights...) })
}

// GeneralHamming returns alpha + (1 - alpha)·cos(πt) over t from -1 to 1.
// PyTorch: signal.windows.general_hamming.
func GeneralHamming(n int, alpha float64, opts ...nd.ArrayOption) *nd.Array {
	return sampled("window.GeneralHamming", n, opts, func(t *nd.Array, _ int) *nd.Array { return cosines(t, alpha, 1-alpha) })
}

// Hamming returns 0.54 + 0.46·cos(πt) over t from -1 to 1.
// NumPy: hamming. PyTorch: signal.windows.hamming, hamming_window (with Periodic).
func Hamming(n int, opts ...nd.ArrayOption) *nd.Array {
	return sampled("window.Hamming", n, opts, func(t *nd.Array, _ int) *nd.Array { return cosines(t, 0.54, 0.46) })
}

// Hanning returns 0.5 + 0.5·cos(πt) over t from -1 to 1: von Hann's window.
// NumPy: hanning. PyTorch: signal.windows.hann, hann_window (with Periodic).
func Hanning(n int, opts ...nd.ArrayOption) *nd.Array {
	return sampled("window.Hanning", n, opts, func(t *nd.Array, _ int) *nd.Array { return cosines(t, 0.5, 0.5) })
}

// Kaiser returns I₀(β·√(1-t²))/I₀(β) over t from -1 to 1, with the Bessel function of [ops.I0]. Beta 0 gives a
// rectangle; beta 5 is similar to Hamming, 6 to Hanning and 8.6 to Blackman.
// NumPy: kaiser. PyTorch: signal.windows.kaiser, kaiser_window (with Periodic).
func Kaiser(n int, beta float64, opts ...nd.ArrayOption) *nd.Array {
	return sampled("window.Kaiser", n, opts, func(t *nd.Array, _ int) *nd.Array {
		height := ops.Multiply(beta, ops.Sqrt(ops.Subtract(1, ops.Square(t))))
		return ops.Divide(ops.I0(height), ops.I0(nd.Scalar(beta)))
	})
}

// Nuttall returns 0.3635819 + 0.4891775·cos(πt) + 0.1365995·cos(2πt) + 0.0106411·cos(3πt) over t from -1 to 1.
// PyTorch: signal.windows.nuttall.
func Nuttall(n int, opts ...nd.ArrayOption) *nd.Array {
	return sampled("window.Nuttall", n, opts, func(t *nd.Array, _ int) *nd.Array {
		return cosines(t, 0.3635819, 0.4891775, 0.1365995, 0.0106411)
	})
}

// cosines returns Σ weights[j]·cos(πjt).
func cosines(t *nd.Array, weights ...float64) *nd.Array {
	sum := ops.Add(weights[0], ops.Multiply(0.0, t))
	for j, w := range weights[1:] {
		sum = ops.Add(sum, ops.Multiply(w, ops.Cos(ops.Multiply(math.Pi*float64(j+1), t))))
	}
	return sum
}

// sampled returns n samples of a function of t, which runs from -1 to 1 over the given number of symmetric samples: n, or
// n+1 if the window is periodic.
func sampled(fn nd.Func, n int, opts []nd.ArrayOption, f func(t *nd.Array, of int) *nd.Array) *nd.Array {
	o, of := windowOptions(fn, n, opts)
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
		return fn.Made(nd.Ones([]int{n}, o))
	}
	t := nd.ArangeInt(1-of, 2*n-of, 2, o)
	defer t.Release()
	made := fn.Temporaries(&t)
	defer made.Release()
	return made.Keep(f(ops.Divide(t, of-1), of).AsType(result))
}

// windowOptions separates the form from the options of new arrays. It returns them, and of how many symmetric samples the n
// samples are the first ones.
func windowOptions(fn nd.Func, n int, opts []nd.ArrayOption) (o nd.ArrayOptions, of int) {
	form := Form("")
	var others []nd.ArrayOption
	for _, opt := range opts {
		given, ok := opt.(Form)
		switch {
		case !ok:
			others = append(others, opt)
		case form != "":
			fn.RefuseOptions("a form is given twice")
		case given != Symmetric && given != Periodic:
			panic(fn.Errorf(nil, "form %q: want symmetric or periodic", given))
		default:
			form = given
		}
	}
	if form == Periodic {
		n++
	}
	return fn.ArrayOptions(others), n
}
