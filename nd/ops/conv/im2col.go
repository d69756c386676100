package conv

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// Im2ColOptions are the options of Im2Col.
type Im2ColOptions struct {
	// Pad is the number of zeros before and after the elements, Stride the step of the window, Dilation the distance
	// between the elements that the window reads. Each has a number for each axis of the window, one for all, or none
	// for 0, 1 and 1.
	Pad, Stride, Dilation []int
	// CoverAll adds a window if the others would leave the last elements out; x is padded with zeros for it.
	CoverAll bool
}

// Im2Col lays out the elements that a Convolution with a window of the given lengths multiplies: every element of the
// window becomes a channel. The channels that come from one channel of x are neighbours, in row-major order.
//
// Shapes: x (N, C, L…), kernel K… (one length stands for all); the result (N, C·ΠK, L'…), with L' as in Convolution.
// PyTorch: nn.functional.unfold. Chainer: im2col.
func Im2Col(x *nd.Array, kernel []int, opts ...Im2ColOptions) *nd.Array {
	const fn nd.Func = "conv.Im2Col"
	fn.Check(x)
	o := options.Read(fn, opts)
	rank := x.Rank() - 2
	if rank < 1 || len(kernel) != rank && len(kernel) != 1 {
		panic(fn.Errorf([]*nd.Array{x}, "kernel %v: want a length for each axis after the channels, or one", kernel))
	}
	s := windowsAsColumns(fn, x, x.Shape()[2:], kernel, o)
	widths := make([][2]int, x.Rank())
	taps := 1
	for axis, n := range s.sizes {
		widths[2+axis] = [2]int{s.pad[axis], s.covered[axis] - n - s.pad[axis]}
		taps = broadcast.Product(taps, s.taps[axis])
	}
	padded := x
	if slices.ContainsFunc(widths, func(w [2]int) bool { return w != [2]int{} }) {
		padded = ops.Pad(x, widths)
	}
	fn.CheckAllocatable(dtype.Int64, taps)
	parts := make([]*nd.Array, taps)
	for k := range parts {
		window := make([]nd.Index, x.Rank())
		rest := k
		for axis := rank - 1; axis >= 0; axis-- {
			from := rest % s.taps[axis] * s.dilation[axis]
			rest /= s.taps[axis]
			window[2+axis] = nd.Span(from, from+s.stride[axis]*(s.outputSizes[axis]-1)+1).By(s.stride[axis])
		}
		parts[k] = padded.Index(window...)
	}
	y := release.Operands(ops.Stack(parts, ops.Over(2)), parts...)
	release.Unless(padded, x)
	return release.Replace(y, y.Reshape(slices.Concat([]int{x.Dim(0), broadcast.Product(x.Dim(1), taps)}, s.outputSizes)...))
}

// Col2Im is the transpose of Im2Col: it gives each pixel of the images the sum of the elements that Im2Col would copy
// from there. Pad, Stride, Dilation and CoverAll are those of Im2Col.
//
// Shapes: x (N, C·ΠK, L'…), or (N, C·ΠK, ΠL') with the axes of windows flattened, the lengths L… of the images, kernel
// K…; the result (N, C, L…).
// PyTorch: nn.functional.fold.
func Col2Im(x *nd.Array, size, kernel []int, opts ...Im2ColOptions) *nd.Array {
	const fn nd.Func = "conv.Col2Im"
	fn.Check(x)
	rank := len(size)
	if rank < 1 || x.IsScalar() || x.DType().IsBool() || x.Rank() != 3 && x.Rank() != rank+2 || slices.Min(size) < 0 || len(kernel) != rank && len(kernel) != 1 {
		panic(fn.Errorf([]*nd.Array{x}, "size %v, kernel %v: want lengths for each axis of the windows", size, kernel))
	}
	fn.CheckAllocatable(x.DType(), size...)
	s := windowsAsColumns(fn, x, size, kernel, options.Read(fn, opts))
	taps, windows := broadcast.Size(s.taps), broadcast.Size(s.outputSizes)
	channels := x.Dim(1) / max(1, taps)
	if x.Dim(1) != channels*taps || x.Size() != x.Dim(0)*x.Dim(1)*windows {
		panic(fn.Errorf([]*nd.Array{x}, "want channels in multiples of %d and %d windows", taps, windows))
	}
	fn.CheckAllocatable(dtype.Int64, taps, windows)
	made := fn.Temporaries(&x)
	defer made.Release()
	at := made.Own(nd.FromSliceOn(x.Device(), s.columns(), taps*windows))
	sums := made.Own(fn.NewFilled(x.DType(), []int{x.Dim(0), channels, broadcast.Size(s.covered)}, 0, x))
	y := ops.AddAt(sums, x.Reshape(x.Dim(0), channels, taps*windows), nd.All(), nd.All(), nd.Pick(at))
	inner := []nd.Index{nd.All(), nd.All()}
	for axis, n := range size {
		inner = append(inner, nd.Span(s.pad[axis], s.pad[axis]+n))
	}
	return made.Keep(y.Reshape(slices.Concat([]int{x.Dim(0), channels}, s.covered)...).Index(inner...).Contiguous())
}

// windowsAsColumns returns the sizes of windows that slide over images of some lengths.
func windowsAsColumns(fn nd.Func, x *nd.Array, sizes, kernel []int, o Im2ColOptions) *convolutionShape {
	s := &convolutionShape{fn: fn, x: x, sizes: sizes}
	s.taps = s.perAxis("kernel", kernel, 1, 1)
	s.pad, s.stride = s.perAxis("Pad", o.Pad, 0, 0), s.perAxis("Stride", o.Stride, 1, 1)
	s.dilation = s.perAxis("Dilation", o.Dilation, 1, 1)
	for axis := range sizes {
		s.addOutputSize(axis, s.padded(axis), s.extent(axis), s.stride[axis], o.CoverAll)
	}
	return s
}

// columns lists, for each element of the window and each window, the flat index in the padded images.
func (s *convolutionShape) columns() []int64 {
	list := []int64{0}
	for _, along := range []struct{ counts, steps []int }{{s.taps, s.dilation}, {s.outputSizes, s.stride}} {
		for axis, n := range along.counts {
			step := int64(along.steps[axis] * broadcast.Size(s.covered[axis+1:]))
			longer := make([]int64, 0, len(list)*n)
			for _, at := range list {
				for i := range n {
					longer = append(longer, at+int64(i)*step)
				}
			}
			list = longer
		}
	}
	return list
}
