package compliance

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// FuzzSettings makes a launch of [Fuzz], or a larger one, in several settings of the device, such as numbers of
// workers, which the functions set. It requires that all settings write identical bytes. The reference device is not
// used.
func FuzzSettings(t *testing.T, dev device.Device, data []byte, settings ...func()) {
	s := fuzzing(t, dev, data)
	s.reference, s.settings = dev, settings
	s.budget = &budget{elements: 1 << 19, steps: 4 << 20} // no naive loops run
	all := slices.Concat(fuzzed, large)
	kernel := s.IntN(len(all))
	s.plain = s.decide()
	all[kernel](s)
}

// checkSettings makes the call in all settings and compares the results. In all settings but the first, the attributes
// that a kernel does not read hold garbage.
func (s *suite) checkSettings(c call, format string, args ...any) {
	s.Helper()
	s.spendSteps(c)
	var want outcome
	var wantErr error
	wantCount := -1
	for k, set := range s.settings {
		set()
		got, err := c.runOn(s.dev, k > 0)
		if k == 0 {
			want, wantErr, wantCount = got, err, c.counted()
			continue
		}
		if message := c.differ(got, want, c.counted(), wantCount, err, wantErr); message != "" {
			s.Fatalf("%s: setting %d differs from the first: %s\n%s", fmt.Sprintf(format, args...), k, message, c)
		}
	}
}

// differ describes the first difference of two outcomes of one device, or returns "". It ignores elements beyond the
// count.
func (c call) differ(got, want outcome, gotCount, wantCount int, gotErr, wantErr error) string {
	switch {
	case !reflect.DeepEqual(gotErr, wantErr):
		return fmt.Sprintf("ended with %v, want %v", gotErr, wantErr)
	case gotCount != wantCount:
		return fmt.Sprintf("returned %d, want %d", gotCount, wantCount)
	case gotErr != nil && c.fresh:
		return ""
	}
	for k, a := range c.operands() {
		if a == nil {
			continue
		}
		x, y := got.blocks[&a.block[0]], want.blocks[&a.block[0]]
		if bytes.Equal(x, y) {
			continue
		}
		for i, offset := range a.offsets() {
			if k == 0 && c.count != nil && i >= gotCount {
				break
			}
			size := a.dtype.Size()
			if p, q := x[offset*size:][:size], y[offset*size:][:size]; !bytes.Equal(p, q) {
				return fmt.Sprintf("element %d of operand %d is %x, want %x", i, k, p, q)
			}
		}
	}
	return ""
}

