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

// DeformableConvolutionOptions are the options of DeformableConvolution; those that Convolution has mean the same.
type DeformableConvolutionOptions struct {
	BaseAxis              *int
	Pad, Stride, Dilation []int
	Group                 int
	ChannelLast           bool
	// DeformableGroup is how many groups the channels of x are divided into, each with offsets and a mask of its own; 0 means 1.
	DeformableGroup int
	// Inside leaves out, with value 0, all places outside of the image, which ends at its last row and column plus one: from these
	// two on it goes on as they are. Otherwise elements outside are zeros, to which the image falls off within one step.
	Inside bool
}

// DeformableConvolution is a two-dimensional Convolution whose windows take up elements of x at places that are moved by offsets,
// between which they are interpolated linearly; mask, nil for none, is what each is multiplied by:
//
//	y[c, l] = b[c] + Σ w[c, i, k]·mask[k, l]·x[i, l·Stride + k·Dilation - Pad + offset[k, l]]
//
// It takes the elements up by Sample, and adds up by a matrix product. Gradients flow to all arguments. nnabla
// deformable_convolution, whose offsets and masks have an entry for each pixel of x, of which those at multiples of Stride count;
// mxnet modulated_deformable_convolution and, with Inside, deformable_convolution; torchvision's deform_conv2d.
//
// Shapes: with D for DeformableGroup x (M…, C, H, W), w (N, C/Group, K, L), offset (M…, D·K·L·2, H', W'), the one by rows before the
// one by columns, mask (M…, D·K·L, H', W'), b (N); the result (M…, N, H', W'), as Convolution has it. With ChannelLast the channels
// of all of these are last, as in Convolution. Computed in the dtype that x and w promote to.
//
// Sources: J. Dai and others, Deformable Convolutional Networks, 2017; X. Zhu and others, Deformable ConvNets v2, 2018.
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
	d.wantChannels(d.group * d.wide)
	d.wantBias(b, d.filters)
	for axis := range d.sizes {
		d.place(axis, d.padded(axis), d.extent(axis), d.stride[axis], false)
	}
	t := dtype.FloatType(d.dtype)
	d.x, d.w = x.AsType(t), w.AsType(t)
	rows, columns := d.where(made, d.perPlace("offset", offset, 2))
	source := d.images(d.wide).Reshape(slices.Concat([]int{d.batch, d.groups, d.channels / d.groups}, d.sizes)...)
	if o.Inside {
		source, rows = d.inside(source, rows, columns)
	}
	taken := image.Sample(source, []*nd.Array{rows, columns}, image.SampleOptions{Kept: ops.Over(0, 1, 2)})
	if mask != nil {
		weights := d.perPlace("mask", mask, 1).AsType(t).Index(nd.All(), nd.All(), nd.All(), nd.At(0)).ExpandDims(2)
		if ufunc.Recorded(taken, weights) {
			taken = ops.Multiply(taken, weights)
		} else {
			taken = ops.Multiply(taken, weights, ops.UfuncOptions{Out: taken})
		}
	}
	taken = taken.Reshape(d.batch, d.group, d.wide*d.taps[0]*d.taps[1], d.places[0]*d.places[1])
	y := ops.MatMul(d.weight().Reshape(d.group, d.filters/d.group, d.wide*d.taps[0]*d.taps[1]), taken)
	return made.Keep(d.finish(y, b, d.filters, d.places))
}

// deformation is a DeformableConvolution at work.
type deformation struct {
	*convolutionShape
	o      DeformableConvolutionOptions
	groups int // with offsets of their own
}

// perPlace gives what has so many numbers for each element of a window the axes (batch, group, element, number, H', W').
func (d deformation) perPlace(name string, a *nd.Array, numbers int) *nd.Array {
	given, taps := a, d.taps[0]*d.taps[1]
	if a.DType().IsComplex() || a.Rank() != len(d.outer)+3 {
		panic(d.fn.Errorf([]*nd.Array{d.x, given}, "want a real %s with %d axes", name, len(d.outer)+3))
	}
	if d.last {
		a = a.MoveAxis([]int{-1}, []int{len(d.outer)})
	}
	if want := slices.Concat(d.outer, []int{broadcast.Product(d.groups, taps, numbers)}, d.places); !broadcast.Equal(a.Shape(), want) {
		panic(d.fn.Errorf([]*nd.Array{d.x, given}, "want %d channels of the %s, and %v places", want[len(d.outer)], name, d.places))
	}
	return a.Reshape(d.batch, d.groups, taps, numbers, d.places[0], d.places[1])
}

// where adds offsets to the places of the windows' elements: rows and columns, as axes (batch, group, 1, element, H', W').
func (d deformation) where(made *nd.Temporaries, offset *nd.Array) (rows, columns *nd.Array) {
	if !offset.DType().IsFloat() || offset.DType().Size() == 2 {
		offset = offset.AsType(dtype.Promote(dtype.Float32, offset.DType()))
	}
	moved := func(axis int) *nd.Array {
		var regular []float64
		for m := range d.taps[0] {
			for n := range d.taps[1] {
				tap := [2]int{m, n}[axis]
				for at := range d.places[axis] {
					regular = append(regular, float64(at*d.stride[axis]+tap*d.dilation[axis]-d.pad[axis]))
				}
			}
		}
		shape := []int{d.taps[0] * d.taps[1], 1, 1}
		shape[1+axis] = d.places[axis]
		whole := made.Own(nd.FromSliceOn(offset.Device(), regular, shape...))
		return ops.Add(offset.Index(nd.All(), nd.All(), nd.All(), nd.At(axis)), whole.AsType(offset.DType())).ExpandDims(2)
	}
	return moved(0), moved(1)
}

// inside repeats the last row and column of an image, and moves the places outside of it to where all is 0.
func (d deformation) inside(source, rows, columns *nd.Array) (_, moved *nd.Array) {
	within := func(at *nd.Array, n int) *nd.Array {
		return ops.LogicalAnd(ops.GreaterEqual(at, nd.Scalar(0)), ops.Less(at, nd.Scalar(n)))
	}
	in := ops.LogicalAnd(within(rows.Detach(), d.sizes[0]), within(columns.Detach(), d.sizes[1]))
	if d.sizes[0] > 0 && d.sizes[1] > 0 {
		source = ops.Pad(source, [][2]int{{}, {}, {}, {0, 1}, {0, 1}}, ops.PadOptions{Mode: "edge"})
	}
	return source, ufunc.Choose(in, rows, nd.Scalar(-2))
}
