package ref

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Random draws the element at each index of the loop from its own Philox block, the block of l.Counter plus the index.
func (d *Device) Random(l *device.Launch) {
	y := d.operand(l, 0)
	if s := scalar.NewSampler(l.Distribution, l.Key); s != nil {
		operands := make([]operand, l.N-1)
		for k := range operands {
			operands[k] = d.operand(l, 1+k)
		}
		var parameters [3]float64
		for position, index := range points(shape(l)) {
			for k, o := range operands {
				parameters[k] = o.float(index)
			}
			x := s.Draw(l.Counter+uint64(position), parameters[0], parameters[1], parameters[2])
			y.store(y.at(index), value{x: x}, dtype.Float64)
		}
		return
	}
	for position, index := range points(shape(l)) {
		counter := l.Counter + uint64(position)
		words := scalar.Philox4x32([4]uint32{uint32(counter), uint32(counter >> 32)}, l.Key)
		v, t := draw(l, y.dtype, words)
		y.store(y.at(index), v, t)
	}
}

// draw converts the words of a block to a number for an element of type t. The first two words are the lower and the
// upper half of a 64-bit word, and so are the last two. An integer takes the lowest bits of the first 64-bit word.
func draw(l *device.Launch, t dtype.DType, words [4]uint32) (value, dtype.DType) {
	switch l.Distribution {
	case device.DistributionBernoulli:
		if words[0]>>8 >= device.BernoulliLeast(l.Scalars[0].Re) {
			return value{i: 1}, dtype.Bool
		}
		return value{}, dtype.Bool
	case device.DistributionUniform:
		if t.Real() == dtype.Float64 {
			return value{x: scalar.Uniform64(words[1], words[0])}, dtype.Float64
		}
		return value{x: float64(scalar.UniformBits(words[0], device.UniformBits(t)))}, dtype.Float32
	case device.DistributionNormal:
		z, _ := scalar.Normal2(scalar.Uniform64(words[1], words[0]), scalar.Uniform64(words[3], words[2]))
		return value{x: z}, dtype.Float64
	}
	return value{i: int64(uint64(words[1])<<32 | uint64(words[0]))}, dtype.Uint64
}
