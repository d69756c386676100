package cpu

import (
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/vm"
)

// translation is what package vm made of a plan's program for one layout of the operands.
type translation struct {
	layout vm.Layout
	level  isa.Level
	code   *vm.Code // nil if it could not
	next   *translation
}

// code returns the program's code for a layout, or nil.
func (pl *plan) code(layout *vm.Layout) *vm.Code {
	first := pl.translations.Load()
	for t := first; t != nil; t = t.next {
		if t.layout == *layout && t.level == isa.Current() {
			return t.code
		}
	}
	t := &translation{layout: *layout, level: isa.Current(), code: vm.Compile(pl.program, *layout), next: first}
	pl.translations.CompareAndSwap(first, t) // if another goroutine was faster, this one is made again some time
	return t.code
}

// blockCode returns the code that computes blocks: inputs and results are as in registers, and an input of one element
// needs no block. It is nil where there is none or nothing to compute.
func (e *evaluation) blockCode() *vm.Code {
	pl := e.plan
	if pl.raw || pl.idle {
		return nil
	}
	outputs := len(pl.results)
	var layout vm.Layout
	for k := range pl.results {
		layout.DTypes[k] = pl.results[k].dtype
	}
	for k, param := range pl.program.Inputs {
		layout.DTypes[outputs+k] = param.Type
		if x := &e.inputs[k]; x.uniform {
			layout.DTypes[outputs+k] = x.dtype
			layout.Uniform |= 1 << (outputs + k)
		}
	}
	return pl.code(&layout)
}

// interpret computes the results for the n points from start on, in blocks of the operands or of r.
func (e *evaluation) interpret(r *registers, start, n int) {
	run, outputs := r.runner, len(e.plan.results)
	for k, param := range e.plan.program.Inputs {
		switch x := &e.inputs[k]; {
		case x.uniform:
		case x.inPlace:
			run.SetStream(outputs+k, x.at(start))
		case x.crossed:
			run.SetStream(outputs+k, e.fromBand(r, k, param.Type, start, n))
		default:
			block := r.block(outputs + k)
			if !x.repeats || start%e.row != 0 || n > r.filled[k] {
				x.load(block, param.Type, start, n)
				if r.filled[k] = n; start%e.row != 0 {
					r.filled[k] = 0
				}
			}
			run.SetStream(outputs+k, block)
		}
	}
	for k := range e.plan.results {
		place := &r.place[e.plan.results[k].place]
		if y := &e.outputs[k]; y.inPlace {
			*place = y.at(start)
		} else {
			*place = r.block(k)
		}
		run.SetStream(k, *place)
	}
	run.Run(n)
}

// block returns the address of an operand's block, in the order of the launch.
func (r *registers) block(k int) unsafe.Pointer { return r.blocks.at(k * blockPitch) }

// blockPitch is how far the blocks of operands lie apart: no multiple of the cache's sets.
const blockPitch = blockLen*8 + 64

// few is how many elements are computed at once, without a thought of how long that takes.
const few = device.FlatLen

// interpretFlat runs a launch whose operands lie one element after the other, in the order of the loop, or are one
// element. It reports whether it did; the launch stays as it is.
func interpretFlat(pl *plan, l *device.Launch) bool {
	if pl.raw || pl.idle {
		return false
	}
	layout := vm.Layout{Where: l.Where != 0}
	var operands vm.Operands
	for k := range l.N {
		op := &l.Operands[k]
		switch {
		case contiguous(l, k):
		case k >= l.Outputs && k != l.Where && ofOneElement(l, k):
			layout.Uniform |= 1 << k
		default:
			return false
		}
		layout.DTypes[k] = op.DType
		operands[k] = unsafe.Add(op.Memory.Handle, op.Offset*op.DType.Size())
	}
	if layout.Where {
		layout.DTypes[l.Where] = 0
	}
	n := l.Size()
	if n <= few {
		code := pl.code(&layout)
		if code != nil && n > 0 {
			code.Run(&operands, &l.Scalars, n)
		}
		return code != nil
	}
	layout.Past = pastCaches(l, &operands, n)
	code := pl.code(&layout)
	if code == nil && layout.Past {
		layout.Past = false
		code = pl.code(&layout)
	}
	switch {
	case code == nil:
		return false
	case sharing(estimate(n, code.Cost)):
		shareFlat(code, l, &operands, n)
	default:
		flatRange(code, l, &operands, n, 0, n)
	}
	return true
}

// shareFlat has workers do pieces that begin at lines of the cache.
func shareFlat(code *vm.Code, l *device.Launch, operands *vm.Operands, n int) {
	const unit = 1024
	all := *operands
	forRanges((n+unit-1)/unit, unit*code.Cost, func(from, to int) { flatRange(code, l, &all, n, from*unit, min(to*unit, n)) })
}

