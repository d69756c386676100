package conv

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/image"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// DeformableConvolutionOptions are the options of DeformableConvolution; the fields of ConvolutionOptions mean the same
// here.
type DeformableConvolutionOptions struct {
	BaseAxis              *int
	Pad, Stride, Dilation []int
	Group                 int
	ChannelLast           bool
	// DeformableGroup is the number of groups of x's channels, each with offsets and a mask of its own; 0 means 1.
	DeformableGroup int
	// PerPixel says that offset and mask have an entry for each pixel of x, as in NNabla. Those at the multiples of
	// Stride are used, one for each location of the result.
	PerPixel bool
	// Inside ignores, with value 0, all locations outside of the image. The image then extends one step beyond its last
	// row and column and repeats them there. By default elements outside are zeros, and the image falls off to them
	// within one step.
	Inside bool
}

// DeformableConvolution is a two-dimensional Convolution whose windows read x at locations that are moved by offsets.
// It interpolates linearly between elements, and multiplies each of them by mask, unless mask is nil:
//
//	y[c, l] = b[c] + Σ w[c, i, k]·mask[k, l]·x[i, l·Stride + k·Dilation - Pad + offset[k, l]]
//
// It reads the elements by Sample, and sums them by a matrix product. Gradients flow to all arguments. torchvision's
// deform_conv2d is the same operation.
//
// Shapes: with D for DeformableGroup x (M…, C, H, W), w (N, C/Group, K, L), offset (M…, D·K·L·2, H', W'), row offsets
// before column offsets, mask (M…, D·K·L, H', W'), b (N); the result (M…, N, H', W'), as in Convolution. With PerPixel
// offset and mask have the lengths H and W instead of H' and W', and (H' - 1)·Stride must be less than H. With
// ChannelLast the channels of all of these are last, as in Convolution. The computation is in the dtype that x and w
// promote to.
//
// Sources: J. Dai and others, Deformable Convolutional Networks, 2017; X. Zhu and others, Deformable ConvNets v2, 2018.
// NNabla: deformable_convolution (with PerPixel). MXNet: modulated_deformable_convolution, deformable_convolution (with Inside).
func DeformableConvolution(x, w, offset, mask, b *nd.Array, opts ...DeformableConvolutionOptions) *nd.Array {
	const fn nd.Func = "conv.DeformableConvolution"
	o := options.Read(fn, opts)
	fn.Check(x, w, offset)
	if mask != nil {
		fn.Check(x, mask)
	}
	made := fn.Temporaries(&x, &w, &offset, &mask, &b)
	defer made.Release()
	d := deformation{o: o, groups: max(o.DeformableGroup, 1), convolutionShape: convolutionShapeOf(fn, x, w, b, ConvolutionOptions{
		BaseAxis: o.BaseAxis, Pad: o.Pad, Stride: o.Stride, Dilation: o.Dilation, Group: o.Group, ChannelLast: o.ChannelLast,
	})}
	if len(d.sizes) != 2 || o.DeformableGroup < 0 || d.channels%d.groups != 0 || d.dtype.IsComplex() {
		panic(fn.Errorf(d.operands(), "want real images of two axes, and channels in multiples of %d", d.groups))
	}
	d.wantChannels(d.group * d.groupChannels)
	d.wantBias(b, d.filters)
	for axis := range d.sizes {
		d.addOutputSize(axis, d.padded(axis), d.extent(axis), d.stride[axis], false)
	}
	t := dtype.FloatType(d.dtype)
	d.x, d.w = x.AsType(t), w.AsType(t)
	rows, columns := d.locations(made, d.perOutput("offset", offset, 2))
	source := d.images(d.groupChannels).Reshape(slices.Concat([]int{d.batch, d.groups, d.channels / d.groups}, d.sizes)...)
	if o.Inside {
		source, rows = d.inside(source, rows, columns)
	}
	taken := image.Sample(source, []*nd.Array{rows, columns}, image.SampleOptions{Kept: ops.Over(0, 1, 2)})
	if mask != nil {
		weights := d.perOutput("mask", mask, 1).AsType(t).Index(nd.All(), nd.All(), nd.All(), nd.At(0)).ExpandDims(2)
		if ufunc.Recorded(taken, weights) {
			taken = ops.Multiply(taken, weights)
		} else {
			taken = ops.Multiply(taken, weights, ops.Into(taken))
		}
	}
	taken = taken.Reshape(d.batch, d.group, d.groupChannels*d.taps[0]*d.taps[1], d.outputSizes[0]*d.outputSizes[1])
	y := ops.MatMul(d.weight().Reshape(d.group, d.filters/d.group, d.groupChannels*d.taps[0]*d.taps[1]), taken)
	return made.Keep(d.finish(y, b, d.filters, d.outputSizes))
}

