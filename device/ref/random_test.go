package ref_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
)

// TestRandom compares with known blocks of Philox 4x32-10: the first block with a zero key and a zero counter, and the
// block with all bits set in two words of the counter and of the key.
func TestRandom(t *testing.T) {
	d := ref.New()
	l := launch([]int{1}, out[uint32](d, 1))
	d.Random(l)
	expect(t, "first word", elements[uint32](d, l.Operands[0]), fmt.Sprint(uint32(0x6627e8d5)))

	l = launch([]int{1}, out[uint64](d, 1))
	d.Random(l)
	expect(t, "two words", elements[uint64](d, l.Operands[0]), fmt.Sprint(uint64(0xe169c58d_6627e8d5)))

	l = launch([]int{1}, out[uint8](d, 1))
	d.Random(l)
	expect(t, "low bits", elements[uint8](d, l.Operands[0]), fmt.Sprint(0xd5))

	l = launch([]int{1}, out[float32](d, 1))
	l.Distribution = device.DistributionUniform
	d.Random(l)
	expect(t, "24 bits", elements[float32](d, l.Operands[0]), fmt.Sprint(float32(0x6627e8)/(1<<24)))

	l = launch([]int{1}, out[float64](d, 1))
	l.Distribution = device.DistributionUniform
	d.Random(l)
	bits := uint64(0xe169c58d_6627e8d5) >> 11
	expect(t, "53 bits", elements[float64](d, l.Operands[0]), fmt.Sprint(float64(bits)/(1<<53)))
}

// TestRandomElementsAreIndependentOfTheLaunch: element i is the element of counter + i, in any layout, and the counter
// wraps.
func TestRandomElementsAreIndependentOfTheLaunch(t *testing.T) {
	d := ref.New()
	draw := func(counter uint64, n int) string {
		l := launch([]int{n}, over(out[uint64](d, n), 1))
		l.Key, l.Counter = [2]uint32{1, 2}, counter
		d.Random(l)
		return elements[uint64](d, l.Operands[0])
	}
	for _, start := range []uint64{5, 1<<32 - 1, math.MaxUint64} {
		expect(t, "two at once", draw(start, 2), draw(start, 1)+" "+draw(start+1, 1))
	}
}

func TestRandomMoments(t *testing.T) {
	const n = 20_000
	d := ref.New()
	for distribution, want := range map[device.Distribution][2]float64{
		device.DistributionUniform: {0.5, 1.0 / 12}, device.DistributionNormal: {0, 1},
	} {
		l := launch([]int{n}, over(out[float64](d, n), 1))
		l.Distribution, l.Key = distribution, [2]uint32{42, 0}
		d.Random(l)
		values := make([]float64, n)
		d.CopyOut(bytesOf(values), l.Operands[0].Memory, 0)
		mean, square := 0.0, 0.0
		for _, v := range values {
			mean += v / n
			square += float64(v*v) / n
		}
		if variance := square - float64(mean*mean); math.Abs(mean-want[0]) > 0.02 || math.Abs(variance-want[1]) > 0.03 {
			t.Errorf("distribution %d: mean %.3f, variance %.3f, want %v", distribution, mean, variance, want)
		}
	}
}
