package random

import (
	"math"
	"math/rand/v2"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// These functions change each sample of a batch by its own random draw. The axes before BaseAxis are those of the
// samples.

// CropOptions are the options of Crop.
type CropOptions struct {
	// Shape is the shape of the parts, along the last axes; nil means all of x.
	Shape []int
	// BaseAxis is the first axis after those of the samples; nil means 1.
	BaseAxis *int
}

// Crop returns a part of every sample, of the given shape along the last axes, from a location that is drawn uniformly
// for it. The gradient is gy within the part, and 0 elsewhere.
// NNabla: random_crop.
func Crop(rng *nd.Rand, x *nd.Array, opts ...CropOptions) *nd.Array {
	const fn nd.Func = "random.Crop"
	o := options.Read(fn, opts)
	a, made := newAugmentation(fn, rng, &x, o.BaseAxis)
	defer made.Release()
	first := a.last(len(o.Shape), "lengths in Shape")
	for k, n := range o.Shape {
		if n < 0 || n > x.Dim(first+k) {
			panic(fn.Errorf([]*nd.Array{x}, "Shape %v: want at most the last axes of x", o.Shape))
		}
	}
	for k, n := range o.Shape {
		spare := x.Dim(first+k) - n
		x = a.take(x, first+k, n, func() func(int) int {
			from := a.IntN(spare + 1)
			return func(i int) int { return from + i }
		})
	}
	return made.Keep(a.copied(x))
}

// FlipOptions are the options of Flip.
type FlipOptions struct {
	// Axes are the axes that may be reversed; nil means the last one.
	Axes ops.Axes
	// BaseAxis is the first axis after those of the samples; nil means 1.
	BaseAxis *int
}

// Flip returns x with every sample reversed along each of the given axes with probability 1/2, drawn for each axis
// separately. The gradient is reversed likewise.
// NNabla: random_flip.
func Flip(rng *nd.Rand, x *nd.Array, opts ...FlipOptions) *nd.Array {
	const fn nd.Func = "random.Flip"
	o := options.Read(fn, opts)
	a, made := newAugmentation(fn, rng, &x, o.BaseAxis)
	defer made.Release()
	if o.Axes == nil && x.Rank() > 0 {
		o.Axes = ops.Over(-1)
	}
	axes, err := broadcast.Axes(o.Axes, x.Rank())
	if err != nil {
		panic(fn.Errorf([]*nd.Array{x}, "%v", err))
	}
	for _, axis := range axes {
		if axis < a.base {
			panic(fn.Errorf([]*nd.Array{x}, "axis %d is an axis of samples: want axes from %d on", axis, a.base))
		}
		n := x.Dim(axis)
		x = a.take(x, axis, n, func() func(int) int {
			flipped := a.IntN(2) == 1
			return func(i int) int {
				if flipped {
					return n - 1 - i
				}
				return i
			}
		})
	}
	return made.Keep(a.copied(x))
}

// BorderMode says which elements fill the border of Shift.
type BorderMode string

const (
	BorderNearest  BorderMode = "nearest"  // the border element
	BorderReflect  BorderMode = "reflect"  // the elements from the border on, in reverse
	BorderConstant BorderMode = "constant" // ShiftOptions.ConstantValue
)

// ShiftOptions are the options of Shift.
type ShiftOptions struct {
	// Shifts holds the largest distance by which samples move along each of the last axes; nil leaves them unchanged.
	Shifts []int
	// BorderMode says which elements fill the border; the default is BorderNearest.
	BorderMode BorderMode
	// ConstantValue fills the border with BorderConstant.
	ConstantValue float64
	// BaseAxis is the first axis after those of the samples; nil means 1.
	BaseAxis *int
}

// Shift returns x with every sample moved along the last axes. The distance along each axis is a whole number drawn
// uniformly from -s to s, where s is the axis's element of Shifts. The gradient goes to the original elements.
// NNabla: random_shift.
func Shift(rng *nd.Rand, x *nd.Array, opts ...ShiftOptions) *nd.Array {
	const fn nd.Func = "random.Shift"
	o := options.Read(fn, opts)
	a, made := newAugmentation(fn, rng, &x, o.BaseAxis)
	defer made.Release()
	first := a.last(len(o.Shifts), "Shifts")
	border, ok := map[BorderMode]func(i, n int) int{"": nearest, BorderNearest: nearest, BorderReflect: reflected, BorderConstant: nearest}[o.BorderMode]
	if !ok {
		panic(fn.Errorf([]*nd.Array{x}, "BorderMode %q: want nearest, reflect or constant", o.BorderMode))
	}
	for k, most := range o.Shifts {
		axis, n := first+k, x.Dim(first+k)
		if most < 0 || most > math.MaxInt32 {
			panic(fn.Errorf([]*nd.Array{x}, "Shifts %v: want numbers from 0 to %d", o.Shifts, math.MaxInt32))
		}
		var outside []bool
		x = a.take(x, axis, n, func() func(int) int {
			by := a.IntN(2*most+1) - most
			return func(i int) int {
				outside = append(outside, i < by || i >= n+by)
				return border(i-by, n)
			}
		})
		if o.BorderMode == BorderConstant {
			value := made.Own(nd.Full(nil, o.ConstantValue, nd.ArrayOptions{DType: x.DType(), Device: x.Device()}))
			x = ops.Where(made.Own(nd.FromSliceOn(x.Device(), outside, a.shape(x, axis, n)...)), value, x)
		}
	}
	return made.Keep(a.copied(x))
}

func nearest(i, n int) int { return min(max(i, 0), n-1) }

// reflected reflects an index at the borders; the border element occurs twice.
func reflected(i, n int) int {
	i %= 2 * n
	if i < 0 {
		i += 2 * n
	}
	return min(i, 2*n-1-i)
}

// augmentation is one call of a function that changes samples.
type augmentation struct {
	*rand.Rand
	fn      nd.Func
	given   *nd.Array
	made    *nd.Temporaries
	base    int // the first axis after those of the samples
	rank    int
	samples int
}

// newAugmentation checks x, and replaces it by a temporary header.
func newAugmentation(fn nd.Func, rng *nd.Rand, x **nd.Array, baseAxis *int) (*augmentation, *nd.Temporaries) {
	fn.Check(*x)
	a := &augmentation{fn: fn, base: 1, rank: (*x).Rank()}
	if baseAxis != nil {
		if a.base = *baseAxis; a.base < 0 {
			a.base += a.rank
		}
	}
	if a.base < 0 || a.base > a.rank || (*x).IsScalar() {
		panic(fn.Errorf([]*nd.Array{*x}, "BaseAxis is %d: want one of the axes of an array", a.base))
	}
	a.Rand = rand.New(newSource(fn, rng))
	a.samples = broadcast.Size((*x).Shape()[:a.base])
	a.made = fn.Temporaries(x)
	a.given = *x
	return a, a.made
}

// last returns the first of the last n axes, none of which may be an axis of samples.
func (a *augmentation) last(n int, what string) int {
	if a.rank-n < a.base {
		panic(a.fn.Errorf([]*nd.Array{a.given}, "%d %s: want at most %d, for the axes from %d on", n, what, a.rank-a.base, a.base))
	}
	return a.rank - n
}

// shape returns the shape of an array with one number for each sample and each of n indices along an axis.
func (a *augmentation) shape(x *nd.Array, axis, n int) []int {
	shape := x.Shape()
	for k := a.base; k < len(shape); k++ {
		shape[k] = 1
	}
	shape[axis] = n
	return shape
}

// take returns n elements of each sample along an axis. It calls draw for each sample; the result of draw maps each new
// index to its source index.
func (a *augmentation) take(x *nd.Array, axis, n int, draw func() func(i int) int) *nd.Array {
	indices := make([]int, 0, a.samples*n)
	for range a.samples {
		indexOf := draw()
		for i := range n {
			indices = append(indices, indexOf(i))
		}
	}
	return ops.TakeAlongAxis(x, a.made.Own(nd.FromSliceOn(x.Device(), indices, a.shape(x, axis, n)...)), ops.Over(axis))
}

// copied returns x, or a copy if x is the argument.
func (a *augmentation) copied(x *nd.Array) *nd.Array {
	if x == a.given {
		return x.Copy()
	}
	return x
}
