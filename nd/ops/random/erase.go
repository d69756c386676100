package random

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// EraseOptions are the options of Erase.
type EraseOptions struct {
	// Prob is the probability of each rectangle; nil means 0.5.
	Prob *float64
	// AreaRatios are the smallest and the largest fraction of an image that a rectangle covers; nil means 0.02 and 0.4.
	AreaRatios []float64
	// AspectRatios are the smallest and the largest ratio of a rectangle's height to its width; nil means 0.3 and
	// 3.3333.
	AspectRatios []float64
	// Replacements are the smallest and the largest value that replaces erased elements; nil means 0 and 255.
	Replacements []float64
	// N is the number of rectangles to try; 0 means 1.
	N int
	// Share erases the same rectangles in all channels; nil means true. If false, each channel has its own rectangles.
	Share *bool
	// BaseAxis is the first axis after those of the samples, the first of the three axes of an image; nil means 1.
	BaseAxis *int
	// ChannelLast says that images are (H, W, C), instead of (C, H, W).
	ChannelLast bool
	// STEFineGrained sets the gradient of erased elements to 0; nil means true. If false, it passes everywhere.
	STEFineGrained *bool
}

// Erase returns images in which rectangles are replaced by random values, uniform and drawn for each element. N times
// for each image, or for each of its channels, it erases a rectangle with probability Prob. The rectangle has s =
// area·H·W elements and the ratio r = height/width, both uniform between their bounds: √(s·r) rows and √(s/r) columns,
// rounded down and at most those of the image. Its location is uniform. (Zhong et al., Random Erasing Data
// Augmentation, AAAI 2020.)
// NNabla: random_erase.
func Erase(rng *nd.Rand, x *nd.Array, opts ...EraseOptions) *nd.Array {
	const fn nd.Func = "random.Erase"
	o := options.Read(fn, opts)
	a, made := newAugmentation(fn, rng, &x, o.BaseAxis)
	defer made.Release()
	e := erasing{a: a, prob: 0.5, trials: max(o.N, 1)}
	if o.Prob != nil {
		e.prob = *o.Prob
	}
	replacements := a.between("Replacements", o.Replacements, 0, 255, math.Inf(-1))
	e.areas = a.between("AreaRatios", o.AreaRatios, 0.02, 0.4, 0)
	e.aspects = a.between("AspectRatios", o.AspectRatios, 0.3, 3.3333, 0)
	if a.rank-a.base != 3 || !x.DType().IsFloat() || !(e.prob >= 0 && e.prob <= 1) || o.N < 0 {
		panic(fn.Errorf([]*nd.Array{x}, "want floats with three axes from BaseAxis %d on, a probability, and N from 0 on", a.base))
	}
	shape := x.Shape()
	channel := a.base
	if o.ChannelLast {
		channel = a.base + 2
	}
	channels := shape[channel]
	if o.Share == nil || *o.Share {
		shape[channel], channels = 1, 1
	}
	image := append(append([]int(nil), shape[a.base:channel]...), shape[channel+1:]...)
	e.height, e.width = image[0], image[1]
	erased := made.Own(nd.FromSliceOn(x.Device(), e.draw(channels, o.ChannelLast), shape...))
	values := made.Own(Uniform(rng, replacements[0], replacements[1], x.Shape(), nd.ArrayOptions{DType: x.DType(), Device: x.Device()}))
	if o.STEFineGrained == nil || *o.STEFineGrained {
		return made.Keep(ops.Where(erased, values, x))
	}
	y := ops.Where(erased, values, x.Detach())
	fn.Record(straightThrough{}, []*nd.Array{x}, y)
	return made.Keep(y)
}

// straightThrough records a function whose gradient is gy.
type straightThrough struct{}

func (straightThrough) Claims() nd.Claims { return nd.Claims{} }

func (straightThrough) VJP(c *nd.Call) { c.SetGx(0, c.Gy(0)) }

// between returns an option of two numbers; the first must be the lower one, and at least least.
func (a *augmentation) between(name string, given []float64, low, high, least float64) [2]float64 {
	if given == nil {
		return [2]float64{low, high}
	}
	if len(given) != 2 || !(given[0] <= given[1]) || given[0] < least || math.IsInf(given[1], 0) {
		panic(a.fn.Errorf([]*nd.Array{a.given}, "%s %v: want two numbers, the lower one first", name, given))
	}
	return [2]float64{given[0], given[1]}
}

// uniform draws a number between two bounds.
func (a *augmentation) uniform(bounds [2]float64) float64 {
	return bounds[0] + (bounds[1]-bounds[0])*a.Float64()
}

// erasing draws rectangles.
type erasing struct {
	a              *augmentation
	prob           float64
	trials         int
	areas, aspects [2]float64
	height, width  int
}

// draw returns whether an element is erased, for each image, channel, row and column; with last in the order row,
// column, channel.
func (e *erasing) draw(channels int, last bool) []bool {
	plane := e.height * e.width
	erased := make([]bool, e.a.samples*channels*plane)
	for sample := range e.a.samples {
		for c := range channels {
			first, step := (sample*channels+c)*plane, 1
			if last {
				first, step = sample*channels*plane+c, channels
			}
			for range e.trials {
				if !(e.a.Float64() < e.prob) {
					continue
				}
				area, aspect := e.a.uniform(e.areas)*float64(plane), e.a.uniform(e.aspects)
				rows, columns := min(int(math.Sqrt(area*aspect)), e.height), e.width
				if aspect > 0 {
					columns = min(int(min(math.Sqrt(area/aspect), float64(e.width))), e.width)
				}
				top, left := e.a.IntN(e.height-rows+1), e.a.IntN(e.width-columns+1)
				for y := top; y < top+rows; y++ {
					for x := left; x < left+columns; x++ {
						erased[first+(y*e.width+x)*step] = true
					}
				}
			}
		}
	}
	return erased
}
