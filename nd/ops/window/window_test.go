package window_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/window"
)

func TestWindowsAreSymmetric(t *testing.T) {
	kaiser := func(n int, opts ...nd.ArrayOption) *nd.Array { return window.Kaiser(n, 6, opts...) }
	for name, f := range map[string]func(n int, opts ...nd.ArrayOption) *nd.Array{
		"Bartlett": window.Bartlett, "Blackman": window.Blackman, "Hamming": window.Hamming, "Hanning": window.Hanning, "Kaiser": kaiser,
	} {
		for _, n := range []int{-1, 0, 1, 2, 7, 64} {
			w := f(n, dtype.Float32)
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
