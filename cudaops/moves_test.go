package cudaops_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/cudaops"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Kernels that move data choose their method by strides, shapes and addresses. The tests here cover every method and
// compare the results with the CPU, byte for byte.

// block is the memory of an operand, whose elements begin at an offset.
type block struct {
	dtype   dtype.DType
	strides []int
	offset  int
	bytes   []byte
}

// sameBytes runs a kernel on a GPU and on the CPU, and compares the outputs.
func sameBytes(t *testing.T, name string, kernel func(device.Device, *device.Launch), set func(*device.Launch), loop []int, outputs int, blocks ...block) {
	t.Helper()
	cpu, err := device.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	want := launchOn(cpu, kernel, set, loop, outputs, blocks)
	got := launchOn(gpu(t), kernel, set, loop, outputs, blocks)
	for k := range want {
		if !bytes.Equal(got[k], want[k]) {
			size := blocks[k].dtype.Size()
			for i := range len(want[k]) / size {
				if g, w := got[k][i*size:(i+1)*size], want[k][i*size:(i+1)*size]; !bytes.Equal(g, w) {
					t.Errorf("%s: output %d: element %d is %x, want %x", name, k, i, g, w)
					break
				}
			}
		}
	}
}

func launchOn(dev device.Device, kernel func(device.Device, *device.Launch), set func(*device.Launch), loop []int, outputs int, blocks []block) [][]byte {
	l := device.NewLaunch()
	defer l.Recycle()
	set(l)
	l.Rank = copy(l.Shape[:], loop)
	l.N, l.Outputs = len(blocks), outputs
	for k, b := range blocks {
		l.Operands[k] = device.Operand{DType: b.dtype, Offset: b.offset}
		copy(l.Operands[k].Strides[:], b.strides)
		if b.bytes != nil {
			l.Operands[k].Memory = dev.Alloc(len(b.bytes))
			defer dev.Free(l.Operands[k].Memory)
			dev.CopyIn(l.Operands[k].Memory, 0, b.bytes)
		}
	}
	memory := l.Operands
	kernel(dev, l)
	var results [][]byte
	for k := range outputs {
		result := make([]byte, len(blocks[k].bytes))
		if len(result) > 0 {
			dev.CopyOut(result, memory[k].Memory, 0)
		}
		results = append(results, result)
	}
	return results
}

// blockOf allocates an operand over a loop, with some elements before and after it. The bytes are random, and no
// element is NaN.
func blockOf(r *rand.Rand, t dtype.DType, loop, strides []int, before int) block {
	least, most := 0, 0
	for k, stride := range strides {
		least, most = least+min(0, stride*(loop[k]-1)), most+max(0, stride*(loop[k]-1))
	}
	b := block{t, strides, before - least, make([]byte, (before+most-least+3)*t.Size())}
	for i := range b.bytes {
		b.bytes[i] = byte(r.IntN(120))
	}
	return b
}

