package nn

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// geometry is what a convolution, of whatever kind, works out before it creates parameters: all that ops would refuse is refused
// here.
type geometry struct {
	fn                    nd.Func
	x                     *nd.Array
	base, channels, group int
	channelLast           bool
	kernel                []int
	places                []int // of the result, along the axes of the window
}

// geometryOf checks that x has the axes of a convolution of one group with a kernel.
func geometryOf(fn nd.Func, x *nd.Array, base *int, kernel []int, channelLast bool) *geometry {
	fn.Check(x)
	g := &geometry{fn: fn, x: x, base: baseAxis(fn, x, base, x.Rank()-1), group: 1, kernel: kernel, channelLast: channelLast}
	if len(kernel) == 0 || x.Rank() != g.base+1+len(kernel) {
		g.refuse("kernel %v with the channels at axis %d: want a length for each axis after the channels", kernel, g.base)
	}
	if slices.Min(kernel) < 1 {
		g.refuse("kernel %v: want positive lengths", kernel)
	}
	g.channels = x.Dim(g.base)
	if channelLast {
		g.channels = x.Dim(-1)
	}
	return g
}

func (g *geometry) refuse(format string, args ...any) {
	panic(g.fn.Errorf([]*nd.Array{g.x}, format, args...))
}

// divide sets the number of groups, 1 for 0, which must divide the channels and the outmaps.
func (g *geometry) divide(outmaps, groups int) {
	g.group = max(groups, 1)
	if groups < 0 || outmaps < 0 || g.channels%g.group != 0 || outmaps%g.group != 0 {
		g.refuse("%d channels, %d outmaps and %d groups: want numbers that the groups divide", g.channels, outmaps, groups)
	}
}

// eachChannel refuses x without channels, where each has a window of its own.
func (g *geometry) eachChannel() {
	if g.channels == 0 {
		g.refuse("x has no channels")
	}
}

// slide works out the places of windows that slide over x.
func (g *geometry) slide(pad, stride, dilation []int) {
	pads, strides, dilations := g.perAxis("Pad", pad, 0, 0), g.perAxis("Stride", stride, 1, 1), g.perAxis("Dilation", dilation, 1, 1)
	reach := []int{max(g.channels, 1), max(broadcast.Size(g.x.Shape()[:g.base]), 1)}
	for axis, length := range g.lengths() {
		padded := broadcast.Sum(length, pads[axis], pads[axis])
		extent := g.extent(axis, dilations)
		if extent > padded {
			g.refuse("the window spans %d along its axis %d, where x has, with its padding, %d", extent, axis, padded)
		}
		g.places, reach = append(g.places, (padded-extent)/strides[axis]+1), append(reach, padded)
	}
	g.fn.CheckRoom(g.x.DType(), reach...)
}

// put works out the places of the result where windows are put down at the places of x.
func (g *geometry) put(pad, stride, dilation, more []int) {
	pads, strides, dilations := g.perAxis("Pad", pad, 0, 0), g.perAxis("Stride", stride, 1, 1), g.perAxis("Dilation", dilation, 1, 1)
	mores := g.perAxis("OutputPadding", more, 0, 0)
	for axis, length := range g.lengths() {
		if mores[axis] > 0 && mores[axis] >= max(strides[axis], dilations[axis]) {
			g.refuse("OutputPadding %v: want less than the strides or dilations", more)
		}
		whole := broadcast.Sum(broadcast.Product(strides[axis], length-1), g.extent(axis, dilations), mores[axis])
		g.fn.CheckRoom(g.x.DType(), max(whole, 0))
		size := broadcast.Sum(whole, broadcast.Product(pads[axis], -2))
		if size < 0 {
			g.refuse("axis %d of the result would have length %d", axis, size)
		}
		g.places = append(g.places, size)
	}
}

// extent is how much of x a window spans along an axis.
func (g *geometry) extent(axis int, dilations []int) int {
	return broadcast.Sum(broadcast.Product(dilations[axis], g.kernel[axis]-1), 1)
}

// lengths are those of x along the axes of the window.
func (g *geometry) lengths() []int {
	if g.channelLast {
		return g.x.Shape()[g.base : g.x.Rank()-1]
	}
	return g.x.Shape()[g.base+1:]
}

// perAxis returns an option's numbers for the axes of the window: as many, one for all, or none for what they are otherwise.
func (g *geometry) perAxis(name string, values []int, otherwise, least int) []int {
	all := slices.Repeat([]int{otherwise}, len(g.kernel))
	switch len(values) {
	case 0:
	case 1:
		all = slices.Repeat(values, len(g.kernel))
	case len(g.kernel):
		all = values
	default:
		g.refuse("%s %v: want a number for each of %d axes, or one", name, values, len(g.kernel))
	}
	if slices.Min(all) < least {
		g.refuse("%s %v: want at least %d", name, values, least)
	}
	return all
}

// windows is the shape of windows onto some channels.
func (g *geometry) windows(count, channels int) []int {
	if g.channelLast {
		return append(append([]int{count}, g.kernel...), channels)
	}
	return append([]int{count, channels}, g.kernel...)
}

// pointwise is the shape of windows of length 1.
func (g *geometry) pointwise(count, channels int) []int {
	return append([]int{count, channels}, slices.Repeat([]int{1}, len(g.kernel))...)
}
