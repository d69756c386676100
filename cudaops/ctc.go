package cudaops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// CTC stores the negative logarithms of the probabilities of label sequences.
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
	v := indexCheck{device: d, fn: l.Func, found: d.scratch(l.Func, foundBytes)}
	defer v.free()
	d.check(l.Func, d.context.Fill8(v.found.address, 0xff, foundBytes, d.stream))
	step := func(name string, blocks, threads int) {
		a := newArguments(limitOf(l.Rank))
		a.indexCheckResult(v)
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
