// Package fft holds discrete Fourier transforms, as NumPy's fft module.
//
// The transform of n numbers x is y[k] = Σ x[j]·exp(-2πi·jk/n); the inverse has exp(+2πi·jk/n), and a factor 1/n. The
// option Norm moves the factor. float16, float32 and complex64 give complex64, all other dtypes complex128; transforms
// to real numbers give the corresponding float dtype. Every function is differentiable, to any order: the gradient of a
// transform is a transform.
//
// On the CPU, float32 and float64 are computed in their own precision. Relative to the norm of the result, the error is
// at most 2·log₂(n) units of the last digit. Any length takes a time proportional to n·log n; products of the primes up
// to 13 are fastest. Transforms from and to real numbers of even length do half the work.
package fft
