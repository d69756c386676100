package rowops

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/normalize"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// With s = (x - m)·r, where r = 1/√(v + eps), the gradient of x is r·(h - Σh/n - s·Σ(h·s)/n), where h = gy·gamma; those of
// gamma and beta are Σgy·s and Σgy.

// NormalizeGrad reads the values of each mean twice: for the sums, and for the gradient.
func NormalizeGrad(l *device.Launch) {
	if broadcast.Size(l.Shape[:l.Rank]) == 0 { // the gradients of parameters are zeros then; merging axes would hide this case
		n := &normalization{launch: l}
		for k := 1; k <= 2; k++ {
			v := n.view(k)
			newAccumulator(&v).store()
		}
		return
	}
	n := newNormalization(l, 5, 6)
	b := &gradient{normalization: n, ggamma: n.view(1), gbeta: n.view(2), gy: strided.Of(l, 7)}
	n.y, n.x, n.gamma = strided.Of(l, 0), strided.Of(l, 3), n.view(4)
	t := n.x.DType
	isPlain := n.length > 0 && n.plain(t, &n.y, &n.x, &b.gy) && n.plainParameters(t, &n.gamma, &b.ggamma, &b.gbeta) &&
		n.mean.DType == t && n.variance.DType == t && !b.overflowed(t)
	isFlat := !n.varies(&n.gamma) && !n.varies(&b.ggamma) && !n.varies(&b.gbeta)
	switch {
	case isPlain && isFlat && t == dtype.Float32:
		uniformGradient[float32](b)
	case isPlain && isFlat:
		uniformGradient[float64](b)
	case isPlain && b.shared() && t == dtype.Float32:
		sharedGradient[float32](b)
	case isPlain && b.shared():
		sharedGradient[float64](b)
	default:
		b.general()
	}
}

// gradient is a NormalizeGrad in progress; y is the gradient of x.
type gradient struct {
	*normalization
	ggamma, gbeta, gy strided.View
}

// shared reports whether all outputs have one segment each and the same gamma and beta, with as many elements as the
// segment.
func (b *gradient) shared() bool {
	for _, v := range []*strided.View{&b.ggamma, &b.gbeta} {
		if v.Base == nil {
			continue
		}
		if v.Step() != 1 {
			return false
		}
		for _, step := range v.Strides[:b.kept] {
			if step != 0 {
				return false
			}
		}
	}
	return b.length == b.row && (b.gamma.Base == nil || b.gamma.Step() == 1)
}

// overflowed reports whether a variance of type t left the range.
func (b *gradient) overflowed(t dtype.DType) bool {
	for output := range b.outputs {
		v := 0.0
		if at := b.variance.At(output); t == dtype.Float32 {
			v = float64(*(*float32)(at))
		} else {
			v = *(*float64)(at)
		}
		if math.IsInf(v, 1) {
			return true
		}
	}
	return false
}

// coefficients returns the factor of x - m in the gradient of x, and the term that is added.
func (b *gradient) coefficients(total, moment, rate float64) (slope, offset float64) {
	n := float64(b.length)
	return -rate * rate * rate * moment / n, -rate * total / n
}

// statistics returns the mean and the rate of an output.
func statistics[T scalar.Float](b *gradient, output int) (mean T, rate float64) {
	return *(*T)(b.mean.At(output)), b.rate(float64(*(*T)(b.variance.At(output))))
}

// uniformGradient is for parameters with one value per segment. Their gradients are summed when all segments are done.
func uniformGradient[T scalar.Float](b *gradient) {
	segments := b.length / b.row
	var partial []float64
	if b.ggamma.Base != nil || b.gbeta.Base != nil {
		space := memory.TakeScratch(2 * 8 * b.outputs * segments)
		defer space.Recycle()
		partial = memory.Room[float64](space, 0, 2*b.outputs*segments)
	}
	p := &parameters[T]{views: [2]*strided.View{&b.gamma, &b.gamma}, n: b.row}
	workers.ForRanges(b.outputs, 1.5*normalizeCost*float64(b.length), func(from, to int) {
		for output := from; output < to; output++ {
			mean, rate := statistics[T](b, output)
			total, moment := 0.0, 0.0
			for s := range segments {
				point := output*b.length + s*b.row
				t, m := normalize.FlatSums(memory.Slice[T](b.x.At(point), b.row), memory.Slice[T](b.gy.At(point), b.row), mean)
				if partial != nil {
					partial[point/b.row*2], partial[point/b.row*2+1] = t, m*rate
				}
				weight := float64(p.value(0, point))
				total, moment = total+t*weight, moment+m*weight
			}
			slope, offset := b.coefficients(total, moment, rate)
			for s := range segments {
				point := output*b.length + s*b.row
				normalize.FlatGradient(memory.Slice[T](b.y.At(point), b.row), memory.Slice[T](b.x.At(point), b.row), memory.Slice[T](b.gy.At(point), b.row),
					mean, T(rate*float64(p.value(0, point))), T(slope), T(offset))
			}
		}
	})
	ggamma, gbeta := newAccumulator(&b.ggamma), newAccumulator(&b.gbeta)
	for s := 0; s < len(partial); s += 2 {
		gbeta.add(s/2*b.row, partial[s])
		ggamma.add(s/2*b.row, partial[s+1])
	}
	ggamma.store()
	gbeta.store()
}

