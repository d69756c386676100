package cudaops

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"

	_ "github.com/ndgrad/ndgrad/device/cpu"
)

// laidOut is an operand of float32: its own shape and, for each axis of the loop, the index of the operand's axis, or
// -1.
type laidOut struct {
	shape   []int
	axes    []int
	turned  bool // the first axis is the fastest
	far     bool // one element is an infinity
	strides func(loop []int)
}

// elementsBefore is the number of elements in front of an operand's first element, so that addresses are not multiples
// of 16 bytes.
const elementsBefore = 5

// block returns a block of small integers, whose sums are exact in any order.
func (o laidOut) block(seed int) []float32 {
	x := make([]float32, elementsBefore+broadcast.Size(o.shape))
	for i := range x {
		x[i] = float32((i*7919+seed*104729+i/13)%7 - 3)
	}
	if o.far {
		x[elementsBefore+len(x)/2] = float32(math.Inf(1))
	}
	return x
}

// own returns the strides along its own axes.
func (o laidOut) own() []int {
	strides := make([]int, len(o.shape))
	step := 1
	for k := range o.shape {
		axis := len(o.shape) - 1 - k
		if o.turned {
			axis = k
		}
		strides[axis] = step
		step *= o.shape[axis]
	}
	return strides
}

func (o laidOut) put(l *device.Launch, k int, m device.Memory) {
	l.Operands[k] = device.Operand{Memory: m, DType: dtype.Float32, Offset: elementsBefore}
	own := o.own()
	for axis, of := range o.axes {
		if of >= 0 {
			l.Operands[k].Strides[axis] = own[of]
		}
	}
	if o.strides != nil {
		o.strides(l.Operands[k].Strides[:])
	}
}

func bytesOfFloats(x []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*4)
}

// productOn runs a kernel and returns the block of its first operand.
func productOn(dev device.Device, kernel func(*device.Launch), set func(*device.Launch), loop []int, operands []laidOut) []float32 {
	l := device.NewLaunch()
	defer l.Recycle()
	l.Rank = copy(l.Shape[:], loop)
	l.N, l.Outputs = len(operands), 1
	set(l)
	for k, o := range operands {
		x := o.block(k)
		m := dev.Alloc(len(x) * 4)
		defer dev.Free(m)
		dev.CopyIn(m, 0, bytesOfFloats(x))
		o.put(l, k, m)
	}
	kernel(l)
	y := operands[0].block(0)
	dev.CopyOut(bytesOfFloats(y), l.Operands[0].Memory, 0)
	return y
}

// waysSeen records the methods by which products were computed.
type waysSeen map[string]bool

func (seen waysSeen) note(p *product) {
	w := p.method(p.rows(), p.depth(), broadcast.Size(p.batch)*p.phases())
	name := w.name
	if w.slices > 1 {
		name += ", slices"
	}
	if p.depth() > leastSlice && w.slices == 1 {
		name += ", parts"
	}
	seen[name] = true
}

func testedDevices(t *testing.T) (*Device, device.Device) {
	t.Helper()
	if err := Err(); err != nil {
		t.Skip(err)
	}
	d, err := device.Get("cuda:0")
	if err != nil {
		t.Fatal(err)
	}
	cpu, err := device.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	return d.(*Device), cpu
}

