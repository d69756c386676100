package ref

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// These kernels compute in float64 and round once, when they store.

// Softmax stores exp(x)/Σexp(x), or its logarithm, along the last axis.
func (d *Device) Softmax(l *device.Launch) {
	y, x := d.operand(l, 0), d.operand(l, 1)
	outer, row := split(l, 1)
	for _, index := range points(outer) {
		s := shift(x.row(index, row[0], dtype.Float64))
		at, step := y.at(index), y.strides[len(index)]
		for k := range s.x {
			v := s.softmax(k)
			if l.Log {
				v = s.log(k)
			}
			y.store(at+k*step, value{x: v}, dtype.Float64)
		}
	}
}

// shifted returns a row minus its largest value, so that no exponential overflows. A row with only -Inf, and a row with
// +Inf, yields NaN.
type shifted struct {
	x       []float64
	largest float64
	sum     float64 // of the exponentials
}

// isNone reports whether the row has only -Inf, or nothing.
func (s shifted) isNone() bool { return math.IsInf(s.largest, -1) }

func shift(row []value) shifted {
	largest := math.Inf(-1)
	for _, v := range row {
		largest = scalar.Max(largest, v.x)
	}
	s := shifted{x: make([]float64, len(row)), largest: largest}
	for k, v := range row {
		s.x[k] = v.x - largest
		s.sum += scalar.Exp(s.x[k])
	}
	return s
}

func (s shifted) softmax(k int) float64 { return scalar.Exp(s.x[k]) / s.sum }
func (s shifted) log(k int) float64     { return s.x[k] - scalar.Log(s.sum) }

// SoftmaxGrad stores y·(g - Σg·y), or g - exp(y)·Σg if y is the logarithm.
func (d *Device) SoftmaxGrad(l *device.Launch) {
	gx, y, gy := d.operand(l, 0), d.operand(l, 1), d.operand(l, 2)
	outer, row := split(l, 1)
	for _, index := range points(outer) {
		result, g := y.row(index, row[0], dtype.Float64), gy.row(index, row[0], dtype.Float64)
		sum := 0.0
		for k := range g {
			if l.Log {
				sum += g[k].x
			} else {
				sum += float64(g[k].x * result[k].x)
			}
		}
		at, step := gx.at(index), gx.strides[len(index)]
		for k := range g {
			v := float64(result[k].x * (g[k].x - sum))
			if l.Log {
				v = g[k].x - float64(scalar.Exp(result[k].x)*sum)
			}
			gx.store(at+k*step, value{x: v}, dtype.Float64)
		}
	}
}
