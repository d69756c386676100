package cudaops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// teams returns how many blocks go through rows of a length: one thread goes along a short row, a block along a long one.
func teams(rows, length int) (blocks int, whole bool) {
	if length <= shortRun {
		return over(rows), false
	}
	return min(rows, maxBlocks), true
}

// rows runs a kernel on the rows of the last axis.
func (d *Device) rows(l *device.Launch, name string, v verdict) {
	if l.Size() == 0 {
		return
	}
	n := l.Shape[l.Rank-1]
	blocks, whole := teams(l.Size()/n, n)
	a := newArguments(limitOf(l.Rank))
	a.bool(whole)
	a.bool(l.Log)
	a.int(l.Ignore)
	a.verdict(v)
	a.launchLoop(l, l.N, 4)
	d.run(l.Func, entry{file: "softmax", name: name}, blocks, threads, 0, a)
}

// Softmax stores exp(x)/Σexp(x) along the last axis, or its logarithm.
func (d *Device) Softmax(l *device.Launch) {
	d.enter(l)
	d.rows(l, "softmax", verdict{device: d, fn: l.Func})
}

// SoftmaxGrad stores the gradient of Softmax.
func (d *Device) SoftmaxGrad(l *device.Launch) {
	d.enter(l)
	d.rows(l, "softmax_grad", verdict{device: d, fn: l.Func})
}

// CrossEntropy stores log Σexp(x) - x[t] along the last axis.
func (d *Device) CrossEntropy(l *device.Launch) { d.labelled(l, "cross_entropy") }

// CrossEntropyGrad stores the gradient of CrossEntropy.
func (d *Device) CrossEntropyGrad(l *device.Launch) { d.labelled(l, "cross_entropy_grad") }

// labelled is rows with labels, which are places of the last axis.
func (d *Device) labelled(l *device.Launch, name string) {
	d.enter(l)
	outer, n := l.Shape[:l.Rank-1], l.Shape[l.Rank-1]
	v := d.verdict(l.Func, outer, l.Operands[2:3], []device.IndexAxis{{Stride: 1, Size: n}}, device.BoundsExact, &l.Ignore)
	defer v.free()
	if n > 0 || broadcast.Size(outer) == 0 {
		d.rows(l, name, v)
		return
	}
	if name == "cross_entropy" { // without classes all labels are to be ignored, and every loss is 0
		d.clear(l, v, 0, nil)
	} else {
		d.clear(l, v, 0, []device.IndexAxis{{Size: 0}})
	}
}

// Attention stores softmax(scale·q·kᵀ + mask)·v, and the weights.
func (d *Device) Attention(l *device.Launch) {
	d.enter(l)
	axes := l.Rank - 4
	batches := broadcast.Size(l.Shape[:axes])
	m, n, depth, e := l.Shape[axes], l.Shape[axes+1], l.Shape[axes+2], l.Shape[axes+3]
	if batches*m == 0 {
		return
	}
	scores := d.scratch(l.Func, 8*batches*m*n)
	defer scores.free()
	blocks, whole := teams(batches*m, n)
	step := func(name string, blocks int) {
		a := newArguments(limitOf(l.Rank))
		a.bool(whole)
		for _, v := range []int{batches, m, n, depth, e} {
			a.int(v)
		}
		a.bool(l.Causal)
		a.bool(l.N > 5)
		a.float(l.Scale)
		a.word(scores.address)
		a.launchLoop(l, l.N, 6)
		d.run(l.Func, entry{file: "attention", name: name}, blocks, threads, 0, a)
	}
	step("attention_scores", over(batches*m*n))
	if n > 0 {
		step("attention_weights", blocks)
	}
	step("attention_values", over(batches*m*e))
}

// Normalize brings the last axes to mean 0 and variance 1.
func (d *Device) Normalize(l *device.Launch) {
	d.enter(l)
	d.normalized(l, "normalize", l.Rank-l.Reduced)
}

// NormalizeGrad stores the gradients of Normalize.
func (d *Device) NormalizeGrad(l *device.Launch) {
	d.enter(l)
	d.normalized(l, "normalize_grad", l.Rank-l.Reduced)
	for k, name := range []string{1: "normalize_scale", 2: "normalize_shift"} {
		if name != "" && !l.Operands[k].Memory.IsNil() {
			turned, axes := ownFirst(l, k)
			d.normalized(turned, name, axes)
			turned.Recycle()
		}
	}
}

func (d *Device) normalized(l *device.Launch, name string, axes int) {
	outer, inner := broadcast.Size(l.Shape[:axes]), broadcast.Size(l.Shape[axes:l.Rank])
	if outer == 0 {
		return
	}
	blocks, whole := teams(outer, inner)
	a := newArguments(limitOf(l.Rank))
	a.bool(whole)
	a.int(outer)
	a.int(inner)
	a.int(axes)
	a.float(l.Eps)
	a.launchLoop(l, l.N, 8)
	d.run(l.Func, entry{file: "normalize", name: name}, blocks, threads, 0, a)
}

// ownFirst returns the launch with the axes that operand k varies along first, and how many there are: along the others its elements
// are sums.
func ownFirst(l *device.Launch, k int) (turned *device.Launch, own int) {
	var order []int
	for _, mine := range []bool{true, false} {
		for axis := range l.Rank {
			if (l.Operands[k].Strides[axis] != 0) == mine {
				order = append(order, axis)
			}
		}
		if mine {
			own = len(order)
		}
	}
	turned = device.NewLaunch()
	turned.Func, turned.Rank, turned.N, turned.Outputs, turned.Attributes = l.Func, l.Rank, l.N, l.Outputs, l.Attributes
	copy(turned.Operands[:l.N], l.Operands[:l.N])
	for to, from := range order {
		turned.Shape[to] = l.Shape[from]
		for i := range l.N {
			turned.Operands[i].Strides[to] = l.Operands[i].Strides[from]
		}
	}
	return turned, own
}

// CTC stores the negative logarithms of the probabilities of sequences of labels.
func (d *Device) CTC(l *device.Launch) { d.ctc(l, false) }

// CTCGrad stores the gradient of CTC.
func (d *Device) CTCGrad(l *device.Launch) { d.ctc(l, true) }

func (d *Device) ctc(l *device.Launch, gradient bool) {
	d.enter(l)
	batch := l.Shape[:l.Rank-2]
	batches, times, classes, labels := broadcast.Size(batch), l.Shape[l.Rank-2], l.Shape[l.Rank-1], l.Axes[0].Size
	if batches == 0 {
		return
	}
	states := 2*labels + 1
	room := d.scratch(l.Func, 8*batches*(times*classes+times*states+2*states+classes))
	defer room.free()
	list := d.scratch(l.Func, 8*batches*states)
	defer list.free()
	v := verdict{device: d, fn: l.Func, found: d.scratch(l.Func, foundBytes)}
	defer v.free()
	d.check(l.Func, d.context.Fill8(v.found.address, 0xff, foundBytes, d.stream))
	step := func(name string, blocks, threads int) {
		a := newArguments(limitOf(l.Rank))
		a.verdict(v)
		for _, n := range []int{batches, times, classes, l.Blank, labels, l.Axes[0].Stride} {
			a.int(n)
		}
		a.word(room.address)
		a.word(list.address)
		a.bool(gradient)
		a.launchLoop(l, l.N, 6)
		d.run(l.Func, entry{file: "ctc", name: name}, blocks, threads, 0, a)
	}
	step("ctc_check", 1, 1)
	step("ctc", (batches+31)/32, 32)
}
