package ref_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/x448/float16"
)

func TestCopyConvertsAndFollowsStrides(t *testing.T) {
	d := ref.New()
	x := over(in(d, 1.5, -2.5, 3e9, nan, 5, 6), -2, 1) // rows from the last to the first
	x.Offset = 4
	l := launch([]int{3, 2}, over(out[int32](d, 6), 1, 3), x)
	d.Copy(l)
	expect(t, "copy", elements[int32](d, l.Operands[0]), "5 2147483647 1 6 0 -2")
}

func TestElementwiseWhere(t *testing.T) {
	d := ref.New()
	shape := []int{4}
	l := launch(shape, dense(shape, in[int32](d, 9, 9, 9, 9), in[int32](d, 1, 2, 3, 4), in(d, true, false, false, true))...)
	l.Where = 2
	l.Program = compile(t, device.Source{Inputs: "int32 x", Outputs: "int32 y", Body: "10*x"}, nil)
	d.Elementwise(l)
	expect(t, "where", elements[int32](d, l.Operands[0]), "10 9 9 40")
}

func TestElementwiseRawScalarsPosition(t *testing.T) {
	d := ref.New()
	shape := []int{2, 3}
	raw := in(d, 0, 10.0, 20, 30)
	raw.Offset, raw.Len = 1, 3
	l := launch(shape, over(out[float64](d, 6), 1, 2), over(out[int64](d, 6), 3, 1), raw)
	l.Outputs = 2
	l.Program = compile(t, device.Source{Inputs: "raw double x", Scalars: "double a, int32 k", Outputs: "double y, int64 z",
		Body: "y = x[i - k]*a; z = n - i"}, nil)
	l.Scalars[0], l.Scalars[1] = device.Scalar{Re: 0.5}, device.Scalar{Int: 1}
	d.Elementwise(l)
	expect(t, "raw reads", elements[float64](d, l.Operands[0]), "0 15 5 0 10 0")
	expect(t, "positions", elements[int64](d, l.Operands[1]), "6 5 4 3 2 1")
}

func TestElementwiseSixteenBits(t *testing.T) {
	d := ref.New()
	x := in(d, float16.Fromfloat32(1), float16.Fromfloat32(2049))
	shape := []int{2}
	l := launch(shape, dense(shape, out[float16.Float16](d, 2), x)...)
	l.Program = compile(t, device.Source{Inputs: "T x", Outputs: "T y", Body: "x + 0.0004"}, map[byte]dtype.DType{'T': dtype.Float16})
	d.Elementwise(l)
	expect(t, "float16", elements[float16.Float16](d, l.Operands[0]), "1 2048")
}

// reduction launches a reduction of int32 or float32 values by a program over the last axes.
func reduction[T dtype.Element](t *testing.T, c device.Combine, shape []int, axes int, values ...T) string {
	t.Helper()
	d := ref.New()
	outputs := 1
	for _, n := range shape[:len(shape)-axes] {
		outputs *= n
	}
	y := out[T](d, outputs)
	y.Strides[0] = 1
	if axes == len(shape) {
		y.Strides[0] = 0
	}
	l := launch(shape, y, dense(shape, in(d, values...))[0])
	l.Combine, l.Reduced = c, axes
	l.Program = compile(t, device.Source{Inputs: "T x", Outputs: "T y", Body: "y = x"}, map[byte]dtype.DType{'T': dtype.Of[T]()})
	d.Reduce(l)
	return elements[T](d, l.Operands[0])
}

