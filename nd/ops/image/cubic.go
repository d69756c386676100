package image

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// sharpness is the slope of the cubic weights at distance 1: -3/4, as in PyTorch and OpenCV.
const sharpness = -0.75

// cubicWeight returns the weight of an element at the distance |x - at|, which is less than 2 (R. Keys, Cubic convolution
// interpolation for digital image processing, 1981).
var cubicWeight = ufunc.Definition{Fn: "image.WarpByGrid", Scalars: "T at, T a",
	Body: "d = abs(x - at); y = d < 1 ? ((a + 2) * d - (a + 3)) * d * d + 1 : ((d - 5) * d + 8) * d * a - 4 * a"}

// interpolateCubic interpolates along one axis after the other.
func interpolateCubic(fn nd.Func, x *nd.Array, first int, sizes []int, o InterpolateOptions) *nd.Array {
	made := fn.Temporaries(&x)
	defer made.Release()
	x = argument.Float(fn, x)
	t := x.DType()
	if t.Size() == 2 {
		x = x.AsType(dtype.Float32)
	}
	for k, n := range sizes {
		axis := first + k
		m := x.Dim(axis)
		down, fractions := make([]float64, n), make([]float64, n)
		for i := range n {
			location := o.location(k, m, i, n)
			down[i] = math.Floor(location)
			fractions[i] = location - down[i]
		}
		shape := broadcast.Ones(x.Rank() - axis)
		shape[0] = n
		fraction := made.Own(nd.FromSliceOn(x.Device(), fractions, shape...))
		var sum *nd.Array
		for tap := range 4 {
			offset, at := float64(tap-1), make([]int64, n)
			for i, element := range down {
				at[i] = int64(max(0, min(element+offset, float64(m-1))))
			}
			index := made.Own(nd.FromSliceOn(x.Device(), at, n))
			weight := cubicWeight.Compute([]float64{offset, sharpness}, fraction).AsType(x.DType())
			sum = sumOf(sum, ops.Multiply(fn.Gather(x, []int{axis}, axis, []*nd.Array{index}, device.BoundsExact), weight))
		}
		x = sum
	}
	return made.Keep(x.AsType(t))
}

// warpCubic is WarpByGrid in mode cubic: a sum of 16 pixels.
func warpCubic(fn nd.Func, x, grid *nd.Array, o WarpByGridOptions, sampled SampleOptions) *nd.Array {
	x = argument.Float(fn, x)
	t := x.DType()
	if t.Size() == 2 {
		x = x.AsType(dtype.Float32)
	}
	channels := sampled.Kept[1]
	var indices, weights [2][4]*nd.Array // by axis and pixel
	for k := range 2 {
		size := x.Dim(sampled.Axes[k])
		p := o.location(grid.Index(nd.Ellipsis(), nd.At(1-k)).ExpandDims(channels), size)
		if o.Padding != PaddingReflect {
			p = ops.Clip(p, -4, size+3) // all pixels beyond are equal
		}
		down := ops.Floor(p.Detach())
		for tap := range 4 {
			offset := float64(tap - 1)
			weights[k][tap] = cubicWeight.Compute([]float64{offset, sharpness}, ops.Subtract(p, down)).AsType(x.DType())
			indices[k][tap] = o.reflected(ops.Add(down, offset), size).AsType(dtype.Int64)
		}
	}
	var y *nd.Array
	for row := range 4 {
		var inRow *nd.Array
		for column := range 4 {
			pixels := sample(fn, x, []*nd.Array{indices[0][row], indices[1][column]}, sampled)
			inRow = sumOf(inRow, ops.Multiply(weights[1][column], pixels))
		}
		y = sumOf(y, ops.Multiply(weights[0][row], inRow))
	}
	return y.AsType(t)
}

// sumOf adds x to a sum, which is nil at first.
func sumOf(sum, x *nd.Array) *nd.Array {
	if sum == nil {
		return x
	}
	return ops.Add(sum, x)
}
