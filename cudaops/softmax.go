package cudaops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// rows runs a kernel on the rows of the last axis.
func (d *Device) rows(l *device.Launch, name string, v indexCheck) {
	if l.Size() == 0 {
		return
	}
	mergeBefore(l, nil, l.Rank-1)
	n := l.Shape[l.Rank-1]
	rows, t := l.Size()/n, teamOf(n)
	a := newArguments(limitOf(l.Rank))
	a.int(rows)
	a.int(n)
	a.int(t.lanes)
	a.bool(l.Log)
	a.int(l.Ignore)
	a.indexCheckResult(v)
	a.launchLoop(l, l.N, 4)
	d.run(l.Func, entry{file: "softmax", name: name, class: classOf(floatType(l))}, t.blocks(rows), t.threads, 0, a)
}

// Softmax stores exp(x)/Σexp(x) along the last axis, or its logarithm.
func (d *Device) Softmax(l *device.Launch) {
	d.enter(l)
	d.rows(l, "softmax", indexCheck{device: d, fn: l.Func})
}

// SoftmaxGrad stores the gradient of Softmax.
func (d *Device) SoftmaxGrad(l *device.Launch) {
	d.enter(l)
	d.rows(l, "softmax_grad", indexCheck{device: d, fn: l.Func})
}

// CrossEntropy stores log Σexp(x) - x[t] along the last axis.
func (d *Device) CrossEntropy(l *device.Launch) { d.labelled(l, "cross_entropy") }

// CrossEntropyGrad stores the gradient of CrossEntropy.
func (d *Device) CrossEntropyGrad(l *device.Launch) { d.labelled(l, "cross_entropy_grad") }

// labelled is rows for kernels with labels, which are indices along the last axis.
func (d *Device) labelled(l *device.Launch, name string) {
	d.enter(l)
	outer, n := l.Shape[:l.Rank-1], l.Shape[l.Rank-1]
	v := d.checkIndices(l.Func, outer, l.Operands[2:3], []device.IndexAxis{{Stride: 1, Size: n}}, device.BoundsExact, &l.Ignore)
	defer v.free()
	if n > 0 || broadcast.Size(outer) == 0 {
		d.rows(l, name, v)
		return
	}
	if name == "cross_entropy" { // without classes every label must be ignored, and every loss is 0
		d.clear(l, v, 0, nil)
	} else {
		d.clear(l, v, 0, []device.IndexAxis{{Size: 0}})
	}
}