func TestReduce(t *testing.T) {
	square := []int{2, 3}
	expect(t, "sum of rows", reduction[int32](t, device.CombineSum, square, 1, 1, 2, 3, 4, 5, 6), "6 15")
	expect(t, "sum", reduction[int32](t, device.CombineSum, square, 2, 1, 2, 3, 4, 5, 6), "21")
	expect(t, "sum over no axes", reduction[int32](t, device.CombineSum, []int{3}, 0, 1, 2, 3), "1 2 3")
	expect(t, "sum that wraps", reduction[int8](t, device.CombineSum, []int{3}, 1, 100, 100, 100), "44")
	expect(t, "product", reduction[int32](t, device.CombineProd, []int{4}, 1, 1, 2, 3, -4), "-24")
	expect(t, "max", reduction(t, device.CombineMax, []int{2, 3}, 1, 1, 3, 2, 1, nan, 2), "3 NaN")
	expect(t, "fmax", reduction(t, device.CombineFMax, []int{2, 2}, 1, nan, 3, nan, nan), "3 NaN")
	expect(t, "min", reduction(t, device.CombineMin, []int{3}, 1, 2, -inf, 1), "-Inf")
	expect(t, "all", reduction(t, device.CombineAll, []int{2, 2}, 1, true, true, true, false), "true false")
	expect(t, "any", reduction(t, device.CombineAny, []int{2, 2}, 1, false, true, false, false), "true false")
	expect(t, "complex max", reduction[complex128](t, device.CombineMax, []int{3}, 1, 1+5i, 2-1i, 2-2i), "(2-1i)")
	// In float32 alone the ones would be lost beside 2^24.
	expect(t, "float32 sum", reduction[float32](t, device.CombineSum, []int{4}, 1, 1<<24, 1, 1, 1), fmt.Sprint(float32(1<<24+4)))
}

func TestReduceOfNothing(t *testing.T) {
	empty := []int{0}
	expect(t, "sum", reduction[float64](t, device.CombineSum, empty, 1), "0")
	expect(t, "product", reduction[float64](t, device.CombineProd, empty, 1), "1")
	expect(t, "max", reduction[float64](t, device.CombineMax, empty, 1), "-Inf")
	expect(t, "min", reduction[float64](t, device.CombineMin, empty, 1), "+Inf")
	expect(t, "fmax", reduction[float64](t, device.CombineFMax, empty, 1), "NaN")
	expect(t, "int8 max", reduction[int8](t, device.CombineMax, empty, 1), "-128")
	expect(t, "uint64 min", reduction[uint64](t, device.CombineMin, empty, 1), "18446744073709551615")
	expect(t, "complex min", reduction[complex64](t, device.CombineMin, empty, 1), "(+Inf+Infi)")
	expect(t, "all", reduction[bool](t, device.CombineAll, empty, 1), "true")
	expect(t, "any", reduction[bool](t, device.CombineAny, empty, 1), "false")
}

// TestReduceProgramAndPost: Σ(x-c)² / n, with the scalar c of the program before the scalar n of the other.
func TestReduceProgramAndPost(t *testing.T) {
	d := ref.New()
	shape := []int{2, 3}
	l := launch(shape, over(out[float64](d, 2), 1, 0), dense(shape, in[int32](d, 1, 2, 3, 4, 4, 7))[0])
	l.Reduced, l.Combine = 1, device.CombineSum
	l.Program = compile(t, device.Source{Inputs: "double x", Scalars: "double c", Outputs: "double y", Body: "(x - c)*(x - c)"}, nil)
	l.Post = compile(t, device.Source{Inputs: "double s", Scalars: "double count", Outputs: "double y", Body: "s / count"}, nil)
	l.Scalars[0], l.Scalars[1] = device.Scalar{Re: 1}, device.Scalar{Re: 2}
	d.Reduce(l)
	expect(t, "Σ(x-c)²/n", elements[float64](d, l.Operands[0]), "2.5 27")
}

func TestArgReduce(t *testing.T) {
	for _, test := range []struct {
		c    device.Combine
		x    []float64
		want string
	}{
		{device.CombineMax, []float64{1, 3, 3, 2}, "1"},
		{device.CombineMin, []float64{1, 0, neg, 2}, "1"},
		{device.CombineMax, []float64{1, nan, 3, nan}, "1"},
		{device.CombineMin, []float64{1, 2, nan, -inf}, "2"},
	} {
		d := ref.New()
		shape := []int{2, 2}
		l := launch(shape, out[int64](d, 1), dense(shape, in(d, test.x...))[0])
		l.Reduced, l.Combine = 2, test.c
		d.ArgReduce(l)
		expect(t, fmt.Sprint(test.c, test.x), elements[int64](d, l.Operands[0]), test.want)
	}
}

