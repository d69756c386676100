package fft_test

import (
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/fft"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// TestDefaultLengths leaves the length along one axis alone: 0 means what a missing S means, which for the last axis of IRFFTN
// is not the length of the input.
func TestDefaultLengths(t *testing.T) {
	x := opstest.Normal(1, dtype.Float64, 3, 4)
	for name, f := range map[string]func(x *nd.Array, opts ...fft.AxesOption) *nd.Array{
		"FFTN": fft.FFTN, "IFFTN": fft.IFFTN, "RFFTN": fft.RFFTN, "IRFFTN": fft.IRFFTN, "FFT2": fft.FFT2, "IRFFT2": fft.IRFFT2,
	} {
		if !assert.Equal(t, f(x, fft.AxesOptions{S: []int{0, 0}}), f(x)) || !assert.Equal(t, f(x, fft.AxesOptions{S: []int{3, 0}}), f(x)) {
			t.Errorf("%s: 0 is not the default", name)
		}
		assert.Equal(t, f(x, fft.AxesOptions{S: []int{0, 5}}), f(x, fft.AxesOptions{S: []int{3, 5}}))
	}
	if y := fft.IRFFTN(x, fft.AxesOptions{S: []int{0, -1}}); !slices.Equal(y.Shape(), []int{3, 4}) {
		t.Errorf("-1 gives shape %v", y.Shape())
	}
}
