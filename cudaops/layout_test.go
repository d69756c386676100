package cudaops

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// operandLayout is an operand of a test: its type, the offset of its first element, and its strides.
type operandLayout struct {
	dtype   dtype.DType
	offset  int
	strides []int
}

// launchOf returns an elementwise launch whose operands lie in the given device memory.
func launchOf(p *device.Program, shape []int, memory []device.Memory, operands ...operandLayout) *device.Launch {
	l := device.NewLaunch()
	l.Program, l.Outputs = p, len(p.Outputs)
	l.Rank = copy(l.Shape[:], shape)
	for k, o := range operands {
		l.Operands[k] = device.Operand{Memory: memory[k], DType: o.dtype, Offset: o.offset}
		copy(l.Operands[k].Strides[:], o.strides)
	}
	l.N = len(operands)
	return l
}

func TestLayouts(t *testing.T) {
	d := gpu(t, "cuda:0")
	add := programOf(device.OpAdd, dtype.Float32)
	not := programOf(device.OpNot, dtype.Uint8)
	gamma := programOf(device.OpGamma, dtype.Float32)
	memory := make([]device.Memory, 3)
	for k := range memory {
		memory[k] = d.Alloc(1 << 20)
		defer d.Free(memory[k])
	}
	f := func(offset int, strides ...int) operandLayout { return operandLayout{dtype.Float32, offset, strides} }
	u := func(offset int, strides ...int) operandLayout { return operandLayout{dtype.Uint8, offset, strides} }
	for _, c := range []struct {
		name     string
		program  *device.Program
		shape    []int
		operands []operandLayout
		pack     int
		rank     int
		small    bool
	}{
		{"contiguous", add, []int{1000}, []operandLayout{f(0, 1), f(0, 1), f(0, 1)}, 4, 1, true},
		{"contiguous matrices", add, []int{30, 40}, []operandLayout{f(0, 40, 1), f(0, 40, 1), f(0, 40, 1)}, 4, 1, true},
		{"a tail", add, []int{1003}, []operandLayout{f(0, 1), f(0, 1), f(0, 1)}, 4, 1, true},
		{"one number", add, []int{1003}, []operandLayout{f(0, 1), f(5, 0), f(0, 1)}, 4, 1, true},
		{"a multiple of 8 bytes", add, []int{1000}, []operandLayout{f(0, 1), f(2, 1), f(0, 1)}, 2, 1, true},
		{"an odd element", add, []int{1000}, []operandLayout{f(0, 1), f(0, 1), f(5, 1)}, 1, 1, true},
		{"a bias", add, []int{30, 40}, []operandLayout{f(0, 40, 1), f(0, 40, 1), f(0, 0, 1)}, 4, 2, true},
		{"a bias by rows of 6", add, []int{30, 6}, []operandLayout{f(0, 6, 1), f(0, 6, 1), f(0, 0, 1)}, 2, 2, true},
		{"a bias by rows of 5", add, []int{30, 5}, []operandLayout{f(0, 5, 1), f(0, 5, 1), f(0, 0, 1)}, 1, 2, true},
		{"a number a row", add, []int{30, 40}, []operandLayout{f(0, 40, 1), f(0, 40, 1), f(0, 1, 0)}, 4, 2, true},
		{"rows at odd addresses", add, []int{30, 40}, []operandLayout{f(0, 40, 1), f(0, 41, 1), f(0, 40, 1)}, 1, 2, true},
		{"transposed", add, []int{30, 40}, []operandLayout{f(0, 40, 1), f(0, 1, 30), f(0, 40, 1)}, 1, 2, true},
		{"backwards", add, []int{1000}, []operandLayout{f(0, 1), f(999, -1), f(0, 1)}, 1, 1, true},
		{"bytes", not, []int{1000}, []operandLayout{u(0, 1), u(16, 1)}, 16, 1, true},
		{"bytes at an odd address", not, []int{1000}, []operandLayout{u(0, 1), u(3, 1)}, 1, 1, true},
		{"bytes to float32", not, []int{1000}, []operandLayout{f(0, 1), u(4, 1)}, 4, 1, true},
		{"a long program", gamma, []int{1000}, []operandLayout{f(0, 1), f(0, 1)}, 2, 1, true},
		{"far apart", add, []int{2, 2}, []operandLayout{f(0, 2, 1), f(0, 1<<31, 1), f(0, 2, 1)}, 2, 2, false},
		{"many points", add, []int{1 << 31}, []operandLayout{f(0, 1), f(0, 1), f(0, 1)}, 4, 1, false},
		{"nothing", add, nil, []operandLayout{f(0), f(0), f(0)}, 1, 0, true},
	} {
		l := launchOf(c.program, c.shape, memory, c.operands...)
		mergeElementwise(l)
		if y := elementwiseLayout(l); y.pack != c.pack || y.rank != c.rank || y.small != c.small {
			t.Errorf("%s: packs of %d in %d axes, small %v; want %d in %d, %v", c.name, y.pack, y.rank, y.small, c.pack, c.rank, c.small)
		}
		l.Recycle()
	}
}

