package fft_test

import (
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/fft"
)

func TestOut(t *testing.T) {
	x := nd.FromSlice([]float32{1, 2, 0, -1, 3, 5}, 2, 3)
	of := func(d dtype.DType, shape ...int) *nd.Array { return nd.Zeros(shape, d) }
	out := of(dtype.Complex128, 2, 3)
	if y := fft.FFT(x, fft.Options{Out: out}); y != out {
		t.Error("FFT does not return Out")
	}
	if want := fft.FFT(x); !ops.ArrayEqual(out, want) {
		t.Errorf("FFT into complex128: %v, want %v", out, want)
	}
	none := fft.FFTN(x, fft.AxesOptions{Axes: ops.Over(), Out: of(dtype.Float64, 2, 3)})
	if !ops.ArrayEqual(none, x) || x.IsReleased() {
		t.Errorf("FFTN over no axes: %v", none)
	}
	for text, call := range map[string]func(){
		"fft.FFT: the result has shape (2, 3), Out (3, 2)":   func() { fft.FFT(x, fft.Options{Out: of(dtype.Complex64, 3, 2)}) },
		"fft.RFFT: the result is complex64, which same_kind": func() { fft.RFFT(x, fft.Options{Out: of(dtype.Float32, 2, 2)}) },
	} {
		if err := nd.Catch(call); err == nil || !strings.HasPrefix(err.Error(), text) {
			t.Errorf("got %v, want %q", err, text)
		}
	}
}
