package fft_test

import (
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/fft"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestSTFTIsRFFTOfFrames(t *testing.T) {
	x := realArray(2, 11)
	re, im := fft.STFT(x, 4, 3, 5, fft.STFTOptions{Center: new(false)})
	if want := []int{2, 3, 3}; !slices.Equal(re.Shape(), want) || !slices.Equal(im.Shape(), want) {
		t.Fatalf("shapes %v and %v, want %v", re.Shape(), im.Shape(), want)
	}
	window := nd.FromSlice([]float64{0, 0.5, 1, 0.5, 0}) // four samples, and one more to the end of the frame
	for frame := range 3 {
		want := fft.RFFT(ops.Multiply(x.Index(nd.All(), nd.Span(3*frame, 3*frame+5)), window))
		near(t, "real part", re.Index(nd.All(), nd.All(), nd.At(frame)), ops.Real(want), 1e-14)
		near(t, "imaginary part", im.Index(nd.All(), nd.All(), nd.At(frame)), ops.Imag(want), 1e-14)
	}
}

func TestSTFTPads(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2, 3, 4}, 1, 4)
	for mode, padded := range map[ops.PadMode][]float64{"": {3, 2, 1, 2, 3, 4, 3, 2}, "reflect": {3, 2, 1, 2, 3, 4, 3, 2}, "constant": {0, 0, 1, 2, 3, 4, 0, 0}} {
		re, im := fft.STFT(x, 3, 2, 4, fft.STFTOptions{PadMode: mode, WindowType: "rectangular"})
		wantRe, wantIm := fft.STFT(nd.FromSlice(padded, 1, 8), 3, 2, 4, fft.STFTOptions{Center: new(false), WindowType: "rectangular"})
		near(t, string(mode), re, wantRe, 0)
		near(t, string(mode), im, wantIm, 0)
	}
}

func TestISTFTUndoesSTFT(t *testing.T) {
	for _, c := range []struct {
		window, stride, size int
		o                    fft.STFTOptions
	}{
		{8, 2, 8, fft.STFTOptions{}}, {6, 2, 8, fft.STFTOptions{WindowType: "hamming", PadMode: "constant"}}, {5, 5, 5, fft.STFTOptions{WindowType: "rectangular"}},
		{8, 4, 8, fft.STFTOptions{WindowType: "rectangular", Center: new(false)}},
	} {
		x := realArray(3, 40)
		re, im := fft.STFT(x, c.window, c.stride, c.size, c.o)
		back := fft.ISTFT(re, im, c.window, c.stride, c.size, c.o)
		near(t, "there and back", back, x.Index(nd.All(), nd.Until(back.Dim(1))), 1e-12)
	}
	re, im := fft.STFT(realArray(1, 16).AsType(dtype.Float32), 8, 2, 8)
	if y := fft.ISTFT(re, im, 8, 2, 8); y.DType() != dtype.Float32 || re.DType() != dtype.Float32 {
		t.Errorf("dtypes %s and %s", re.DType(), y.DType())
	}
}

