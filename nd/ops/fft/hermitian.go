package fft

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// HFFT2 is HFFT along the last of two axes, by default the last ones, and FFT along the other.
// PyTorch: fft.hfft2.
func HFFT2(x *nd.Array, opts ...AxesOption) *nd.Array {
	const fn nd.Func = "fft.HFFT2"
	return severalHermitian(fn, x, planar(fn, opts))
}

// HFFTN is HFFT along the last of several axes, by default all, and FFT along the others: the transform, which is real,
// of a signal with x[-j] = conj(x[j]), where -j negates all indices, given its half from 0 on along the last axis. The
// default length along the last axis is 2(m-1) for m numbers.
// PyTorch: fft.hfftn.
func HFFTN(x *nd.Array, opts ...AxesOption) *nd.Array {
	const fn nd.Func = "fft.HFFTN"
	return severalHermitian(fn, x, options.OfTwo(fn, opts, severalOver, severalInto))
}

// IHFFT2 returns the inverse of HFFT2: it is IHFFT along the last axis, and IFFT along the other.
// PyTorch: fft.ihfft2.
func IHFFT2(x *nd.Array, opts ...AxesOption) *nd.Array {
	const fn nd.Func = "fft.IHFFT2"
	return severalToHermitian(fn, x, planar(fn, opts))
}

// IHFFTN returns the inverse of HFFTN, of real numbers: it is IHFFT along the last axis, and IFFT along the others.
// PyTorch: fft.ihfftn.
func IHFFTN(x *nd.Array, opts ...AxesOption) *nd.Array {
	const fn nd.Func = "fft.IHFFTN"
	return severalToHermitian(fn, x, options.OfTwo(fn, opts, severalOver, severalInto))
}

// severalHermitian is the inverse transform to real numbers of the conjugate, with the factor of the forward transform.
func severalHermitian(fn nd.Func, x *nd.Array, o AxesOptions) *nd.Array {
	fn.Check(x)
	o.Norm = inverseNorm(o.Norm)
	conj := ops.Conj(x)
	defer release.Unless(conj, x)
	return severalToReal(fn, conj, o)
}

// severalToHermitian is the conjugate of the transform from real numbers, with the factor of the inverse transform.
func severalToHermitian(fn nd.Func, x *nd.Array, o AxesOptions) *nd.Array {
	out := o.Out
	o.Out, o.Norm = nil, inverseNorm(o.Norm)
	y := severalFromReal(fn, x, o)
	defer y.Release()
	return reduction.IntoChecked(fn, out, ops.Conj(y))
}
