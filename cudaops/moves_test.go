package cudaops_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// What moves data chooses its way by strides, shapes and addresses. The cases here take each of them, and are compared with the CPU byte
// for byte.

// block is the memory of an operand, of which it has the elements from an offset on.
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

// blockOf makes room for an operand over a loop, with some elements before and behind, of random bytes, all of which are numbers.
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
		{"rows that are not aligned", []int{37, 64}, []int{80, 1}, []int{96, 1}, [2]int{16, 5}},
		{"rows of odd length", []int{37, 63}, []int{65, 1}, []int{66, 1}, [2]int{16, 32}},
		{"rows of few bytes", []int{37, 6}, []int{8, 1}, []int{10, 1}, [2]int{16, 32}},
		{"backwards", []int{1001}, []int{-1}, []int{-1}, [2]int{5, 3}},
		{"backwards on one side", []int{1001}, []int{1}, []int{-1}, [2]int{5, 3}},
		{"gaps", []int{5, 7, 211}, []int{7 * 211, 211, 1}, []int{7 * 700, 700, 3}, [2]int{0, 1}},
		{"a row many times", []int{33, 128}, []int{128, 1}, []int{0, 1}, [2]int{16, 0}},
		{"an element many times", []int{33, 128}, []int{144, 1}, []int{1, 0}, [2]int{16, 3}},
		{"an element many times, not aligned", []int{33, 127}, []int{127, 1}, []int{1, 0}, [2]int{1, 0}},
		{"one element", []int{5000}, []int{1}, []int{0}, [2]int{16, 7}},
		{"columns", []int{257, 130}, []int{130, 1}, []int{1, 257}, [2]int{0, 0}},
		{"columns with gaps", []int{260, 132}, []int{136, 1}, []int{1, 264}, [2]int{4, 8}},
		{"columns that are not aligned", []int{260, 132}, []int{136, 1}, []int{1, 264}, [2]int{5, 3}},
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
