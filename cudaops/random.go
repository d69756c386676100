package cudaops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Random stores random numbers of a stream.
func (d *Device) Random(l *device.Launch) {
	d.enter(l)
	if l.Size() == 0 {
		return
	}
	l.Rank = merge(l, nil, 0, l.Rank)
	inPieces(l, l.Rank, 0, func(l *device.Launch, first int) { d.random(l, first) })
}

// random draws numbers, from index first of the stream on.
func (d *Device) random(l *device.Launch, first int) {
	y := &l.Operands[0]
	a := newArguments(limitOf(l.Rank))
	a.word(uint64(l.Key[0]))
	a.word(uint64(l.Key[1]))
	a.word(l.Counter + uint64(first))
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
	var walks [4]walked
	for k := range l.N {
		walks[k] = walkedOf(&l.Operands[k])
		a.int(int(l.Operands[k].DType))
	}
	a.n += len(walks) - l.N
	a.walk(l, l.Rank, 4, walks[:l.N]...)
	name := "random_sampled"
	switch l.Distribution {
	case device.DistributionBits, device.DistributionUniform, device.DistributionBernoulli:
		name = "random_bits"
	case device.DistributionNormal:
		name = "random_normal"
	}
	d.run(l.Func, entry{file: "random", name: name}, over(l.Size()), threads, 0, a)
}
