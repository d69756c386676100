package ref

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// SampleLocationsGrad sums gy times the slope of Sample along the axis of each location.
func (d *Device) SampleLocationsGrad(l *device.Launch) {
	gy, x := d.operand(l, l.Outputs), d.operand(l, l.Outputs+1)
	s := d.sampling(l, l.Outputs+2)
	for j := range l.Outputs {
		totals := map[int]float64{}
		g := d.operand(l, j)
		for _, point := range points(shape(l)) {
			slope := 0.0
			if s.isNaN(point) {
				slope = math.NaN()
			}
			for _, c := range s.corners(point, x.dtype, j) {
				slope += c.weight * x.load(x.at(point)+c.at, dtype.Float64).x
			}
			if totals[g.at(point)] += 0; !s.empty() {
				totals[g.at(point)] += slope * gy.load(gy.at(point), dtype.Float64).x
			}
		}
		for at, total := range totals {
			g.store(at, value{x: total}, dtype.Float64)
		}
	}
}