func TestScan(t *testing.T) {
	for _, test := range []struct {
		c         device.Combine
		exclusive bool
		want      string
	}{
		{device.CombineSum, false, "1 4 6 4 9 15"},
		{device.CombineSum, true, "0 1 4 0 4 9"},
		{device.CombineProd, false, "1 3 6 4 20 120"},
		{device.CombineMax, false, "1 3 3 4 5 6"},
		{device.CombineMin, true, "9223372036854775807 1 1 9223372036854775807 4 4"},
	} {
		d := ref.New()
		shape := []int{2, 3}
		l := launch(shape, dense(shape, out[int64](d, 6), in[int8](d, 1, 3, 2, 4, 5, 6))...)
		l.Combine, l.Exclusive = test.c, test.exclusive
		d.Scan(l)
		expect(t, fmt.Sprint(test.c, test.exclusive), elements[int64](d, l.Operands[0]), test.want)
	}
}

func TestMatMul(t *testing.T) {
	d := ref.New()
	// A is 2×3, B is 3×2, in the loop (m, n, k) = (2, 2, 3).
	l := launch([]int{2, 2, 3}, over(out[int32](d, 4), 2, 1, 0), over(in[int8](d, 1, 2, 3, 4, 5, 6), 3, 0, 1), over(in[int8](d, 1, 2, 3, 4, 5, 60), 0, 1, 2))
	d.MatMul(l)
	expect(t, "A·B", elements[int32](d, l.Operands[0]), "22 190 49 388")

	l = launch([]int{1, 1, 2}, out[bool](d, 1), over(in(d, false, true), 0, 0, 1), over(in(d, true, true), 0, 0, 1))
	d.MatMul(l)
	expect(t, "bools", elements[bool](d, l.Operands[0]), "true")

	l = launch([]int{1, 1, 2}, out[complex64](d, 1), over(in[complex64](d, 1+1i, 2), 0, 0, 1), over(in[complex64](d, 1-1i, 3i), 0, 0, 1))
	d.MatMul(l)
	expect(t, "complex", elements[complex64](d, l.Operands[0]), "(2+6i)")

	l = launch([]int{1, 2, 0}, over(in(d, 7.0, 7), 2, 1, 0), in[float64](d), in[float64](d))
	d.MatMul(l)
	expect(t, "empty sums", elements[float64](d, l.Operands[0]), "0 0")
}

// indexed launches Gather or Scatter along an axis of four elements.
func indexed(d *ref.Device, b device.Bounds, y, x device.Operand, indices ...int64) *device.Launch {
	shape := []int{len(indices)}
	l := launch(shape, y, x, dense(shape, in(d, indices...))[0])
	l.Bounds, l.Axes[0] = b, device.IndexAxis{Stride: 1, Size: 4}
	return l
}

func TestGather(t *testing.T) {
	for _, test := range []struct {
		b       device.Bounds
		indices []int64
		want    string
	}{
		{device.BoundsRaise, []int64{0, 3, -1, -4}, "10 13 13 10"},
		{device.BoundsWrap, []int64{4, -5, 7, math.MinInt64}, "10 13 13 10"},
		{device.BoundsClip, []int64{-1, 4, 2, math.MaxInt64}, "10 13 12 13"},
		{device.BoundsDrop, []int64{-1, 4, 2, 0}, "0 0 12 10"},
	} {
		d := ref.New()
		l := indexed(d, test.b, over(out[int32](d, 4), 1), in[int32](d, 10, 11, 12, 13), test.indices...)
		d.Gather(l)
		expect(t, fmt.Sprint(test.indices), elements[int32](d, l.Operands[0]), test.want)
	}
}

// TestGatherTwoAxes reads x[1, :, 0] and x[0, :, 1] of an array of the shape (2, 2, 2).
func TestGatherTwoAxes(t *testing.T) {
	d := ref.New()
	x := over(in[int32](d, 0, 1, 10, 11, 100, 101, 110, 111), 0, 2)
	l := launch([]int{2, 2}, over(out[int32](d, 4), 2, 1), x, over(in[int64](d, 1, 0), 1, 0), over(in[int64](d, 0, -1), 1, 0))
	l.Axes[0], l.Axes[1] = device.IndexAxis{Stride: 4, Size: 2}, device.IndexAxis{Stride: 1, Size: 2}
	d.Gather(l)
	expect(t, "x[a, :, b]", elements[int32](d, l.Operands[0]), "100 110 1 11")
}

