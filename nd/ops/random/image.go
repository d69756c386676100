package random

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/image"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
)

// AugmentImageOptions are the options of AugmentImage.
type AugmentImageOptions struct {
	// Shape is the shape of the result along the last axes; nil means that of x. Only height and width may differ.
	Shape []int
	// Pad is the number of points by which an image grows at both ends of its height and of its width; its border
	// elements are repeated.
	Pad [2]int
	// MinScale and MaxScale are the bounds of the factor by which an image is scaled; nil means 1.
	MinScale, MaxScale *float64
	// Angle is the largest angle, in radians, by which an image is turned, in either direction.
	Angle float64
	// AspectRatio is the largest factor by which the ratio of width to height changes, up or down; nil means 1.
	AspectRatio *float64
	// Distortion is the strength of a lens distortion: a point at distance r from the centre, where a corner has
	// distance 1, is taken from a point 1 + d·r² times as far, with 1 + d from e^-Distortion to e^Distortion.
	Distortion float64
	// FlipLR and FlipUD reverse columns, and rows, with probability 1/2.
	FlipLR, FlipUD bool
	// Brightness is the largest number that is added to an image, or subtracted from it.
	Brightness float64
	// BrightnessEach draws the brightness for each channel separately.
	BrightnessEach bool
	// Contrast is the largest factor by which an image's distances from ContrastCenter are multiplied, or divided; nil
	// means 1.
	Contrast *float64
	// ContrastCenter is the value that contrast does not change.
	ContrastCenter float64
	// ContrastEach draws the factor for each channel separately.
	ContrastEach bool
	// Noise is the largest standard deviation of the normal numbers that are added to an image's elements. Each image's
	// standard deviation is drawn between 0 and Noise.
	Noise float64
}

// AugmentImage returns images that are changed at random, each by its own draws. It scales, turns, stretches, bends and
// reverses an image, and takes a part of the given shape at a random location, with linear interpolation. Then it
// computes (v + brightness - center)·contrast + center + noise. Factors are drawn so that their logarithms are uniform;
// the other numbers are uniform themselves. Beyond an image the elements at its border are repeated. The gradient of x
// uses the same draws.
//
// Shapes: x (…, C, H, W), (C, H, W) or (H, W).
// NNabla: image_augmentation.
func AugmentImage(rng *nd.Rand, x *nd.Array, opts ...AugmentImageOptions) *nd.Array {
	const fn nd.Func = "random.AugmentImage"
	o := options.Read(fn, opts)
	fn.Check(x)
	in := []*nd.Array{x}
	if x.Rank() < 2 || !x.DType().IsFloat() {
		panic(fn.Errorf(in, "want images of floats, (…, C, H, W) or (H, W)"))
	}
	shape := x.Shape()
	if len(o.Shape) > len(shape) || len(o.Shape) == 1 {
		panic(fn.Errorf(in, "Shape %v: want the lengths of the last axes, height and width among them", o.Shape))
	}
	copy(shape[len(shape)-len(o.Shape):], o.Shape)
	if !slices.Equal(shape[:len(shape)-2], x.Shape()[:len(shape)-2]) || slices.Min(shape) < 0 || slices.Contains(x.Shape()[x.Rank()-2:], 0) {
		panic(fn.Errorf(in, "Shape %v: want the axes of x but for height and width, and an image that is not empty", o.Shape))
	}
	base := max(x.Rank()-3, 0)
	a, made := newAugmentation(fn, rng, &x, &base)
	defer made.Release()
	others := len(shape) - 2
	locations := newGeometry(a, o, shape).locations(a, shape[others], shape[others+1])
	y := image.Sample(x, locations[:], image.SampleOptions{Kept: axesUpTo(others), Clip: true})
	if o.Brightness != 0 || o.ContrastCenter != 0 || argument.ValueOr(o.Contrast, 1) != 1 {
		add := a.perImage(x, o.BrightnessEach, func() float64 { return a.uniform([2]float64{-o.Brightness, o.Brightness}) - o.ContrastCenter })
		times := a.perImage(x, o.ContrastEach, func() float64 { return a.factor(1/argument.ValueOr(o.Contrast, 1), argument.ValueOr(o.Contrast, 1)) })
		y = ops.Add(ops.Multiply(ops.Add(y, add), times), o.ContrastCenter)
	}
	if o.Noise != 0 {
		noise := made.Own(Normal(rng, 0, 1, y.Shape(), nd.ArrayOptions{DType: y.DType(), Device: y.Device()}))
		y = ops.Add(y, ops.Multiply(noise, a.perImage(x, false, func() float64 { return a.uniform([2]float64{0, o.Noise}) })))
	}
	return made.Keep(y)
}

// axesUpTo returns the first axes.
func axesUpTo(n int) ops.Axes {
	axes := ops.Over()
	for k := range n {
		axes = append(axes, k)
	}
	return axes
}

