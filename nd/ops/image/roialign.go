package image

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
)

// ROIAlignOptions are the options of ROIAlign.
type ROIAlignOptions struct {
	// Scale holds the factors that convert rows and columns of the boxes to those of x; nil means 1, and one number
	// serves both.
	Scale []float64
	// Samples is the number of rows and columns of samples per bin. 0 or a negative number means the height and width
	// of the bin, rounded up, for each box separately.
	Samples int
	// ChannelLast makes the channels the last axis of x and of the result.
	ChannelLast bool
}

// ROIAlign returns means over regions of images. Each region is cut into size[0] by size[1] bins of equal size. A box
// is (image, x0, y0, x1, y1), in a plane in which the pixel of row i and column j is the square from (j, i) to (j+1,
// i+1). ROIAlign cuts a bin into equal parts, samples the image at the centre of each part by linear interpolation
// between pixel centres, and returns the mean of the samples. Samples on the outermost half of a pixel, and up to half
// a pixel beyond, are taken from the nearest centres; samples further out are 0. A bin without samples is 0. No
// gradient flows to the boxes. It waits for the device. It corresponds to torchvision's roi_align with aligned=True.
//
// Shapes: x (N, C, H, W), boxes (R, 5); the result (R, C, size[0], size[1]). With ChannelLast (N, H, W, C) and (R,
// size[0], size[1], C). Boxes of float64 or integers are computed in float64, others in float32.
//
// Source: K. He, G. Gkioxari, P. Dollár, R. Girshick, Mask R-CNN, 2017.
// NNabla: roi_align.
func ROIAlign(x, boxes *nd.Array, size []int, opts ...ROIAlignOptions) *nd.Array {
	const fn nd.Func = "image.ROIAlign"
	fn.Check(x, boxes)
	o := options.Read(fn, opts)
	size = checkRegions(fn, x, boxes, size)
	a := roiAligner{fn: fn, size: [2]int(size), samples: max(o.Samples, 0), last: o.ChannelLast, scale: [2]float64{1, 1}, rows: 2, channels: x.Dim(1)}
	if o.ChannelLast {
		a.rows, a.channels = 1, x.Dim(3)
	}
	switch len(o.Scale) {
	case 0:
	case 1, 2:
		a.scale = [2]float64{o.Scale[0], o.Scale[len(o.Scale)-1]}
	default:
		panic(fn.Errorf([]*nd.Array{x, boxes}, "Scale %v: want a number for rows and one for columns", o.Scale))
	}
	fn.CheckAllocatable(x.DType(), boxes.Dim(0), a.channels, size[0], size[1], max(a.samples, 1), max(a.samples, 1))
	made := fn.Temporaries(&x, &boxes)
	defer made.Release()
	x = argument.Float(fn, x)
	var regions []alignedRegion
	if t := boxes.DType(); t == dtype.Float64 || t.IsInteger() {
		regions = regionsOf(a, x, nd.ToSlice[float64](boxes.AsType(dtype.Float64)))
	} else {
		regions = regionsOf(a, x, nd.ToSlice[float32](boxes.AsType(dtype.Float32)))
	}
	if len(regions) == 0 {
		return made.Keep(made.Own(fn.NewFilled(x.DType(), a.shape(0), 0, x)))
	}
	return made.Keep(a.means(made, x, regions))
}

// roiAligner is the state of one call of ROIAlign.
type roiAligner struct {
	fn             nd.Func
	size           [2]int
	samples        int
	scale          [2]float64
	last           bool
	rows, channels int // the axis of rows, and the number of channels
}

// alignedRegion describes the samples of a region: its image, the number of parts, and the rows and columns of the
// samples of each bin, as far as these samples count.
type alignedRegion struct {
	image     int
	parts     float64
	locations [2][][]float64
}

// most returns the largest number of rows or columns of samples per bin.
func (r alignedRegion) most(axis int) int {
	n := 0
	for _, bin := range r.locations[axis] {
		n = max(n, len(bin))
	}
	return n
}

// shape returns the shape of the result for this number of regions.
func (a roiAligner) shape(regions int) []int {
	if a.last {
		return []int{regions, a.size[0], a.size[1], a.channels}
	}
	return []int{regions, a.channels, a.size[0], a.size[1]}
}

