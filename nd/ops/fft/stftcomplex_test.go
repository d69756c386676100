package fft_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/fft"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestComplexSTFT compares with STFT, and with transforms of frames of complex signals.
func TestComplexSTFT(t *testing.T) {
	x := realArray(2, 11)
	hann := nd.FromSlice([]float64{0, 0.5, 1, 0.5})
	for _, mode := range []ops.PadMode{"", ops.PadReflect, ops.PadConstant, ops.PadEdge, ops.PadWrap} {
		re, im := fft.STFT(x, 4, 3, 5, fft.STFTOptions{PadMode: mode})
		z := fft.ComplexSTFT(x, 5, 3, fft.ComplexSTFTOptions{Window: hann, PadMode: mode})
		near(t, "real part", ops.Real(z), re, 1e-14)
		near(t, "imaginary part", ops.Imag(z), im, 1e-14)
	}
	c := complexArray(11)
	z := fft.ComplexSTFT(c, 4, 2, fft.ComplexSTFTOptions{Center: new(false), Window: hann, Normalized: true})
	for frame := range 4 {
		want := fft.FFT(ops.Multiply(c.Index(nd.Span(2*frame, 2*frame+4)), hann), fft.Options{Norm: fft.NormOrtho})
		near(t, "a frame", z.Index(nd.All(), nd.At(frame)), want, 1e-14)
	}
	for shape, dt := range map[[2]int]dtype.DType{{2, 0}: dtype.Float32, {0, 8}: dtype.Float16} {
		if shape[0] == 2 {
			continue
		}
		if y := fft.ComplexSTFT(nd.Zeros(shape[:], dt), 4, 2); !slices.Equal(y.Shape(), []int{0, 3, 5}) || y.DType() != dtype.Complex64 {
			t.Errorf("of %v: shape %v of %s", shape, y.Shape(), y.DType())
		}
	}
	view := realArray(9, 2).Transpose()
	near(t, "a view", fft.ComplexSTFT(view, 4, 2), fft.ComplexSTFT(view.Copy(), 4, 2), 0)
	if y := wide(fft.ComplexSTFT(nd.FromSlice([]float64{0, 0, 0, 0, 0, math.Inf(1)}), 2, 2, fft.ComplexSTFTOptions{Center: new(false)})); y[0] != 0 || !math.IsInf(real(y[2]), 1) {
		t.Errorf("an infinity has influence on other frames: %v", y)
	}
}

// TestComplexISTFTUndoesComplexSTFT goes there and back, with lengths.
func TestComplexISTFTUndoesComplexSTFT(t *testing.T) {
	window := nd.FromSlice([]float64{0.5, 1, 1, 0.75, 0.5})
	for _, center := range []bool{true, false} {
		for _, normalized := range []bool{true, false} {
			for _, stride := range []int{1, 3} {
				o := fft.ComplexSTFTOptions{Center: &center, Normalized: normalized, Window: window}
				back := fft.ComplexISTFTOptions{Center: &center, Normalized: normalized, Window: window}
				x, c := realArray(2, 3, 17), complexArray(17)
				near(t, "real signals", fft.ComplexISTFT(fft.ComplexSTFT(x, 5, stride, o), 5, stride, back), upTo(x, 5, stride, center), 1e-13)
				o.OneSided = new(false)
				near(t, "real signals, all frequencies", fft.ComplexISTFT(fft.ComplexSTFT(x, 5, stride, o), 5, stride, back), upTo(x, 5, stride, center), 1e-13)
				back.Complex = true
				near(t, "complex signals", fft.ComplexISTFT(fft.ComplexSTFT(c, 5, stride, o), 5, stride, back), upTo(c, 5, stride, center), 1e-13)
			}
		}
	}
	z := fft.ComplexSTFT(realArray(16), 8, 2)
	y := fft.ComplexISTFT(z, 8, 2)
	near(t, "cut", fft.ComplexISTFT(z, 8, 2, fft.ComplexISTFTOptions{Length: 7}), y.Index(nd.Until(7)), 0)
	long := fft.ComplexISTFT(z, 8, 2, fft.ComplexISTFTOptions{Length: 25})
	near(t, "filled", long.Index(nd.Until(16)), y, 1e-14)
	near(t, "zeros", long.Index(nd.From(20)), nd.Zeros([]int{5}), 0)
}

// upTo returns the samples that frames cover.
func upTo(x *nd.Array, size, stride int, center bool) *nd.Array {
	pad := 0
	if center {
		pad = size / 2
	}
	count := (x.Dim(-1)+2*pad-size)/stride + 1
	return x.Index(nd.Ellipsis(), nd.Until((count-1)*stride+size-2*pad))
}

