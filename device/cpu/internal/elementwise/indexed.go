package elementwise

import (
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/vm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// An index in the loop is the sum of two inputs that the program does not have: the index within a block, and the block's first index,
// which is one number. So package vm runs programs that read the index, such as ramps.

type indexedKey struct{}

// indexedPlan returns the plan of the program with these inputs after its own, or nil for a program that reads elements by index.
func (pl *Plan) indexedPlan() *Plan {
	return pl.program.Compiled(indexedKey{}, func() any {
		p := pl.program
		if len(p.Inputs)+len(p.Outputs)+2 > device.MaxOperands {
			return (*Plan)(nil)
		}
		indexed := &device.Program{Name: p.Name, Scalars: p.Scalars, Outputs: p.Outputs}
		within := device.Param{Name: "within", Type: dtype.Int64, Stored: dtype.Int64}
		first := device.Param{Name: "first", Type: dtype.Int64, Stored: dtype.Int64}
		indexed.Inputs = append(append(indexed.Inputs, p.Inputs...), within, first)
		at := make([]device.Reg, len(p.Code))
		emit := func(in device.Inst) device.Reg {
			indexed.Code = append(indexed.Code, in)
			return device.Reg(len(indexed.Code) - 1)
		}
		for i, in := range p.Code {
			switch in.Op {
			case device.OpLoad:
				return (*Plan)(nil)
			case device.OpIndex:
				a := emit(device.Inst{Op: device.OpInput, Type: dtype.Int64, Index: len(p.Inputs)})
				b := emit(device.Inst{Op: device.OpInput, Type: dtype.Int64, Index: len(p.Inputs) + 1})
				at[i] = emit(device.Inst{Op: device.OpAdd, Type: dtype.Int64, A: a, B: b})
				continue
			}
			for k, r := range []*device.Reg{&in.A, &in.B, &in.C} {
				if k < in.Op.Arity() {
					*r = at[*r]
				}
			}
			at[i] = emit(in)
		}
		for _, r := range p.Results {
			indexed.Results = append(indexed.Results, at[r])
		}
		return newPlan(indexed)
	}).(*Plan)
}

// interpretIndexed runs a launch of a program that reads the index if its operands are contiguous in the order of the loop. It reports
// whether it did. It does not change the launch.
func interpretIndexed(pl *Plan, l *device.Launch) bool {
	if !pl.Raw || l.Where != 0 {
		return false
	}
	indexed := pl.indexedPlan()
	if indexed == nil {
		return false
	}
	var layout vm.Layout
	for k := range l.N {
		if !strided.Contiguous(l, k) {
			return false
		}
		layout.DTypes[k] = l.Operands[k].DType
	}
	layout.DTypes[l.N], layout.DTypes[l.N+1] = dtype.Int64, dtype.Int64
	layout.Uniform = 1 << (l.N + 1)
	code := indexed.code(&layout)
	if code == nil {
		return false
	}
	switch n := l.Size(); {
	case n == 0:
	case workers.Sharing(workers.Estimate(n, code.Cost)):
		shareIndexed(code, l, n)
	default:
		indexedRange(code, l, 0, n)
	}
	return true
}

func shareIndexed(code *vm.Code, l *device.Launch, n int) {
	workers.ForRanges(n, code.Cost, func(from, to int) { indexedRange(code, l, from, to) })
}

// indexedRange runs the code for some points, in blocks.
func indexedRange(code *vm.Code, l *device.Launch, from, to int) {
	run := vm.NewRunner(code, &l.Scalars, l.Size())
	within.once.Do(func() {
		for i := range within.numbers {
			within.numbers[i] = int64(i)
		}
	})
	for ; from < to; from += strided.BlockLen {
		for k := range l.N {
			op := &l.Operands[k]
			run.SetStream(k, unsafe.Add(op.Memory.Handle, (op.Offset+from)*op.DType.Size()))
		}
		first := int64(from)
		run.SetStream(l.N, unsafe.Pointer(&within.numbers))
		run.SetUniform(l.N-l.Outputs+1, unsafe.Pointer(&first))
		run.Run(min(strided.BlockLen, to-from))
	}
	run.Recycle()
}

// within are the numbers of points within a block, made by the first launch.
var within struct {
	once    sync.Once
	numbers [strided.BlockLen]int64
}