func flatRange(code *vm.Code, l *device.Launch, operands *vm.Operands, n, from, to int) {
	run := vm.NewRunner(code, &l.Scalars, n)
	for k := range l.N {
		op := &l.Operands[k]
		if input := k - l.Outputs; input >= 0 && k != l.Where && !contiguous(l, k) {
			run.SetUniform(input, operands[k])
		} else {
			run.SetStream(k, unsafe.Add(operands[k], from*op.DType.Size()))
		}
	}
	run.Run(to - from)
	run.Recycle()
}

// ofOneElement reports whether an operand has the same element at all points of the loop.
func ofOneElement(l *device.Launch, operand int) bool {
	op := &l.Operands[operand]
	for axis := range l.Rank {
		if op.Strides[axis] != 0 && l.Shape[axis] != 1 {
			return false
		}
	}
	return true
}

// pastCaches reports whether outputs are so large that they should not go through the caches, and begin where that is
// possible.
func pastCaches(l *device.Launch, operands *vm.Operands, n int) bool {
	bytes := 0
	for k := range l.Outputs {
		bytes += n * l.Operands[k].DType.Size()
		if uintptr(operands[k])%vm.Alignment != 0 {
			return false
		}
	}
	return bytes > past() && l.Where == 0
}

// past is how many bytes are too many for the caches: half of the last one, which the processor's other cores use too.
func past() int {
	const most = 16 << 20
	return min(isa.LastCache()/2, most)
}

// rowwise is a launch whose inner rows can be run where the operands lie. Workers share it.
type rowwise struct {
	*evaluation
	code *vm.Code
}

// shortestRow is the length from which rows are run one by one.
const shortestRow = 48

// interpretRows runs the launch row by row, if each operand's rows lie in one piece, or are one element each. It reports
// whether it did.
func (e *evaluation) interpretRows() bool {
	pl, l := e.plan, e.launch
	if pl.raw || e.row < shortestRow && e.row != e.size {
		return false
	}
	var layout vm.Layout
	outputs := len(pl.results)
	for k := range outputs {
		y := &e.outputs[k]
		if y.step() != 1 && e.row > 1 {
			return false
		}
		layout.DTypes[k] = y.dtype
	}
	for k := range pl.program.Inputs {
		x := &e.inputs[k]
		layout.DTypes[outputs+k] = x.dtype
		switch x.step() {
		case 1:
		case 0:
			layout.Uniform |= 1 << (outputs + k)
		default:
			if e.row > 1 {
				return false
			}
			layout.Uniform |= 1 << (outputs + k)
		}
	}
	if l.Where != 0 {
		if e.where.step() != 1 && e.row > 1 {
			return false
		}
		layout.Where = true
	}
	layout.Past = e.storesPast()
	r := rowwise{e, pl.code(&layout)}
	if r.code == nil && layout.Past {
		layout.Past = false
		r.code = pl.code(&layout)
	}
	if r.code == nil {
		return false
	}
	if !sharing(estimate(e.size, r.code.Cost)) {
		r.run(0, e.size)
		return true
	}
	const unit = 1024 // points: those that one worker takes begin at lines of the cache
	forRanges((e.size+unit-1)/unit, unit*r.code.Cost, func(from, to int) { r.run(from*unit, min(to*unit, e.size)) })
	return true
}

// storesPast reports whether the outputs are so large that they should not go through the caches.
func (e *evaluation) storesPast() bool {
	bytes := 0
	for k := range e.plan.results {
		y := &e.outputs[k]
		bytes += e.size * y.size
		if uintptr(y.base)%vm.Alignment != 0 || e.row != e.size && (!y.flat || e.row*y.size%vm.Alignment != 0) {
			return false
		}
	}
	return bytes > past() && e.launch.Where == 0
}

// walker is where one worker is in the operands.
type walker struct {
	operands [device.MaxOperands]cursor
}

var walkers = sync.Pool{New: func() any { return new(walker) }}

// run computes the points of a range.
func (r rowwise) run(from, to int) {
	outputs, inputs := len(r.plan.results), len(r.plan.program.Inputs)
	run := vm.NewRunner(r.code, &r.launch.Scalars, r.size)
	w := walkers.Get().(*walker)
	for k := range r.launch.N {
		w.operands[k].seek(r.operand(k), from)
	}
	for from < to {
		n := min(r.row-from%r.row, to-from)
		for k := range r.launch.N {
			v, c := r.operand(k), &w.operands[k]
			p := v.element(c.offset)
			if input := k - outputs; input >= 0 && input < inputs && (v.step() != 1 || r.row == 1) {
				run.SetUniform(input, p)
			} else {
				run.SetStream(k, p)
			}
			c.nextRow()
		}
		run.Run(n)
		from += n
	}
	walkers.Put(w)
	run.Recycle()
}

// operand returns an operand by its place in the launch: outputs, inputs, the predicate.
func (e *evaluation) operand(k int) *view {
	outputs := len(e.plan.results)
	switch {
	case k < outputs:
		return &e.outputs[k].view
	case k < outputs+len(e.plan.program.Inputs):
		return &e.inputs[k-outputs].view
	}
	return &e.where
}
