// Package elementwise runs programs at each point of a loop: the kernel Elementwise, and the programs of Reduce.
//
// A [Plan] is the prepared form of a program, made once. If the routines of package vm support all its opcodes and
// types, they run it (interpreter.go): on whole operands if these are contiguous, row by row, or in blocks. Otherwise
// the program runs in blocks of about a thousand elements: an [Evaluation] runs a loop for each opcode and type
// ([LoopOf]) on blocks of values ([Registers]).
package elementwise

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/copying"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Elementwise runs l.Program at each point of the loop.
func Elementwise(l *device.Launch) {
	if copying.IsFill(l) {
		copying.Fill(l)
		return
	}
	pl := PlanFor(l.Program)
	if pl.single != nil && pl.single.preferred && runSingle(pl, l) {
		return
	}
	if interpretFlat(pl, l) || interpretIndexed(pl, l) || pl.single != nil && runSingle(pl, l) {
		return
	}
	if pl.Raw {
		strided.EnsureAxis(l)
	} else {
		strided.Simplify(l)
	}
	if l.Size() == 0 {
		return
	}
	if t := inTurns(pl, l); t != nil {
		t.run(l.Size())
		return
	}
	e := NewEvaluation(pl, l)
	e.prepareOutputs()
	if e.interpretRows() {
		e.Recycle()
		return
	}
	if !pl.Raw {
		e.findColumnMajor()
	}
	if cost := e.Cost(); workers.Sharing(workers.Estimate(e.size, cost)) {
		e.share(cost)
	} else {
		e.store(0, e.blocks())
	}
	e.Recycle()
}

// runSingle runs a program of one opcode over operands that are contiguous and have the opcode's types.
func runSingle(pl *Plan, l *device.Launch) bool {
	if l.Where != 0 || l.Operands[0].DType != pl.Results[0].DType {
		return false
	}
	for k, param := range pl.program.Inputs {
		if l.Operands[1+k].DType != param.Type {
			return false
		}
	}
	for k := range l.N {
		if !strided.Contiguous(l, k) {
			return false
		}
	}
	n := l.Size()
	switch {
	case n == 0:
	case workers.Sharing(workers.Estimate(n, pl.single.cost)):
		shareSingle(pl, l, n)
	default:
		singleRange(pl, l, n, 0, n)
	}
	return true
}

func shareSingle(pl *Plan, l *device.Launch, n int) {
	workers.ForRanges(n, pl.single.cost, func(from, to int) { singleRange(pl, l, n, from, to) })
}

// singleLen is the maximum length of one call of a loop.
const singleLen = 1 << 15

// singleRange runs a program of one opcode over some of the n points.
func singleRange(pl *Plan, l *device.Launch, n, from, to int) {
	d := pl.single
	if len(pl.fixed) > 0 {
		singleBlocks(pl, l, n, from, to)
		return
	}
	for ; from < to; from += singleLen {
		d.run(elementAt(l, 0, from), elementAt(l, d.args[0].operand, from), elementAt(l, d.args[1].operand, from),
			elementAt(l, d.args[2].operand, from), min(singleLen, to-from))
	}
}

// singleBlocks is for opcodes with a scalar: the scalar is repeated in a buffer that is as long as a block.
func singleBlocks(pl *Plan, l *device.Launch, n, from, to int) {
	d := pl.single
	if d.remainder {
		divisor := pl.program.Code[d.args[1].register]
		v := divisor.Value
		if divisor.Op == device.OpScalar {
			v = l.Scalars[divisor.Index]
		}
		remainders(memory.Slice[uint64](elementAt(l, 0, from), to-from), memory.Slice[uint64](elementAt(l, d.args[0].operand, from), to-from), uint64(v.Int))
		return
	}
	r := takeRegisters(pl, l, n)
	var args [3]unsafe.Pointer
	for ; from < to; from += strided.BlockLen {
		for k, a := range d.args {
			if a.fixed {
				args[k] = r.Values[a.register]
			} else {
				args[k] = elementAt(l, a.operand, from)
			}
		}
		d.run(elementAt(l, 0, from), args[0], args[1], args[2], min(strided.BlockLen, to-from))
	}
	r.Recycle()
}

func elementAt(l *device.Launch, operand, i int) unsafe.Pointer {
	op := &l.Operands[operand]
	return unsafe.Add(op.Memory.Handle, (op.Offset+i)*op.DType.Size())
}

