package cudaops

import (
	"sync"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// A block of more than longBlock points is split into parts if there are few blocks. A part has leastPoints points, or
// more if there would be too many parts.
const (
	longBlock   = 1 << 14
	fewBlocks   = 512
	leastPoints = 1 << 12
	mostParts   = 256
)

// The steps of the kernels: Step in kernels/normalize.cu.
const (
	normalizeWhole = iota
	normalizeSums
	normalizeJoin
	normalizeWrite
)

// Normalize shifts and scales the last axes to mean 0 and variance 1.
func (d *Device) Normalize(l *device.Launch) {
	d.enter(l)
	d.normalized(l, "", 0)
}

// NormalizeGrad stores the gradients of Normalize. The gradients of gamma and beta are reductions.
func (d *Device) NormalizeGrad(l *device.Launch) {
	d.enter(l)
	const ggamma, gbeta = 1, 2
	if !l.Operands[gbeta].Memory.IsNil() {
		r := parameterGradient(l, gbeta, shiftGradient)
		d.Reduce(r)
		r.Recycle()
	}
	if l.Operands[ggamma].Memory.IsNil() {
		d.normalized(l, "_grad", 0)
		return
	}
	kept := l.Rank - l.Reduced
	rates := d.scratch(l.Func, 8*broadcast.Size(l.Shape[:kept]))
	defer rates.free()
	l.Operands[l.N] = device.Operand{Memory: rates.memory, DType: dtype.Float64} // parameterGradient moves its axes, too
	broadcast.AppendStrides(l.Operands[l.N].Strides[:0], l.Shape[:kept])
	l.N++
	r := parameterGradient(l, ggamma, scaleGradient)
	l.N--
	l.Operands[l.N] = device.Operand{}
	d.normalized(l, "_grad", rates.address)
	d.Reduce(r)
	r.Recycle()
}

// normalized runs the kernel with a suffix, for blocks that are rows or for other blocks. The kernel of the gradient
// stores the rate of each block in rates, if that is not 0.
func (d *Device) normalized(l *device.Launch, suffix string, rates uint64) {
	axes := mergeAround(l, nil, l.Rank-l.Reduced)
	if inner := broadcast.Size(l.Shape[axes:l.Rank]); l.Rank == axes || inner == 0 { // one point or none: add an axis for it
		l.Rank, l.Shape[axes] = axes+1, inner
		for k := range l.N {
			l.Operands[k].Strides[axes] = 0
		}
	}
	blocks, inner := broadcast.Size(l.Shape[:axes]), broadcast.Size(l.Shape[axes:l.Rank])
	if blocks == 0 {
		return
	}
	file := "normalize_axes"
	if l.Rank == axes+1 {
		file = "normalize_rows"
	}
	parts, part := 1, inner
	if inner > longBlock && blocks < fewBlocks {
		part = max(leastPoints, (inner+mostParts-1)/mostParts)
		parts = (inner + part - 1) / part
	}
	// step runs teams, each of which processes along points, or sums.
	step := func(step, teams, along int, sums, joined uint64) {
		t := teamOf(along)
		a := newArguments(limitOf(l.Rank))
		for _, n := range []int{step, teams, t.lanes, axes, inner, parts, part} {
			a.int(n)
		}
		a.word(sums)
		a.word(joined)
		a.word(rates)
		a.float(l.Eps)
		a.launchLoop(l, l.N, 8)
		d.run(l.Func, entry{file: file, name: file + suffix, class: classOf(floatType(l))}, t.blocks(teams), t.threads, 0, a)
	}
	if parts == 1 {
		step(normalizeWhole, blocks, inner, 0, 0)
		return
	}
	sums, joined := d.scratch(l.Func, 16*blocks*parts), d.scratch(l.Func, 16*blocks)
	defer sums.free()
	defer joined.free()
	step(normalizeSums, blocks*parts, part, sums.address, 0)
	step(normalizeJoin, blocks, parts, sums.address, joined.address)
	step(normalizeWrite, blocks*parts, part, 0, joined.address)
}

// parameterGradient returns the launch that adds up the gradient of gamma or beta, operand k: the values of a program,
// summed over the axes that the operand does not have. After the operands of NormalizeGrad l has the rates.
func parameterGradient(l *device.Launch, k int, program func(dtype.DType) *device.Program) *device.Launch {
	turned, own := ownFirst(l, k)
	turned.Program, turned.Post, turned.Combine, turned.Squares = program(floatType(l)), nil, device.CombineSum, false
	turned.Reduced, turned.Outputs = l.Rank-own, 1
	turned.N = 1 + len(turned.Program.Inputs)
	const gy, x, mean, rates = 7, 3, 5, 8
	for to, from := range []int{k, gy, x, mean, rates}[:turned.N] {
		turned.Operands[to] = turned.Operands[from]
	}
	for k := turned.N; k < l.N; k++ {
		turned.Operands[k].Memory = device.Memory{}
	}
	return turned
}

// scaleGradient and shiftGradient are the terms of the gradients of gamma and beta.
var (
	scaleGradient = compiledFor(device.Source{Name: "normalize_scale", Inputs: "T g, T x, T mean, T rate", Outputs: "T y",
		Body: "y = g * ((x - mean) * rate)"})
	shiftGradient = compiledFor(device.Source{Name: "normalize_shift", Inputs: "T g", Outputs: "T y", Body: "y = g"})
)

// compiledFor returns the programs of a source, by type.
func compiledFor(s device.Source) func(dtype.DType) *device.Program {
	compile := func(t dtype.DType) func() *device.Program {
		return sync.OnceValue(func() *device.Program {
			p, err := s.Compile(func(byte) dtype.DType { return t })
			if err != nil {
				panic(err) // the text is our own
			}
			return p
		})
	}
	single, double := compile(dtype.Float32), compile(dtype.Float64)
	return func(t dtype.DType) *device.Program {
		if t == dtype.Float64 {
			return double()
		}
		return single()
	}
}

// ownFirst returns the launch with the axes along which operand k varies moved to the front, and the number of these
// axes. The elements of the operand are sums along the other axes.
func ownFirst(l *device.Launch, k int) (turned *device.Launch, own int) {
	var order []int
	for _, mine := range []bool{true, false} {
		for axis := range l.Rank {
			if (l.Operands[k].Strides[axis] != 0) == mine {
				order = append(order, axis)
			}
		}
		if mine {
			own = len(order)
		}
	}
	turned = device.NewLaunch()
	turned.Func, turned.Rank, turned.N, turned.Outputs, turned.Attributes = l.Func, l.Rank, l.N, l.Outputs, l.Attributes
	copy(turned.Operands[:l.N], l.Operands[:l.N])
	for to, from := range order {
		turned.Shape[to] = l.Shape[from]
		for i := range l.N {
			turned.Operands[i].Strides[to] = l.Operands[i].Strides[from]
		}
	}
	return turned, own
}