func TestCopies(t *testing.T) {
	gpu(t)
	r := rand.New(rand.NewPCG(7, 8))
	sized := []dtype.DType{dtype.Int8, dtype.BFloat16, dtype.Float32, dtype.Float64, dtype.Complex128}
	for _, test := range []struct {
		name    string
		loop    []int
		y, x    []int
		offsets [2]int
	}{
		{"whole", []int{1000}, []int{1}, []int{1}, [2]int{5, 3}},
		{"rows of 16 bytes", []int{37, 64}, []int{80, 1}, []int{96, 1}, [2]int{16, 32}},
		{"unaligned rows", []int{37, 64}, []int{80, 1}, []int{96, 1}, [2]int{16, 5}},
		{"rows of odd length", []int{37, 63}, []int{65, 1}, []int{66, 1}, [2]int{16, 32}},
		{"rows of few bytes", []int{37, 6}, []int{8, 1}, []int{10, 1}, [2]int{16, 32}},
		{"backwards", []int{1001}, []int{-1}, []int{-1}, [2]int{5, 3}},
		{"backwards on one side", []int{1001}, []int{1}, []int{-1}, [2]int{5, 3}},
		{"gaps", []int{5, 7, 211}, []int{7 * 211, 211, 1}, []int{7 * 700, 700, 3}, [2]int{0, 1}},
		{"a row repeated", []int{33, 128}, []int{128, 1}, []int{0, 1}, [2]int{16, 0}},
		{"an element repeated", []int{33, 128}, []int{144, 1}, []int{1, 0}, [2]int{16, 3}},
		{"an element repeated, unaligned", []int{33, 127}, []int{127, 1}, []int{1, 0}, [2]int{1, 0}},
		{"one element", []int{5000}, []int{1}, []int{0}, [2]int{16, 7}},
		{"columns", []int{257, 130}, []int{130, 1}, []int{1, 257}, [2]int{0, 0}},
		{"columns with gaps", []int{260, 132}, []int{136, 1}, []int{1, 264}, [2]int{4, 8}},
		{"unaligned columns", []int{260, 132}, []int{136, 1}, []int{1, 264}, [2]int{5, 3}},
		{"columns backwards", []int{100, 132}, []int{136, 1}, []int{-1, 264}, [2]int{4, 4}},
		{"columns of every third", []int{100, 132}, []int{300, 2}, []int{3, 400}, [2]int{4, 4}},
		{"few columns", []int{400, 3}, []int{3, 1}, []int{1, 400}, [2]int{0, 0}},
		{"few rows", []int{3, 400}, []int{400, 1}, []int{1, 3}, [2]int{0, 0}},
		{"batches of columns", []int{3, 40, 5, 70}, []int{40 * 5 * 70, 5 * 70, 70, 1}, []int{70 * 40, 1, 70 * 40 * 3, 40}, [2]int{0, 0}},
		{"columns in front", []int{20, 30, 40}, []int{1200, 40, 1}, []int{1, 20, 600}, [2]int{0, 0}},
		{"many axes", []int{2, 3, 2, 3, 2, 3, 2, 3, 2, 3}, []int{7776, 2592, 1296, 216, 108, 36, 18, 6, 3, 1},
			[]int{1, 2, 6, 12, 36, 72, 216, 432, 1296, 2592}, [2]int{0, 0}},
	} {
		for k, dt := range sized {
			y, x := blockOf(r, dt, test.loop, test.y, test.offsets[0]), blockOf(r, dt, test.loop, test.x, test.offsets[1])
			sameBytes(t, fmt.Sprintf("%s, %s", test.name, dt), device.Device.Copy, none, test.loop, 1, y, x)
			other := sized[(k+1)%len(sized)]
			x = blockOf(r, other, test.loop, test.x, test.offsets[1])
			sameBytes(t, fmt.Sprintf("%s, %s to %s", test.name, other, dt), device.Device.Copy, none, test.loop, 1, y, x)
		}
	}
}

// indexBlock returns random int64 indices below a size, over an axis.
func indexBlock(r *rand.Rand, n, size int, strides ...int) block {
	x := make([]int64, n)
	for i := range x {
		x[i] = int64(r.IntN(size))
	}
	return block{dtype.Int64, strides, 0, bytesOf(x)}
}

func along(bounds device.Bounds, c device.Combine, fresh bool, axes ...device.IndexAxis) func(l *device.Launch) {
	return func(l *device.Launch) {
		l.Bounds, l.Combine, l.Fresh = bounds, c, fresh
		copy(l.Axes[:], axes)
	}
}

