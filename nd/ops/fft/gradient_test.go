package fft_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/fft"
)

// transforms are the linear functions of the package; whether they take complex numbers.
var transforms = []struct {
	name    string
	complex bool
	f       func(x *nd.Array) *nd.Array
}{
	{"FFT", true, func(x *nd.Array) *nd.Array { return fft.FFT(x) }},
	{"FFT of real", false, func(x *nd.Array) *nd.Array { return fft.FFT(x, fft.Options{Norm: "ortho"}) }},
	{"FFT cropped", true, func(x *nd.Array) *nd.Array { return fft.FFT(x, fft.Options{N: 2, Axis: ops.Over(0), Norm: "forward"}) }},
	{"IFFT filled", true, func(x *nd.Array) *nd.Array { return fft.IFFT(x, fft.Options{N: 7, Axis: ops.Over(-2)}) }},
	{"RFFT", false, func(x *nd.Array) *nd.Array { return fft.RFFT(x) }},
	{"RFFT of odd", false, func(x *nd.Array) *nd.Array { return fft.RFFT(x, fft.Options{N: 5}) }},
	{"IRFFT", true, func(x *nd.Array) *nd.Array { return fft.IRFFT(x) }},
	{"IRFFT to odd", true, func(x *nd.Array) *nd.Array { return fft.IRFFT(x, fft.Options{N: 5, Norm: "ortho"}) }},
	{"IRFFT of real", false, func(x *nd.Array) *nd.Array { return fft.IRFFT(x, fft.Options{N: 9}) }},
	{"HFFT", true, func(x *nd.Array) *nd.Array { return fft.HFFT(x) }},
	{"IHFFT", false, func(x *nd.Array) *nd.Array { return fft.IHFFT(x) }},
	{"FFT2", true, func(x *nd.Array) *nd.Array { return fft.FFT2(x, fft.AxesOptions{S: []int{2, 6}}) }},
	{"IFFTN", true, func(x *nd.Array) *nd.Array { return fft.IFFTN(x) }},
	{"RFFTN", false, func(x *nd.Array) *nd.Array { return fft.RFFTN(x) }},
	{"IRFFT2", true, func(x *nd.Array) *nd.Array { return fft.IRFFT2(x) }},
	{"HFFT2", true, func(x *nd.Array) *nd.Array { return fft.HFFT2(x, fft.AxesOptions{Norm: "ortho"}) }},
	{"HFFTN", true, func(x *nd.Array) *nd.Array { return fft.HFFTN(x, fft.AxesOptions{S: []int{3, 5}}) }},
	{"IHFFT2", false, func(x *nd.Array) *nd.Array { return fft.IHFFT2(x, ops.Over(1, 0)) }},
	{"IHFFTN", false, func(x *nd.Array) *nd.Array { return fft.IHFFTN(x) }},
	{"FFTShift", false, func(x *nd.Array) *nd.Array { return fft.FFTShift(x) }},
	{"IFFTShift", true, func(x *nd.Array) *nd.Array { return fft.IFFTShift(x) }},
	{"FFTPairs", false, func(x *nd.Array) *nd.Array { return fft.FFTPairs(x.Index(nd.Ellipsis(), nd.Until(2)), 1) }},
	{"IFFTPairs", false, func(x *nd.Array) *nd.Array {
		return fft.IFFTPairs(x.Index(nd.Ellipsis(), nd.Until(2)), 1, fft.PairsOptions{Normalized: true})
	}},
	{"STFT", false, func(x *nd.Array) *nd.Array {
		re, im := fft.STFT(x, 3, 1, 4)
		return ops.Stack([]*nd.Array{re, im})
	}},
	{"STFT without padding", false, func(x *nd.Array) *nd.Array {
		re, im := fft.STFT(x, 2, 1, 2, fft.STFTOptions{Center: new(false), WindowType: "hamming"})
		return ops.Stack([]*nd.Array{re, im})
	}},
	{"ISTFT", false, func(x *nd.Array) *nd.Array {
		x = x.ExpandDims(0)
		return fft.ISTFT(x, ops.Multiply(x, 0.5), 4, 2, 4)
	}},
}

func input(isComplex bool) *nd.Array {
	if isComplex {
		return complexArray(3, 4)
	}
	return realArray(3, 4)
}

// inner is the real inner product, under which the gradient of a linear function is its adjoint.
func inner(a, b *nd.Array) float64 {
	return nd.Value[float64](ops.Sum(ops.Real(ops.Multiply(ops.Conj(a), b))))
}

func TestGradientsAreAdjoints(t *testing.T) {
	for _, c := range transforms {
		x := input(c.complex)
		y := c.f(x)
		g := realArray(y.Shape()...)
		if y.DType().IsComplex() {
			g = complexArray(y.Shape()...)
		}
		_, pull := grad.VJP(func(xs ...*nd.Array) []*nd.Array { return []*nd.Array{c.f(xs[0])} }, x)
		gx := pull([]*nd.Array{g})[0]
		if gx.DType() != x.DType() {
			t.Errorf("%s: the gradient is %s", c.name, gx.DType())
		}
		if got, want := inner(gx, x), inner(g, y); !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) {
			t.Errorf("%s: inner products %v and %v", c.name, got, want)
		}
	}
}

// The sum of |y|⁴ has a second derivative that varies; its product with a direction is compared with differences of
// gradients.
func TestSecondDerivatives(t *testing.T) {
	power := func(f func(*nd.Array) *nd.Array) func(...*nd.Array) *nd.Array {
		return func(xs ...*nd.Array) *nd.Array {
			y := f(xs[0])
			square := ops.Square(y)
			if y.DType().IsComplex() {
				square = ops.Add(ops.Square(ops.Real(y)), ops.Square(ops.Imag(y)))
			}
			return ops.Sum(ops.Square(square))
		}
	}
	for _, c := range transforms {
		x, v := input(c.complex), input(c.complex)
		gradient := func(at *nd.Array) *nd.Array {
			_, gs := grad.ValueAndGrad(power(c.f))(at)
			return gs[0]
		}
		tape := grad.NewTape()
		w := tape.Watch(x)
		first := tape.GradientRecorded(power(c.f)(w), w)[0]
		along := ops.Sum(ops.Real(ops.Multiply(ops.Conj(first), v)))
		second := tape.Keep(tape.Gradient(along, w)[0])
		tape.Release()
		const h = 1e-5
		step := ops.Multiply(v, h)
		difference := ops.Divide(ops.Subtract(gradient(ops.Add(x, step)), gradient(ops.Subtract(x, step))), 2*h)
		near(t, c.name, second, difference, 1e-5)
	}
}
