package conv_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
)

// TestOutputSize compares sizes with those of convolutions and poolings, and the sizes of their inverses with those of
// deconvolutions and unpoolings.
func TestOutputSize(t *testing.T) {
	each := []int{1, 2, 3}
	for size := range 8 {
		for _, kernel := range each {
			for _, stride := range each {
				for pad := range 2 * kernel {
					for _, dilation := range each {
						for _, o := range []conv.OutputSizeOptions{{}, {CoverAll: true}, {IgnoreBorder: new(false)}, {CoverAll: true, IgnoreBorder: new(false)},
							{CoverPadding: true}, {CoverPadding: true, IgnoreBorder: new(false)}} {
							o.Stride, o.Pad, o.Dilation = stride, pad, dilation
							compareSizes(t, size+1, kernel, o)
						}
					}
				}
			}
		}
	}
	if n := conv.OutputSize(7, 3); n != 5 {
		t.Errorf("%d windows without options", n)
	}
	if n := conv.TransposedOutputSize(5, 3); n != 7 {
		t.Errorf("length %d without options", n)
	}
	if n := conv.TransposedOutputSize(0, 3); n != 0 {
		t.Errorf("length %d of an empty axis", n)
	}
	for name, f := range map[string]func(){
		"no window":      func() { conv.OutputSize(2, 3) },
		"negative size":  func() { conv.OutputSize(-1, 3) },
		"no kernel":      func() { conv.OutputSize(2, 0) },
		"negative pad":   func() { conv.OutputSize(2, 1, conv.OutputSizeOptions{Pad: -1}) },
		"stride":         func() { conv.TransposedOutputSize(2, 1, conv.OutputSizeOptions{Stride: -1}) },
		"dilation":       func() { conv.TransposedOutputSize(2, 1, conv.OutputSizeOptions{Dilation: -1}) },
		"too much taken": func() { conv.TransposedOutputSize(1, 1, conv.OutputSizeOptions{Pad: 1}) },
	} {
		if !panics(f) {
			t.Errorf("%s is accepted", name)
		}
	}
}

func compareSizes(t *testing.T, size, kernel int, o conv.OutputSizeOptions) {
	t.Helper()
	x, stride, pad, dilation := nd.Zeros([]int{1, 1, size}), []int{o.Stride}, []int{o.Pad}, []int{o.Dilation}
	for name, f := range map[string][2]func() int{
		"pooling": {func() int { return conv.OutputSize(size, kernel, o) }, func() int {
			return conv.MaxPooling(x, []int{kernel}, conv.PoolingOptions{Stride: stride, Pad: pad, Dilation: dilation,
				CoverAll: o.CoverAll, CoverPadding: o.CoverPadding, IgnoreBorder: o.IgnoreBorder}).Dim(2)
		}},
		"convolution": {func() int { return conv.OutputSize(size, kernel, o) }, func() int {
			if o.IgnoreBorder != nil || o.CoverAll {
				panic("not an option")
			}
			return conv.Convolution(x, nd.Zeros([]int{1, 1, kernel}), nil,
				conv.ConvolutionOptions{Stride: stride, Pad: pad, Dilation: dilation, CoverAll: o.CoverPadding}).Dim(2)
		}},
		"deconvolution": {func() int { return conv.TransposedOutputSize(size, kernel, o) }, func() int {
			if o.CoverAll || o.CoverPadding || o.IgnoreBorder != nil {
				panic("not an option")
			}
			return conv.Deconvolution(x, nd.Zeros([]int{1, 1, kernel}), nil,
				conv.DeconvolutionOptions{Stride: stride, Pad: pad, Dilation: dilation}).Dim(2)
		}},
		"unpooling": {func() int { return conv.TransposedOutputSize(size, kernel, o) }, func() int {
			if o.Dilation != 1 || o.IgnoreBorder != nil {
				panic("not an option")
			}
			return conv.Unpooling(x, []int{kernel}, conv.UnpoolingOptions{Stride: stride, Pad: pad, CoverAll: o.CoverAll, CoverPadding: o.CoverPadding}).Dim(2)
		}},
	} {
		var got, want int
		if panics(func() { want = f[1]() }) {
			continue
		}
		if panics(func() { got = f[0]() }) || got != want {
			t.Errorf("%s: size %d, kernel %d, %+v: %d, want %d", name, size, kernel, o, got, want)
		}
	}
	if n := 0; !panics(func() { n = conv.TransposedOutputSize(size, kernel, o) }) && n > 0 {
		if got := conv.OutputSize(n, kernel, o); got != size {
			t.Errorf("%d windows in the length %d for %d, kernel %d, %+v", got, n, size, kernel, o)
		}
		if shorter := 0; n > 1 && !panics(func() { shorter = conv.OutputSize(n-1, kernel, o) }) && shorter >= size {
			t.Errorf("%d is not the shortest length for %d windows, kernel %d, %+v", n, size, kernel, o)
		}
	}
}

func panics(f func()) (failed bool) {
	defer func() { failed = recover() != nil }()
	f()
	return false
}