// TestGathers gathers rows that are moved in words of 16 bytes and in smaller ones, single elements, and elements by
// the indices of two axes. Some indices are out of range.
func TestGathers(t *testing.T) {
	gpu(t)
	r := rand.New(rand.NewPCG(9, 10))
	const n, size = 3000, 50
	test := func(limited string) {
		for _, dt := range []dtype.DType{dtype.Int8, dtype.BFloat16, dtype.Float32, dtype.Float64, dtype.Complex128} {
			for _, width := range []int{1, 7, 32, 48} {
				loop := []int{n, width}
				y, x := blockOf(r, dt, loop, []int{width, 1}, 16), blockOf(r, dt, []int{size, width}, []int{width, 1}, 32)
				x.strides = []int{0, 1}
				for _, fresh := range []bool{false, true} {
					sameBytes(t, fmt.Sprintf("%srows of %d, %s", limited, width, dt), device.Device.Gather,
						along(device.BoundsRaise, 0, fresh, device.IndexAxis{Stride: width, Size: size}), loop, 1, y, x, indexBlock(r, n, size, 1, 0))
				}
				sameBytes(t, fmt.Sprintf("%srows of %d, some none, %s", limited, width, dt), device.Device.Gather,
					along(device.BoundsDrop, 0, true, device.IndexAxis{Stride: width, Size: size - 9}), loop, 1, y, x, indexBlock(r, n, size, 1, 0))
				other := blockOf(r, dtype.Int16, []int{size, width}, []int{width, 1}, 3)
				other.strides = x.strides
				sameBytes(t, fmt.Sprintf("%srows of %d of int16, %s", limited, width, dt), device.Device.Gather,
					along(device.BoundsWrap, 0, true, device.IndexAxis{Stride: width, Size: size}), loop, 1, y, other, indexBlock(r, n, 3*size, 1, 0))
			}
			x := blockOf(r, dt, []int{size, size}, []int{size, 1}, 5)
			x.strides = []int{0}
			sameBytes(t, fmt.Sprintf("%stwo axes, %s", limited, dt), device.Device.Gather,
				along(device.BoundsClip, 0, true, device.IndexAxis{Stride: size, Size: size}, device.IndexAxis{Stride: 1, Size: size}),
				[]int{n}, 1, blockOf(r, dt, []int{n}, []int{1}, 5), x, indexBlock(r, n, 2*size, 1), indexBlock(r, n, size, 1))
		}
	}
	test("")
	defer cudaops.Limited()()
	test("in pieces, ")
}

// TestFirstIndexOutOfRange checks few and many indices. If y is not new, it must stay unchanged.
func TestFirstIndexOutOfRange(t *testing.T) {
	d := gpu(t)
	r := rand.New(rand.NewPCG(11, 12))
	test := func() {
		for _, n := range []int{100, 5000, 20_000} {
			for _, fresh := range []bool{false, true} {
				indices := make([]int64, n)
				for _, bad := range []int{n - 1, n*2/3 + 1, n * 2 / 3, n / 2} {
					indices[bad] = int64(1000 + bad)
					y := blockOf(r, dtype.Float32, []int{n, 3}, []int{3, 1}, 0)
					got := launchOn(d, func(dev device.Device, l *device.Launch) {
						dev.Gather(l)
						var fault *device.IndexError
						if err := dev.(*cudaops.Device).Synchronize(); !errors.As(err, &fault) || fault.Index != 1000+bad || fault.Size != 10 {
							t.Errorf("%d indices, fresh %v: %v, want index %d", n, fresh, err, 1000+bad)
						}
					}, along(device.BoundsRaise, 0, fresh, device.IndexAxis{Stride: 3, Size: 10}), []int{n, 3}, 1,
						[]block{y, blockOf(r, dtype.Float32, []int{1, 30}, []int{0, 1}, 0), {dtype.Int64, []int{1, 0}, 0, bytesOf(indices)}})
					if !fresh && !bytes.Equal(got[0], y.bytes) {
						t.Errorf("%d indices: y was written although an index is out of range", n)
					}
				}
			}
		}
	}
	test()
	defer cudaops.Limited()()
	test()
}

// TestScatters covers points that are sorted in a block and by digits, tails, elements that no point refers to, and
// integers.
func TestScatters(t *testing.T) {
	gpu(t)
	r := rand.New(rand.NewPCG(13, 14))
	test := func(limited string) {
		for _, n := range []int{700, 6000} {
			for _, size := range []int{3, 700} {
				for _, width := range []int{1, 6, 16} {
					loop := []int{n, width}
					for _, dt := range []dtype.DType{dtype.Int8, dtype.Int32, dtype.Uint64, dtype.Float16, dtype.Float32, dtype.Float64} {
						for _, c := range []device.Combine{device.CombineAssign, device.CombineSum, device.CombineMin} {
							if dt == dtype.Int8 && n > 1000 || dt == dtype.Float16 && c == device.CombineSum {
								continue
							}
							y, x := blockOf(r, dt, []int{size, width}, []int{width, 1}, 4), blockOf(r, dt, loop, []int{width, 1}, 4)
							y.strides = []int{0, 1}
							sameBytes(t, fmt.Sprintf("%s%s of %d rows of %d into %d, %s", limited, c, n, width, size, dt), device.Device.Scatter,
								along(device.BoundsDrop, c, false, device.IndexAxis{Stride: width, Size: size}), loop, 1, y, x, indexBlock(r, n, size+1, 1, 0))
						}
					}
				}
			}
		}
	}
	test("")
	defer cudaops.Limited()()
	test("in pieces, ")
}