// TestProductsOfMatrices compares every method of multiplying matrices with the CPU, for shapes that do not fill a
// tile.
func TestProductsOfMatrices(t *testing.T) {
	d, cpu := testedDevices(t)
	seen := waysSeen{}
	for _, of := range []struct{ batch, m, n, k int }{
		{132, 66, 65, 20}, {132, 65, 65, 257}, {2, 130, 200, 30}, {1, 70, 100, 530}, {3, 33, 65, 300},
		{100, 40, 65, 257}, {2, 65, 9, 300}, {520, 5, 4, 257},
		{1, 7, 1, 700}, {1, 300, 2, 40}, {1, 1000, 1, 2100}, {1, 1, 130, 4100},
	} {
		for turned := range 4 {
			if turned > 0 && of.batch >= 100 {
				continue
			}
			loop := []int{of.batch, of.m, of.n, of.k}
			operands := []laidOut{
				{shape: []int{of.batch, of.m, of.n}, axes: []int{0, 1, 2, -1}, turned: turned == 3},
				{shape: []int{of.batch, of.m, of.k}, axes: []int{0, 1, -1, 2}, turned: turned&1 != 0},
				{shape: []int{of.batch, of.k, of.n}, axes: []int{0, -1, 2, 1}, turned: turned&2 != 0},
				{shape: []int{of.n}, axes: []int{-1, -1, 0, -1}},
			}[:3+turned%2]
			set := func(*device.Launch) {}
			got := productOn(d, func(l *device.Launch) { p := matrices(l); seen.note(p); d.multiplyOwn(p) }, set, loop, operands)
			compareProducts(t, fmt.Sprintf("%+v, layout %d", of, turned), got, productOn(cpu, cpu.MatMul, set, loop, operands))
		}
	}
	for _, way := range []string{"product_large", "product_large, parts", "product_middle", "product_middle, slices", "product_middle, parts",
		"product_slim, slices", "product_slim, parts", "product_each", "product_shared, parts"} {
		if !seen[way] {
			t.Errorf("no product was computed by %s, only by %v", way, seen)
		}
	}
}

func compareProducts(t *testing.T, name string, got, want []float32) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] && (got[i] == got[i] || want[i] == want[i]) {
			t.Fatalf("%s: element %d is %v, want %v", name, i, got[i], want[i])
		}
	}
}

// TestProductsOfConvolutions does the same for the parts of convolutions.
func TestProductsOfConvolutions(t *testing.T) {
	d, cpu := testedDevices(t)
	seen := waysSeen{}
	for _, of := range []struct {
		n, g, m, c                         int
		size, taps                         [2]int
		stride, dilation, before, channels int  // channels: 1 if the channels are the fastest axis
		infinite                           bool // a weight is infinite
	}{
		{n: 8, g: 1, m: 6, c: 1, size: [2]int{28, 28}, taps: [2]int{5, 5}, stride: 1, dilation: 1},
		{n: 8, g: 1, m: 16, c: 6, size: [2]int{14, 14}, taps: [2]int{5, 5}, stride: 1, dilation: 1, before: 2},
		{n: 2, g: 2, m: 70, c: 66, size: [2]int{9, 11}, taps: [2]int{3, 3}, stride: 2, dilation: 1, before: 1},
		{n: 2, g: 1, m: 34, c: 35, size: [2]int{12, 13}, taps: [2]int{3, 2}, stride: 3, dilation: 2, before: 2, channels: 1},
		{n: 1, g: 1, m: 40, c: 4, size: [2]int{40, 38}, taps: [2]int{3, 3}, stride: 10, dilation: 1, before: 1},
		{n: 2, g: 40, m: 1, c: 1, size: [2]int{20, 21}, taps: [2]int{3, 3}, stride: 1, dilation: 1, before: 1, channels: 1},
		{n: 2, g: 2, m: 70, c: 66, size: [2]int{9, 11}, taps: [2]int{3, 3}, stride: 2, dilation: 1, before: 1, infinite: true},
		{n: 4, g: 1, m: 3, c: 66, size: [2]int{65, 65}, taps: [2]int{3, 3}, stride: 1, dilation: 1, before: 2, infinite: true},
		{n: 1, g: 2, m: 2, c: 2, size: [2]int{40, 41}, taps: [2]int{2, 2}, stride: 2, dilation: 1},
	} {
		var positions [2]int
		for axis := range positions {
			positions[axis] = (of.size[axis]+2*of.before-of.dilation*(of.taps[axis]-1)-1)/of.stride + 1
		}
		loop := []int{of.n, of.g, of.m, positions[0], positions[1], of.c, of.taps[0], of.taps[1]}
		turned := of.channels == 1
		ofX := func(rows, columns int) []int { return []int{of.c, rows, columns, of.g, of.n} }
		y := laidOut{shape: []int{of.m, positions[0], positions[1], of.g, of.n}, axes: []int{4, 3, 0, 1, 2, -1, -1, -1}, turned: turned}
		w := laidOut{shape: []int{of.g, of.m, of.c, of.taps[0], of.taps[1]}, axes: []int{-1, 0, 1, -1, -1, 2, 3, 4}, far: of.infinite}
		x := laidOut{shape: ofX(of.size[0], of.size[1]), axes: []int{4, 3, -1, 1, 2, 0, 1, 2}, turned: turned, strides: func(loop []int) {
			for axis := range 2 {
				loop[3+axis] *= of.stride
				loop[6+axis] *= of.dilation
			}
		}}
		if !turned { // the usual order: images, channels, rows
			y.shape, y.axes = []int{of.n, of.g, of.m, positions[0], positions[1]}, []int{0, 1, 2, 3, 4, -1, -1, -1}
			x.shape, x.axes = []int{of.n, of.g, of.c, of.size[0], of.size[1]}, []int{0, 1, -1, 3, 4, 2, 3, 4}
		}
		bias := laidOut{shape: []int{of.g, of.m}, axes: []int{-1, 0, 1, -1, -1, -1, -1, -1}}
		for part, operands := range map[device.Part][]laidOut{
			device.PartOutput: {y, x, w, bias}, device.PartInput: {x, y, w}, device.PartWeight: {w, y, x},
		} {
			set := func(l *device.Launch) {
				l.Part = part
				l.Window = device.Window{Rank: 2, Size: [3]int{of.size[0], of.size[1]}, Stride: [3]int{of.stride, of.stride},
					Dilation: [3]int{of.dilation, of.dilation}, Before: [3]int{of.before, of.before}}
			}
			got := productOn(d, func(l *device.Launch) { p := convolution(l); seen.note(p); d.multiplyOwn(p) }, set, loop, operands)
			compareProducts(t, fmt.Sprintf("part %d of %+v", part, of), got, productOn(cpu, cpu.Convolve, set, loop, operands))
		}
	}
	for _, way := range []string{"product_large", "product_middle", "product_middle, slices", "product_slim", "product_slim, slices", "product_each",
		"product_shared, parts"} {
		if !seen[way] {
			t.Errorf("no convolution was computed by %s, only by %v", way, seen)
		}
	}
}

