package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Elementwise runs l.Program at each point of the loop.
func (processor) Elementwise(l *device.Launch) {
	if fills(l) {
		fill(l)
		return
	}
	pl := planFor(l.Program)
	if pl.direct != nil && pl.direct.first && runDirect(pl, l) {
		return
	}
	if interpretFlat(pl, l) || pl.direct != nil && runDirect(pl, l) {
		return
	}
	if pl.raw {
		ensureAxis(l)
	} else {
		simplify(l)
	}
	if l.Size() == 0 {
		return
	}
	e := newEvaluation(pl, l)
	e.prepareOutputs()
	if e.interpretRows() {
		e.recycle()
		return
	}
	if !pl.raw {
		e.findCrossed()
	}
	if cost := e.cost(); sharing(estimate(e.size, cost)) {
		e.share(cost)
	} else {
		e.store(0, e.blocks())
	}
	e.recycle()
}

// runDirect runs a program of one opcode over operands that are contiguous and have the opcode's types.
func runDirect(pl *plan, l *device.Launch) bool {
	if l.Where != 0 || l.Operands[0].DType != pl.results[0].dtype {
		return false
	}
	for k, param := range pl.program.Inputs {
		if l.Operands[1+k].DType != param.Type {
			return false
		}
	}
	for k := range l.N {
		if !contiguous(l, k) {
			return false
		}
	}
	n := l.Size()
	switch {
	case n == 0:
	case sharing(estimate(n, pl.direct.cost)):
		shareDirect(pl, l, n)
	default:
		directRange(pl, l, n, 0, n)
	}
	return true
}

func shareDirect(pl *plan, l *device.Launch, n int) {
	forRanges(n, pl.direct.cost, func(from, to int) { directRange(pl, l, n, from, to) })
}

// directLen bounds how long one call of a loop is.
const directLen = 1 << 15

// directRange runs a direct program over some of the n points.
func directRange(pl *plan, l *device.Launch, n, from, to int) {
	d := pl.direct
	if len(pl.fixed) > 0 {
		directBlocks(pl, l, n, from, to)
		return
	}
	for ; from < to; from += directLen {
		d.run(elementAt(l, 0, from), elementAt(l, d.args[0].operand, from), elementAt(l, d.args[1].operand, from),
			elementAt(l, d.args[2].operand, from), min(directLen, to-from))
	}
}

// directBlocks is for opcodes with a scalar, which stands in a buffer as often as a block is long.
func directBlocks(pl *plan, l *device.Launch, n, from, to int) {
	d := pl.direct
	r := takeRegisters(pl, l, n)
	var args [3]unsafe.Pointer
	for ; from < to; from += blockLen {
		for k, a := range d.args {
			if a.fixed {
				args[k] = r.place[a.place]
			} else {
				args[k] = elementAt(l, a.operand, from)
			}
		}
		d.run(elementAt(l, 0, from), args[0], args[1], args[2], min(blockLen, to-from))
	}
	r.recycle()
}

func elementAt(l *device.Launch, operand, i int) unsafe.Pointer {
	op := &l.Operands[operand]
	return unsafe.Add(op.Memory.Handle, (op.Offset+i)*op.DType.Size())
}

// contiguous reports whether an operand's elements lie one after the other in the order of the loop.
func contiguous(l *device.Launch, operand int) bool {
	op := &l.Operands[operand]
	next := 1
	for axis := l.Rank - 1; axis >= 0; axis-- {
		if n := l.Shape[axis]; n != 1 {
			if op.Strides[axis] != next {
				return false
			}
			next *= n
		}
	}
	return true
}

// prepareOutputs says which outputs are computed where they are stored.
func (e *evaluation) prepareOutputs() {
	l := e.launch
	for k := range e.plan.results {
		res, y := &e.plan.results[k], &e.outputs[k]
		y.view = viewOf(l, k)
		y.inPlace = res.inPlace && l.Where == 0 && y.dtype == res.dtype && e.wholeBlocks(&y.view) && !e.disturbs(k, res.readLater)
		for other := range k { // a value that is stored twice is computed in one of the two places
			if e.plan.results[other].place == res.place {
				y.inPlace = false
			}
		}
	}
	if l.Where != 0 {
		e.where = viewOf(l, l.Where)
	}
	if len(e.plan.results) > 1 {
		e.protectResults()
	}
}