// TestLongSorts covers rows with more than one tile, and with more tiles than a thread processes.
func TestLongSorts(t *testing.T) {
	gpu(t)
	r := rand.New(rand.NewPCG(15, 16))
	for _, test := range []struct {
		dtype   dtype.DType
		rows, n int
	}{{dtype.Uint8, 1, 70_000}, {dtype.Float32, 3, 5000}, {dtype.Int64, 2, 4097}, {dtype.Int64, 2, 4000}, {dtype.Complex128, 1, 2500}} {
		loop, strides := []int{test.rows, test.n}, []int{test.n, 1}
		for _, descending := range []bool{false, true} {
			set := func(l *device.Launch) { l.Descending = descending }
			x := blockOf(r, test.dtype, loop, []int{test.n * 2, 2}, 1)
			sameBytes(t, fmt.Sprintf("%d rows of %d %s", test.rows, test.n, test.dtype), device.Device.Sort, set, loop, 2,
				blockOf(r, test.dtype, loop, strides, 3), blockOf(r, dtype.Int64, loop, strides, 1), x)
		}
	}
}

// TestLongScans covers rows in many parts, along rows and across them.
func TestLongScans(t *testing.T) {
	gpu(t)
	r := rand.New(rand.NewPCG(17, 18))
	for _, test := range []struct {
		y, x    dtype.DType
		combine device.Combine
		loop    []int
		strides []int
	}{
		{dtype.Int64, dtype.Int32, device.CombineSum, []int{140_000}, []int{1}},
		{dtype.Float32, dtype.Float32, device.CombineMax, []int{3, 2000}, []int{2000, 1}},
		{dtype.Int32, dtype.Int32, device.CombineSum, []int{70, 900}, []int{1, 70}},
		{dtype.Uint8, dtype.Uint8, device.CombineProd, []int{5, 333}, []int{1000, 3}},
		{dtype.Uint64, dtype.Uint64, device.CombineMin, []int{40, 50}, []int{50, 1}},
	} {
		for _, exclusive := range []bool{false, true} {
			y := blockOf(r, test.y, test.loop, test.strides, 5)
			sameBytes(t, fmt.Sprintf("%s of %v %s", test.combine, test.loop, test.x), device.Device.Scan,
				func(l *device.Launch) { l.Combine, l.Exclusive = test.combine, exclusive }, test.loop, 1, y, blockOf(r, test.x, test.loop, test.strides, 3))
		}
	}
}

// TestLongExtremes has many ties: the first extreme is the result.
func TestLongExtremes(t *testing.T) {
	gpu(t)
	r := rand.New(rand.NewPCG(19, 20))
	for _, test := range []struct {
		dtype   dtype.DType
		loop    []int
		strides []int
	}{
		{dtype.Uint8, []int{1, 50_000}, []int{0, 1}},
		{dtype.Int8, []int{300, 700}, []int{1, 300}},
		{dtype.Float32, []int{50, 90}, []int{90, 1}},
		{dtype.Complex64, []int{1, 5000}, []int{0, 1}},
	} {
		for _, c := range []device.Combine{device.CombineMax, device.CombineMin} {
			y := blockOf(r, dtype.Int64, test.loop[:1], []int{1}, 2)
			y.strides = []int{1, 0}
			sameBytes(t, fmt.Sprintf("%s of %v %s", c, test.loop, test.dtype), device.Device.ArgReduce,
				func(l *device.Launch) { l.Combine, l.Reduced = c, 1 }, test.loop, 1, y, blockOf(r, test.dtype, test.loop, test.strides, 3))
		}
	}
}
