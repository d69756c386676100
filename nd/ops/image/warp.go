package image

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// AffineGridOptions are the options of AffineGrid.
type AffineGridOptions struct {
	// AlignCorners puts the coordinates -1 and 1 at the middles of the first and last pixels, instead of at their outer
	// edges.
	AlignCorners bool
}

// AffineGrid returns the coordinates to which affine maps move the pixels of an image of the given size: θ·(x, y, 1),
// or θ·(x, y, z, 1), for x along the last axis, all from -1 to 1. WarpByGrid takes these coordinates. For an axis of
// one pixel the coordinate is -1 with AlignCorners, as in NNabla and Chainer (in PyTorch 0), otherwise 0. Chainer's spatial_transformer_grid has the coordinates
// along axis 1.
//
// Shapes: theta (B, 2, 3) and size (H, W), the result (B, H, W, 2); or (B, 3, 4) and (D, H, W), the result (B, D, H, W,
// 3).
// PyTorch: nn.functional.affine_grid, affine_grid_generator. NNabla: affine_grid. Chainer:
// spatial_transformer_grid (with the coordinates along axis 1).
func AffineGrid(theta *nd.Array, size []int, opts ...AffineGridOptions) *nd.Array {
	const fn nd.Func = "image.AffineGrid"
	fn.Check(theta)
	in := []*nd.Array{theta}
	o := options.Read(fn, opts)
	d := len(size)
	if d < 2 || d > 3 || theta.Rank() != 3 || theta.Dim(1) != d || theta.Dim(2) != d+1 {
		panic(fn.Errorf(in, "size %v: want two lengths and maps of shape (B, 2, 3), or three and (B, 3, 4)", size))
	}
	for _, n := range size {
		if n < 1 {
			panic(fn.Errorf(in, "size %v: want lengths of at least 1", size))
		}
	}
	fn.CheckAllocatable(dtype.Float64, append(append([]int{}, size...), d+1)...)
	made := fn.Temporaries(&theta)
	defer made.Release()
	theta = argument.Float(fn, theta)
	pixels := make([]float64, 0, broadcast.Size(size)*(d+1))
	at := make([]int, d)
	for range broadcast.Size(size) {
		for k := d - 1; k >= 0; k-- {
			n := float64(size[k])
			first := -1.0
			if !o.AlignCorners {
				first = (1 - n) / n
			}
			pixels = append(pixels, first-2*first*float64(at[k])/max(n-1, 1))
		}
		pixels = append(pixels, 1)
		broadcast.Next(at, size)
	}
	points := made.Own(nd.FromSlice(pixels, broadcast.Size(size), d+1).AsType(theta.DType()).To(theta.Device()))
	grid := ops.MatMul(points, theta.SwapAxes(1, 2))
	return made.Keep(grid.Reshape(append(append([]int{theta.Dim(0)}, size...), d)...))
}

// Padding says what lies outside of an image.
type Padding string

const (
	PaddingZero    Padding = "zero"    // zeros
	PaddingRepeat  Padding = "repeat"  // the nearest pixel
	PaddingReflect Padding = "reflect" // the image mirrored at its edges, or with AlignCorners at the centres of its outer pixels
)

// WarpByGridOptions are the options of WarpByGrid.
type WarpByGridOptions struct {
	// Mode is the interpolation: Linear (the default), Cubic for two-dimensional images, or Nearest, the pixel whose index
	// is nearest; at a tie, the one farther from index 0. A NaN coordinate gives NaN in every mode.
	Mode Interpolation
	// Padding says what lies outside; the default is PaddingZero.
	Padding Padding
	// AlignCorners puts the coordinates -1 and 1 at the middles of the first and last pixels, instead of at their outer
	// edges.
	AlignCorners bool
	// ChannelLast says that the last axis holds the channels.
	ChannelLast bool
}

