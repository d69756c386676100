package ref

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// CrossEntropy stores log Σexp(x) - x[t] for each row, and 0 if the label is l.Ignore.
func (d *Device) CrossEntropy(l *device.Launch) {
	y, x, labels := d.operand(l, 0), d.operand(l, 1), d.operand(l, 2)
	checkLabels(l, labels)
	outer, row := split(l, 1)
	for _, index := range points(outer) {
		loss := 0.0
		if t := labels.label(index); t != int64(l.Ignore) {
			loss = -shift(x.row(index, row[0], dtype.Float64)).log(int(t))
		}
		y.store(y.at(index), value{x: loss}, dtype.Float64)
	}
}

// CrossEntropyGrad stores (softmax(x) - onehot(t))·g, and 0 in the rows whose label is l.Ignore.
func (d *Device) CrossEntropyGrad(l *device.Launch) {
	gx, x, labels, gy := d.operand(l, 0), d.operand(l, 1), d.operand(l, 2), d.operand(l, 3)
	checkLabels(l, labels)
	outer, row := split(l, 1)
	for _, index := range points(outer) {
		t := labels.label(index)
		g := gy.load(gy.at(index), dtype.Float64).x
		at, step := gx.at(index), gx.strides[len(index)]
		s := shift(x.row(index, row[0], dtype.Float64))
		for k := range s.x {
			v := s.softmax(k)
			if int64(k) == t {
				v--
			}
			v *= g
			if t == int64(l.Ignore) {
				v = 0
			}
			gx.store(at+k*step, value{x: v}, dtype.Float64)
		}
	}
}

func (o operand) label(index []int) int64 { return o.load(o.at(index), dtype.Int64).i }

// checkLabels panics with *[device.IndexError] at the first label that is neither an index of the last axis nor the
// label to ignore. Negative labels do not count from the end.
func checkLabels(l *device.Launch, labels operand) {
	outer, row := split(l, 1)
	for _, index := range points(outer) {
		if t := labels.label(index); t != int64(l.Ignore) && (t < 0 || t >= int64(row[0])) {
			panic(&device.IndexError{Index: int(t), Size: row[0]})
		}
	}
}
