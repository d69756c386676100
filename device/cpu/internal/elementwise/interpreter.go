package elementwise

import (
	"slices"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/vm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// compiled is the result of package vm for a plan's program and one layout of the operands.
type compiled struct {
	layout vm.Layout
	level  isa.Level
	code   *vm.Code // nil if package vm does not support the program
	next   *compiled
}

// code returns the program's code for a layout, or nil.
func (pl *Plan) code(layout *vm.Layout) *vm.Code {
	first := pl.compiled.Load()
	for t := first; t != nil; t = t.next {
		if t.layout == *layout && t.level == isa.Current() {
			return t.code
		}
	}
	t := &compiled{layout: *layout, level: isa.Current(), code: vm.Compile(pl.program, *layout), next: first}
	pl.compiled.CompareAndSwap(first, t) // if another goroutine was faster, this code is lost, and compiled again when it is next requested
	return t.code
}

// blockCode returns the code that computes blocks: inputs and results are as in registers, and an input of one element
// needs no block. It returns nil if there is no code or nothing to compute.
func (e *Evaluation) blockCode() *vm.Code {
	pl := e.plan
	if pl.Raw || pl.trivial {
		return nil
	}
	outputs := len(pl.Results)
	var layout vm.Layout
	for k := range pl.Results {
		layout.DTypes[k] = pl.Results[k].DType
	}
	for k, param := range pl.program.Inputs {
		layout.DTypes[outputs+k] = param.Type
		if x := &e.Inputs[k]; x.Uniform {
			layout.DTypes[outputs+k] = x.DType
			layout.Uniform |= 1 << (outputs + k)
		}
	}
	return pl.code(&layout)
}

// interpret computes the results for the n points from start on, in blocks of the operands or of r.
func (e *Evaluation) interpret(r *Registers, start, n int) {
	run, outputs := r.runner, len(e.plan.Results)
	for k, param := range e.plan.program.Inputs {
		switch x := &e.Inputs[k]; {
		case x.Uniform:
		case x.inPlace:
			run.SetStream(outputs+k, x.At(start))
		case x.columnMajor:
			run.SetStream(outputs+k, e.fromTile(r, k, param.Type, start, n))
		default:
			block := r.block(outputs + k)
			if !x.repeats || start%e.Row != 0 || n > r.filled[k] {
				x.Load(block, param.Type, start, n)
				if r.filled[k] = n; start%e.Row != 0 {
					r.filled[k] = 0
				}
			}
			run.SetStream(outputs+k, block)
		}
	}
	for k := range e.plan.Results {
		value := &r.Values[e.plan.Results[k].Register]
		switch y := &e.outputs[k]; {
		case r.target != nil:
			*value = r.target
		case y.inPlace:
			*value = y.At(start)
		default:
			*value = r.block(k)
		}
		run.SetStream(k, *value)
	}
	run.Run(n)
}

// block returns the address of an operand's block; k is the operand's number in the launch.
func (r *Registers) block(k int) unsafe.Pointer { return r.blocks.At(k * blockPitch) }

// blockPitch is the distance between the blocks of operands. It is no multiple of the size of the cache's sets.
const blockPitch = strided.BlockLen*8 + 64

// few is the number of elements up to which a launch runs at once, without an estimate of its time.
const few = device.FlatLen

// interpretFlat runs a launch whose operands are contiguous in the order of the loop, or have one element. It reports
// whether it did. It does not change the launch.
func interpretFlat(pl *Plan, l *device.Launch) bool {
	if pl.Raw || pl.trivial {
		return false
	}
	layout := vm.Layout{Where: l.Where != 0}
	var operands vm.Operands
	for k := range l.N {
		op := &l.Operands[k]
		switch {
		case strided.Contiguous(l, k):
		case k >= l.Outputs && k != l.Where && strided.OfOneElement(l, k):
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
	layout.BypassCaches, layout.Prefetch = streamsFlat(l, &operands, n), isa.Prefetches(bytesFlat(l, n))
	code := pl.code(&layout)
	if code == nil && layout.BypassCaches {
		layout.BypassCaches = false
		code = pl.code(&layout)
	}
	switch {
	case code == nil:
		return false
	case workers.Sharing(workers.Estimate(n, code.Cost)):
		shareFlat(code, l, &operands, n)
	default:
		flatRange(code, l, &operands, n, 0, n)
	}
	return true
}

// shareFlat shares the points with workers, in pieces that begin at cache lines.
func shareFlat(code *vm.Code, l *device.Launch, operands *vm.Operands, n int) {
	const unit = 1024
	all := *operands
	workers.ForRanges((n+unit-1)/unit, unit*code.Cost, func(from, to int) { flatRange(code, l, &all, n, from*unit, min(to*unit, n)) })
}

func flatRange(code *vm.Code, l *device.Launch, operands *vm.Operands, n, from, to int) {
	run := vm.NewRunner(code, &l.Scalars, n)
	for k := range l.N {
		op := &l.Operands[k]
		if input := k - l.Outputs; input >= 0 && k != l.Where && !strided.Contiguous(l, k) {
			run.SetUniform(input, operands[k])
		} else {
			run.SetStream(k, unsafe.Add(operands[k], from*op.DType.Size()))
		}
	}
	run.Run(to - from)
	run.Recycle()
}

// streamsFlat reports whether outputs are so large that writing them past the caches is faster, and are aligned, so
// that this is possible. Outputs that are also inputs are in the caches when they are written.
func streamsFlat(l *device.Launch, operands *vm.Operands, n int) bool {
	results := 0
	for k := range l.Outputs {
		results += n * l.Operands[k].DType.Size()
		if uintptr(operands[k])%vm.Alignment != 0 || slices.Contains(operands[l.Outputs:l.N], operands[k]) {
			return false
		}
	}
	return isa.Streams(results, bytesFlat(l, n)) && l.Where == 0
}

// bytesFlat returns the size of the operands of n contiguous points. (For short rows, prefetching would load the gaps between
// them.)
func bytesFlat(l *device.Launch, n int) (bytes int) {
	for k := range l.N {
		if k < l.Outputs || !strided.OfOneElement(l, k) {
			bytes += n * l.Operands[k].DType.Size()
		}
	}
	return bytes
}

// operand returns an operand by its number in the launch: outputs, inputs, the mask.
func (e *Evaluation) operand(k int) *strided.View {
	outputs := len(e.plan.Results)
	switch {
	case k < outputs:
		return &e.outputs[k].View
	case k < outputs+len(e.plan.program.Inputs):
		return &e.Inputs[k-outputs].View
	}
	return &e.where
}