func TestScatter(t *testing.T) {
	for _, test := range []struct {
		c    device.Combine
		b    device.Bounds
		want string
	}{
		{device.CombineAssign, device.BoundsRaise, "3 10 10 4"},
		{device.CombineSum, device.BoundsRaise, "16 10 10 14"},
		{device.CombineMax, device.BoundsRaise, "10 10 10 10"},
		{device.CombineProd, device.BoundsWrap, "60 10 10 40"},
		{device.CombineAssign, device.BoundsClip, "4 10 10 10"},
		{device.CombineSum, device.BoundsDrop, "16 10 10 10"},
	} {
		d := ref.New()
		l := indexed(d, test.b, in[int32](d, 10, 10, 10, 10), over(in[int32](d, 1, 2, 3, 4), 1), 0, 0, 0, -1)
		l.Combine = test.c
		d.Scatter(l)
		expect(t, fmt.Sprint(test.c, test.b), elements[int32](d, l.Operands[0]), test.want)
	}
}

// TestIndexErrors: nothing is written when an index is out of range.
func TestIndexErrors(t *testing.T) {
	d := ref.New()
	y := in[int32](d, 9, 9, 9, 9)
	for name, kernel := range map[string]func(*device.Launch){"Gather": d.Gather, "Scatter": d.Scatter} {
		for _, wrong := range []int64{4, -5, 1 << 40} {
			l := indexed(d, device.BoundsRaise, over(y, 0), over(in[int32](d, 1, 2, 3), 0), 0, 1, wrong)
			e, _ := panicOf(func() { kernel(l) }).(*device.IndexError)
			if e == nil || e.Index != int(wrong) || e.Size != 4 {
				t.Errorf("%s at %d panicked with %v", name, wrong, e)
			}
		}
	}
	expect(t, "the output", elements[int32](d, y), "9 9 9 9")
	l := indexed(d, device.BoundsWrap, over(y, 1), over(in[int32](d, 1), 0), 0)
	l.Axes[0].Size = 0
	if _, ok := panicOf(func() { d.Gather(l) }).(*device.IndexError); !ok {
		t.Error("an axis of length 0 has no place to wrap to")
	}
}

func TestNonzero(t *testing.T) {
	d := ref.New()
	l := launch([]int{2, 3}, in[int64](d, -1, -1, -1, -1, -1, -1), over(in(d, 0, 1, neg, nan, 0, -2), 3, 1))
	if n := d.Nonzero(l); n != 3 {
		t.Errorf("%d values are not zero, want 3", n)
	}
	expect(t, "positions", elements[int64](d, l.Operands[0]), "1 3 5 -1 -1 -1")
}

func TestSort(t *testing.T) {
	x := []float64{2, nan, neg, 0, -inf, 2, nan, 3}
	for _, test := range []struct {
		descending     bool
		values, places string
	}{
		{false, "-Inf -0 0 2 2 3 NaN NaN", "4 2 3 0 5 7 1 6"},
		{true, "3 2 2 -0 0 -Inf NaN NaN", "7 0 5 2 3 4 1 6"},
	} {
		d := ref.New()
		shape := []int{8}
		l := launch(shape, dense(shape, out[float64](d, 8), out[int64](d, 8), in(d, x...))...)
		l.Descending = test.descending
		d.Sort(l)
		expect(t, "values", elements[float64](d, l.Operands[0]), test.values)
		expect(t, "places", elements[int64](d, l.Operands[1]), test.places)
	}
}

func TestSortComplexAndPlacesAlone(t *testing.T) {
	d := ref.New()
	shape := []int{4}
	l := launch(shape, dense(shape, device.Operand{}, out[int64](d, 4), in(d, 1+1i, complex(0, nan), 1-1i, 0))...)
	d.Sort(l)
	expect(t, "places", elements[int64](d, l.Operands[1]), "3 2 0 1")
}

// TestRandom: the first block of Philox 4x32-10 with a zero key and a zero counter is known, and so is the one with all
// bits set in two words of the counter and of the key.
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

// TestRandomElementsAreIndependentOfTheLaunch: element i is that of counter + i, in any layout, and the counter wraps.
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
