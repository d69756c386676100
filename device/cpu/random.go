package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Random gives every element a Philox block of its own, so that blocks of elements can be drawn in any order.
func (processor) Random(l *device.Launch) {
	normalize(l)
	if l.Size() == 0 {
		return
	}
	d := draw{y: viewOf(l, 0), key: l.Key, counter: l.Counter}
	cost := 10.0
	switch l.Distribution {
	case device.DistributionNormal:
		d.fill, d.dtype, cost = normals, dtype.Float64, 80
	case device.DistributionUniform:
		d.fill, d.dtype = uniforms32(device.UniformBits(d.y.dtype)), dtype.Float32
		if d.y.dtype.Real() == dtype.Float64 {
			d.fill, d.dtype = uniforms64, dtype.Float64
		}
	default:
		d.fill, d.dtype = randomBits, dtype.Uint64
	}
	forRanges(l.Size(), cost, d.run)
}

// draw is a Random at work.
type draw struct {
	y       view
	key     [2]uint32
	counter uint64
	dtype   dtype.DType // of what fill makes
	fill    func(dst unsafe.Pointer, n int, counter uint64, key [2]uint32)
}

func (d *draw) run(from, to int) {
	room := takeScratch(blockLen * 8)
	for start := from; start < to; start += blockLen {
		n := min(blockLen, to-start)
		d.fill(room.at(0), n, d.counter+uint64(start), d.key)
		d.y.store(room.at(0), d.dtype, start, n)
	}
	room.recycle()
}

func philox(counter uint64, key [2]uint32) [4]uint32 {
	return scalar.Philox4x32([4]uint32{uint32(counter), uint32(counter >> 32)}, key)
}

func uniforms32(bits int) func(dst unsafe.Pointer, n int, counter uint64, key [2]uint32) {
	return func(dst unsafe.Pointer, n int, counter uint64, key [2]uint32) {
		z := elements[float32](dst, n)
		for i := range z {
			z[i] = scalar.UniformBits(philox(counter+uint64(i), key)[0], bits)
		}
	}
}

func uniforms64(dst unsafe.Pointer, n int, counter uint64, key [2]uint32) {
	z := elements[float64](dst, n)
	for i := range z {
		words := philox(counter+uint64(i), key)
		z[i] = scalar.Uniform64(words[1], words[0])
	}
}

func normals(dst unsafe.Pointer, n int, counter uint64, key [2]uint32) {
	z := elements[float64](dst, n)
	for i := range z {
		words := philox(counter+uint64(i), key)
		z[i], _ = scalar.Normal2(scalar.Uniform64(words[1], words[0]), scalar.Uniform64(words[3], words[2]))
	}
}

func randomBits(dst unsafe.Pointer, n int, counter uint64, key [2]uint32) {
	z := elements[uint64](dst, n)
	for i := range z {
		words := philox(counter+uint64(i), key)
		z[i] = uint64(words[1])<<32 | uint64(words[0])
	}
}
