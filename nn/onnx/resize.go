package onnx

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// resizes are the operators that interpolate between elements.
func resizes() map[string]operator { return map[string]operator{"Resize": resize, "Upsample": resize} }

// resizing are the attributes of Resize.
type resizing struct {
	mode, coordinates, nearest, policy string
	cubic, extrapolation               float64
	exclude, antialias                 bool
	axes                               []int
	scales                             []float32 // of the first forms of Upsample
}

// resize also reads Upsample, and Resize of opset 10, which scale as the mode asymmetric does.
func resize(n *node) run {
	r := resizing{mode: n.text("mode", "nearest", "nearest", "linear", "bilinear", "cubic"), coordinates: "asymmetric", nearest: "floor"}
	if r.mode == "bilinear" {
		r.mode = "linear"
	}
	inputs := 1 // where the scales are
	if n.OpType == "Resize" && n.opset >= 11 {
		inputs = 2
		r.coordinates = n.text("coordinate_transformation_mode", "half_pixel", "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",
			"align_corners", "asymmetric", "tf_crop_and_resize", "tf_half_pixel_for_nn")
		r.nearest = n.text("nearest_mode", "round_prefer_floor", "round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
		r.cubic, r.extrapolation = n.float("cubic_coeff_a", -0.75), n.float("extrapolation_value", 0)
		r.exclude, r.antialias = n.flag("exclude_outside"), n.flag("antialias")
		r.axes, r.policy = n.ints("axes"), n.text("keep_aspect_ratio_policy", "stretch", "stretch", "not_larger", "not_smaller")
	}
	if n.OpType == "Upsample" && n.opset < 9 {
		if r.scales = n.floats("scales"); r.scales == nil {
			r.scales = []float32{1, 1, float32(n.float("height_scale", 1)), float32(n.float("width_scale", 1))}
		}
	}
	return func(c *call) []model.Value {
		x := c.x(0)
		axes := axesOr(r.axes, x.Rank())
		var region []float64
		if inputs == 2 && c.given(1) {
			region = nd.ToSlice[float64](c.x(1).Detach().AsType(dtype.Float64))
		}
		scales, sizes := r.sizes(c, x, axes, inputs)
		if r.coordinates != "tf_crop_and_resize" {
			region = nil
		} else if len(region) != 2*len(axes) {
			c.refuse("a region of %d numbers for %d axes", len(region), len(axes))
		}
		t := x.DType()
		if !t.IsInexact() && r.mode != "nearest" {
			x = x.AsType(dtype.Float32)
		}
		for i, axis := range slices.Backward(axes) { // the last axis first: its elements are copied one by one
			a := resizedAxis{resizing: r, at: c.fn.Axis(x, []int{axis}, 0), scale: scales[i], size: sizes[i], from: 0, to: 1}
			if region != nil {
				a.from, a.to = region[i], region[len(axes)+i]
			}
			x = a.apply(x)
		}
		if !t.IsInexact() && x.DType() != t {
			x = ops.Rint(x)
		}
		return one(x.AsType(t))
	}
}

// sizes returns the scales and the lengths of the result.
func (r resizing) sizes(c *call, x *nd.Array, axes []int, at int) (scales []float64, sizes []int) {
	scales, sizes = make([]float64, len(axes)), make([]int, len(axes))
	given := r.scales
	if given == nil && c.given(at) && c.x(at).Size() > 0 {
		given = nd.ToSlice[float32](c.x(at).Detach().AsType(dtype.Float32))
	}
	if given != nil {
		if len(given) != len(axes) {
			c.refuse("%d scales for %d axes", len(given), len(axes))
		}
		for i, axis := range axes {
			scales[i] = float64(given[i])
			extent := 1.0
			if r.coordinates == "tf_crop_and_resize" {
				region := nd.ToSlice[float64](c.x(1).Detach().AsType(dtype.Float64))
				extent = region[len(axes)+i] - region[i]
			}
			sizes[i] = int(math.Floor(float64(x.Dim(c.fn.Axis(x, []int{axis}, 0))) * extent * scales[i]))
			if !(scales[i] > 0) || sizes[i] < 0 {
				c.refuse("a scale of %v", scales[i])
			}
		}
		return scales, sizes
	}
	wanted := c.ints(at + 1)
	if len(wanted) != len(axes) {
		c.refuse("%d sizes for %d axes", len(wanted), len(axes))
	}
	for i, axis := range axes {
		scales[i] = float64(wanted[i]) / float64(x.Dim(c.fn.Axis(x, []int{axis}, 0)))
	}
	switch r.policy {
	case "not_larger":
		scales = slices.Repeat([]float64{slices.Min(scales)}, len(axes))
	case "not_smaller":
		scales = slices.Repeat([]float64{slices.Max(scales)}, len(axes))
	default:
		return scales, wanted
	}
	for i, axis := range axes {
		sizes[i] = int(math.Floor(scales[i]*float64(x.Dim(c.fn.Axis(x, []int{axis}, 0))) + 0.5))
	}
	return scales, sizes
}

// resizedAxis is an axis that is resized.
type resizedAxis struct {
	resizing
	at, size int
	scale    float64
	from, to float64 // the region, as shares of the axis
}

// location returns where an element of the result lies in x.
func (a resizedAxis) location(k, length int) float64 {
	x, n := float64(k), float64(length)
	width := a.scale * n
	switch a.coordinates {
	case "align_corners":
		if width == 1 {
			return 0
		}
		return x * (n - 1) / (width - 1)
	case "asymmetric":
		return x / a.scale
	case "tf_half_pixel_for_nn":
		return (x + 0.5) / a.scale
	case "tf_crop_and_resize":
		if width == 1 {
			return a.from*(n-1) + (a.to-a.from)*(n-1)/2
		}
		return x*(a.to-a.from)*(n-1)/(width-1) + a.from*(n-1)
	case "pytorch_half_pixel":
		if width == 1 {
			return -0.5
		}
	case "half_pixel_symmetric":
		return n/2*(1-float64(a.size)/width) + (x+0.5)/a.scale - 0.5
	}
	return (x+0.5)/a.scale - 0.5
}

// apply resizes the axis.
func (a resizedAxis) apply(x *nd.Array) *nd.Array {
	length := x.Dim(a.at)
	if a.size == length && a.scale == 1 && a.from == 0 && a.to == 1 {
		return x
	}
	locations := make([]float64, a.size)
	outside := make([]bool, a.size)
	for k := range locations {
		locations[k] = a.location(k, length)
		outside[k] = a.coordinates == "tf_crop_and_resize" && (locations[k] < 0 || locations[k] > float64(length-1))
	}
	var y *nd.Array
	if a.mode == "nearest" {
		y = ops.Take(x, a.nearestIndices(locations, length, x), ops.Over(a.at))
	} else {
		y = a.weighted(x, locations, length)
	}
	if slices.Contains(outside, true) {
		mask := nd.FromSlice(outside, a.along(x.Rank())...).To(x.Device())
		y = ops.Where(mask, nd.Scalar(a.extrapolation), y).AsType(y.DType())
	}
	return y
}

// along returns the shape of a vector along the axis.
func (a resizedAxis) along(rank int) []int {
	shape := broadcast.Ones(rank)
	shape[a.at] = a.size
	return shape
}

func (a resizedAxis) nearestIndices(locations []float64, length int, x *nd.Array) *nd.Array {
	at := make([]int, len(locations))
	for k, v := range locations {
		switch a.nearest {
		case "floor":
			v = math.Floor(v)
		case "ceil":
			v = math.Ceil(v)
		case "round_prefer_ceil":
			v = math.Floor(v + 0.5)
		default:
			v = math.Ceil(v - 0.5)
		}
		at[k] = int(min(max(v, 0), float64(length-1)))
	}
	return nd.FromSlice(at).To(x.Device())
}

// weighted returns sums of neighbouring elements with weights.
func (a resizedAxis) weighted(x *nd.Array, locations []float64, length int) *nd.Array {
	stretch := 1.0
	if a.antialias && a.scale < 1 {
		stretch = a.scale
	}
	reach, kernel := 1.0, linearWeight
	if a.mode == "cubic" {
		reach, kernel = 2, a.cubicWeight
	}
	first := int(math.Floor(-reach/stretch)) + 1
	taps := 2 - 2*first
	indices, weights := make([][]int, taps), make([][]float64, taps)
	for t := range taps {
		indices[t], weights[t] = make([]int, a.size), make([]float64, a.size)
	}
	for k, v := range locations {
		base := math.Floor(v)
		total := 0.0
		for t := range taps {
			at := base + float64(first+t)
			w := kernel((at - v) * stretch)
			if a.exclude && (at < 0 || at > float64(length-1)) {
				w = 0
			}
			total += w
			weights[t][k] = w
			indices[t][k] = int(min(max(at, 0), float64(length-1)))
		}
		if a.exclude || stretch != 1 {
			for t := range taps {
				weights[t][k] /= total
			}
		}
	}
	var y *nd.Array
	for t := range taps {
		part := ops.Take(x, nd.FromSlice(indices[t]).To(x.Device()), ops.Over(a.at))
		part = ops.Multiply(part, nd.FromSlice(weights[t], a.along(x.Rank())...).AsType(x.DType()).To(x.Device()))
		if y == nil {
			y = part
		} else {
			y = ops.Add(y, part)
		}
	}
	return y
}

func linearWeight(d float64) float64 { return max(1-math.Abs(d), 0) }

func (a resizedAxis) cubicWeight(d float64) float64 {
	d = math.Abs(d)
	switch {
	case d <= 1:
		return ((a.cubic+2)*d-(a.cubic+3))*d*d + 1
	case d < 2:
		return ((a.cubic*d-5*a.cubic)*d+8*a.cubic)*d - 4*a.cubic
	}
	return 0
}
