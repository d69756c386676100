// Package rowops computes on whole rows of floats: the kernels Softmax, CrossEntropy, CTC, Normalize and their
// gradients.
package rowops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/softmax"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Rows are computed in float64 if one of the operands is float64, else in float32.

// inDouble reports whether one of the first operands of a launch is float64.
func inDouble(l *device.Launch, operands int) bool {
	for k := range operands {
		if l.Operands[k].DType == dtype.Float64 {
			return true
		}
	}
	return false
}

// Softmax stores exp(x)/Σexp(x), or its logarithm, along the last axis.
func Softmax(l *device.Launch) {
	if inDouble(l, 2) {
		softmaxRows[float64](l)
	} else {
		softmaxRows[float32](l)
	}
}

func softmaxRows[T softmax.Float](l *device.Launch) {
	forRowBatches(l, RowCost(true), func(b *rowBatch[T]) {
		x := b.input(1)
		y, _ := b.operand(0)
		b.findMaxima(x)
		if l.Log {
			b.sumExponentials(y, x)
			b.spread(b.logTotals, func(row int) T { return T(scalar.Log(b.totals[row])) })
			for _, p := range b.parts() {
				softmax.Shift(y.segment(p), x.segment(p), &b.values[p.from], &b.logTotals[p.from], p.count, p.n, y.pitch, x.pitch)
			}
		} else {
			b.exponentials(y, x)
			b.spread(b.values, func(row int) T { return T(1 / b.totals[row]) })
			b.scale(y)
		}
		b.store(y)
	})
}

// SoftmaxGrad stores y·(g - Σg·y), or g - exp(y)·Σg if y is the logarithm.
func SoftmaxGrad(l *device.Launch) {
	if inDouble(l, 3) {
		softmaxGradRows[float64](l)
	} else {
		softmaxGradRows[float32](l)
	}
}

func softmaxGradRows[T softmax.Float](l *device.Launch) {
	forRowBatches(l, RowCost(l.Log), func(b *rowBatch[T]) {
		y, g := b.input(1), b.input(2)
		gx, _ := b.operand(0)
		for _, p := range b.parts() {
			if l.Log {
				reduce.Rows(reduce.Sum, &b.sums[p.from], g.segment(p), p.count, p.n, g.pitch)
			} else {
				reduce.PairRows(reduce.Products, &b.sums[p.from], g.segment(p), y.segment(p), p.count, p.n, g.pitch, y.pitch)
			}
		}
		b.addSums()
		b.spread(b.values, func(row int) T { return T(b.totals[row]) })
		for _, p := range b.parts() {
			if l.Log {
				softmax.LessExponentials(gx.segment(p), y.segment(p), g.segment(p), &b.values[p.from], p.count, p.n, gx.pitch, y.pitch, g.pitch)
			} else {
				softmax.Weigh(gx.segment(p), y.segment(p), g.segment(p), &b.values[p.from], p.count, p.n, gx.pitch, y.pitch, g.pitch)
			}
		}
		b.store(gx)
	})
}