// large are the launches from which FuzzSettings chooses besides those of Fuzz: launches of every kernel that are so
// large that every way to split the work occurs.
var large = []func(*suite){
	func(s *suite) { s.copied(s.largeShape(100_000), s.decide()) },
	func(s *suite) { s.chained(types[2+s.IntN(len(types)-4)], s.largeShape(60_000)) },
	func(s *suite) { s.randomProgram(s.largeShape(60_000)) },
	func(s *suite) { s.storeLarge() },
	func(s *suite) { s.anyOpcode() },
	func(s *suite) { s.reduceLarge(s.anyType(), s.largeShape(150_000)) },
	func(s *suite) { s.argReduce(s.anyType(), s.largeShape(150_000)) },
	func(s *suite) { t := s.anyType(); s.scan(t, t, s.largeShape(150_000), s.combination(t)) },
	func(s *suite) {
		t := s.realType()
		s.scan(t, t, []int{1 + s.IntN(3)/2, 65_000 + s.IntN(70_000)}, device.CombineSum)
	},
	func(s *suite) { s.scanDense(s.number(), s.largeShape(15_000)) },
	func(s *suite) { s.multiplyLarge() },
	func(s *suite) { s.gatherLarge(s.anyType()) },
	func(s *suite) { s.scatterLarge(s.anyType()) },
	func(s *suite) { s.scatterCleared(s.anyType()) },
	func(s *suite) { s.gatherFresh(s.anyType()) },
	func(s *suite) { s.nonzero(s.anyType(), s.largeShape(150_000), s.filling()) },
	func(s *suite) { s.compress(s.anyType(), s.largeShape(150_000), s.filling(), s.decide()) },
	func(s *suite) { s.sort(s.anyType(), s.largeShape(150_000), s.filling(), s.decide()) },
	func(s *suite) { s.sortLong(s.number(), []int{1 + s.IntN(3)/2, 65_500 + s.IntN(9000)}) },
	func(s *suite) {
		s.searchSorted(s.anyType(), append(s.largeShape(5000), s.upTo(1000)), s.filling(), s.decide())
	},
	func(s *suite) { s.random(s.drawn()) },
	func(s *suite) {
		s.drawnOf(dtype.Float64, s.largeShape(5000), device.DistributionGamma+device.Distribution(s.IntN(4)))
	},
	func(s *suite) { s.softmax(s.floatType(), s.largeShape(60_000), s.decide(), logits) },
	func(s *suite) { s.softmaxGrad(s.floatType(), s.largeShape(60_000), s.decide()) },
	func(s *suite) {
		s.crossEntropy(s.floatType(), dtype.Int64, s.largeShape(60_000), s.IntN(2)-1, s.IntN(8) == 0)
	},
	func(s *suite) {
		s.crossEntropyGrad(s.floatType(), dtype.Int32, s.largeShape(60_000), s.IntN(2)-1, s.IntN(8) == 0)
	},
	func(s *suite) {
		s.attention(s.floatType(), [4]int{s.upTo(200), s.upTo(200), s.upTo(80), s.upTo(80)}, s.decide())
	},
	func(s *suite) { s.alignRandomly(400, s.ctc) },
	func(s *suite) { s.alignRandomly(400, s.ctcGrad) },
	func(s *suite) { s.normalizeLarge(s.normalize) },
	func(s *suite) { s.normalizeLarge(s.normalizeGrad) },
	func(s *suite) { s.convolveLarge() },
	func(s *suite) { s.pool(s.number(), s.windowsLarge(1+s.IntN(3))) },
	func(s *suite) { s.poolGrad(s.number(), s.windowsLarge(1+s.IntN(3))) },
	func(s *suite) { s.sample(s.sampledType(), pictures[s.IntN(len(pictures))], tame) },
	func(s *suite) { s.sampleGrad(s.sampledType(), pictures[s.IntN(len(pictures))], tame) },
	func(s *suite) { s.sampleLocationsGrad(s.sampledType(), pictures[s.IntN(len(pictures))], tame) },
	func(s *suite) { s.factorise(5+s.IntN(20), s.upTo(12), s.upTo(12)) },
	func(s *suite) { s.factorise(1, s.upTo(100), s.upTo(100)) },
	func(s *suite) { s.fft(s.complexType(), s.complexType(), s.largeShape(20_000)) },
	func(s *suite) { s.realFFT(s.complexType().Real(), s.complexType(), s.largeShape(20_000)) },
}

// upTo draws a size up to limit; small and large sizes are equally frequent.
func (s *suite) upTo(limit int) int { return 1 + s.IntN(1+s.IntN(limit)) }

// largeShape draws a shape with one to three axes and at most about limit elements.
func (s *suite) largeShape(limit int) []int {
	rank := 1 + s.IntN(3)
	shape := make([]int, rank)
	for k, axis := range s.Perm(rank) {
		shape[axis] = s.upTo(limit)
		if k < rank-1 {
			shape[axis] = s.upTo(min(400, limit))
		}
		limit /= shape[axis]
	}
	return shape
}

func (s *suite) complexType() dtype.DType {
	return [...]dtype.DType{dtype.Complex64, dtype.Complex128}[s.IntN(2)]
}

// anyOpcode computes an opcode.
func (s *suite) anyOpcode() {
	s.Helper()
	op, t := device.OpAdd+device.Op(s.IntN(int(device.OpCount-device.OpAdd))), device.ComputeTypes[s.IntN(len(device.ComputeTypes))]
	if op.Accepts(t) {
		s.opcode(op, t)
	}
}

