package layer

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// Geometry holds the sizes that a convolution of any kind works out before it creates parameters. All errors that ops
// would report are reported here.
type Geometry struct {
	Fn          nd.Func
	X           *nd.Array
	Base        int // the number of example axes of X
	Channels    int // the number of channels of X
	Group       int // the number of groups of channels
	ChannelLast bool
	CoverAll    bool  // the windows cover all of X, as if zeros followed
	Kernel      []int // the lengths of the window
	OutLengths  []int // the lengths of the result along the axes of the window

	pad, stride, dilation, more, outSize []int // the arguments of Slide or Transpose
}

// GeometryOf checks that x has the axes for a convolution with kernel, in one group. A kernel of one length has it along all axes after
// the channels.
func GeometryOf(fn nd.Func, x *nd.Array, base int, kernel []int, channelLast bool) *Geometry {
	fn.Check(x)
	if axes := x.Rank() - base - 1; len(kernel) == 1 && axes > 1 {
		kernel = slices.Repeat(kernel, axes)
	}
	g := &Geometry{Fn: fn, X: x, Base: base, Group: 1, Kernel: kernel, ChannelLast: channelLast}
	if len(kernel) == 0 || x.Rank() != g.Base+1+len(kernel) {
		g.Refuse("kernel %v with the channels at axis %d: want a length for each axis after the channels, or one", kernel, g.Base)
	}
	if slices.Min(kernel) < 1 {
		g.Refuse("kernel %v: want positive lengths", kernel)
	}
	g.Channels = x.Dim(g.Base)
	if channelLast {
		g.Channels = x.Dim(-1)
	}
	return g
}

// GeometryFrom is GeometryOf with the axis that an option names for the channels.
func GeometryFrom(fn nd.Func, x *nd.Array, base *int, kernel []int, channelLast bool) *Geometry {
	fn.Check(x)
	return GeometryOf(fn, x, BaseAxis(fn, x, base, x.Rank()-1), kernel, channelLast)
}

// Refuse panics with an error of the layer.
func (g *Geometry) Refuse(format string, args ...any) {
	panic(g.Fn.Errorf([]*nd.Array{g.X}, format, args...))
}

// Divide sets the number of groups; 0 means 1. It must divide the channels and the outmaps.
func (g *Geometry) Divide(outmaps, groups int) {
	g.Group = max(groups, 1)
	if groups < 0 || outmaps < 0 || g.Channels%g.Group != 0 || outmaps%g.Group != 0 {
		g.Refuse("%d channels, %d outmaps and %d groups: want numbers that the groups divide", g.Channels, outmaps, groups)
	}
}

// EachChannel refuses x without channels, for a layer with a window per channel.
func (g *Geometry) EachChannel() {
	if g.Channels == 0 {
		g.Refuse("x has no channels")
	}
}

// Slide computes the lengths of the result of windows that slide over x.
func (g *Geometry) Slide(pad, stride, dilation []int) {
	g.pad, g.stride, g.dilation = pad, stride, dilation
	pads, strides, dilations := g.PerAxis("Pad", pad, 0, 0), g.PerAxis("Stride", stride, 1, 1), g.PerAxis("Dilation", dilation, 1, 1)
	reach := []int{max(g.Channels, 1), max(broadcast.Size(g.X.Shape()[:g.Base]), 1)}
	for axis, length := range g.Lengths() {
		padded := broadcast.Sum(length, pads[axis], pads[axis])
		extent := g.extent(axis, dilations)
		if extent > padded {
			g.Refuse("the window spans %d along its axis %d, but x with its padding has %d", extent, axis, padded)
		}
		room := padded - extent
		if g.CoverAll {
			room = broadcast.Sum(room, strides[axis]-1)
		}
		positions := room/strides[axis] + 1
		reached := broadcast.Sum(broadcast.Product(strides[axis], positions-1), extent)
		g.OutLengths, reach = append(g.OutLengths, positions), append(reach, max(padded, reached))
	}
	g.Fn.CheckAllocatable(g.X.DType(), reach...)
}

// Transpose computes the lengths of the result if a window is added at each position of x. They are outSize, if that is not empty.
func (g *Geometry) Transpose(pad, stride, dilation, outputPadding, outSize []int) {
	g.pad, g.stride, g.dilation, g.more, g.outSize = pad, stride, dilation, outputPadding, outSize
	pads, strides, dilations := g.PerAxis("Pad", pad, 0, 0), g.PerAxis("Stride", stride, 1, 1), g.PerAxis("Dilation", dilation, 1, 1)
	mores, wanted := g.PerAxis("OutputPadding", outputPadding, 0, 0), g.PerAxis("OutSize", outSize, 0, 0)
	if len(outSize) > 0 && len(outputPadding) > 0 {
		g.Refuse("want OutSize or OutputPadding, not both")
	}
	for axis, length := range g.Lengths() {
		most := max(strides[axis], dilations[axis]) - 1
		if mores[axis] > most {
			g.Refuse("OutputPadding %v: want less than the strides or dilations", outputPadding)
		}
		whole := broadcast.Sum(broadcast.Product(strides[axis], length-1), g.extent(axis, dilations), mores[axis])
		usual := broadcast.Sum(whole, broadcast.Product(pads[axis], -2))
		size := usual
		if len(outSize) > 0 {
			size = wanted[axis]
			more := broadcast.Sum(size, -usual)
			if cut := len(pad) == 0 && more < 0; !cut && (more < 0 || more > most) {
				g.Refuse("OutSize %v along axis %d: want %d to %d", outSize, axis, usual, broadcast.Sum(usual, most))
			}
		}
		g.Fn.CheckAllocatable(g.X.DType(), max(whole, size, 0))
		if size < 0 {
			g.Refuse("axis %d of the result would have length %d", axis, size)
		}
		g.OutLengths = append(g.OutLengths, size)
	}
}

// extent returns the length that a window spans along an axis of x.
func (g *Geometry) extent(axis int, dilations []int) int {
	return broadcast.Sum(broadcast.Product(dilations[axis], g.Kernel[axis]-1), 1)
}

// Lengths returns the lengths of x along the axes of the window.
func (g *Geometry) Lengths() []int {
	if g.ChannelLast {
		return g.X.Shape()[g.Base : g.X.Rank()-1]
	}
	return g.X.Shape()[g.Base+1:]
}

// PerAxis returns an option's numbers for the axes of the window: the values, one value repeated for all axes, or
// fallback if values is empty.
func (g *Geometry) PerAxis(name string, values []int, fallback, minimum int) []int {
	all := slices.Repeat([]int{fallback}, len(g.Kernel))
	switch len(values) {
	case 0:
	case 1:
		all = slices.Repeat(values, len(g.Kernel))
	case len(g.Kernel):
		all = values
	default:
		g.Refuse("%s %v: want a number for each of %d axes, or one", name, values, len(g.Kernel))
	}
	if slices.Min(all) < minimum {
		g.Refuse("%s %v: want at least %d", name, values, minimum)
	}
	return all
}

// Windows returns the shape of count windows for a number of channels.
func (g *Geometry) Windows(count, channels int) []int {
	if g.ChannelLast {
		return append(append([]int{count}, g.Kernel...), channels)
	}
	return append([]int{count, channels}, g.Kernel...)
}

// Pointwise returns the shape of windows of length 1.
func (g *Geometry) Pointwise(count, channels int) []int {
	return append([]int{count, channels}, slices.Repeat([]int{1}, len(g.Kernel))...)
}
