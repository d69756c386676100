package conv

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
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
	// CoverAll counts a last window that reaches beyond the padding if points would be left over otherwise.
	CoverAll bool
	// IgnoreBorder is the option of poolings: false counts a window at each stride in the array or in the padding before
	// it. Nil means true. CoverAll overrides it.
	IgnoreBorder *bool
}

// OutputSize returns the number of windows along an axis of length size, which is the output's length of a convolution
// or pooling with a kernel of the given length.
//
//	⌊(size + 2·pad - extent)/stride⌋ + 1, where extent = dilation·(kernel-1) + 1
//
// With CoverAll the quotient is rounded up; a window may then be longer than the axis, which poolings accept and
// convolutions refuse. If IgnoreBorder is false, as in NNabla's poolings with ignore_border=False, there are ⌊(size + pad -
// 1)/stride⌋ + 1 windows. MXNet's conventions of pooling are the default (valid), CoverAll (full) and IgnoreBorder (same).
// OutputSize panics if there is no window.
// Chainer: utils.conv.get_conv_outsize.
func OutputSize(size, kernel int, opts ...OutputSizeOptions) int {
	const fn nd.Func = "conv.OutputSize"
	o, extent := windowOf(fn, size, kernel, opts)
	padded := broadcast.Sum(size, o.Pad, o.Pad)
	n := windowsIn(padded-extent, o.Stride, o.CoverAll)
	if o.countsStarts() {
		n = windowsBeginningIn(broadcast.Sum(size, o.Pad), o.Stride)
	}
	if n == 0 {
		panic(fn.Errorf(nil, "the window spans %d, the padded input has %d", extent, padded))
	}
	return n
}

// TransposedOutputSize returns the output's length of a deconvolution or unpooling along an axis of length size, the
// inverse of [OutputSize].
//
//	stride·(size-1) + extent - 2·pad, where extent = dilation·(kernel-1) + 1
//
// Of the lengths that give size windows it is the smallest. With CoverAll it is smaller by stride - 1, and thus again the
// smallest such length. If IgnoreBorder is false, the smallest length is stride·(size - 1) + 1 - pad.
// Chainer: utils.conv.get_deconv_outsize.
func TransposedOutputSize(size, kernel int, opts ...OutputSizeOptions) int {
	const fn nd.Func = "conv.TransposedOutputSize"
	o, extent := windowOf(fn, size, kernel, opts)
	if size == 0 {
		return 0
	}
	n := broadcast.Sum(broadcast.Product(o.Stride, size-1), extent, broadcast.Product(o.Pad, -2))
	switch {
	case o.CoverAll:
		n = broadcast.Sum(n, 1-o.Stride)
	case o.countsStarts():
		n = broadcast.Sum(broadcast.Product(o.Stride, size-1), 1, -o.Pad)
	}
	if n < 0 {
		panic(fn.Errorf(nil, "the result would have %d elements", n))
	}
	return n
}

// countsStarts reports whether a window counts that begins in the array and ends anywhere.
func (o OutputSizeOptions) countsStarts() bool {
	return !o.CoverAll && !argument.ValueOr(o.IgnoreBorder, true)
}

// windowOf checks the arguments of a function of sizes, and returns the options and the length that a window spans.
func windowOf(fn nd.Func, size, kernel int, opts []OutputSizeOptions) (o OutputSizeOptions, extent int) {
	o = options.Read(fn, opts)
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
	return o, broadcast.Sum(broadcast.Product(o.Dilation, kernel-1), 1)
}

// windowsIn returns the number of windows if the first may move by room.
func windowsIn(room, stride int, coverAll bool) int {
	if coverAll {
		room = broadcast.Sum(room, stride-1)
	}
	if room < 0 {
		return 0
	}
	return room/stride + 1
}

// windowsBeginningIn returns the number of windows that begin in the given length.
func windowsBeginningIn(length, stride int) int {
	return broadcast.Sum(length, stride-1) / stride
}
