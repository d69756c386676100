package ops

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Im2ColOptions are the options of Im2Col.
type Im2ColOptions struct {
	// Pad is the number of zeros before and after the elements, Stride the step of the window, Dilation the distance
	// between the elements that it takes up: a number for each axis of the window, one for all, or none for 0, 1 and 1.
	Pad, Stride, Dilation []int
	// CoverAll adds a place to the result where the window would leave the last elements out, as if zeros followed them.
	CoverAll bool
}

// Im2Col lays out what a Convolution with a window of the given lengths multiplies: every element of the window becomes a
// channel of its own, those of one channel of x one after the other, in row-major order. chainer im2col,
// torch.nn.functional.unfold.
//
// Shapes: x (N, C, L…), kernel K…; the result (N, C·ΠK, L'…), with L' as in Convolution.
func Im2Col(x *nd.Array, kernel []int, opts ...Im2ColOptions) *nd.Array {
	const fn nd.Func = "ops.Im2Col"
	fn.Check(x)
	o := options.Read(fn, opts)
	rank := x.Rank() - 2
	if rank < 1 || len(kernel) != rank && len(kernel) != 1 {
		panic(fn.Errorf([]*nd.Array{x}, "kernel %v: want a length for each axis after the channels, or one", kernel))
	}
	s := &convolutionShape{fn: fn, x: x, sizes: x.Shape()[2:]}
	s.taps = s.perAxis("kernel", kernel, 1, 1)
	s.pad, s.stride = s.perAxis("Pad", o.Pad, 0, 0), s.perAxis("Stride", o.Stride, 1, 1)
	s.dilation = s.perAxis("Dilation", o.Dilation, 1, 1)
	widths := make([][2]int, x.Rank())
	taps := 1
	for axis, n := range s.sizes {
		s.place(axis, s.padded(axis), s.extent(axis), s.stride[axis], o.CoverAll)
		widths[2+axis] = [2]int{s.pad[axis], s.reach[axis] - n - s.pad[axis]}
		taps = broadcast.Product(taps, s.taps[axis])
	}
	padded := x
	if slices.ContainsFunc(widths, func(w [2]int) bool { return w != [2]int{} }) {
		padded = Pad(x, widths)
	}
	fn.CheckRoom(dtype.Int64, taps)
	parts := make([]*nd.Array, taps)
	for k := range parts {
		window := make([]nd.Index, x.Rank())
		rest := k
		for axis := rank - 1; axis >= 0; axis-- {
			from := rest % s.taps[axis] * s.dilation[axis]
			rest /= s.taps[axis]
			window[2+axis] = nd.Span(from, from+s.stride[axis]*(s.places[axis]-1)+1).By(s.stride[axis])
		}
		parts[k] = padded.Index(window...)
	}
	y := releasing(Stack(parts, Over(2)), parts...)
	releaseUnless(padded, x)
	return instead(y, y.Reshape(slices.Concat([]int{x.Dim(0), broadcast.Product(x.Dim(1), taps)}, s.places)...))
}
