package compliance

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Fuzz launches one kernel on the device and on the reference device, as [Run] does, and compares. Each byte of data
// makes one decision: the kernel, a type, a length, a stride. Further decisions, and the elements, are random numbers
// seeded with data.
func Fuzz(t *testing.T, dev device.Device, data []byte) {
	s := fuzzing(t, dev, data)
	fuzzed[s.IntN(len(fuzzed))](s)
}

// FuzzFlush is Fuzz with operands that fill their blocks, for a device whose blocks are next to memory that faults.
func FuzzFlush(t *testing.T, dev device.Device, data []byte) {
	s := fuzzing(t, dev, data)
	s.flush = true
	fuzzed[s.IntN(len(fuzzed))](s)
}

func fuzzing(t *testing.T, dev device.Device, data []byte) *suite {
	hash := fnv.New64a()
	hash.Write(data)
	contents := rand.New(rand.NewPCG(hash.Sum64(), 2))
	return &suite{T: t, Rand: rand.New(&decisions{data, contents}), contents: contents, dev: dev, reference: ref.New(),
		budget: &budget{elements: 1 << 17, steps: 1 << 17}}
}

// decisions is a source of random numbers: first the bytes, then the numbers of another source.
type decisions struct {
	bytes []byte
	then  rand.Source
}

// Uint64 copies a byte to all bits, so that the byte decides whichever bits a draw uses.
func (d *decisions) Uint64() uint64 {
	if len(d.bytes) == 0 {
		return d.then.Uint64()
	}
	b := d.bytes[0]
	d.bytes = d.bytes[1:]
	return uint64(b) * 0x0101010101010101
}

// fuzzed are the launches that Fuzz chooses from.
var fuzzed = []func(*suite){
	func(s *suite) { s.copied(s.randomShape(3000), s.decide()) },
	func(s *suite) { s.chained(types[2+s.IntN(len(types)-4)], s.randomShape(3000)) },
	func(s *suite) { s.randomProgram(s.randomShape(3000)) },
	func(s *suite) {
		op, t := device.OpAdd+device.Op(s.IntN(int(device.OpCount-device.OpAdd))), device.ComputeTypes[s.IntN(len(device.ComputeTypes))]
		if op.Accepts(t) {
			s.opcode(op, t)
		}
	},
	func(s *suite) { s.reduceRandomly(s.anyType()) },
	func(s *suite) { s.argReduce(s.anyType(), s.randomShape(3000)) },
	func(s *suite) { t := s.anyType(); s.scan(t, t, s.rows(), s.combination(t)) },
	func(s *suite) { s.multiplyRandomly() },
	func(s *suite) { s.gatherRandomly(s.anyType()) },
	func(s *suite) { s.scatterRandomly(s.anyType()) },
	func(s *suite) { s.nonzero(s.anyType(), s.randomShape(3000), s.filling()) },
	func(s *suite) { s.compress(s.anyType(), s.randomShape(3000), s.filling(), s.decide()) },
	func(s *suite) { s.sort(s.anyType(), s.rows(), s.filling(), s.decide()) },
	func(s *suite) {
		s.searchSorted(s.anyType(), append(s.rows(), s.length(s.IntN(50))), s.filling(), s.decide())
	},
	func(s *suite) { s.softmax(s.floatType(), s.rows(), s.decide(), logits) },
	func(s *suite) { s.softmaxGrad(s.floatType(), s.rows(), s.decide()) },
	func(s *suite) { s.softmaxGrad(s.floatType(), []int{s.length(20_000)}, s.decide()) },
	func(s *suite) { s.crossEntropy(s.floatType(), dtype.Int64, s.rows(), s.IntN(2)-1, s.decide()) },
	func(s *suite) { s.crossEntropyGrad(s.floatType(), dtype.Int32, s.rows(), s.IntN(2)-1, s.decide()) },
	func(s *suite) { s.normalizeRandomly(s.normalize) },
	func(s *suite) { s.normalizeRandomly(s.normalizeGrad) },
	func(s *suite) { s.convolveRandomly() },
	func(s *suite) { s.pool(s.number(), s.windows(1+s.IntN(3))) },
	func(s *suite) { s.poolGrad(s.number(), s.windows(1+s.IntN(3))) },
	func(s *suite) { s.gatherFresh(s.anyType()) },
	func(s *suite) { s.scatterCleared(s.anyType()) },
	func(s *suite) { s.attendRandomly(s.floatType()) },
	func(s *suite) { s.random(dtype.Float32, s.randomShape(3000), device.DistributionUniform, 0, nil) },
	func(s *suite) { s.sortKept(s.anyType(), s.rows(), s.filling()) },
	func(s *suite) {
		t := [...]dtype.DType{dtype.Complex64, dtype.Complex128}[s.IntN(2)]
		s.fft(t, t, s.rows())
	},
	func(s *suite) {
		t := [...]dtype.DType{dtype.Float32, dtype.Float64}[s.IntN(2)]
		if loop := s.rows(); loop[len(loop)-1] > 0 {
			s.realFFT(t, t.Complex(), loop)
		}
	},
	func(s *suite) { s.factorRandomly(factorisables[s.IntN(len(factorisables))]) },
	func(s *suite) {
		s.sample(s.sampledType(), s.randomSampling(s.IntN(50)), [...]filling{fromFewValues, tame}[s.IntN(2)])
	},
	func(s *suite) {
		s.sampleGrad(s.sampledType(), s.randomSampling(s.IntN(50)), [...]filling{fromFewValues, tame}[s.IntN(2)])
	},
	func(s *suite) {
		s.sampleLocationsGrad(s.sampledType(), s.randomSampling(s.IntN(50)), [...]filling{fromFewValues, tame}[s.IntN(2)])
	},
	func(s *suite) { s.alignRandomly(30, s.ctc) },
	func(s *suite) { s.alignRandomly(30, s.ctcGrad) },
	func(s *suite) {
		s.drawnOf(dtype.Float64, s.randomShape(3000), device.DistributionGamma+device.Distribution(s.IntN(4)))
	},
}

