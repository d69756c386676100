package window_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/window"
)

// windows are all functions, with parameters.
var windows = map[string]func(n int, opts ...nd.ArrayOption) *nd.Array{
	"Bartlett": window.Bartlett, "Blackman": window.Blackman, "Cosine": window.Cosine, "Hamming": window.Hamming, "Hanning": window.Hanning,
	"Nuttall":        window.Nuttall,
	"Kaiser":         func(n int, opts ...nd.ArrayOption) *nd.Array { return window.Kaiser(n, 6, opts...) },
	"Exponential":    func(n int, opts ...nd.ArrayOption) *nd.Array { return window.Exponential(n, 2, opts...) },
	"Gaussian":       func(n int, opts ...nd.ArrayOption) *nd.Array { return window.Gaussian(n, 1.5, opts...) },
	"GeneralHamming": func(n int, opts ...nd.ArrayOption) *nd.Array { return window.GeneralHamming(n, 0.7, opts...) },
	"GeneralCosine": func(n int, opts ...nd.ArrayOption) *nd.Array {
		return window.GeneralCosine(n, []float64{0.25, 0.5, 0.25}, opts...)
	},
}

func TestWindowsAreSymmetric(t *testing.T) {
	for name, f := range windows {
		for _, n := range []int{-1, 0, 1, 2, 7, 64} {
			w := f(n, dtype.Float32, window.Symmetric)
			if w.DType() != dtype.Float32 || w.Size() != max(n, 0) || !ops.ArrayEqual(w, w.Flip(0)) {
				t.Errorf("%s of %d: %#v", name, n, w)
			}
			if n%2 == 1 && n > 0 && nd.Value[float64](w, n/2) != 1 {
				t.Errorf("%s of %d: the middle is %v", name, n, nd.Value[float64](w, n/2))
			}
		}
		if err := nd.Catch(func() { f(3, dtype.Int8) }); err == nil {
			t.Errorf("%s of whole numbers is not refused", name)
		}
	}
}

func TestPeriodicWindows(t *testing.T) {
	for name, f := range windows {
		for _, n := range []int{-1, 0, 2, 7, 64} {
			if w, whole := f(n, window.Periodic), f(max(n, 0)+1); !ops.ArrayEqual(w, whole.Index(nd.Until(max(n, 0)))) {
				t.Errorf("%s of %d: %v, want the first samples of %v", name, n, w, whole)
			}
		}
		if w := f(1, window.Periodic, nd.ArrayOptions{DType: dtype.Float32}); w.DType() != dtype.Float32 || nd.Value[float64](w, 0) != 1 {
			t.Errorf("%s of one sample: %#v", name, w)
		}
	}
	near := func(what string, w *nd.Array, want ...float64) {
		t.Helper()
		if !ops.AllClose(w, nd.FromSlice(want), ops.IsCloseOptions{RTol: nd.Scalar(1e-14)}) {
			t.Errorf("%s: %v, want %v", what, w, want)
		}
	}
	near("Cosine", window.Cosine(3), 0.5, 1, 0.5)
	near("Gaussian", window.Gaussian(2, 0.5), math.Exp(-0.5), math.Exp(-0.5))
	near("Exponential", window.Exponential(3, 1, window.Periodic), math.Exp(-1.5), math.Exp(-0.5), math.Exp(-0.5))
	near("GeneralCosine of one weight", window.GeneralCosine(3, []float64{2}), 2, 2, 2)
	for what, f := range map[string]func(){
		"an unknown form":   func() { window.Cosine(3, window.Form("round")) },
		"two forms":         func() { window.Cosine(3, window.Periodic, window.Symmetric) },
		"tau = 0":           func() { window.Exponential(3, 0) },
		"std = NaN":         func() { window.Gaussian(3, math.NaN()) },
		"no weights":        func() { window.GeneralCosine(3, nil) },
		"two dtypes":        func() { window.Nuttall(3, dtype.Float32, window.Periodic, dtype.Float64) },
		"too many elements": func() { window.Nuttall(math.MaxInt, window.Periodic) },
	} {
		opstest.Refused(t, what, f)
	}
}