// storeLarge stores one number, two results where a predicate is true, or values that depend on the index in the loop.
func (s *suite) storeLarge() {
	s.Helper()
	t, to, shape := s.realType(), s.anyType(), s.largeShape(60_000)
	source := device.Source{Inputs: "T a, T b", Outputs: "T y, T z", Body: "y = a*b; z = a + b"}
	outputs, inputs := []*array{s.any(to, shape, tame), s.any(t, shape, tame)}, []*array{s.input(t, shape, tame), s.input(t, shape, tame)}
	c := call{kernel: elementwise, loop: shape, outputs: outputs, inputs: inputs}
	switch s.IntN(4) {
	case 0:
		source.Inputs, source.Outputs, source.Body, c.outputs, c.inputs = "", "T y", "y = 3", outputs[:1], nil
	case 1:
		source.Inputs, source.Outputs, source.Body, c.outputs, c.inputs = "T a", "T y", "y = a + T(i)", outputs[:1], inputs[:1]
	case 2:
		source.Inputs, source.Outputs, source.Body, c.outputs = "T a, raw T b", "T y", "y = a + b[n - i]", outputs[:1]
		b := s.dense(t, []int{s.upTo(60_000)}, tame)
		b.len, b.loop = b.Shape[0], make([]int, len(shape))
		c.inputs = []*array{inputs[0], b}
	}
	if s.decide() {
		c.where = s.input(dtype.Bool, shape, tame)
	}
	source.Name = "stored"
	c.set = s.program(s.compile(source, map[byte]dtype.DType{'T': dtype.ComputeType(t)}))
	s.check(c, "%s of %s to %s", source.Body, t, to)
}

// reduceLarge checks a reduction over some axes of a loop, of the elements or of a program's results.
func (s *suite) reduceLarge(t dtype.DType, loop []int) {
	s.Helper()
	computed := dtype.ComputeType(t)
	axes, c, p := s.IntN(len(loop)+1), s.combination(t), s.identity(computed)
	if !t.IsBool() && s.decide() {
		p = s.compile(device.Source{Name: "square", Inputs: "T x", Outputs: "T y", Body: "y = x*x - x"}, map[byte]dtype.DType{'T': computed})
	}
	s.reduceTo(s.reduced(t, loop, axes), loop, axes, c, p, s.input(t, loop, fillingFor(c)))
}

// multiplyLarge checks a matrix product of any proportions.
func (s *suite) multiplyLarge() {
	s.Helper()
	t, room := s.anyType(), 4_000_000
	var mnk [3]int
	for _, axis := range s.Perm(3) {
		mnk[axis] = min(s.upTo([...]int{1, 4, 20, 400, 3000, 70_000}[s.IntN(6)]), max(1, room))
		room /= mnk[axis]
	}
	var batch []int
	switch s.IntN(4) {
	case 0:
		mnk = [3]int{1, 1, s.upTo(70_000)}
	case 1, 2:
		batch = []int{min(s.upTo(20), room+1)}
	}
	var added []dtype.DType
	if s.decide() {
		added = append(added, t)
	}
	s.matmul(t, t, t, batch, mnk, added...)
}

// indexedRows draws an array of rows that many indices select.
func (s *suite) indexedRows() indexing {
	ix := indexing{array: []int{s.upTo(3000), s.upTo(200)}, indexed: []int{0}, rank: 1, bounds: device.Bounds(s.IntN(5))}
	if s.decide() {
		ix.array = ix.array[:1]
	}
	ix.loop = append([]int{s.upTo(60_000 / ix.array[len(ix.array)-1])}, ix.array[1:]...)
	return ix
}

func (s *suite) gatherLarge(t dtype.DType) {
	s.Helper()
	ix := s.indexedRows()
	x := ix.over(s.any(t, ix.array, wild))
	s.check(call{kernel: device.Device.Gather, loop: ix.loop, set: ix.axes(x), outputs: []*array{s.any(t, ix.loop, tame)},
		inputs: append([]*array{x}, s.indices(ix)...)}, "%s, %s, axes %v of %v", t, boundsNames[ix.bounds], ix.indexed, ix.array)
}

func (s *suite) scatterLarge(t dtype.DType) {
	s.Helper()
	c := [...]device.Combine{s.combination(t), device.CombineSum, device.CombineAssign}[s.IntN(3)]
	if t.IsBool() && c == device.CombineSum {
		c = device.CombineAny
	}
	s.scatter(s.indexedRows(), t, t, c)
}

// sortLong sorts rows so long that workers split them.
func (s *suite) sortLong(t dtype.DType, loop []int) {
	s.Helper()
	descending := s.decide()
	s.check(call{kernel: device.Device.Sort, loop: loop, outputs: []*array{s.any(t, loop, tame), nil}, inputs: []*array{s.input(t, loop, s.filling())},
		set: func(l *device.Launch) { l.Descending = descending }}, "%s, descending %v", t, descending)
}