// disturbs reports whether one of these inputs lies where output k does.
func (e *evaluation) disturbs(k int, inputs uint) bool {
	l := e.launch
	for i := range e.plan.program.Inputs {
		if inputs&(1<<i) != 0 && l.Operands[l.Outputs+i].Memory.Handle == l.Operands[k].Memory.Handle {
			return true
		}
	}
	return false
}

// protectResults copies inputs that are outputs as they are, where storing another output could change them.
func (e *evaluation) protectResults() {
	code := e.plan.program.Code
	for _, res := range e.plan.results {
		if in := &code[res.place]; in.Op == device.OpInput {
			for k := range e.plan.results {
				if e.disturbs(k, 1<<in.Index) {
					e.inputs[in.Index].inPlace = false
				}
			}
		}
	}
}

// cost returns what an element takes, in nanoseconds.
func (e *evaluation) cost() float64 {
	if e.code == nil {
		return e.plan.cost + storeCost
	}
	cost := e.code.Cost
	for k := range e.plan.program.Inputs {
		if x := &e.inputs[k]; !x.uniform && !x.inPlace {
			cost += loadCost
		}
	}
	for k := range e.plan.results {
		if !e.outputs[k].inPlace {
			cost += loadCost
		}
	}
	return cost
}

// loadCost is what an element takes that is brought into a block for the interpreter, or out of it; storeCost what one
// takes that the loops of plain Go made.
const (
	loadCost  = 0.25
	storeCost = 0.3
)

// share has workers do the blocks.
func (e *evaluation) share(cost float64) {
	forRanges(e.blocks(), cost*float64(min(e.size, blockLen)), e.store)
}

// store computes blocks and stores the results.
func (e *evaluation) store(from, to int) {
	r := e.registers()
	for block := from; block < to; block++ {
		start, n := e.bounds(block)
		for k := range e.plan.results {
			if y := &e.outputs[k]; y.inPlace {
				r.place[e.plan.results[k].place] = y.at(start)
			}
		}
		e.run(r, start, n)
		if e.launch.Where != 0 {
			e.storeWhere(r, start, n)
			continue
		}
		for k := range e.plan.results {
			if y := &e.outputs[k]; !y.inPlace {
				y.view.store(r.place[e.plan.results[k].place], e.plan.results[k].dtype, start, n)
			}
		}
	}
	r.recycle()
}

// storeWhere stores the results where the predicate is true. It is loaded for all outputs at once, as one of them may
// lie in its place.
func (e *evaluation) storeWhere(r *registers, start, n int) {
	e.where.load(r.mask, dtype.Bool, start, n)
	mask := elements[bool](r.mask, n)
	for k := range e.plan.results {
		y, res := &e.outputs[k].view, &e.plan.results[k]
		src := r.place[res.place]
		if y.dtype != res.dtype {
			dtype.Convert(y.dtype, r.temp, 1, res.dtype, src, 1, n)
			src = r.temp
		}
		storeMasked(y, src, mask, start)
	}
}

// storeMasked stores numbers of the view's own type at the points from start on where mask is true.
func storeMasked(y *view, src unsafe.Pointer, mask []bool, start int) {
	switch y.size {
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

func maskedRows[T any](y *view, src unsafe.Pointer, mask []bool, start int) {
	x, row, step := elements[T](src, len(mask)), y.row(), y.step()
	var c cursor
	c.seek(y, start)
	for done := 0; ; {
		k := min(row-c.column(), len(mask)-done)
		for i := range k {
			if mask[done+i] {
				*(*T)(y.element(c.offset + i*step)) = x[done+i]
			}
		}
		if done += k; done == len(mask) {
			return
		}
		c.nextRow()
	}
}