// factor draws a number between two whose logarithm is uniform.
func (a *augmentation) factor(low, high float64) float64 {
	return low * math.Exp(a.Float64()*math.Log(high/low))
}

// perImage draws a number for each image, or for each channel of each image.
func (a *augmentation) perImage(x *nd.Array, each bool, draw func() float64) *nd.Array {
	shape := x.Shape()
	for k := a.base; k < len(shape); k++ {
		if k >= len(shape)-2 || !each {
			shape[k] = 1
		}
	}
	n := 1
	for _, d := range shape {
		n *= d
	}
	numbers := make([]float64, n)
	for i := range numbers {
		numbers[i] = draw()
	}
	return a.made.Own(nd.FromSliceOn(x.Device(), numbers, shape...)).AsType(x.DType())
}

// geometry describes how each image is changed; each array holds one number per image.
type geometry struct {
	center      [2]float64 // the centre of the result, and as the next fields by row and by column
	first, sign [2][]float64
	from, scale [2][]float64
	sin, turn   []float64 // the sine of the angle, and its cosine minus 1
	bend        []float64
	pad         [2]int
	shape       []int // the shape of such an array
}

// newGeometry draws how each image is changed.
func newGeometry(a *augmentation, o AugmentImageOptions, shape []int) *geometry {
	low, high, aspect := argument.ValueOr(o.MinScale, 1), argument.ValueOr(o.MaxScale, 1), argument.ValueOr(o.AspectRatio, 1)
	contrast := argument.ValueOr(o.Contrast, 1)
	if !(low > 0 && low <= high && aspect > 0 && contrast > 0 && o.Noise >= 0 && o.Pad[0] >= 0 && o.Pad[1] >= 0) {
		panic(a.fn.Errorf([]*nd.Array{a.given}, "want 0 < MinScale ≤ MaxScale, AspectRatio and Contrast above 0, and no negative Noise and Pad"))
	}
	g := &geometry{pad: o.Pad, shape: slices.Clone(shape)}
	for axis := a.base; axis < len(shape); axis++ {
		g.shape[axis] = 1
	}
	for range a.samples {
		scale, stretch := a.factor(low, high), math.Sqrt(a.factor(1/aspect, aspect))
		sin, cos := math.Sincos(a.uniform([2]float64{-o.Angle, o.Angle}))
		g.sin, g.turn = append(g.sin, sin), append(g.turn, cos-1)
		g.bend = append(g.bend, math.Exp(a.uniform([2]float64{-o.Distortion, o.Distortion}))-1)
		for k := range 2 {
			size, out := float64(a.given.Dim(k-2)), float64(shape[len(shape)-2+k])
			flip := [2]bool{o.FlipUD, o.FlipLR}[k] && a.IntN(2) == 1
			along := [2]float64{scale / stretch, scale * stretch}[k]
			first, sign := 0.0, 1.0
			if flip {
				first, sign = out-1, -1
			}
			g.center[k] = (out - 1) / 2
			g.first[k], g.sign[k] = append(g.first[k], first), append(g.sign[k], sign)
			g.scale[k] = append(g.scale[k], along)
			g.from[k] = append(g.from[k], a.Float64()*((size+2*float64(o.Pad[k]))*along-out))
		}
	}
	return g
}

// locations returns the rows and columns from which the elements of the images are taken; they are the same for all
// channels.
func (g *geometry) locations(a *augmentation, height, width int) [2]*nd.Array {
	array := func(numbers []float64) *nd.Array {
		return a.made.Own(nd.FromSliceOn(a.given.Device(), numbers, g.shape...))
	}
	var d [2]*nd.Array // from the centre
	for k, n := range [2]int{height, width} {
		points := a.made.Own(nd.ArangeInt(0, n, 1, nd.ArrayOptions{Device: a.given.Device()}))
		if k == 0 {
			points = points.ExpandDims(1)
		}
		d[k] = ops.Add(ops.Add(ops.Multiply(points, array(g.sign[k])), array(g.first[k])), -g.center[k])
	}
	corner := max(g.center[0]*g.center[0]+g.center[1]*g.center[1], 1e-30)
	far := ops.Multiply(ops.Add(ops.Square(d[0]), ops.Square(d[1])), ops.Multiply(array(g.bend), 1/corner))
	sin, turn := array(g.sin), array(g.turn)
	turned := [2]*nd.Array{ops.Subtract(ops.Multiply(d[0], turn), ops.Multiply(d[1], sin)), ops.Add(ops.Multiply(d[1], turn), ops.Multiply(d[0], sin))}
	var at [2]*nd.Array
	for k := range at {
		moved := ops.Add(turned[k], ops.Multiply(far, ops.Add(d[k], turned[k])))
		p := ops.Add(ops.Add(ops.Add(d[k], moved), g.center[k]), array(g.from[k]))
		at[k] = ops.Add(ops.Divide(p, array(g.scale[k])), -float64(g.pad[k]))
	}
	return at
}
