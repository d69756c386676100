package fft

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// RFFT returns the transform of real numbers along an axis. It returns only the frequencies from 0 to n/2: the others
// are the conjugates of these.
// NumPy: fft.rfft.
func RFFT(x *nd.Array, opts ...Option) *nd.Array {
	const fn nd.Func = "fft.RFFT"
	fn.Check(x)
	o := options.OfTwo(fn, opts, oneOver, oneInto)
	axis := fn.Axis(x, o.Axis, -1)
	n := o.N
	if n == 0 {
		n = x.Dim(axis)
	}
	return reduction.IntoChecked(fn, o.Out, fromReal(fn, x, n, axis, o.Norm, false))
}

// IRFFT returns the real numbers whose RFFT is x. N is their number, by default 2(m-1) for m frequencies. The imaginary
// parts of the first frequency, and for even N of the last, are ignored.
// NumPy: fft.irfft.
func IRFFT(x *nd.Array, opts ...Option) *nd.Array {
	const fn nd.Func = "fft.IRFFT"
	return singleToReal(fn, x, options.OfTwo(fn, opts, oneOver, oneInto), true)
}

func singleToReal(fn nd.Func, x *nd.Array, o Options, inverse bool) *nd.Array {
	fn.Check(x)
	axis := fn.Axis(x, o.Axis, -1)
	n := o.N
	if n == 0 {
		n = 2 * (x.Dim(axis) - 1)
	}
	return reduction.IntoChecked(fn, o.Out, toReal(fn, x, n, axis, o.Norm, inverse))
}

// HFFT returns the transform, which is real, of a signal with x[-j] = conj(x[j]), given its half from 0 on. N is the
// length of the whole signal, by default 2(m-1) for m numbers.
// NumPy: fft.hfft.
func HFFT(x *nd.Array, opts ...Option) *nd.Array {
	const fn nd.Func = "fft.HFFT"
	return singleToReal(fn, x, options.OfTwo(fn, opts, oneOver, oneInto), false)
}

// IHFFT returns the half from 0 on of the signal whose HFFT is x.
// NumPy: fft.ihfft.
func IHFFT(x *nd.Array, opts ...Option) *nd.Array {
	const fn nd.Func = "fft.IHFFT"
	fn.Check(x)
	o := options.OfTwo(fn, opts, oneOver, oneInto)
	axis := fn.Axis(x, o.Axis, -1)
	n := o.N
	if n == 0 {
		n = x.Dim(axis)
	}
	return reduction.IntoChecked(fn, o.Out, fromReal(fn, x, n, axis, o.Norm, true))
}

// RFFT2 is RFFT along the last of two axes, by default the last ones, and FFT along the other.
// NumPy: fft.rfft2.
func RFFT2(x *nd.Array, opts ...AxesOption) *nd.Array {
	const fn nd.Func = "fft.RFFT2"
	return severalFromReal(fn, x, planar(fn, opts), false)
}

// IRFFT2 returns the inverse of RFFT2; the default length along the last axis is 2(m-1).
// NumPy: fft.irfft2.
func IRFFT2(x *nd.Array, opts ...AxesOption) *nd.Array {
	const fn nd.Func = "fft.IRFFT2"
	return severalToReal(fn, x, planar(fn, opts), true)
}

// RFFTN is RFFT along the last of several axes, by default all, and FFT along the others.
// NumPy: fft.rfftn.
func RFFTN(x *nd.Array, opts ...AxesOption) *nd.Array {
	const fn nd.Func = "fft.RFFTN"
	return severalFromReal(fn, x, options.OfTwo(fn, opts, severalOver, severalInto), false)
}

// IRFFTN returns the inverse of RFFTN; the default length along the last axis is 2(m-1).
// NumPy: fft.irfftn.
func IRFFTN(x *nd.Array, opts ...AxesOption) *nd.Array {
	const fn nd.Func = "fft.IRFFTN"
	return severalToReal(fn, x, options.OfTwo(fn, opts, severalOver, severalInto), true)
}

func severalFromReal(fn nd.Func, x *nd.Array, o AxesOptions, inverse bool) *nd.Array {
	fn.Check(x)
	steps := stepsOf(fn, x, o)
	last := lastStep(fn, x, steps)
	y := fromReal(fn, x, steps[last].n, steps[last].axis, o.Norm, inverse)
	for i := last - 1; i >= 0; i-- {
		y = next(fn, x, y, steps[i], o.Norm, inverse)
	}
	return reduction.IntoChecked(fn, o.Out, y)
}

func severalToReal(fn nd.Func, x *nd.Array, o AxesOptions, inverse bool) *nd.Array {
	fn.Check(x)
	steps := stepsOf(fn, x, o)
	last := lastStep(fn, x, steps)
	n := steps[last].n
	if !steps[last].chosen {
		n = 2 * (n - 1)
	}
	scaleOf(fn, x, n, o.Norm, inverse) // panics before anything is computed
	z := x
	for _, s := range steps[:last] {
		z = next(fn, x, z, s, o.Norm, inverse)
	}
	y := toReal(fn, z, n, steps[last].axis, o.Norm, inverse)
	release.Unless(z, x)
	return reduction.IntoChecked(fn, o.Out, y)
}

func lastStep(fn nd.Func, x *nd.Array, steps []step) int {
	if len(steps) == 0 {
		panic(fn.Errorf([]*nd.Array{x}, "no axes: want at least one"))
	}
	return len(steps) - 1
}

// fromReal returns the frequencies from 0 to n/2 of the transform of n real numbers.
func fromReal(fn nd.Func, x *nd.Array, n, axis int, norm Norm, inverse bool) *nd.Array {
	if x.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{x}, "want real numbers"))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	scale := scaleOf(fn, x, n, norm, inverse)
	z := resized(x, n, axis).AsType(complexType(x.DType()).Real())
	return made.Keep(realOp{transformOp{fn, axis, inverse, scale}, n}.fromReal(z))
}

// toReal returns the transform to n real numbers, given the frequencies from 0 to n/2.
func toReal(fn nd.Func, x *nd.Array, n, axis int, norm Norm, inverse bool) *nd.Array {
	made := fn.Temporaries(&x)
	defer made.Release()
	scale := scaleOf(fn, x, n, norm, inverse)
	half := resized(x, n/2+1, axis).AsType(complexType(x.DType()))
	y := realOp{transformOp{fn, axis, inverse, scale}, n}.toReal(half)
	return made.Keep(y.AsType(realType(x.DType())))
}
