package image

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// ROIPoolingOptions are the options of ROIPooling.
type ROIPoolingOptions struct {
	// HalfEven rounds corners that are halfway between two points to the even one instead of away from zero, and
	// computes corners and bins in float64 for regions of every dtype, as Chainer does.
	HalfEven bool
}

// ROIPooling returns the largest elements of regions of images, each cut into size[0] by size[1] bins (one number stands for both): it is MaxPooling
// whose windows come from arrays. A region is (image, x0, y0, x1, y1). Its corners times scale are rounded, halves away
// from zero. The points of both corners belong to the region, and it has at least one point. Of h points, bin i holds
// floor(i·h/size) up to but excluding ceil((i+1)·h/size), as far as they lie in the image. A bin without points is 0,
// and so is a region of an image that does not exist. At a tie the gradient goes to the first of the equal elements; no
// gradient flows to the regions. It waits for the device.
//
// Shapes: x (N, C, H, W), regions (R, 5); the result (R, C, size[0], size[1]). Corners and bins are computed in float64
// for regions of float64 or integers and with HalfEven, otherwise in float32.
//
// Source: R. Girshick, Fast R-CNN, 2015.
// Chainer: roi_pooling_2d (with HalfEven). MXNet: roi_pooling.
func ROIPooling(x, regions *nd.Array, size []int, scale float64, opts ...ROIPoolingOptions) *nd.Array {
	const fn nd.Func = "image.ROIPooling"
	round := math.Round
	even := options.Read(fn, opts).HalfEven
	if even {
		round = math.RoundToEven
	}
	fn.Check(x, regions)
	x = argument.Ordered(fn, x)
	size = checkRegions(fn, x, regions, size)
	fn.CheckAllocatable(x.DType(), regions.Dim(0), x.Dim(1), size[0], size[1])
	made := fn.Temporaries(&x, &regions)
	defer made.Release()
	var bins []bin
	if t := regions.DType(); even || t == dtype.Float64 || t.IsInteger() {
		bins = binsOf(nd.ToSlice[float64](regions.AsType(dtype.Float64)), x.Shape(), size, scale, round)
	} else {
		bins = binsOf(nd.ToSlice[float32](regions.AsType(dtype.Float32)), x.Shape(), size, float32(scale), round)
	}
	shape := []int{regions.Dim(0), x.Dim(1), size[0], size[1]}
	if len(bins) == 0 || x.Size() == 0 {
		return made.Keep(made.Own(fn.NewFilled(x.DType(), shape, 0, x)))
	}
	return made.Keep(largestOfBins(fn, made, x, bins, shape))
}

// checkRegions panics if the arguments are not images and regions of images. It returns both lengths of the result, of which one may
// stand for both.
func checkRegions(fn nd.Func, x, regions *nd.Array, size []int) []int {
	in := []*nd.Array{x, regions}
	if x.Rank() != 4 || regions.Rank() != 2 || regions.Dim(1) != 5 || regions.DType().IsComplex() || regions.DType().IsBool() {
		panic(fn.Errorf(in, "want images (N, C, H, W), and a row of 5 real numbers for each region"))
	}
	return argument.PerAxis(fn, in, "size", size, 2, 0, 1)
}

// bin is a part of an image: the points of some rows and columns.
type bin struct{ image, top, left, rows, columns int }

// points returns the number of points of a bin.
func (b bin) points() int { return b.rows * b.columns }

// binsOf cuts regions of arrays of a shape into bins.
func binsOf[T float32 | float64](regions []T, shape, size []int, scale T, round func(float64) float64) []bin {
	bins := make([]bin, 0, len(regions)/5*size[0]*size[1])
	for ; len(regions) > 0; regions = regions[5:] {
		image := limited(math.Trunc(float64(regions[0])))
		exists := image >= 0 && image < shape[0]
		var corners [4]int
		for k, at := range regions[1:5] {
			corners[k] = limited(round(float64(at * scale)))
		}
		for i := range size[0] {
			top, bottom := limits[T](i, size[0], corners[1], corners[3], shape[2])
			for j := range size[1] {
				left, right := limits[T](j, size[1], corners[0], corners[2], shape[3])
				b := bin{image: image, top: top, left: left}
				if exists && bottom > top && right > left {
					b.rows, b.columns = bottom-top, right-left
				} else {
					b = bin{}
				}
				bins = append(bins, b)
			}
		}
	}
	return bins
}

