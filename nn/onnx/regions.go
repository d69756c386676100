package onnx

import (
	"cmp"
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/image"
	"github.com/ndgrad/ndgrad/nn/model"
)

// regions are the operators about boxes and grids in images.
func regions() map[string]operator {
	return map[string]operator{"GridSample": gridSample, "RoiAlign": roiAlign, "MaxRoiPool": maxRoiPool, "NonMaxSuppression": nonMaxSuppression,
		"AffineGrid": func(n *node) run {
			o := image.AffineGridOptions{AlignCorners: n.flag("align_corners")}
			return func(c *call) []model.Value {
				size := c.ints(1)
				if len(size) < 3 {
					c.refuse("size %d", size)
				}
				return one(image.AffineGrid(c.x(0), size[2:], o))
			}
		},
	}
}

// maxRoiPool pools the largest elements of regions.
func maxRoiPool(n *node) run {
	size, scale := n.ints("pooled_shape"), n.float("spatial_scale", 1)
	return func(c *call) []model.Value { return one(image.ROIPooling(c.x(0), c.x(1), size, scale)) }
}

// aligning are the attributes of RoiAlign.
type aligning struct {
	height, width, samples int
	scale, shift           float64
	largest                bool
}

func roiAlign(n *node) run {
	a := aligning{height: n.int("output_height", 1), width: n.int("output_width", 1), samples: n.int("sampling_ratio", 0),
		scale: n.float("spatial_scale", 1), largest: n.text("mode", "avg", "avg", "max") == "max"}
	def := "half_pixel"
	if n.opset < 16 {
		def = "output_half_pixel"
	}
	if n.text("coordinate_transformation_mode", def, "half_pixel", "output_half_pixel") == "half_pixel" {
		a.shift = 0.5
	}
	return func(c *call) []model.Value {
		x, boxes, images := c.x(0), c.x(1), c.ints(2)
		if x.Rank() != 4 || boxes.Rank() != 2 || boxes.Dim(1) != 4 || len(images) != boxes.Dim(0) {
			c.refuse("want images (N, C, H, W), boxes (R, 4) and %d indices of images", boxes.Dim(0))
		}
		corners := nd.ToSlice[float64](boxes.Detach().AsType(dtype.Float64))
		rows := make([]*nd.Array, len(images))
		for r, k := range images {
			rows[r] = a.region(x.Index(nd.At(k)), corners[4*r:4*r+4])
		}
		if len(rows) == 0 {
			return one(nd.Zeros([]int{0, x.Dim(1), a.height, a.width}, x.DType(), x.Device()))
		}
		return one(ops.Stack(rows).AsType(x.DType()))
	}
}

// region returns the means, or the largest, of the samples in each bin of a box of an image (C, H, W).
func (a aligning) region(x *nd.Array, box []float64) *nd.Array {
	left, top := box[0]*a.scale-a.shift, box[1]*a.scale-a.shift
	wide, high := box[2]*a.scale-a.shift-left, box[3]*a.scale-a.shift-top
	if a.shift == 0 {
		wide, high = max(wide, 1), max(high, 1)
	}
	rows, columns := a.samples, a.samples
	if a.samples <= 0 {
		rows, columns = int(math.Ceil(high/float64(a.height))), int(math.Ceil(wide/float64(a.width)))
	}
	rows, columns = max(rows, 0), max(columns, 0)
	lowY, highY, shareY, insideY := sampled(top, high, a.height, rows, x.Dim(1))
	lowX, highX, shareX, insideX := sampled(left, wide, a.width, columns, x.Dim(2))
	if rows*columns == 0 {
		return nd.Zeros([]int{x.Dim(0), a.height, a.width}, x.DType(), x.Device())
	}
	// The four pixels around each sample, times their weights.
	column := func(v []float64) *nd.Array { return nd.FromSlice(v, len(v), 1).AsType(x.DType()).To(x.Device()) }
	row := func(v []float64) *nd.Array { return nd.FromSlice(v).AsType(x.DType()).To(x.Device()) }
	var parts []*nd.Array
	for _, y := range []struct {
		at     []int
		weight []float64
	}{{lowY, weights(shareY, insideY, false)}, {highY, weights(shareY, insideY, true)}} {
		line := ops.Multiply(ops.Take(x, nd.FromSlice(y.at).To(x.Device()), ops.Over(1)), column(y.weight))
		for _, z := range []struct {
			at     []int
			weight []float64
		}{{lowX, weights(shareX, insideX, false)}, {highX, weights(shareX, insideX, true)}} {
			parts = append(parts, ops.Multiply(ops.Take(line, nd.FromSlice(z.at).To(x.Device()), ops.Over(2)), row(z.weight)))
		}
	}
	join := ops.ReduceOptions{Axes: ops.Over(2, 4)}
	shape := []int{x.Dim(0), a.height, rows, a.width, columns}
	if a.largest {
		y := parts[0]
		for _, p := range parts[1:] {
			y = ops.Maximum(y, p)
		}
		return ops.Max(y.Reshape(shape...), join)
	}
	return ops.Mean(ops.AddN(parts...).Reshape(shape...), join)
}

