package compliance

import (
	"math"
	"math/rand/v2"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// alignable is a launch of CTC or CTCGrad: the loop is (batch..., t, c).
type alignable struct {
	loop    []int
	labels  int // largest number of labels of a sequence
	outside bool
}

var alignables = []alignable{{loop: []int{1, 1}}, {loop: []int{0, 3}, labels: 0}, {loop: []int{3, 0, 2}}, {loop: []int{0, 4, 3}, labels: 2},
	{loop: []int{6, 3}, labels: 2}, {loop: []int{5, 7, 4}, labels: 3}, {loop: []int{2, 3, 9, 5}, labels: 4}, {loop: []int{2, 60, 33}, labels: 20},
	{loop: []int{3, 4, 5000}, labels: 3}, {loop: []int{1, 700, 6}, labels: 90}, {loop: []int{4, 8, 3}, labels: 3, outside: true}}

func testCTC(s *suite)     { s.eachAlignable(s.ctc) }
func testCTCGrad(s *suite) { s.eachAlignable(s.ctcGrad) }

func (s *suite) eachAlignable(test func(t dtype.DType, a alignable)) {
	for _, t := range floatTypes {
		for _, a := range alignables {
			test(t, a)
		}
	}
}

// below draws integers from least to most, inclusive.
func below(least, most int) filling {
	return func(r *rand.Rand, _ dtype.DType) number { return integerNumber(int64(least + r.IntN(most-least+1))) }
}

// aligned draws the operands besides x: labels, some of them repeated, lengths and numbers of labels.
func (s *suite) aligned(a alignable) (inputs []*array, set func(l *device.Launch)) {
	rank := len(a.loop)
	batch, times, classes := a.loop[:rank-2], a.loop[rank-2], a.loop[rank-1]
	labels := s.any(dtype.Int64, append(append([]int(nil), batch...), a.labels), below(0, classes-1))
	stride := labels.Strides[rank-2]
	labels.loop = append(append([]int(nil), labels.Strides[:rank-2]...), 0, 0)
	least := times / 2
	lengths := s.any(dtype.Int64, batch, below(least, times))
	counts := s.any([...]dtype.DType{dtype.Int64, dtype.Int32}[s.IntN(2)], batch, below(0, a.labels))
	if offsets := counts.offsets(); a.outside && len(offsets) > 0 {
		integerNumber(int64(a.labels+1)).store(counts.dtype, counts.pointer(offsets[s.IntN(len(offsets))]))
	}
	for _, v := range []*array{lengths, counts} {
		v.loop = append(append([]int(nil), v.Strides...), 0, 0)
	}
	blank := s.IntN(classes)
	return []*array{labels, lengths, counts}, func(l *device.Launch) {
		l.Blank, l.Axes[0] = blank, device.IndexAxis{Stride: stride, Size: a.labels}
	}
}

// perSequence draws an array with one number per sequence.
func (s *suite) perSequence(t dtype.DType, a alignable) *array {
	y := s.any(t, a.loop[:len(a.loop)-2], tame)
	y.loop = append(append([]int(nil), y.Strides...), 0, 0)
	return y
}

// scores draws scores under which most labels are possible.
func scores(r *rand.Rand, _ dtype.DType) number {
	switch r.IntN(200) {
	case 0:
		return floatNumber(math.Inf(-1))
	case 1:
		return floatNumber(-9000 * r.Float64())
	case 2:
		return floatNumber(math.NaN())
	}
	return floatNumber(3 * r.NormFloat64())
}

func (s *suite) ctc(t dtype.DType, a alignable) {
	s.Helper()
	inputs, set := s.aligned(a)
	x := s.input(t, a.loop, scores)
	times := float64(a.loop[len(a.loop)-2])
	s.check(call{kernel: device.Device.CTC, loop: a.loop, outputs: []*array{s.perSequence(t, a)}, inputs: append([]*array{x}, inputs...), set: set,
		close: func(dt dtype.DType, got, want complex128, k int) bool {
			return absolute(epsilon(t)*(20*(1+times)+8*math.Abs(real(want))))(dt, got, want, k)
		}}, "%s, %d labels", t, a.labels)
}

func (s *suite) ctcGrad(t dtype.DType, a alignable) {
	s.Helper()
	inputs, set := s.aligned(a)
	x, gx := s.input(t, a.loop, scores), s.any(t, a.loop, tame)
	if s.IntN(4) == 0 {
		x = s.any(t, a.loop, scores)
		gx = x
	}
	times := float64(a.loop[len(a.loop)-2])
	// The reference subtracts logarithms; the errors are relative to the size of the logarithms.
	s.check(call{kernel: device.Device.CTCGrad, loop: a.loop, outputs: []*array{gx}, inputs: append(append([]*array{x}, inputs...), s.perSequence(t, a)),
		set: set, close: absolute(epsilon(t)*(200+40*times) + 1e6*epsilon(dtype.Float64))}, "%s, %d labels", t, a.labels)
}

// alignRandomly draws a launch of either kernel.
func (s *suite) alignRandomly(limit int, test func(t dtype.DType, a alignable)) {
	s.Helper()
	a := alignable{loop: []int{s.length(1 + s.IntN(4)), s.length(s.upTo(limit)), 1 + s.IntN(40)}}
	if a.labels = s.length(s.IntN(1 + a.loop[1])); s.IntN(8) == 0 {
		a.outside = true
	}
	test(s.floatType(), a)
}
