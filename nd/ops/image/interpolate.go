package image

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// Interpolation says how a value between elements is computed.
type Interpolation string

const (
	Linear  Interpolation = "linear"  // from the neighbours, also along two and three axes
	Nearest Interpolation = "nearest" // the nearest element
	Cubic   Interpolation = "cubic"   // from the four nearest elements along each axis, with the weights of Keys' cubic convolution with a = -3/4
)

// InterpolateOptions are the options of Interpolate.
type InterpolateOptions struct {
	// Scale is the factor by which each axis grows, with the length rounded down. It applies if the size is nil.
	Scale []float64
	// ExactScale makes 1/Scale the distance between locations, instead of the quotient of the lengths m/n. They differ if
	// the length n was rounded down. AlignCorners disregards it.
	ExactScale bool
	// Mode is the interpolation; the default is Linear.
	Mode Interpolation
	// AlignCorners aligns the first and the last element of the result with those of x.
	AlignCorners bool
	// HalfPixel treats elements as intervals, located at their centres.
	HalfPixel bool
	// HalfPixelForNN does so in mode nearest, regardless of the other options.
	HalfPixelForNN bool
	// OneIsFirst makes the only element of an axis that becomes one element long the first of x, as NNabla does, instead
	// of that in the middle, which HalfPixel gives. HalfPixelForNN disregards it.
	OneIsFirst bool
	// ChannelLast says that the last axis holds the channels, and the axes before it are interpolated.
	ChannelLast bool
}

// Interpolate returns x with the lengths of size along its last one, two or three axes, interpolated between the
// elements. Element i of n, made from m elements, lies at location i·m/n of x; with AlignCorners at i·(m-1)/(n-1), or 0
// if n is 1; with HalfPixel at (i + ½)·m/n - ½. Locations beyond the ends are clamped to the ends. In mode linear an
// element is the mean of its neighbours, weighted by their nearness. In mode nearest it is the element at the location
// rounded down, or with HalfPixelForNN at (i + ½)·m/n rounded down. Mode nearest computes locations in float32, like
// the systems that it follows. In mode cubic only the neighbours are clamped to the ends, not the locations, so that the
// result may overshoot the elements.
//
// PyTorch's interpolate without align_corners is HalfPixel, except that its mode nearest needs no option, and its mode
// nearest-exact is HalfPixelForNN. Its scale_factor is Scale with ExactScale, unless recompute_scale_factor is set.
// PyTorch: nn.functional.interpolate, nn.functional.upsample, nn.functional.upsample_nearest,
// nn.functional.upsample_bilinear (with AlignCorners). NNabla: interpolate (with OneIsFirst). Chainer: resize_images (with AlignCorners).
func Interpolate(x *nd.Array, size []int, opts ...InterpolateOptions) *nd.Array {
	const fn nd.Func = "image.Interpolate"
	fn.Check(x)
	o := options.Read(fn, opts)
	in := []*nd.Array{x}
	n := max(len(size), len(o.Scale))
	first := x.Rank() - n
	if o.ChannelLast {
		first--
	}
	if n < 1 || n > 3 || first < 0 || size != nil && o.Scale != nil {
		panic(fn.Errorf(in, "size %v and Scale %v: want one of them, for one to three axes of the array", size, o.Scale))
	}
	if o.AlignCorners && o.HalfPixel {
		panic(fn.Errorf(in, "AlignCorners and HalfPixel exclude each other"))
	}
	if o.Mode != "" && o.Mode != Linear && o.Mode != Nearest && o.Mode != Cubic {
		panic(fn.Errorf(in, "mode %q: want linear, nearest or cubic", o.Mode))
	}
	if o.ExactScale && o.Scale == nil {
		panic(fn.Errorf(in, "ExactScale without Scale"))
	}
	sizes := make([]int, n)
	for k := range sizes {
		m := x.Dim(first + k)
		if size != nil {
			sizes[k] = size[k]
		} else if sizes[k] = -1; o.Scale[k] >= 0 && o.Scale[k]*float64(m) < 1<<53 {
			sizes[k] = int(o.Scale[k] * float64(m))
		}
		if sizes[k] < 0 || m == 0 && sizes[k] > 0 {
			panic(fn.Errorf(in, "size %v, Scale %v: axis %d, of length %d, cannot be made so long", size, o.Scale, first+k, m))
		}
	}
	fn.CheckAllocatable(x.DType(), sizes...)
	switch o.Mode {
	case Nearest:
		return interpolateNearest(fn, x, first, sizes, o)
	case Cubic:
		return interpolateCubic(fn, x, first, sizes, o)
	}
	return interpolateLinear(fn, x, first, sizes, o)
}

