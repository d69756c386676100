// Package fft has the inner loops of fast Fourier transforms of float32 and float64, in assembly and in plain Go.
//
// A complex vector is a vector of real parts followed by a vector of imaginary parts, as many of each as the current
// instructions have lanes ([Lanes]). The lanes are independent transforms: passes combine whole vectors. So a transform
// of many columns needs passes only. A long row is cut into two factors, each of which is a transform of columns; the
// matrix between them is transposed and multiplied by roots of unity ([Turn]). With AVX-512, one routine does all of this
// for the first factor of a shorter row, if that is 8 or 16 ([Front]).
package fft

//go:generate go run -C ../gen ./fft -out ../fft/fft_amd64.s -stubs ../fft/fft_amd64.go -pkg fft
//go:generate go run -C ../gen ./fft -neon -out ../fft/fft_arm64.s -stubs ../fft/fft_arm64.go -pkg fft
//go:generate go run -C ../gen ./neon ../fft/fft_arm64.s ../fft/fft_arm64.go
//go:generate go run ../sum fft
