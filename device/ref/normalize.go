package ref

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Normalize computes in float64 and rounds once, when it stores.
func (d *Device) Normalize(l *device.Launch) {
	y, mean, variance, x := d.operand(l, 0), d.operand(l, 1), d.operand(l, 2), d.operand(l, 3)
	gamma, hasGamma := d.optional(l, 4)
	beta, hasBeta := d.optional(l, 5)
	d.eachNormalized(l, func(o []int, all func(func(index []int))) {
		s := standardOf(x, l.Eps, all)
		store := func(op operand, v float64) { op.store(op.at(o), value{x: v}, dtype.Float64) }
		store(mean, s.mean)
		store(variance, s.variance)
		all(func(index []int) {
			v := (x.float(index) - s.mean) * s.rate
			if hasGamma {
				v = float64(v * gamma.float(index))
			}
			if hasBeta {
				v += beta.float(index)
			}
			y.store(y.at(index), value{x: v}, dtype.Float64)
		})
	})
}

// float loads the element at a point.
func (o operand) float(index []int) float64 { return o.load(o.at(index), dtype.Float64).x }

// eachNormalized calls body for every point of the kept axes, with a function that iterates over the points of the
// reduced axes.
func (d *Device) eachNormalized(l *device.Launch, body func(outer []int, all func(func(index []int)))) {
	outer, inner := split(l, l.Reduced)
	for _, o := range points(outer) {
		index := make([]int, l.Rank)
		copy(index, o)
		body(o, func(visit func(index []int)) {
			for _, i := range points(inner) {
				copy(index[len(outer):], i)
				visit(index)
			}
		})
	}
}

// standard are the mean and the variance of elements, and the rate 1/√(variance + eps).
type standard struct{ mean, variance, rate float64 }

// standardOf returns the standard of the elements at all points. If it is not finite, it is computed again from smaller
// elements: only the variance may leave the range.
func standardOf(x operand, eps float64, all func(func(index []int))) standard {
	s := scaledStandard(x, eps, 1, all)
	if math.IsInf(s.variance, 1) || s.variance != s.variance {
		s = scaledStandard(x, eps, 0x1p-600, all)
	}
	return s
}

// scaledStandard computes from the elements times a power of two. It computes the mean first, and squares the
// differences from it, so that the squares do not cancel. The mean of the differences is the rounding error of the mean.
func scaledStandard(x operand, eps, scale float64, all func(func(index []int))) (s standard) {
	n, rest := 0, 0.0
	all(func(index []int) {
		s.mean += x.float(index) * scale
		n++
	})
	s.mean /= float64(n)
	all(func(index []int) { rest += x.float(index)*scale - s.mean })
	s.mean += rest / float64(n)
	all(func(index []int) {
		distance := x.float(index)*scale - s.mean
		s.variance += float64(distance * distance)
	})
	s.variance /= float64(n)
	return standard{s.mean / scale, s.variance / scale / scale, scale / math.Sqrt(s.variance+eps*scale*scale)}
}

// NormalizeGrad computes in float64, including the sums for gamma and beta, and rounds once, when it stores.
func (d *Device) NormalizeGrad(l *device.Launch) {
	gx, x, mean, variance, gy := d.operand(l, 0), d.operand(l, 3), d.operand(l, 5), d.operand(l, 6), d.operand(l, 7)
	gamma, hasGamma := d.optional(l, 4)
	ggamma, gbeta := newSums(d.optional(l, 1)), newSums(d.optional(l, 2))
	_, inner := split(l, l.Reduced)
	n := float64(broadcast.Size(inner))
	d.eachNormalized(l, func(o []int, all func(func(index []int))) {
		m, rate := mean.float(o), 1/math.Sqrt(variance.float(o)+l.Eps)
		if math.IsInf(variance.float(o), 1) {
			rate = standardOf(x, l.Eps, all).rate
		}
		weighted := func(index []int) float64 {
			if !hasGamma {
				return gy.float(index)
			}
			return float64(gy.float(index) * gamma.float(index))
		}
		total, moment := 0.0, 0.0
		all(func(index []int) {
			standardized := (x.float(index) - m) * rate
			ggamma.add(index, float64(gy.float(index)*standardized))
			gbeta.add(index, gy.float(index))
			total += weighted(index)
			moment += float64(weighted(index) * standardized)
		})
		all(func(index []int) {
			standardized := (x.float(index) - m) * rate
			v := rate * (weighted(index) - total/n - float64(standardized*moment)/n)
			gx.store(gx.at(index), value{x: v}, dtype.Float64)
		})
	})
	ggamma.store(l)
	gbeta.store(l)
}

// sums accumulates numbers for each element of an operand, if the operand is present.
type sums struct {
	operand operand
	given   bool
	at      map[int]float64
}

func newSums(o operand, given bool) sums { return sums{o, given, map[int]float64{}} }

func (s sums) add(index []int, v float64) {
	if s.given {
		s.at[s.operand.at(index)] += v
	}
}

// store stores the sums, and 0 for elements with nothing to sum.
func (s sums) store(l *device.Launch) {
	if !s.given {
		return
	}
	own := append([]int(nil), shape(l)...) // the axes that the operand varies along
	for axis, step := range s.operand.strides {
		if step == 0 {
			own[axis] = 1
		}
	}
	for _, index := range points(own) {
		at := s.operand.at(index)
		s.operand.store(at, value{x: s.at[at]}, dtype.Float64)
	}
}
