// Package fft holds discrete Fourier transforms, as NumPy's fft module.
//
// The transform of n numbers x is y[k] = Σ x[j]·exp(-2πi·jk/n); the inverse has exp(+2πi·jk/n), and a factor 1/n. The
// option Norm moves the factor. float16, float32 and complex64 give complex64, all other dtypes complex128; transforms
// to real numbers give the corresponding float dtype. Every function is differentiable, to any order: the gradient of a
// transform is a transform.
package fft
