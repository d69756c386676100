package onnx

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/image"
	"github.com/ndgrad/ndgrad/nn/model"
)

// gridSampling are the attributes of GridSample.
type gridSampling struct {
	mode, padding string
	corners       bool
}

// gridSample reads images at the coordinates of a grid, along any number of axes. The modes linear and cubic of opset 16 have
// other names.
func gridSample(n *node) run {
	g := gridSampling{mode: n.text("mode", "linear", "linear", "nearest", "cubic", "bilinear", "bicubic"),
		padding: n.text("padding_mode", "zeros", "zeros", "border", "reflection"), corners: n.flag("align_corners")}
	switch g.mode {
	case "bilinear":
		g.mode = "linear"
	case "bicubic":
		g.mode = "cubic"
	}
	return func(c *call) []model.Value {
		x, grid := c.x(0), c.x(1)
		axes := x.Rank() - 2
		if axes < 1 || grid.Rank() != x.Rank() || grid.Dim(-1) != axes || grid.Dim(0) != x.Dim(0) {
			c.refuse("want images (N, C, L…) and a grid (N, P…, %d)", axes)
		}
		paddings := map[string]image.Padding{"zeros": image.PaddingZero, "border": image.PaddingRepeat, "reflection": image.PaddingReflect}
		if g.mode == "linear" && (axes == 2 || axes == 3) && x.DType().IsFloat() {
			return one(image.WarpByGrid(x, grid, image.WarpByGridOptions{Padding: paddings[g.padding], AlignCorners: g.corners}))
		}
		return one(g.sample(x, grid).AsType(x.DType()))
	}
}

// sample adds up the pixels around each location, with their weights.
func (g gridSampling) sample(x, grid *nd.Array) *nd.Array {
	axes := x.Rank() - 2
	batch, channels, points := x.Dim(0), x.Dim(1), grid.Shape()[1:axes+1]
	flat := x.Reshape(batch, channels, -1)
	if !flat.DType().IsFloat() {
		flat = flat.AsType(dtype.Float32)
	}
	count := broadcast.Size(points)
	taps := map[string]int{"nearest": 1, "linear": 2, "cubic": 4}[g.mode]
	indices, weights := make([][]*nd.Array, axes), make([][]*nd.Array, axes)
	for i := range axes {
		length := x.Dim(2 + i)
		column := grid.Index(nd.Ellipsis(), nd.At(axes-1-i)).Reshape(batch, count) // the grid has the last axis first
		indices[i], weights[i] = g.neighbours(column, length)
	}
	var y *nd.Array
	strides := broadcast.Strides(x.Shape()[2:])
	for k := range broadcast.Size(slices.Repeat([]int{taps}, axes)) {
		at := nd.Zeros([]int{batch, count}, dtype.Int64, x.Device())
		var weight *nd.Array
		for i, tap := range broadcast.Unravel(k, slices.Repeat([]int{taps}, axes), nil) {
			at = ops.Add(at, ops.Multiply(indices[i][tap], nd.Scalar(strides[i])))
			if weight == nil {
				weight = weights[i][tap]
			} else {
				weight = ops.Multiply(weight, weights[i][tap])
			}
		}
		pixels := ops.TakeAlongAxis(flat, at.ExpandDims(1).BroadcastTo(batch, channels, count), ops.Over(2))
		part := ops.Multiply(pixels, weight.ExpandDims(1).AsType(pixels.DType()))
		if y == nil {
			y = part
		} else {
			y = ops.Add(y, part)
		}
	}
	return y.Reshape(append([]int{batch, channels}, points...)...)
}

// neighbours returns the indices along an axis of the elements around the coordinates, and their weights.
func (g gridSampling) neighbours(coordinate *nd.Array, length int) (indices, weights []*nd.Array) {
	n := float64(length)
	low, high := -0.5, n-0.5
	at := ops.Divide(ops.Subtract(ops.Multiply(ops.Add(coordinate, 1), n), 1), 2)
	if g.corners {
		low, high = 0, n-1
		at = ops.Multiply(ops.Divide(ops.Add(coordinate, 1), 2), n-1)
	}
	if g.mode == "nearest" {
		at = ops.Rint(at)
	}
	switch g.padding {
	case "border":
		if g.mode != "cubic" {
			at = ops.Clip(at, 0, n-1)
		}
	case "reflection":
		at = reflected(at, low, high)
	}
	base := ops.Floor(at.Detach())
	share := ops.Subtract(at, base)
	first, kernel := 0, []func(f *nd.Array) *nd.Array{func(f *nd.Array) *nd.Array { return nd.OnesLike(f) }}
	switch g.mode {
	case "linear":
		kernel = []func(f *nd.Array) *nd.Array{func(f *nd.Array) *nd.Array { return ops.Subtract(1, f) }, func(f *nd.Array) *nd.Array { return f }}
	case "cubic":
		first = -1
		kernel = []func(f *nd.Array) *nd.Array{
			func(f *nd.Array) *nd.Array { return cubicFar(ops.Add(f, 1)) }, cubicNear,
			func(f *nd.Array) *nd.Array { return cubicNear(ops.Subtract(1, f)) },
			func(f *nd.Array) *nd.Array { return cubicFar(ops.Subtract(2, f)) },
		}
	}
	for k, weight := range kernel {
		index, w := ops.Add(base, float64(first+k)), weight(share)
		switch g.padding {
		case "zeros":
			inside := ops.LogicalAnd(ops.GreaterEqual(index, 0), ops.LessEqual(index, n-1))
			w = ops.Where(inside, w, nd.Scalar(0)).AsType(w.DType())
		case "reflection":
			index = reflected(index, low, high)
		}
		indices = append(indices, ops.Clip(index, 0, n-1).AsType(dtype.Int64))
		weights = append(weights, w)
	}
	return indices, weights
}

// reflected mirrors coordinates at the ends of a range until they lie in it.
func reflected(x *nd.Array, low, high float64) *nd.Array {
	span := high - low
	if span <= 0 {
		return ops.Clip(x, low, low)
	}
	// The distance from low, in a period of twice the range.
	d := ops.Remainder(ops.Absolute(ops.Subtract(x, low)), 2*span)
	return ops.Add(ops.Minimum(d, ops.Subtract(2*span, d)), low)
}

// cubicA is the parameter of the cubic kernel.
const cubicA = -0.75

// cubicNear is the cubic kernel at distances of up to 1.
func cubicNear(d *nd.Array) *nd.Array {
	return ops.Add(ops.Multiply(ops.Multiply(ops.Subtract(ops.Multiply(d, cubicA+2), cubicA+3), d), d), 1)
}

// cubicFar is the cubic kernel at distances from 1 to 2.
func cubicFar(d *nd.Array) *nd.Array {
	y := ops.Subtract(ops.Multiply(d, cubicA), 5*cubicA)
	y = ops.Add(ops.Multiply(y, d), 8*cubicA)
	return ops.Subtract(ops.Multiply(y, d), 4*cubicA)
}