// testNoElements makes random launches of every kernel with axes of length 0.
func testNoElements(s *suite) {
	s.empty = true
	for _, launch := range fuzzed {
		for range 40 {
			launch(s)
		}
	}
}

// factorRandomly checks a factorisation of a batch of matrices, which may be empty. Most are small; some fill the vectors in which the CPU factors
// them side by side, or have too many rows for that.
func (s *suite) factorRandomly(t dtype.DType) {
	s.Helper()
	var batch []int
	for range s.IntN(3) {
		batch = append(batch, s.length(s.IntN(4)))
	}
	most := [...]int{5, 5, 5, 12, 24}[s.IntN(5)]
	if most > 5 && s.decide() {
		batch = []int{s.length(1 + s.IntN(9))}
	}
	m, n := s.length(s.IntN(most)), s.length(s.IntN(most))
	draw := func() []complex128 { return s.normals(t, m*n) }
	switch s.IntN(7) {
	case 0:
		s.cholesky(t, batch, n)
	case 1:
		s.lu(t, batch, m, n, draw)
	case 2:
		s.triangularSolve(t, batch, m, n, s.IntN(8))
	case 3:
		s.qr(t, batch, m, n, s.decide(), draw)
	case 4:
		s.svd(t, batch, m, n, [...]string{"values", "thin", "full"}[s.IntN(3)], draw)
	case 5:
		s.eigh(t, batch, n, s.decide(), s.decide(), func() []complex128 { return s.normals(t, n*n) })
	case 6:
		s.eig(t, batch, n, func() []complex128 { return s.normals(t, n*n) })
	}
}

func (s *suite) decide() bool { return s.IntN(2) == 0 }

// anyType draws a type. Half of the draws are types for which kernels have vector forms.
func (s *suite) anyType() dtype.DType {
	if s.decide() {
		return [...]dtype.DType{dtype.Float32, dtype.Float64}[s.IntN(2)]
	}
	return types[s.IntN(len(types))]
}

func (s *suite) floatType() dtype.DType { return floatTypes[s.IntN(len(floatTypes))] }

// number draws a type other than bool.
func (s *suite) number() dtype.DType {
	if t := s.anyType(); !t.IsBool() {
		return t
	}
	return dtype.Float32
}

func (s *suite) filling() filling { return [...]filling{fromFewValues, tame, wild}[s.IntN(3)] }

func (s *suite) combination(t dtype.DType) device.Combine {
	cs := combinable(dtype.ComputeType(t))
	return cs[s.IntN(len(cs))]
}

// rows draws a shape with at least one axis.
func (s *suite) rows() []int {
	return append(s.randomShape(200), s.length(s.IntN(100)))
}

