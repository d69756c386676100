package fft_test

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/fft"
)

// TestRoundTrips holds every pair of inverse transforms to 6 units of the last digit, in the Euclidean norm, for
// every norm, precision, layout and kind of length.
func TestRoundTrips(t *testing.T) {
	pairs := map[string]struct {
		real  bool
		there func(x *nd.Array, norm fft.Norm) *nd.Array
		back  func(z *nd.Array, n int, norm fft.Norm) *nd.Array
	}{
		"FFT": {there: func(x *nd.Array, norm fft.Norm) *nd.Array { return fft.FFT(x, fft.Options{Norm: norm}) },
			back: func(z *nd.Array, _ int, norm fft.Norm) *nd.Array { return fft.IFFT(z, fft.Options{Norm: norm}) }},
		"FFTN": {there: func(x *nd.Array, norm fft.Norm) *nd.Array { return fft.FFTN(x, fft.AxesOptions{Norm: norm}) },
			back: func(z *nd.Array, _ int, norm fft.Norm) *nd.Array { return fft.IFFTN(z, fft.AxesOptions{Norm: norm}) }},
		"RFFT": {real: true, there: func(x *nd.Array, norm fft.Norm) *nd.Array { return fft.RFFT(x, fft.Options{Norm: norm}) },
			back: func(z *nd.Array, n int, norm fft.Norm) *nd.Array { return fft.IRFFT(z, fft.Options{N: n, Norm: norm}) }},
		"IHFFT": {real: true, there: func(x *nd.Array, norm fft.Norm) *nd.Array { return fft.IHFFT(x, fft.Options{Norm: norm}) },
			back: func(z *nd.Array, n int, norm fft.Norm) *nd.Array { return fft.HFFT(z, fft.Options{N: n, Norm: norm}) }},
		"RFFT along the first axis": {real: true, there: func(x *nd.Array, norm fft.Norm) *nd.Array {
			return fft.RFFT(x.SwapAxes(0, 1), fft.Options{Norm: norm, Axis: ops.Over(0)})
		}, back: func(z *nd.Array, n int, norm fft.Norm) *nd.Array {
			return fft.IRFFT(z, fft.Options{N: n, Norm: norm, Axis: ops.Over(0)}).SwapAxes(0, 1)
		}},
	}
	for name, p := range pairs {
		for _, n := range []int{1, 2, 3, 5, 8, 16, 30, 49, 97, 128, 1000, 1024, 1250} {
			for _, norm := range []fft.Norm{fft.NormBackward, fft.NormForward, fft.NormOrtho} {
				for _, single := range []bool{false, true} {
					x := complexArray(3, n)
					eps := dtype.Info(dtype.Float64).Eps
					if p.real {
						x = ops.Real(x)
					}
					if single {
						eps = dtype.Info(dtype.Float32).Eps
						if p.real {
							x = x.AsType(dtype.Float32)
						} else {
							x = x.AsType(dtype.Complex64)
						}
					}
					y := p.back(p.there(x, norm), n, norm)
					if y.DType() != x.DType() {
						t.Fatalf("%s of %v and back gives %v", name, x.DType(), y.DType())
					}
					size, off := 0.0, 0.0
					a, b := wide(x), wide(y)
					for i := range a {
						size, off = math.Hypot(size, cmplx.Abs(a[i])), math.Hypot(off, cmplx.Abs(a[i]-b[i]))
					}
					if off > 6*eps*size {
						t.Errorf("%s of 3×%d %v, norm %s: there and back is off by %g units", name, n, x.DType(), norm, off/size/eps)
					}
				}
			}
		}
	}
}
