package conv

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// OutputSizeOptions are the options of OutputSize and TransposedOutputSize, along one axis.
type OutputSizeOptions struct {
	// Stride is the distance between windows; 0 means 1. The stride of a pooling is the kernel's length unless its
	// options give another.
	Stride int
	// Pad is the number of points added before and behind the axis.
	Pad int
	// Dilation is the distance between the points of a window; 0 means 1.
	Dilation int
	// CoverAll counts a last window that reaches beyond the padding if points would be left over otherwise and the window
	// holds an element.
	CoverAll bool
	// CoverPadding is CoverAll that counts this window even if it holds only padding. It is CoverAll of convolutions.
	CoverPadding bool
	// IgnoreBorder is the option of poolings: false counts a window at each stride in the array or in the padding before
	// it. Nil means true. CoverAll and CoverPadding override it.
	IgnoreBorder *bool
}

// OutputSize returns the number of windows along an axis of length size, which is the output's length of a convolution
// or pooling with a kernel of the given length.
//
//	⌊(size + 2·pad - extent)/stride⌋ + 1, where extent = dilation·(kernel-1) + 1
//
// With CoverPadding the quotient is rounded up, and with CoverAll too, but for a last window that would hold no element; a
// window may then be longer than the axis, which poolings accept and convolutions refuse. If IgnoreBorder is false, as in
// NNabla's poolings with ignore_border=False, there are ⌊(size + pad - 1)/stride⌋ + 1 windows. MXNet's conventions of pooling
// are the default (valid), CoverPadding (full) and IgnoreBorder (same), PyTorch's ceil_mode is CoverAll. OutputSize panics if
// there is no window.
// Chainer: utils.conv.get_conv_outsize (with CoverPadding).
func OutputSize(size, kernel int, opts ...OutputSizeOptions) int {
	const fn nd.Func = "conv.OutputSize"
	w, cover := windowsOf(fn, size, kernel, opts)
	n := w.count(size, cover)
	if n == 0 {
		panic(fn.Errorf(nil, "the window spans %d, the padded input has %d", w.extent(), w.padded(size)))
	}
	return n
}

// TransposedOutputSize returns the output's length of a deconvolution or unpooling along an axis of length size, the
// inverse of [OutputSize].
//
//	stride·(size-1) + extent - 2·pad, where extent = dilation·(kernel-1) + 1
//
// Of the lengths that give size windows it is the smallest, also with the other options: with CoverPadding it is smaller by
// stride - 1, with CoverAll by at most that. If IgnoreBorder is false, it is stride·(size - 1) + 1 - pad.
// Chainer: utils.conv.get_deconv_outsize (with CoverPadding).
func TransposedOutputSize(size, kernel int, opts ...OutputSizeOptions) int {
	const fn nd.Func = "conv.TransposedOutputSize"
	w, cover := windowsOf(fn, size, kernel, opts)
	if size == 0 {
		return 0
	}
	n := w.shortest(size, cover)
	if n < 0 {
		panic(fn.Errorf(nil, "the result would have %d elements", n))
	}
	return n
}

// windowsOf checks the arguments of a function of sizes.
func windowsOf(fn nd.Func, size, kernel int, opts []OutputSizeOptions) (windows, covering) {
	o := options.Read(fn, opts)
	if o.Stride == 0 {
		o.Stride = 1
	}
	if o.Dilation == 0 {
		o.Dilation = 1
	}
	if size < 0 || kernel < 1 || o.Stride < 0 || o.Dilation < 0 || o.Pad < 0 {
		panic(fn.Errorf(nil, "size %d, kernel %d, stride %d, padding %d, dilation %d: want a size and a padding of at least 0, and all others at least 1",
			size, kernel, o.Stride, o.Pad, o.Dilation))
	}
	return windows{kernel, o.Stride, o.Pad, o.Dilation}, coveringOf(o.CoverAll, o.CoverPadding, o.IgnoreBorder)
}