// limited returns a whole number within bounds that leave room for arithmetic; NaN gives 0.
func limited(v float64) int {
	const far = 1 << 40
	if v != v {
		return 0
	}
	return int(max(-far, min(far, v)))
}

// limits returns where along an axis of n points bin i of a region begins and ends.
func limits[T float32 | float64](i, bins, first, last, n int) (from, to int) {
	step := T(max(last-first+1, 1)) / T(bins)
	from = first + int(math.Floor(float64(T(i)*step)))
	to = first + int(math.Ceil(float64(T(i+1)*step)))
	return max(0, min(n, from)), max(0, min(n, to))
}

// largestOfBins returns the largest element of each bin and channel of x (N, C, H, W), in the shape of the result.
func largestOfBins(fn nd.Func, made *nd.Temporaries, x *nd.Array, bins []bin, shape []int) *nd.Array {
	channels, width := x.Dim(1), x.Dim(3)
	planes := x.Reshape(x.Dim(0), channels, x.Dim(2)*width)
	found := made.Own(fn.NewLike(dtype.Int64, []int{channels, len(bins)}, x))
	for from := 0; from < len(bins); {
		to, most := from, 1 // as many bins as take about a million elements
		for to < len(bins) && (to == from || (to+1-from)*max(most, bins[to].points())*channels <= 1<<20) {
			most = max(most, bins[to].points())
			to++
		}
		indices := largestIndices(fn, planes, bins[from:to], most, width)
		found.Assign(indices, nd.All(), nd.Span(from, to))
		indices.Release()
		from = to
	}
	images, empty := make([]int, len(bins)), make([]bool, len(bins))
	for k, b := range bins {
		images[k], empty[k] = b.image, b.points() == 0
	}
	dev, each := x.Device(), []int{shape[0], 1, shape[2], shape[3]}
	image := made.Own(nd.FromSliceOn(dev, images, each...))
	channel := made.Own(nd.ArangeInt(0, channels, 1, nd.ArrayOptions{Device: dev})).Reshape(channels, 1, 1)
	index := found.Reshape(channels, shape[0], shape[2], shape[3]).SwapAxes(0, 1)
	y := fn.Gather(planes, []int{0, 1, 2}, 0, []*nd.Array{image, channel, index}, device.BoundsExact)
	return ufunc.Choose(made.Own(nd.FromSliceOn(dev, empty, each...)), nd.Scalar(0), y)
}

// largestIndices returns, for each channel and bin, the index in its plane of the largest of up to most elements. Bins with
// fewer points repeat their last point, so that ties still go to the first of the equal elements.
func largestIndices(fn nd.Func, planes *nd.Array, bins []bin, most, width int) *nd.Array {
	dev := planes.Device()
	images, indices := make([]int, len(bins)), make([]int, 0, len(bins)*most)
	for k, b := range bins {
		images[k] = b.image
		for i := range most {
			index := 0
			if n := b.points(); n > 0 {
				i = min(i, n-1)
				index = (b.top+i/b.columns)*width + b.left + i%b.columns
			}
			indices = append(indices, index)
		}
	}
	made := fn.Temporaries(&planes)
	defer made.Release()
	image := made.Own(nd.FromSliceOn(dev, images, len(bins), 1))
	index := made.Own(nd.FromSliceOn(dev, indices, len(bins), most))
	row := made.Own(nd.ArangeInt(0, len(bins), 1, nd.ArrayOptions{Device: dev}))
	points := fn.Gather(planes.Detach(), []int{0, 2}, 1, []*nd.Array{image, index}, device.BoundsExact) // (C, bins, most)
	largest := ops.ArgMax(points, ops.Over(2))
	return made.Keep(fn.Gather(index, []int{0, 1}, 0, []*nd.Array{row, largest}, device.BoundsExact))
}