// multiplyRandomly checks a matrix product, a batch of them, or a sum with one.
func (s *suite) multiplyRandomly() {
	s.Helper()
	var batch []int
	for range s.IntN(4) {
		batch = append(batch, s.length(s.IntN(3)))
	}
	if s.IntN(4) == 0 {
		s.multiplyIntegers([3]int{s.length(s.IntN(70)), s.length(s.IntN(70)), s.length(s.IntN(70))}, s.decide())
		return
	}
	t := s.anyType()
	var added []dtype.DType
	if s.decide() {
		added = append(added, t)
	}
	s.matmul(t, t, t, batch, [3]int{s.length(s.IntN(70)), s.length(s.IntN(70)), s.length(s.IntN(70))}, added...)
}

func (s *suite) normalizeRandomly(check func(t dtype.DType, loop []int, reduced int, x, gamma, beta *array)) {
	s.Helper()
	t, loop := s.floatType(), s.rows()
	loop = loop[max(0, len(loop)-4):]
	reduced := s.IntN(len(loop) + 1)
	x, gamma, beta := s.normalized(t, loop, reduced)
	check(t, loop, reduced, x, gamma, beta)
}

// convolveRandomly checks a part of a convolution whose last axis may be as long as a vector.
func (s *suite) convolveRandomly() {
	s.Helper()
	t, c := s.anyType(), s.sliding(1+s.IntN(3))
	last := c.window.Rank - 1
	if s.decide() {
		c.window.Size[last], c.positions[last] = s.length(s.IntN(70)), s.length(s.IntN(70))
		c.size[last] = c.window.Size[last]
	}
	if s.decide() {
		c.m, c.n, c.c = s.length(s.IntN(40)), 1, s.length(1+s.IntN(20))
	}
	of := [3]dtype.DType{t, t, t}
	if t.IsInteger() {
		c.fill = wild
		for k := range of {
			of[k] = integerTypes[1+s.IntN(len(integerTypes)-1)]
		}
	}
	s.convolve(of, parts[s.IntN(3)], c)
}

// randomProgram checks a random program of arithmetic that has exactly one correct rounding.
func (s *suite) randomProgram(shape []int) {
	s.Helper()
	names := []string{"a", "b", "c"}
	var inputs []*array
	declared := ""
	for k, name := range names {
		t := s.realType()
		if k > 0 {
			declared += ", "
		}
		declared += t.String() + " " + name
		inputs = append(inputs, s.input(t, shape, s.filling()))
	}
	to := s.realType()
	body := ""
	for k := range 1 + s.IntN(5) {
		name := fmt.Sprintf("t%d", k)
		body += fmt.Sprintf("%s = %s; ", name, s.expression(names, 3))
		names = append(names, name)
	}
	body += "y = " + s.expression(names, 2)
	p := s.compile(device.Source{Name: "random", Inputs: declared, Outputs: to.String() + " y", Body: body}, nil)
	s.check(call{kernel: elementwise, loop: shape, set: s.program(p), outputs: []*array{s.any(to, shape, tame)}, inputs: inputs,
		work: len(p.Code)}, "%s: %s", declared, body)
}

func (s *suite) realType() dtype.DType {
	if t := s.number(); device.OpAdd.Accepts(t) && !t.IsComplex() {
		return t
	}
	return dtype.Float64
}

// expression draws an expression of names with a depth of at most depth operations.
func (s *suite) expression(names []string, depth int) string {
	x := func() string { return s.expression(names, depth-1) }
	if depth == 0 {
		return names[s.IntN(len(names))]
	}
	switch s.IntN(9) {
	case 0:
		return fmt.Sprintf("(%s + %s)", x(), x())
	case 1:
		return fmt.Sprintf("(%s - %s)", x(), x())
	case 2:
		return fmt.Sprintf("(%s * %s)", x(), x())
	case 3:
		return fmt.Sprintf("min(%s, %s)", x(), x())
	case 4:
		return fmt.Sprintf("max(%s, %s)", x(), x())
	case 5:
		return fmt.Sprintf("(%s < %s ? %s : %s)", x(), x(), x(), x())
	case 6:
		return fmt.Sprintf("abs(%s)", x())
	case 7:
		return fmt.Sprintf("(%s * %d)", x(), s.IntN(9)-4)
	}
	return x()
}