// TestDivisors checks that a multiplication and a shift divide like a division.
func TestDivisors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		d, n := 1+r.Uint32N(1<<r.IntN(32)), r.Uint32N(1<<31)
		for _, n := range []uint32{n, n / d * d, max(n/d*d, 1) - 1, 1<<31 - 1} {
			magic, shift := divisorOf(uint64(d))
			if got := uint32(uint64(n)*magic>>32+uint64(n)) >> shift; got != n/d {
				t.Fatalf("%d/%d is %d, not %d", n, d, got, n/d)
			}
		}
	}
}

// printedLoops runs launches with sizes or addresses that the suite's arrays do not have: in place over an input, with
// a mask, over rows of all lengths, and with several packs per thread.
func printedLoops(d device.Device) {
	chain := programOf(device.OpSub, dtype.Float32)
	r := rand.New(rand.NewPCG(3, 4))
	const room = 1 << 16
	contents := make([]float32, 3*room)
	for i := range contents {
		contents[i] = r.Float32() - 0.5
	}
	bytesOf := func(x []float32) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), 4*len(x)) }
	m := d.Alloc(4 * len(contents))
	defer d.Free(m)
	f := func(offset int, strides ...int) operandLayout { return operandLayout{dtype.Float32, offset, strides} }
	for _, c := range []struct {
		name     string
		shape    []int
		operands []operandLayout
		masked   bool
	}{
		{"packs over the first input", []int{4099}, []operandLayout{f(0, 1), f(0, 1), f(room, 1)}, false},
		{"packs over the second input", []int{4099}, []operandLayout{f(room, 1), f(0, 1), f(room, 1)}, false},
		{"points over an input", []int{4099}, []operandLayout{f(5, 1), f(5, 1), f(room, 1)}, false},
		{"reversed over an input", []int{4099}, []operandLayout{f(5000, -1), f(5000, -1), f(room, 1)}, false},
		{"side by side", []int{4096}, []operandLayout{f(0, 1), f(4096, 1), f(8192, 1)}, false},
		{"a bias over the input", []int{65, 12}, []operandLayout{f(0, 12, 1), f(0, 12, 1), f(room, 0, 1)}, false},
		{"rows over displaced rows", []int{65, 7}, []operandLayout{f(0, 9, 1), f(0, 9, 1), f(room, 1, 65)}, false},
		{"masked packs over an input", []int{4099}, []operandLayout{f(0, 1), f(0, 1), f(room, 1)}, true},
		{"masked points over an input", []int{33, 5}, []operandLayout{f(0, 6, 1), f(0, 6, 1), f(room, 5, 1)}, true},
	} {
		d.CopyIn(m, 0, bytesOf(contents))
		l := launchOf(chain, c.shape, []device.Memory{m, m, m, m}, c.operands...)
		l.Func = c.name
		if c.masked { // the bytes of distant elements
			l.Operands[3] = device.Operand{Memory: m, DType: dtype.Bool, Offset: 8 * room}
			copy(l.Operands[3].Strides[:], []int{5, 1}[2-len(c.shape):])
			l.N, l.Where = 4, 3
			flags := make([]byte, 1<<13)
			for i := range flags {
				flags[i] = byte(i / 8 % 3 & i)
			}
			d.CopyIn(m, 8*room, flags)
		}
		d.Elementwise(l)
		l.Recycle()
	}
}

// TestPrintedReductionsAndConversions checks that both are compiled, and give the same results as interpreted.
func TestPrintedReductionsAndConversions(t *testing.T) {
	d := gpu(t, "cuda:0")
	if testing.Short() {
		t.Skip("compiling takes some seconds")
	}
	before := d.printing
	defer func() { d.printing = before }()
	m := d.Alloc(1 << 16)
	defer d.Free(m)
	contents := make([]byte, 1<<16)
	for i := range contents {
		contents[i] = byte(i % 61)
	}
	for name, run := range map[string]func(l *device.Launch){
		"a sum": func(l *device.Launch) {
			l.Reduced, l.Combine = 1, device.CombineSum
			d.Reduce(l)
		},
		"a conversion": func(l *device.Launch) {
			l.Program = nil
			if !d.convertPrinted(l) {
				d.Copy(l)
			}
		},
	} {
		p := &device.Program{Name: name, Inputs: []device.Param{{Type: dtype.Uint8}}, Outputs: []device.Param{{Type: dtype.Uint8}},
			Code: []device.Inst{{Op: device.OpInput, Type: dtype.Uint8}}, Results: []device.Reg{0}}
		var results [2][]byte
		for k, form := range []printing{printNever, printFirst} {
			d.printing = form
			d.CopyIn(m, 0, contents)
			l := launchOf(p, []int{3000}, []device.Memory{m, m}, operandLayout{dtype.Int32, 8192, []int{1}}, operandLayout{dtype.Uint8, 0, []int{1}})
			run(l)
			results[k] = make([]byte, len(contents))
			d.CopyOut(results[k], m, 0)
			l.Recycle()
		}
		if !bytes.Equal(results[0], results[1]) || bytes.Equal(results[0], contents) {
			t.Errorf("%s differs once it is printed", name)
		}
	}
}
