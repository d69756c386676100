package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/normalize"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// With s = (x - m)·r, where r = 1/√(v + eps), the gradient of x is r·(h - Σh/n - s·Σ(h·s)/n), where h = gy·gamma; those of
// gamma and beta are Σgy·s and Σgy.

// NormalizeGrad goes twice over the values of each mean: for the sums, and for the gradient.
func (processor) NormalizeGrad(l *device.Launch) {
	if product(l.Shape[:l.Rank]) == 0 { // nothing adds up to zeros, where there are parameters; merging axes would hide which
		n := &normalization{launch: l}
		for k := 1; k <= 2; k++ {
			v := n.view(k)
			newCollection(&v).store()
		}
		return
	}
	n := newNormalization(l, 5, 6)
	b := &backwards{normalization: n, ggamma: n.view(1), gbeta: n.view(2), gy: viewOf(l, 7)}
	n.y, n.x, n.gamma = viewOf(l, 0), viewOf(l, 3), n.view(4)
	t := n.x.dtype
	isPlain := n.length > 0 && n.plain(t, &n.y, &n.x, &b.gy) && n.plainParameters(t, &n.gamma, &b.ggamma, &b.gbeta) &&
		n.mean.dtype == t && n.variance.dtype == t
	isFlat := !n.varies(&n.gamma) && !n.varies(&b.ggamma) && !n.varies(&b.gbeta)
	switch {
	case isPlain && isFlat && t == dtype.Float32:
		flatBackwards[float32](b)
	case isPlain && isFlat:
		flatBackwards[float64](b)
	case isPlain && b.shared() && t == dtype.Float32:
		sharedBackwards[float32](b)
	case isPlain && b.shared():
		sharedBackwards[float64](b)
	default:
		b.any()
	}
}

// backwards is a NormalizeGrad at work; y is the gradient of x.
type backwards struct {
	*normalization
	ggamma, gbeta, gy view
}

// shared reports whether all outputs are a segment each and have the same gamma and beta, of as many elements.
func (b *backwards) shared() bool {
	for _, v := range []*view{&b.ggamma, &b.gbeta} {
		if v.base == nil {
			continue
		}
		if v.step() != 1 {
			return false
		}
		for _, step := range v.strides[:b.kept] {
			if step != 0 {
				return false
			}
		}
	}
	return b.length == b.row && (b.gamma.base == nil || b.gamma.step() == 1)
}

// coefficients returns what x - m is multiplied by, and what is added, in the gradient of x.
func (b *backwards) coefficients(total, moment, rate float64) (slope, offset float64) {
	n := float64(b.length)
	return -rate * rate * rate * moment / n, -rate * total / n
}

// statistics returns the mean and the rate of an output.
func statistics[T scalar.Float](b *backwards, output int) (mean T, rate float64) {
	return *(*T)(b.mean.at(output)), b.rate(float64(*(*T)(b.variance.at(output))))
}

// flatBackwards is for parameters with one value for a segment. Their gradients are added up when all segments are done.
func flatBackwards[T scalar.Float](b *backwards) {
	segments := b.length / b.row
	var partial []float64
	if b.ggamma.base != nil || b.gbeta.base != nil {
		space := takeScratch(2 * 8 * b.outputs * segments)
		defer space.recycle()
		partial = room[float64](space, 0, 2*b.outputs*segments)
	}
	p := &parameters[T]{views: [2]*view{&b.gamma, &b.gamma}, n: b.row}
	forRanges(b.outputs, 1.5*normalizeCost*float64(b.length), func(from, to int) {
		for output := from; output < to; output++ {
			mean, rate := statistics[T](b, output)
			total, moment := 0.0, 0.0
			for s := range segments {
				point := output*b.length + s*b.row
				t, m := normalize.FlatSums(elements[T](b.x.at(point), b.row), elements[T](b.gy.at(point), b.row), mean)
				if partial != nil {
					partial[point/b.row*2], partial[point/b.row*2+1] = t, m*rate
				}
				weight := float64(p.value(0, point))
				total, moment = total+t*weight, moment+m*weight
			}
			slope, offset := b.coefficients(total, moment, rate)
			for s := range segments {
				point := output*b.length + s*b.row
				normalize.FlatGradient(elements[T](b.y.at(point), b.row), elements[T](b.x.at(point), b.row), elements[T](b.gy.at(point), b.row),
					mean, T(rate*float64(p.value(0, point))), T(slope), T(offset))
			}
		}
	})
	ggamma, gbeta := newCollection(&b.ggamma), newCollection(&b.gbeta)
	for s := 0; s < len(partial); s += 2 {
		gbeta.add(s/2*b.row, partial[s])
		ggamma.add(s/2*b.row, partial[s+1])
	}
	ggamma.store()
	gbeta.store()
}