// TestWays checks that products with shapes of typical networks have enough blocks.
func TestWays(t *testing.T) {
	c := &device.Operand{DType: dtype.Float32}
	for _, of := range []struct {
		rows, columns, depth, batch int
		name                        string
		blocks                      [2]int
	}{
		{4096, 4096, 4096, 1, "product_large", [2]int{1024, 1024}},
		{2048, 2048, 2048, 1, "product_large", [2]int{256, 256}},
		{512, 512, 512, 1, "product_middle", [2]int{64, 200}},
		{128 * 576, 6, 25, 1, "product_slim", [2]int{1152, 1152}},
		{128 * 64, 16, 150, 1, "product_slim", [2]int{128, 128}},
		{25, 6, 128 * 576, 1, "product_slim", [2]int{200, 1024}},
		{150, 16, 128 * 64, 1, "product_slim", [2]int{90, 1024}},
		{128 * 112 * 112, 1, 9, 32, "product_each", [2]int{1, maxBlocks}},
		{9, 1, 128 * 112 * 112, 32, "product_shared", [2]int{288, 288}},
		{128 * 56 * 56, 64, 576, 1, "product_middle", [2]int{6272, 6272}},
		{576, 64, 128 * 56 * 56, 1, "product_middle", [2]int{200, 512}},
	} {
		p := &product{batch: []int{of.batch}, outerI: of.rows, columns: of.columns, outerK: of.depth, window: [3]windowAxis{noWindow, noWindow, noWindow}}
		p.a.operand, p.b.operand, p.c.operand = c, c, c
		w := p.method(of.rows, of.depth, of.batch)
		if w.name != of.name || w.blocks < of.blocks[0] || w.blocks > of.blocks[1] {
			t.Errorf("%v: %+v", of, w)
		}
		if w.slices > 1 && (w.slices*w.slice < of.depth || (w.slices-1)*w.slice >= of.depth) {
			t.Errorf("%v is split into slices as %+v", of, w)
		}
	}
}