// WarpByGrid returns images whose pixels are those of x at the coordinates of a grid, from -1 to 1 along each axis. The
// last axis of the grid holds x (along the last axis of the image), then y, then z. In the modes linear and cubic
// gradients flow to x and to the grid, in mode nearest only to x. In mode cubic the padding applies to each of the 16
// pixels. Chainer's spatial_transformer_sampler (with AlignCorners) has the coordinates along axis 1. PyTorch names the
// paddings zeros, border and reflection.
//
// Shapes: x (B, C, H, W) and the grid (B, P, Q, 2), the result (B, C, P, Q); or x (B, C, D, H, W) and (B, O, P, Q, 3),
// the result (B, C, O, P, Q). With ChannelLast C is the last axis of x and of the result.
//
// Source: M. Jaderberg et al., Spatial Transformer Networks, 2015.
// PyTorch: nn.functional.grid_sample, grid_sampler, grid_sampler_2d, grid_sampler_3d. NNabla: warp_by_grid.
// Chainer: spatial_transformer_sampler (with AlignCorners, and the coordinates along axis 1).
func WarpByGrid(x, grid *nd.Array, opts ...WarpByGridOptions) *nd.Array {
	const fn nd.Func = "image.WarpByGrid"
	fn.Check(x, grid)
	o := options.Read(fn, opts)
	in := []*nd.Array{x, grid}
	rank := x.Rank()
	if rank < 4 || rank > 5 || grid.Rank() != rank || grid.Dim(rank-1) != rank-2 || grid.Dim(0) != x.Dim(0) {
		panic(fn.Errorf(in, "want images (B, C, H, W) and a grid (B, P, Q, 2), or (B, C, D, H, W) and (B, O, P, Q, 3)"))
	}
	if o.Mode != "" && o.Mode != Linear && o.Mode != Nearest && o.Mode != Cubic {
		panic(fn.Errorf(in, "mode %q: want linear, nearest or cubic", o.Mode))
	}
	if o.Mode == Cubic && rank != 4 {
		panic(fn.Errorf(in, "mode cubic is for images (B, C, H, W)"))
	}
	if o.Padding != "" && o.Padding != PaddingZero && o.Padding != PaddingRepeat && o.Padding != PaddingReflect {
		panic(fn.Errorf(in, "padding %q: want zero, repeat or reflect", o.Padding))
	}
	first, channels := 2, 1
	if o.ChannelLast {
		first, channels = 1, rank-1
	}
	for k := range rank - 2 {
		if x.Dim(first+k) == 0 && grid.Size() > 0 {
			panic(fn.Errorf(in, "the images have no pixels"))
		}
	}
	made := fn.Temporaries(&x, &grid)
	defer made.Release()
	grid = argument.Float(fn, grid)
	sampled := SampleOptions{Kept: ops.Over(0, channels), Clip: o.Padding == PaddingRepeat || o.Padding == PaddingReflect}
	for k := range rank - 2 {
		sampled.Axes = append(sampled.Axes, first+k)
	}
	if o.Mode == Cubic {
		return made.Keep(warpCubic(fn, x, grid, o, sampled))
	}
	var locations []*nd.Array
	for k := range rank - 2 {
		g := grid.Index(nd.Ellipsis(), nd.At(rank-3-k)).ExpandDims(channels)
		locations = append(locations, o.locations(g, x.Dim(first+k)))
	}
	return made.Keep(sample(fn, x, locations, sampled))
}

var (
	alignedLocation = ufunc.Definition{Fn: "image.WarpByGrid", Scalars: "T size", Body: "(x + 1) * (size - 1) / 2"}
	pixelLocation   = ufunc.Definition{Fn: "image.WarpByGrid", Scalars: "T size", Body: "((x + 1) * size - 1) / 2"}
	mirrored        = ufunc.Definition{Fn: "image.WarpByGrid", Scalars: "T low, T span",
		Body: "d = abs(x - low); n = floor(d / span); r = d - n * span; y = low + (n == 2 * floor(n / 2) ? r : span - r)"}
	awayFromZero = ufunc.Definition{Fn: "image.WarpByGrid", Body: "x < 0 ? ceil(x - 0.5) : floor(x + 0.5)"}
)

// locations converts coordinates to locations along an axis of size pixels, reflected into the image. The nearest pixels
// are whole floats, not integers, so that NaN remains NaN.
func (o *WarpByGridOptions) locations(g *nd.Array, size int) *nd.Array {
	p := o.reflected(o.location(g, size), size)
	if o.Mode == Nearest {
		p = awayFromZero.Apply1(p.Detach())
	}
	return p
}

// location converts coordinates to locations.
func (o *WarpByGridOptions) location(g *nd.Array, size int) *nd.Array {
	if o.AlignCorners {
		return alignedLocation.Compute([]float64{float64(size)}, g)
	}
	return pixelLocation.Compute([]float64{float64(size)}, g)
}

// reflected mirrors locations into the image, if that is the padding.
func (o *WarpByGridOptions) reflected(p *nd.Array, size int) *nd.Array {
	low, span := -0.5, size
	if o.AlignCorners {
		low, span = 0, size-1
	}
	if o.Padding == PaddingReflect && span > 0 {
		return mirrored.Compute([]float64{low, float64(span)}, p)
	}
	return p
}

// WarpByFlow returns images whose pixels are those of x displaced by a flow, in pixels: y[n,c,i,j] is x[n,c] at the
// location (i + flow[n,1,i,j], j + flow[n,0,i,j]), interpolated linearly. Locations beyond the edges take the nearest
// pixel. Gradients flow to both x and flow.
//
// Shapes: x (N, C, H, W), flow (N, 2, H, W).
// NNabla: warp_by_flow.
func WarpByFlow(x, flow *nd.Array) *nd.Array {
	const fn nd.Func = "image.WarpByFlow"
	fn.Check(x, flow)
	if x.Rank() != 4 || flow.Rank() != 4 || !broadcast.Equal(flow.Shape(), []int{x.Dim(0), 2, x.Dim(2), x.Dim(3)}) {
		panic(fn.Errorf([]*nd.Array{x, flow}, "want images (N, C, H, W) and a flow (N, 2, H, W)"))
	}
	made := fn.Temporaries(&x, &flow)
	defer made.Release()
	flow = argument.Float(fn, flow)
	var locations []*nd.Array
	for axis := 2; axis < 4; axis++ {
		shape := broadcast.Ones(4)
		shape[axis] = x.Dim(axis)
		at := made.Own(nd.ArangeInt(0, x.Dim(axis), 1, nd.ArrayOptions{Device: x.Device()})).Reshape(shape...)
		locations = append(locations, ops.Add(flow.Index(nd.All(), nd.Span(3-axis, 4-axis)), at.AsType(flow.DType())))
	}
	return made.Keep(sample(fn, x, locations, SampleOptions{Kept: ops.Over(0, 1), Clip: true}))
}