// sharedBackwards is for parameters that are as long as a segment: the gradients of groups of outputs are added up, then those
// of all groups.
func sharedBackwards[T scalar.Float](b *backwards) {
	perGroup := max(16, groupLen/b.row)
	groups := (b.outputs + perGroup - 1) / perGroup
	size := int(unsafe.Sizeof(T(0)))
	space := takeScratch(size*2*b.row*groups + 8*b.row)
	defer space.recycle()
	ones := room[T](space, 0, b.row)
	for i := range ones {
		ones[i] = 1
	}
	sums := room[T](space, 8*b.row, 2*b.row*groups)
	clear(sums)
	forRanges(groups, 2*normalizeCost*float64(perGroup*b.length), func(from, to int) {
		for group := from; group < to; group++ {
			ggamma, gbeta := sums[2*group*b.row:][:b.row], sums[(2*group+1)*b.row:][:b.row]
			for output := group * perGroup; output < min((group+1)*perGroup, b.outputs); output++ {
				point := output * b.length
				x, gy, gamma := elements[T](b.x.at(point), b.row), elements[T](b.gy.at(point), b.row), ones
				if b.gamma.base != nil {
					gamma = elements[T](b.gamma.at(point), b.row)
				}
				mean, rate := statistics[T](b, output)
				total, moment := normalize.Sums(x, gy, gamma, ggamma, gbeta, mean, T(rate))
				slope, offset := b.coefficients(total, moment, rate)
				normalize.Gradient(elements[T](b.y.at(point), b.row), x, gy, gamma, mean, T(rate), T(slope), T(offset), b.length)
			}
		}
	})
	for i, v := range []*view{&b.ggamma, &b.gbeta} {
		if v.base == nil {
			continue
		}
		clear(elements[T](v.base, b.row))
		if groups > 0 {
			reduce.Columns(reduce.Sum, (*T)(v.base), &sums[i*b.row], groups, b.row, 2*b.row)
		}
	}
}

// any is for all other types and strides; it computes in float64.
func (b *backwards) any() {
	space := takeScratch(3 * blockLen * 8)
	x, gy, gamma := room[float64](space, 0, blockLen), room[float64](space, blockLen*8, blockLen), room[float64](space, 2*blockLen*8, blockLen)
	ggamma, gbeta := newCollection(&b.ggamma), newCollection(&b.gbeta)
	for output := range b.outputs {
		var mean, variance float64
		b.mean.load(unsafe.Pointer(&mean), dtype.Float64, output, 1)
		b.variance.load(unsafe.Pointer(&variance), dtype.Float64, output, 1)
		rate := b.rate(variance)
		load := func(point, length int) {
			b.x.load(unsafe.Pointer(&x[0]), dtype.Float64, point, length)
			b.gy.load(unsafe.Pointer(&gy[0]), dtype.Float64, point, length)
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
			b.y.store(unsafe.Pointer(&x[0]), dtype.Float64, point, length)
		})
	}
	ggamma.store()
	gbeta.store()
	space.recycle()
}

// collection adds up numbers for the elements of an operand, some of which belong to several points of the loop.
type collection struct {
	v      *view
	sums   []float64 // by the element's distance from the operand's lowest one
	lowest int
	own    []int // the loop without the axes along which the operand does not vary
}

func newCollection(v *view) *collection {
	c := &collection{v: v}
	if v.base == nil {
		return c
	}
	c.own = append([]int(nil), v.shape...)
	for axis, step := range v.strides {
		if step == 0 {
			c.own[axis] = 1
		}
	}
	if product(c.own) == 0 {
		return c
	}
	lowest, highest := broadcast.Extent(c.own, v.strides)
	c.lowest, c.sums = lowest, make([]float64, highest-lowest+1)
	return c
}

func (c *collection) add(point int, v float64) {
	if c.sums != nil {
		c.sums[c.v.offset(point)-c.lowest] += v
	}
}

// store writes the sums.
func (c *collection) store() {
	if c.sums == nil {
		return
	}
	own := view{base: c.v.base, shape: c.own, strides: c.v.strides, dtype: c.v.dtype, size: c.v.size}
	for point := range product(c.own) {
		offset := own.offset(point)
		dtype.Convert(own.dtype, own.element(offset), 1, dtype.Float64, unsafe.Pointer(&c.sums[offset-c.lowest]), 1, 1)
	}
}