// interpolateNearest takes one element of x for each element of the result.
func interpolateNearest(fn nd.Func, x *nd.Array, first int, sizes []int, o InterpolateOptions) *nd.Array {
	made := fn.Temporaries(&x)
	defer made.Release()
	axes, indices := make([]int, len(sizes)), make([]*nd.Array, len(sizes))
	for k, n := range sizes {
		m := x.Dim(first + k)
		step := float32(m) / float32(n)
		if o.ExactScale {
			step = float32(1 / o.Scale[k])
		}
		if o.AlignCorners && !o.HalfPixelForNN {
			step = float32(m-1) / float32(max(n-1, 1))
		}
		at := make([]int64, n)
		for i := range at {
			location := float32(i) * step
			switch {
			case o.HalfPixelForNN:
				location = (float32(i) + 0.5) * step
			case o.HalfPixel && !(o.OneIsFirst && n == 1):
				location = (float32(i)+0.5)*step - 0.5
			}
			at[i] = int64(max(0, min(math.Floor(float64(location)), float64(m-1))))
		}
		shape := broadcast.Ones(len(sizes))
		shape[k] = n
		axes[k], indices[k] = first+k, made.Own(nd.FromSlice(at).To(x.Device())).Reshape(shape...)
	}
	return made.Keep(fn.Gather(x, axes, first, indices, device.BoundsExact))
}

// interpolateLinear samples rows, columns and layers.
func interpolateLinear(fn nd.Func, x *nd.Array, first int, sizes []int, o InterpolateOptions) *nd.Array {
	sampled := SampleOptions{}
	locations := make([]*nd.Array, len(sizes))
	for axis := range x.Rank() {
		if k := axis - first; k >= 0 && k < len(sizes) {
			shape := broadcast.Ones(x.Rank())
			shape[axis] = sizes[k]
			at := nd.FromSlice(linearLocations(k, x.Dim(axis), sizes[k], o), shape...)
			locations[k] = release.Replace(at, at.To(x.Device()))
			sampled.Axes = append(sampled.Axes, axis)
		} else {
			sampled.Kept = append(sampled.Kept, axis)
		}
	}
	if sampled.Kept == nil {
		sampled.Kept = ops.Over()
	}
	return release.Operands(sample(fn, x, locations, sampled), locations...)
}

// linearLocations returns the locations of n elements that are made from m along the k-th axis.
func linearLocations(k, m, n int, o InterpolateOptions) []float64 {
	at := make([]float64, n)
	for i := range at {
		at[i] = max(0, min(o.location(k, m, i, n), float64(m-1)))
	}
	return at
}

// location returns the location of element i of n, which are made from m along the k-th axis.
func (o *InterpolateOptions) location(k, m, i, n int) float64 {
	if o.AlignCorners {
		return float64(i) * float64(m-1) / float64(max(n-1, 1))
	}
	half := 0.0
	if o.HalfPixel && !(o.OneIsFirst && n == 1) {
		half = 0.5
	}
	if o.ExactScale {
		return (float64(i)+half)/o.Scale[k] - half
	}
	return (float64(i)+half)*float64(m)/float64(n) - half
}