// drawn draws the arguments of a random kernel.
func (s *suite) drawn() (t dtype.DType, loop []int, d device.Distribution, p float64, near closeness) {
	switch t, loop = types[s.IntN(len(types))], s.largeShape(20_000); {
	case t.IsBool():
		return t, loop, device.DistributionBernoulli, s.Float64(), nil
	case t.IsFloat():
		return t, loop, [...]device.Distribution{device.DistributionUniform, device.DistributionNormal}[s.IntN(2)], 0, nil
	}
	return dtype.Int64, loop, device.DistributionBits, 0, nil
}

func (s *suite) normalizeLarge(check func(t dtype.DType, loop []int, reduced int, x, gamma, beta *array)) {
	s.Helper()
	t, loop := s.floatType(), s.largeShape(60_000)
	reduced := s.IntN(len(loop) + 1)
	x, gamma, beta := s.normalized(t, loop, reduced)
	check(t, loop, reduced, x, gamma, beta)
}

// convolveLarge checks a part of a convolution of the size that networks have: many channels, or large maps.
func (s *suite) convolveLarge() {
	s.Helper()
	rank := 1 + s.IntN(3)
	c := sliding{n: 1 + s.IntN(6), g: 1, m: s.upTo(80), c: s.upTo(40)}
	switch s.IntN(4) {
	case 0: // depthwise
		c.g, c.m, c.c = s.upTo(40), 1+s.IntN(3)/2, 1
	case 1:
		c.g, c.m, c.c = 1+s.IntN(3), s.upTo(10), s.upTo(10)
	}
	c.window.Rank = rank
	products := 50_000_000 / (c.n * c.g * c.m * c.c)
	for axis := range rank {
		c.taps = append(c.taps, 1+s.IntN(5))
		products /= c.taps[axis]
	}
	for axis := range rank {
		size := min(products, [...]int{5000, 70, 20}[rank-1])
		c.size = append(c.size, max(1, size-s.IntN(1+size/2)))
		c.window.Stride[axis], c.window.Dilation[axis], c.window.Before[axis] = 1+s.IntN(4)/3*s.IntN(3), 1+s.IntN(6)/5, s.IntN(4)
		products /= c.size[axis]
	}
	t, part := [...]dtype.DType{dtype.Float32, dtype.Float32, dtype.Float32, dtype.Float64, dtype.Int32, dtype.Complex64}[s.IntN(6)], parts[s.IntN(3)]
	s.convolve([3]dtype.DType{t, t, t}, part, c.fitted())
}

// windowsLarge draws a pooling of large maps.
func (s *suite) windowsLarge(rank int) pooling {
	p := pooling{outer: []int{1 + s.IntN(3), s.upTo(20)}}
	p.window.Rank = rank
	for k := range rank {
		w, points := &p.window, 1+s.IntN(4)
		w.Size[k], w.Stride[k], w.Dilation[k], w.Before[k] = s.upTo([...]int{2000, 60, 15}[rank-1]), 1+s.IntN(3), 1+s.IntN(4)/3, s.IntN(3)
		p.outer = append(p.outer, (w.Size[k]+2*w.Before[k])/w.Stride[k]+1)
		p.kernel = append(p.kernel, points)
	}
	return p
}

// factorise checks a factorisation of some matrices.
func (s *suite) factorise(batch, m, n int) {
	s.Helper()
	t := factorisables[s.IntN(len(factorisables))]
	b, draw := []int{batch}, func() []complex128 { return s.normals(t, m*n) }
	flags := s.IntN(8)
	switch s.IntN(7) {
	case 0:
		s.cholesky(t, b, m)
	case 1:
		s.lu(t, b, m, n, draw)
	case 2:
		s.triangularSolve(t, b, m, n, flags)
	case 3:
		s.qr(t, b, m, n, flags&1 != 0, draw)
	case 4:
		s.svd(t, b, m, n, [...]string{"values", "thin", "full"}[s.IntN(3)], draw)
	case 5:
		s.eigh(t, b, m, flags&1 != 0, flags&2 != 0, func() []complex128 { return s.normals(t, m*m) })
	case 6:
		s.eig(t, b, m, func() []complex128 { return s.normals(t, m*m) })
	}
}