// sampled returns, for the samples of all bins along an axis, the pixels before and behind, the share of the latter, and
// whether the sample counts.
func sampled(from, extent float64, bins, samples, length int) (low, high []int, share []float64, inside []bool) {
	bin := extent / float64(bins)
	for b := range bins {
		for s := range samples {
			at := from + float64(b)*bin + (float64(s)+0.5)*bin/float64(samples)
			inside = append(inside, at >= -1 && at <= float64(length))
			at = min(max(at, 0), float64(length-1))
			k := min(int(at), max(length-1, 0))
			low, high, share = append(low, k), append(high, min(k+1, length-1)), append(share, at-float64(k))
		}
	}
	return low, high, share, inside
}

// weights returns the weights of the pixels before the samples, or of those behind.
func weights(share []float64, inside []bool, behind bool) []float64 {
	all := make([]float64, len(share))
	for i, f := range share {
		switch {
		case !inside[i]:
		case behind:
			all[i] = f
		default:
			all[i] = 1 - f
		}
	}
	return all
}

// nonMaxSuppression picks the boxes with the highest scores, and leaves out those that overlap with them.
func nonMaxSuppression(n *node) run {
	centred := n.flag("center_point_box")
	return func(c *call) []model.Value {
		boxes, scores := c.x(0), c.x(1)
		if boxes.Rank() != 3 || boxes.Dim(2) != 4 || scores.Rank() != 3 || scores.Dim(0) != boxes.Dim(0) || scores.Dim(2) != boxes.Dim(1) {
			c.refuse("want boxes (N, B, 4) and scores (N, C, B)")
		}
		most, overlap, least := 0, 0.0, math.Inf(-1)
		if c.given(2) {
			most = c.int(2)
		}
		if c.given(3) {
			overlap = c.float(3)
		}
		if c.given(4) {
			least = c.float(4)
		}
		corners := nd.ToSlice[float32](boxes.Detach().AsType(dtype.Float32))
		values := nd.ToSlice[float32](scores.Detach().AsType(dtype.Float32))
		count, classes := boxes.Dim(1), scores.Dim(1)
		var selected []int
		for image := range boxes.Dim(0) {
			for class := range classes {
				row := values[(image*classes+class)*count:][:count]
				order := make([]int, 0, count)
				for k, v := range row {
					if float64(v) > least {
						order = append(order, k)
					}
				}
				slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(row[b], row[a]) })
				var kept [][4]float32
				for _, k := range order {
					if len(kept) >= most {
						break
					}
					box := box(corners[(image*count+k)*4:][:4], centred)
					if !slices.ContainsFunc(kept, func(other [4]float32) bool { return overlapOf(box, other) > overlap }) {
						kept = append(kept, box)
						selected = append(selected, image, class, k)
					}
				}
			}
		}
		return one(nd.FromSlice(selected, len(selected)/3, 3).To(boxes.Device()))
	}
}

// box returns the smaller and the larger coordinates of a box, which is given by two corners, or by its centre and lengths.
func box(v []float32, centred bool) [4]float32 {
	if centred {
		return [4]float32{v[0] - v[2]/2, v[1] - v[3]/2, v[0] + v[2]/2, v[1] + v[3]/2}
	}
	return [4]float32{min(v[0], v[2]), min(v[1], v[3]), max(v[0], v[2]), max(v[1], v[3])}
}

// overlapOf returns the area of the intersection, divided by that of the union.
func overlapOf(a, b [4]float32) float64 {
	wide, high := min(a[2], b[2])-max(a[0], b[0]), min(a[3], b[3])-max(a[1], b[1])
	if wide <= 0 || high <= 0 {
		return 0
	}
	common := wide * high
	areaA, areaB := (a[2]-a[0])*(a[3]-a[1]), (b[2]-b[0])*(b[3]-b[1])
	if areaA <= 0 || areaB <= 0 {
		return 0
	}
	return float64(common / (areaA + areaB - common))
}