// TestTransposedSTFT compares the transposes with gradients, which are those of sums of products.
func TestTransposedSTFT(t *testing.T) {
	for _, c := range []struct {
		window, stride, size, samples int
		o                             fft.STFTOptions
	}{
		{8, 2, 8, 16, fft.STFTOptions{}},
		{6, 2, 8, 14, fft.STFTOptions{WindowType: "hamming", PadMode: "constant"}},
		{5, 5, 5, 11, fft.STFTOptions{WindowType: "rectangular"}},
		{3, 1, 7, 13, fft.STFTOptions{Center: new(false)}},
		{8, 4, 8, 8, fft.STFTOptions{WindowType: "rectangular", Center: new(false)}},
	} {
		transposed := c.o
		transposed.Transposed = true
		x, tape := realArray(3, c.samples), grad.NewTape()
		watched := tape.Watch(x)
		re, im := fft.STFT(watched, c.window, c.stride, c.size, c.o)
		gre, gim := ops.Sin(re.Detach()), ops.Cos(im.Detach())
		want := tape.VJP([]*nd.Array{re, im}, []*nd.Array{gre, gim}, watched)[0]
		near(t, "ISTFT, transposed", fft.ISTFT(gre, gim, c.window, c.stride, c.size, transposed), want, 1e-12)

		re, im = tape.Watch(gre), tape.Watch(gim)
		y := fft.ISTFT(re, im, c.window, c.stride, c.size, c.o)
		wants := tape.VJP([]*nd.Array{y}, []*nd.Array{x}, re, im)
		gotRe, gotIm := fft.STFT(x, c.window, c.stride, c.size, transposed)
		near(t, "STFT, transposed, real part", gotRe, wants[0], 1e-12)
		near(t, "STFT, transposed, imaginary part", gotIm, wants[1], 1e-12)

		gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
			return ops.Square(fft.ISTFT(xs[0], xs[1], c.window, c.stride, c.size, transposed))
		}, gre, gim)
		gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
			re, im := fft.STFT(xs[0], c.window, c.stride, c.size, transposed)
			return ops.Multiply(re, im)
		}, x)
	}
	// An uneven stride, which ISTFT does not accept, and views of float32.
	o := fft.STFTOptions{Transposed: true, PadMode: ops.PadConstant}
	re, im := realArray(2, 3, 4).AsType(dtype.Float32), realArray(2, 4, 3).AsType(dtype.Float32).SwapAxes(1, 2)
	y := fft.ISTFT(re, im, 4, 3, 4, o)
	if !slices.Equal(y.Shape(), []int{2, 9}) || y.DType() != dtype.Float32 {
		t.Errorf("an uneven stride: shape %v of %s", y.Shape(), y.DType())
	}
	near(t, "a view", y, fft.ISTFT(re, im.Copy(), 4, 3, 4, o), 0)
	none, _ := fft.STFT(nd.Zeros([]int{0, 8}), 4, 2, 4, o)
	if !slices.Equal(none.Shape(), []int{0, 3, 5}) {
		t.Errorf("of no signals: shape %v", none.Shape())
	}
}

func TestSTFTRefusals(t *testing.T) {
	x, part := nd.Ones([]int{1, 8}), nd.Ones([]int{1, 3, 2})
	for what, f := range map[string]func(){
		"one axis":                   func() { fft.STFT(nd.Ones([]int{8}), 4, 2, 4) },
		"complex":                    func() { fft.STFT(complexArray(1, 8), 4, 2, 4) },
		"a long window":              func() { fft.STFT(x, 5, 2, 4) },
		"no stride":                  func() { fft.STFT(x, 4, 0, 4) },
		"a short signal":             func() { fft.STFT(x, 4, 1, 9, fft.STFTOptions{Center: new(false)}) },
		"a long reflection":          func() { fft.STFT(x, 4, 1, 16) },
		"an unknown window":          func() { fft.STFT(x, 4, 2, 4, fft.STFTOptions{WindowType: "round"}) },
		"an unknown mode":            func() { fft.STFT(x, 4, 2, 4, fft.STFTOptions{PadMode: "mean"}) },
		"wrong frequencies":          func() { fft.ISTFT(part, part, 6, 2, 6) },
		"different shapes":           func() { fft.ISTFT(part, nd.Ones([]int{1, 3, 1}), 4, 2, 4) },
		"an uneven stride":           func() { fft.ISTFT(part, part, 4, 3, 4) },
		"a transposed uneven stride": func() { fft.STFT(x, 4, 3, 4, fft.STFTOptions{Transposed: true}) },
		"part of a frame":            func() { fft.STFT(nd.Ones([]int{1, 7}), 4, 2, 4, fft.STFTOptions{Transposed: true}) },
		"fewer samples than a frame": func() { fft.STFT(x, 16, 2, 16, fft.STFTOptions{Transposed: true, Center: new(false)}) },
		"a transposed reflection":    func() { fft.ISTFT(part, part, 4, 1, 4, fft.STFTOptions{Transposed: true}) },
		"transposed without frames": func() {
			fft.ISTFT(nd.Ones([]int{1, 3, 0}), nd.Ones([]int{1, 3, 0}), 4, 2, 4, fft.STFTOptions{Transposed: true})
		},
		"no frames": func() { fft.ISTFT(nd.Ones([]int{1, 3, 0}), nd.Ones([]int{1, 3, 0}), 4, 2, 4) },
	} {
		if nd.Catch(f) == nil {
			t.Errorf("%s: not refused", what)
		}
	}
}