// sharedGradient is for parameters that are as long as a segment: the gradients of groups of outputs are summed first,
// then those of all groups.
func sharedGradient[T scalar.Float](b *gradient) {
	perGroup := max(16, strided.GroupLen/b.row)
	groups := (b.outputs + perGroup - 1) / perGroup
	size := int(unsafe.Sizeof(T(0)))
	space := memory.TakeScratch(size*2*b.row*groups + 8*b.row)
	defer space.Recycle()
	ones := memory.Room[T](space, 0, b.row)
	for i := range ones {
		ones[i] = 1
	}
	sums := memory.Room[T](space, 8*b.row, 2*b.row*groups)
	clear(sums)
	workers.ForRanges(groups, 2*normalizeCost*float64(perGroup*b.length), func(from, to int) {
		for group := from; group < to; group++ {
			ggamma, gbeta := sums[2*group*b.row:][:b.row], sums[(2*group+1)*b.row:][:b.row]
			for output := group * perGroup; output < min((group+1)*perGroup, b.outputs); output++ {
				point := output * b.length
				x, gy, gamma := memory.Slice[T](b.x.At(point), b.row), memory.Slice[T](b.gy.At(point), b.row), ones
				if b.gamma.Base != nil {
					gamma = memory.Slice[T](b.gamma.At(point), b.row)
				}
				mean, rate := statistics[T](b, output)
				total, moment := normalize.Sums(x, gy, gamma, ggamma, gbeta, mean, T(rate))
				slope, offset := b.coefficients(total, moment, rate)
				normalize.Gradient(memory.Slice[T](b.y.At(point), b.row), x, gy, gamma, mean, T(rate), T(slope), T(offset), b.length)
			}
		}
	})
	for i, v := range []*strided.View{&b.ggamma, &b.gbeta} {
		if v.Base == nil {
			continue
		}
		clear(memory.Slice[T](v.Base, b.row))
		if groups > 0 {
			reduce.Columns(reduce.Sum, (*T)(v.Base), &sums[i*b.row], groups, b.row, 2*b.row)
		}
	}
}

// general is for all other types and strides; it computes in float64.
func (b *gradient) general() {
	space := memory.TakeScratch(3 * strided.BlockLen * 8)
	x, gy, gamma := memory.Room[float64](space, 0, strided.BlockLen), memory.Room[float64](space, strided.BlockLen*8, strided.BlockLen), memory.Room[float64](space, 2*strided.BlockLen*8, strided.BlockLen)
	ggamma, gbeta := newAccumulator(&b.ggamma), newAccumulator(&b.gbeta)
	for output := range b.outputs {
		var mean, variance float64
		b.mean.Load(unsafe.Pointer(&mean), dtype.Float64, output, 1)
		b.variance.Load(unsafe.Pointer(&variance), dtype.Float64, output, 1)
		rate := b.rate(variance)
		if math.IsInf(variance, 1) {
			_, _, rate = b.moments(output)
		}
		load := func(point, length int) {
			b.x.Load(unsafe.Pointer(&x[0]), dtype.Float64, point, length)
			b.gy.Load(unsafe.Pointer(&gy[0]), dtype.Float64, point, length)
			loadOr(&b.gamma, gamma[:length], 1, point)
		}
		total, moment := 0.0, 0.0
		b.eachBlock(output, func(point, length int) {
			load(point, length)
			for i, v := range x[:length] {
				s := (v - mean) * rate
				ggamma.add(point+i, gy[i]*s)
				gbeta.add(point+i, gy[i])
				total += gy[i] * gamma[i]
				moment += gy[i] * gamma[i] * s
			}
		})
		n := float64(b.length)
		b.eachBlock(output, func(point, length int) {
			load(point, length)
			for i, v := range x[:length] {
				x[i] = rate * (gy[i]*gamma[i] - total/n - (v-mean)*rate*moment/n)
			}
			b.y.Store(unsafe.Pointer(&x[0]), dtype.Float64, point, length)
		})
	}
	ggamma.store()
	gbeta.store()
	space.Recycle()
}

// accumulator sums numbers for the elements of an operand, some of which belong to several points of the loop.
type accumulator struct {
	v      *strided.View
	sums   []float64 // by the distance of the element from the lowest element of the operand
	lowest int
	own    []int // the loop without the axes along which the operand does not vary
}

func newAccumulator(v *strided.View) *accumulator {
	c := &accumulator{v: v}
	if v.Base == nil {
		return c
	}
	c.own = append([]int(nil), v.Shape...)
	for axis, step := range v.Strides {
		if step == 0 {
			c.own[axis] = 1
		}
	}
	if broadcast.Size(c.own) == 0 {
		return c
	}
	lowest, highest := broadcast.Extent(c.own, v.Strides)
	c.lowest, c.sums = lowest, make([]float64, highest-lowest+1)
	return c
}

func (c *accumulator) add(point int, v float64) {
	if c.sums != nil {
		c.sums[c.v.Offset(point)-c.lowest] += v
	}
}

// store writes the sums.
func (c *accumulator) store() {
	if c.sums == nil {
		return
	}
	own := strided.View{Base: c.v.Base, Shape: c.own, Strides: c.v.Strides, DType: c.v.DType, Size: c.v.Size}
	for point := range broadcast.Size(c.own) {
		offset := own.Offset(point)
		dtype.Convert(own.DType, own.Element(offset), 1, dtype.Float64, unsafe.Pointer(&c.sums[offset-c.lowest]), 1, 1)
	}
}