// prepareOutputs determines which outputs are computed directly in the operand.
func (e *Evaluation) prepareOutputs() {
	l := e.launch
	for k := range e.plan.Results {
		res, y := &e.plan.Results[k], &e.outputs[k]
		y.View = strided.Of(l, k)
		y.inPlace = res.inPlace && l.Where == 0 && y.DType == res.DType && e.wholeBlocks(&y.View) && !e.overlaps(k, res.readLater)
		for other := range k { // a value that is stored twice is computed in one of the two outputs
			if e.plan.Results[other].Register == res.Register {
				y.inPlace = false
			}
		}
	}
	if l.Where != 0 {
		e.where = strided.Of(l, l.Where)
	}
	if len(e.plan.Results) > 1 {
		e.protectResults()
	}
}

// overlaps reports whether one of these inputs overlaps output k.
func (e *Evaluation) overlaps(k int, inputs uint) bool {
	l := e.launch
	for i := range e.plan.program.Inputs {
		if inputs&(1<<i) != 0 && l.Operands[l.Outputs+i].Memory.Handle == l.Operands[k].Memory.Handle {
			return true
		}
	}
	return false
}

// protectResults copies inputs that are stored unchanged as outputs, if storing another output could overwrite them.
func (e *Evaluation) protectResults() {
	code := e.plan.program.Code
	for _, res := range e.plan.Results {
		if in := &code[res.Register]; in.Op == device.OpInput {
			for k := range e.plan.Results {
				if e.overlaps(k, 1<<in.Index) {
					e.Inputs[in.Index].inPlace = false
				}
			}
		}
	}
}

// Cost returns the cost per element, in nanoseconds.
func (e *Evaluation) Cost() float64 {
	if e.Code == nil {
		return e.plan.Cost + storeCost
	}
	cost := e.Code.Cost
	for k := range e.plan.program.Inputs {
		if x := &e.Inputs[k]; !x.Uniform && !x.inPlace {
			cost += loadCost
		}
	}
	for k := range e.plan.Results {
		if !e.outputs[k].inPlace {
			cost += loadCost
		}
	}
	return cost
}

// loadCost is the cost per element that is moved into or out of a block for the interpreter; storeCost is the cost per
// element that the Go loops computed.
const (
	loadCost  = 0.25
	storeCost = 0.3
)

// share has the workers compute the blocks.
func (e *Evaluation) share(cost float64) {
	workers.ForRanges(e.blocks(), cost*float64(min(e.size, strided.BlockLen)), e.store)
}

// store computes blocks and stores the results.
func (e *Evaluation) store(from, to int) {
	r := e.Registers()
	for block := from; block < to; block++ {
		start, n := e.bounds(block)
		for k := range e.plan.Results {
			if y := &e.outputs[k]; y.inPlace {
				r.Values[e.plan.Results[k].Register] = y.At(start)
			}
		}
		e.Run(r, start, n)
		if e.launch.Where != 0 {
			e.storeWhere(r, start, n)
			continue
		}
		for k := range e.plan.Results {
			if y := &e.outputs[k]; !y.inPlace {
				y.View.Store(r.Values[e.plan.Results[k].Register], e.plan.Results[k].DType, start, n)
			}
		}
	}
	r.Recycle()
}

// storeWhere stores the results where the mask is true. It loads the mask for all outputs at once, as one of the
// outputs may overwrite it.
func (e *Evaluation) storeWhere(r *Registers, start, n int) {
	e.where.Load(r.mask, dtype.Bool, start, n)
	mask := memory.Slice[bool](r.mask, n)
	for k := range e.plan.Results {
		y, res := &e.outputs[k].View, &e.plan.Results[k]
		src := r.Values[res.Register]
		if y.DType != res.DType {
			dtype.Convert(y.DType, r.temp, 1, res.DType, src, 1, n)
			src = r.temp
		}
		storeMasked(y, src, mask, start)
	}
}

// storeMasked stores numbers of the view's own type at the points from start on where mask is true.
func storeMasked(y *strided.View, src unsafe.Pointer, mask []bool, start int) {
	switch y.Size {
	case 1:
		maskedRows[uint8](y, src, mask, start)
	case 2:
		maskedRows[uint16](y, src, mask, start)
	case 4:
		maskedRows[uint32](y, src, mask, start)
	case 8:
		maskedRows[uint64](y, src, mask, start)
	case 16:
		maskedRows[[2]uint64](y, src, mask, start)
	}
}

func maskedRows[T any](y *strided.View, src unsafe.Pointer, mask []bool, start int) {
	x, row, step := memory.Slice[T](src, len(mask)), y.Row(), y.Step()
	var c strided.Cursor
	c.Seek(y, start)
	for done := 0; ; {
		k := min(row-c.Column(), len(mask)-done)
		for i := range k {
			if mask[done+i] {
				*(*T)(y.Element(c.Offset + i*step)) = x[done+i]
			}
		}
		if done += k; done == len(mask) {
			return
		}
		c.NextRow()
	}
}