func TestComplexSTFTGradients(t *testing.T) {
	window := nd.FromSlice([]float64{0.5, 1, 0.75})
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		return fft.ComplexSTFT(xs[0], 4, 3, fft.ComplexSTFTOptions{Window: xs[1]})
	}, realArray(2, 7), window)
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		return fft.ComplexSTFT(xs[0], 4, 1, fft.ComplexSTFTOptions{Window: xs[1], PadMode: ops.PadWrap, Normalized: true})
	}, complexArray(5), window)
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		return fft.ComplexISTFT(xs[0], 4, 1, fft.ComplexISTFTOptions{Window: xs[1], Length: 4})
	}, complexArray(3, 5), window)
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		return fft.ComplexISTFT(xs[0], 3, 2, fft.ComplexISTFTOptions{Window: xs[1], Complex: true, Center: new(false)})
	}, complexArray(2, 3, 3), window)
}

func TestComplexSTFTRefusals(t *testing.T) {
	x, z, w := nd.Ones([]int{8}), complexArray(3, 5), nd.Ones([]int{5})
	for what, f := range map[string]func(){
		"0-d":                         func() { fft.ComplexSTFT(nd.Ones(nil), 4, 2) },
		"one-sided complex":           func() { fft.ComplexSTFT(complexArray(8), 4, 2, fft.ComplexSTFTOptions{OneSided: new(true)}) },
		"a long window":               func() { fft.ComplexSTFT(x, 4, 2, fft.ComplexSTFTOptions{Window: w}) },
		"a complex window":            func() { fft.ComplexSTFT(x, 4, 2, fft.ComplexSTFTOptions{Window: complexArray(2)}) },
		"no stride":                   func() { fft.ComplexSTFT(x, 4, 0) },
		"a long reflection":           func() { fft.ComplexSTFT(x, 16, 1) },
		"an unknown mode":             func() { fft.ComplexSTFT(x, 4, 2, fft.ComplexSTFTOptions{PadMode: "mean"}) },
		"no samples":                  func() { fft.ComplexSTFT(nd.Ones([]int{0}), 4, 2, fft.ComplexSTFTOptions{PadMode: ops.PadWrap}) },
		"few samples":                 func() { fft.ComplexSTFT(x, 9, 2, fft.ComplexSTFTOptions{Center: new(false)}) },
		"wrong frequencies":           func() { fft.ComplexISTFT(z, 6, 2) },
		"no frames":                   func() { fft.ComplexISTFT(nd.Zeros([]int{3, 0}, dtype.Complex64), 4, 2) },
		"complex from half":           func() { fft.ComplexISTFT(z, 4, 2, fft.ComplexISTFTOptions{Complex: true}) },
		"a negative length":           func() { fft.ComplexISTFT(z, 4, 2, fft.ComplexISTFTOptions{Length: -1}) },
		"a length that never fits":    func() { fft.ComplexISTFT(z, 4, 2, fft.ComplexISTFTOptions{Length: math.MaxInt}) },
		"one frame without a middle":  func() { fft.ComplexISTFT(complexArray(3, 1), 4, 2) },
		"frames that never fit":       func() { fft.ComplexSTFT(x, 1<<40, 1) },
		"of HFFTN: an unknown norm":   func() { fft.HFFTN(x, fft.AxesOptions{Norm: "none"}) },
		"of IHFFTN: complex numbers":  func() { fft.IHFFTN(z) },
		"of IHFFT2: an array of one":  func() { fft.IHFFT2(x) },
		"of HFFTN: a length too many": func() { fft.HFFTN(x, fft.AxesOptions{S: []int{1, 2}}) },
	} {
		if nd.Catch(f) == nil {
			t.Errorf("%s: not refused", what)
		}
	}
}

// TestHermitianTransformsOfSeveralAxes compares with transforms of single axes, and goes there and back.
func TestHermitianTransformsOfSeveralAxes(t *testing.T) {
	for _, norm := range []fft.Norm{"", fft.NormOrtho, fft.NormForward} {
		z := complexArray(3, 2, 4)
		want := fft.HFFT(fft.FFT(z, fft.Options{Axis: ops.Over(1), Norm: norm}), fft.Options{Norm: norm})
		near(t, "HFFT2", fft.HFFT2(z, fft.AxesOptions{Norm: norm}), want, 1e-13)
		near(t, "HFFTN", fft.HFFTN(z, fft.AxesOptions{Norm: norm}), fft.HFFT(fft.FFTN(z, fft.AxesOptions{Axes: ops.Over(0, 1), Norm: norm}), fft.Options{Norm: norm}), 1e-12)
		x := realArray(3, 2, 5)
		half := fft.IHFFTN(x, fft.AxesOptions{Norm: norm})
		near(t, "HFFTN of IHFFTN", fft.HFFTN(half, fft.AxesOptions{Norm: norm, S: []int{3, 2, 5}}), x, 1e-13)
		out := nd.Zeros(half.Shape(), dtype.Complex64)
		if y := fft.IHFFTN(x, fft.AxesOptions{Norm: norm, Out: out}); y != out {
			t.Error("IHFFTN does not return Out")
		}
		near(t, "Out", out, half.AsType(dtype.Complex64), 0)
	}
}