// deformation holds the state of one DeformableConvolution.
type deformation struct {
	*convolutionShape
	o      DeformableConvolutionOptions
	groups int // the number of groups with offsets of their own
}

// perOutput reshapes an array with some numbers for each element of a window to the axes (batch, group, element, number,
// H', W').
func (d deformation) perOutput(name string, a *nd.Array, numbers int) *nd.Array {
	given, taps := a, d.taps[0]*d.taps[1]
	if a.DType().IsComplex() || a.Rank() != len(d.outer)+3 {
		panic(d.fn.Errorf([]*nd.Array{d.x, given}, "want a real %s with %d axes", name, len(d.outer)+3))
	}
	if d.channelsLast {
		a = a.MoveAxis([]int{-1}, []int{len(d.outer)})
	}
	if d.o.PerPixel {
		a = d.atStrides(name, a)
	}
	if want := slices.Concat(d.outer, []int{broadcast.Product(d.groups, taps, numbers)}, d.outputSizes); !broadcast.Equal(a.Shape(), want) {
		panic(d.fn.Errorf([]*nd.Array{d.x, given}, "want %d channels of the %s, and %v locations", want[len(d.outer)], name, d.outputSizes))
	}
	return a.Reshape(d.batch, d.groups, taps, numbers, d.outputSizes[0], d.outputSizes[1])
}

// atStrides returns the entries of an array with one for each pixel that belong to the locations of the result.
func (d deformation) atStrides(name string, a *nd.Array) *nd.Array {
	ix := []nd.Index{nd.Ellipsis()}
	for axis, n := range d.sizes {
		to := (d.outputSizes[axis]-1)*d.stride[axis] + 1 // 0 or less without locations
		if a.Dim(axis-2) != n || to > n {
			panic(d.fn.Errorf([]*nd.Array{d.x, a}, "want one entry of the %s for each pixel, and windows that begin at pixels", name))
		}
		ix = append(ix, nd.Span(0, max(to, 0)).By(d.stride[axis]))
	}
	return a.Index(ix...)
}

// locations adds offsets to the locations of the windows' elements. It returns rows and columns with the axes (batch,
// group, 1, element, H', W').
func (d deformation) locations(made *nd.Temporaries, offset *nd.Array) (rows, columns *nd.Array) {
	if !offset.DType().IsFloat() || offset.DType().Size() == 2 {
		offset = offset.AsType(dtype.Promote(dtype.Float32, offset.DType()))
	}
	moved := func(axis int) *nd.Array {
		var regular []float64
		for m := range d.taps[0] {
			for n := range d.taps[1] {
				tap := [2]int{m, n}[axis]
				for at := range d.outputSizes[axis] {
					regular = append(regular, float64(at*d.stride[axis]+tap*d.dilation[axis]-d.pad[axis]))
				}
			}
		}
		shape := []int{d.taps[0] * d.taps[1], 1, 1}
		shape[1+axis] = d.outputSizes[axis]
		whole := made.Own(nd.FromSliceOn(offset.Device(), regular, shape...))
		return ops.Add(offset.Index(nd.All(), nd.All(), nd.All(), nd.At(axis)), whole.AsType(offset.DType())).ExpandDims(2)
	}
	return moved(0), moved(1)
}

// inside repeats the last row and column of an image, and moves the locations outside of the image to where everything
// is 0.
func (d deformation) inside(source, rows, columns *nd.Array) (_, moved *nd.Array) {
	within := func(at *nd.Array, n int) *nd.Array {
		return ops.LogicalAnd(ops.GreaterEqual(at, 0), ops.Less(at, n))
	}
	in := ops.LogicalAnd(within(rows.Detach(), d.sizes[0]), within(columns.Detach(), d.sizes[1]))
	if d.sizes[0] > 0 && d.sizes[1] > 0 {
		source = ops.Pad(source, [][2]int{{}, {}, {}, {0, 1}, {0, 1}}, ops.PadOptions{Mode: ops.PadEdge})
	}
	return source, ufunc.Choose(in, rows, nd.Scalar(-2))
}