// regionsOf reads boxes.
func regionsOf[T float32 | float64](a roiAligner, x *nd.Array, boxes []T) []alignedRegion {
	regions := make([]alignedRegion, len(boxes)/5)
	for k := range regions {
		box := boxes[5*k:][:5]
		if image := float64(box[0]); !(image > -1 && image < float64(x.Dim(0))) {
			panic(a.fn.Errorf([]*nd.Array{x}, "box %d refers to image %v of %d", k, image, x.Dim(0)))
		}
		regions[k] = alignedRegion{image: int(box[0]), parts: 1}
		for axis := range 2 {
			scale, n := T(a.scale[axis]), x.Dim(a.rows+axis)
			first, last := T(box[2-axis]*scale)-0.5, T(box[4-axis]*scale)-0.5
			locations, parts := binsAlong(first, last, a.size[axis], a.samples, n)
			regions[k].locations[axis], regions[k].parts = locations, regions[k].parts*parts
		}
	}
	return regions
}

// binsAlong returns, for each bin between two locations along an axis of n pixels, the locations of its samples, and
// how many samples each bin would have if all counted.
func binsAlong[T float32 | float64](first, last T, bins, samples, n int) (locations [][]float64, parts float64) {
	bin := (last - first) / T(bins)
	parts = float64(samples)
	if samples == 0 {
		parts = max(0, math.Ceil(float64(bin)))
	}
	if !(parts >= 1) {
		return make([][]float64, bins), 1
	}
	step := bin / T(parts)
	for k := range bins {
		start := first + T(T(k)*bin)
		from, to := 0.0, parts
		if samples == 0 { // there may be very many parts, but few of them lie in the image: the step is positive, and at least a half
			from = max(0, math.Floor((-1-float64(start))/float64(step))-2)
			to = min(parts, math.Ceil((float64(n)-float64(start))/float64(step))+2)
		}
		var inside []float64
		for i := from; i < to; i++ {
			location := float64(start + T((T(i)+0.5)*step))
			if location < -1 || location > float64(n) {
				continue
			}
			inside = append(inside, max(0, min(location, float64(n-1))))
		}
		locations = append(locations, inside)
	}
	return locations, parts
}

// means samples regions with the same number of rows and columns per bin together.
func (a roiAligner) means(made *nd.Temporaries, x *nd.Array, regions []alignedRegion) *nd.Array {
	var kinds [][2]int
	members := map[[2]int][]int{}
	for k, r := range regions {
		kind := [2]int{max(1, r.most(0)), max(1, r.most(1))}
		if members[kind] == nil {
			kinds = append(kinds, kind)
		}
		members[kind] = append(members[kind], k)
	}
	var parts []*nd.Array
	order := make([]int, 0, len(regions))
	for _, kind := range kinds {
		parts = append(parts, a.meansOfKind(made, x, regions, members[kind], kind))
		order = append(order, members[kind]...)
	}
	if len(parts) == 1 {
		return parts[0]
	}
	indices := make([]int, len(order))
	for at, k := range order {
		indices[k] = at
	}
	joined := ops.Concatenate(parts, ops.Over(0))
	return ops.Take(joined, made.Own(nd.FromSliceOn(x.Device(), indices, len(indices))), ops.Over(0))
}

// meansOfKind returns the means of some regions, whose bins have at most these numbers of rows and columns of samples.
// The samples' axes come first, so that the sum along them adds whole arrays.
func (a roiAligner) meansOfKind(made *nd.Temporaries, x *nd.Array, regions []alignedRegion, members []int, kind [2]int) *nd.Array {
	n, dev := len(members), x.Device()
	each, whole, first, kept := []int{n, 1, 1, 1}, []int{1, 1, n, 1, 1, 1}, 4, 3
	if a.last {
		first, kept = 3, 5
	}
	images, weights := make([]int, n), make([]float64, n)
	for at, k := range members {
		images[at], weights[at] = regions[k].image, 1/regions[k].parts
	}
	locations := []*nd.Array{made.Own(nd.FromSliceOn(dev, images, whole...))}
	for axis := range 2 {
		values := make([]float64, 0, kind[axis]*n*a.size[axis])
		for i := range kind[axis] {
			for _, k := range members {
				for _, bin := range regions[k].locations[axis] {
					if i < len(bin) {
						values = append(values, bin[i])
					} else {
						values = append(values, -2) // outside the image, where everything is 0
					}
				}
			}
		}
		shape := []int{1, 1, n, 1, 1, 1}
		shape[axis], shape[first+axis] = kind[axis], a.size[axis]
		locations = append(locations, made.Own(nd.FromSliceOn(dev, values, shape...)))
	}
	y := sample(a.fn, x, locations, SampleOptions{Axes: ops.Over(0, a.rows, a.rows+1), Kept: ops.Over(kept)})
	y = ops.Sum(y, ops.Over(0, 1))
	weight := made.Own(nd.FromSliceOn(dev, weights, each...))
	return ops.Multiply(y, weight.AsType(y.DType()))
}
