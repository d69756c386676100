package cudaops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Random stores random numbers of a stream.
func (d *Device) Random(l *device.Launch) {
	d.enter(l)
	y := &l.Operands[0]
	a := newArguments(limitOf(l.Rank))
	a.word(uint64(l.Key[0]))
	a.word(uint64(l.Key[1]))
	a.word(l.Counter)
	a.int(int(l.Distribution))
	if y.DType.Real() == dtype.Float64 {
		a.int(53)
	} else {
		a.int(device.UniformBits(y.DType))
	}
	if l.Distribution == device.DistributionBernoulli {
		a.int(int(device.BernoulliLeast(l.Scalars[0].Re)))
	} else {
		a.int(0)
	}
	a.launchLoop(l, l.N, 3)
	d.run(l.Func, entry{file: "random", name: "random"}, over(l.Size()), threads, 0, a)
}
