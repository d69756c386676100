package fft

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// HFFT2 is HFFT along the last of two axes, by default the last ones, and FFT along the other.
// PyTorch: fft.hfft2.
func HFFT2(x *nd.Array, opts ...AxesOption) *nd.Array {
	const fn nd.Func = "fft.HFFT2"
	return severalToReal(fn, x, planar(fn, opts), false)
}

// HFFTN is HFFT along the last of several axes, by default all, and FFT along the others: the transform, which is real,
// of a signal with x[-j] = conj(x[j]), where -j negates all indices, given its half from 0 on along the last axis. The
// default length along the last axis is 2(m-1) for m numbers.
// PyTorch: fft.hfftn.
func HFFTN(x *nd.Array, opts ...AxesOption) *nd.Array {
	const fn nd.Func = "fft.HFFTN"
	return severalToReal(fn, x, options.OfTwo(fn, opts, severalOver, severalInto), false)
}

// IHFFT2 returns the inverse of HFFT2: it is IHFFT along the last axis, and IFFT along the other.
// PyTorch: fft.ihfft2.
func IHFFT2(x *nd.Array, opts ...AxesOption) *nd.Array {
	const fn nd.Func = "fft.IHFFT2"
	return severalFromReal(fn, x, planar(fn, opts), true)
}

// IHFFTN returns the inverse of HFFTN, of real numbers: it is IHFFT along the last axis, and IFFT along the others.
// PyTorch: fft.ihfftn.
func IHFFTN(x *nd.Array, opts ...AxesOption) *nd.Array {
	const fn nd.Func = "fft.IHFFTN"
	return severalFromReal(fn, x, options.OfTwo(fn, opts, severalOver, severalInto), true)
}
