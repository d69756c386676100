package compliance

import (
	"math/rand/v2"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// classes draws labels from 0 to n-1 and the ignored label.
func classes(n, ignore int) filling {
	return func(r *rand.Rand, _ dtype.DType) number {
		if n == 0 || r.IntN(5) == 0 {
			return integerNumber(int64(ignore))
		}
		return integerNumber(r.Int64N(int64(n)))
	}
}

// labels returns an operand with one label per row. With outside, one label is out of range.
func (s *suite) labels(dt dtype.DType, loop []int, ignore int, outside bool) *array {
	rows := loop[:len(loop)-1]
	n := loop[len(loop)-1]
	t := s.any(dt, rows, classes(n, ignore))
	if offsets := t.offsets(); outside && len(offsets) > 0 {
		wrong := [...]int64{-2, int64(n), int64(n) + 1, -100}[s.IntN(4)]
		integerNumber(wrong).store(dt, t.pointer(offsets[s.IntN(len(offsets))]))
	}
	t.loop = append(append([]int(nil), t.Strides...), 0)
	return t
}

func (s *suite) eachLoss(test func(t, labels dtype.DType, loop []int, ignore int, outside bool)) {
	for _, t := range floatTypes {
		for _, loop := range rowLoops {
			for _, outside := range []bool{false, true} {
				for _, ignore := range []int{-1, 0} {
					test(t, [...]dtype.DType{dtype.Int64, dtype.Int32}[s.IntN(2)], loop, ignore, outside)
				}
			}
		}
	}
}

func testCrossEntropy(s *suite) { s.eachLoss(s.crossEntropy) }

func (s *suite) crossEntropy(t, labels dtype.DType, loop []int, ignore int, outside bool) {
	s.Helper()
	s.check(call{kernel: device.Device.CrossEntropy, loop: loop, outputs: []*array{s.reduced(t, loop, 1)},
		inputs: []*array{s.input(t, loop, logits), s.labels(labels, loop, ignore, outside)},
		set:    func(l *device.Launch) { l.Ignore = ignore }, close: exponentials(true)}, "%s, ignoring %d", t, ignore)
}

func testCrossEntropyGrad(s *suite) { s.eachLoss(s.crossEntropyGrad) }

func (s *suite) crossEntropyGrad(t, labels dtype.DType, loop []int, ignore int, outside bool) {
	s.Helper()
	x, gx := s.input(t, loop, logits), s.any(t, loop, tame)
	if s.IntN(4) == 0 {
		x = s.any(t, loop, logits)
		gx = x
	}
	s.check(call{kernel: device.Device.CrossEntropyGrad, loop: loop, outputs: []*array{gx},
		inputs: []*array{x, s.labels(labels, loop, ignore, outside), s.reduced(t, loop, 1)},
		set:    func(l *device.Launch) { l.Ignore = ignore }, close: absolute(200 * epsilon(t))}, "%s, ignoring %d", t, ignore)
}
