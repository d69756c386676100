package cpu

import (
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/vm"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// blockLen is how many elements a block has at most: the few buffers of a program fit the first-level cache.
const blockLen = 1024

// evaluation is a program at work on a launch. Workers share it.
type evaluation struct {
	plan    *plan
	launch  *device.Launch
	size    int // of the loop
	row     int // length of the last axis
	plane   int // rows of a plane, where blocks go down bands of its rows; else 0
	inputs  [device.MaxOperands]input
	outputs [device.MaxOperands]output
	where   view
	code    *vm.Code // for blocks, or nil
}

type input struct {
	view
	inPlace bool // the blocks are read where they lie
	repeats bool // all rows are the same, and blocks take whole rows
	crossed bool // they are read across the lines of memory, a band of rows at once
	len     int  // of a raw input
}

type output struct {
	view
	inPlace bool // the blocks are computed where they are to be stored
}

// evaluations and their lists of strides are kept from one launch to the next.
var evaluations = sync.Pool{New: func() any { return new(evaluation) }}

// newEvaluation prepares the inputs of a launch's program, whose loop has a row at least. The inputs are the operands
// from number l.Outputs on.
func newEvaluation(pl *plan, l *device.Launch) *evaluation {
	e := evaluations.Get().(*evaluation)
	e.plan, e.launch, e.size, e.row, e.plane = pl, l, l.Size(), l.Shape[l.Rank-1], 0
	for k, param := range pl.program.Inputs {
		x := &e.inputs[k]
		x.view = viewOf(l, l.Outputs+k)
		x.len = l.Operands[l.Outputs+k].Len
		x.inPlace = x.dtype == param.Type && e.wholeBlocks(&x.view)
		x.crossed = false
		x.repeats = !e.withinRows() && x.sameRows()
	}
	e.code = e.blockCode()
	return e
}

func (e *evaluation) recycle() {
	e.plan, e.launch, e.code = nil, nil, nil
	clear(e.inputs[:])
	clear(e.outputs[:])
	e.where = view{}
	evaluations.Put(e)
}

// wholeBlocks reports whether the elements of every block lie one after the other.
func (e *evaluation) wholeBlocks(v *view) bool {
	return v.flat || e.withinRows() && v.step() == 1
}

// withinRows reports whether blocks are cut within rows. Otherwise rows are short, and a block takes several.
func (e *evaluation) withinRows() bool { return e.row > blockLen/4 }

// blocks returns how many blocks the loop has.
func (e *evaluation) blocks() int {
	if e.withinRows() {
		return e.size / e.row * e.perRow()
	}
	n := e.rows() * e.row
	return (e.size + n - 1) / n
}

// perRow is how many blocks a row has, rows how many rows a block takes.
func (e *evaluation) perRow() int { return (e.row + blockLen - 1) / blockLen }
func (e *evaluation) rows() int   { return blockLen / e.row }

// bounds returns the points of a block: the first, and how many.
func (e *evaluation) bounds(block int) (start, n int) {
	if e.plane > 0 {
		return e.boundsInBand(block)
	}
	if e.withinRows() {
		perRow := e.perRow()
		column := block % perRow * blockLen
		return block/perRow*e.row + column, min(blockLen, e.row-column)
	}
	n = e.rows() * e.row
	start = block * n
	return start, min(n, e.size-start)
}

// registers are the blocks of values that one worker has at hand.
type registers struct {
	place []unsafe.Pointer // of each value: where its block lies
	home  []unsafe.Pointer // of each value: its buffer
	temp  unsafe.Pointer   // a buffer more, for conversions
	mask  unsafe.Pointer   // another, for the predicate of the store
	room  scratch
	plan  *plan // that home and room are made for
	bands [device.MaxOperands]band

	runner *vm.Runner              // of the evaluation's code, if it has any
	blocks scratch                 // of the operands, for the runner
	filled [device.MaxOperands]int // elements of the block of an input that repeats
}

var registerSets = sync.Pool{New: func() any { return new(registers) }}

// takeRegisters returns registers for a launch over so many points, in which what is fixed is set.
func takeRegisters(pl *plan, l *device.Launch, size int) *registers {
	r := registerSets.Get().(*registers)
	if r.plan != pl {
		r.layOut(pl)
	}
	n := min(size, blockLen)
	for _, place := range pl.fixed {
		in := &pl.program.Code[place]
		v := in.Value
		switch in.Op {
		case device.OpScalar:
			v = l.Scalars[in.Index]
		case device.OpSize:
			v = device.Scalar{Int: int64(size)}
		}
		splat(r.home[place], in.Type, v, n)
	}
	copy(r.place, r.home)
	r.unloadBands()
	return r
}

func (r *registers) unloadBands() {
	for k := range r.bands {
		r.bands[k].loaded = false
	}
}

// registers returns registers for the launch.
func (e *evaluation) registers() *registers {
	if e.code == nil {
		return takeRegisters(e.plan, e.launch, e.size)
	}
	r := registerSets.Get().(*registers)
	if r.plan != e.plan {
		r.layOut(e.plan)
	}
	r.unloadBands()
	r.blocks.grow(e.launch.N * blockPitch)
	clear(r.filled[:])
	r.runner = vm.NewRunner(e.code, &e.launch.Scalars, e.size)
	for k := range e.plan.program.Inputs {
		if x := &e.inputs[k]; x.uniform {
			r.runner.SetUniform(k, x.base)
		}
	}
	return r
}

// layOut makes room for a plan's buffers. A line of the cache between them keeps them from falling on the same sets.
func (r *registers) layOut(pl *plan) {
	stride := blockLen*pl.width + 64
	const widest = 16
	tempSize := blockLen*widest + 64
	r.room.grow(pl.buffers*stride + tempSize + blockLen)
	r.plan = pl
	places := len(pl.buffer)
	if cap(r.home) < places {
		r.home, r.place = make([]unsafe.Pointer, places), make([]unsafe.Pointer, places)
	}
	r.home, r.place = r.home[:places], r.place[:places]
	for i, b := range pl.buffer {
		r.home[i] = r.room.at(b * stride)
	}
	r.temp = r.room.at(pl.buffers * stride)
	r.mask = r.room.at(pl.buffers*stride + tempSize)
}

// recycle forgets the operands, which the registers must not keep alive.
func (r *registers) recycle() {
	clear(r.place)
	if r.runner != nil {
		r.runner.Recycle()
		r.runner = nil
	}
	registerSets.Put(r)
}

// splat writes n copies of a number of type t.
func splat(dst unsafe.Pointer, t dtype.DType, s device.Scalar, n int) {
	switch {
	case t.IsBool():
		*(*bool)(dst) = s.Int != 0
	case t == dtype.Float32:
		*(*float32)(dst) = float32(s.Re)
	case t == dtype.Float64:
		*(*float64)(dst) = s.Re
	case t == dtype.Complex64:
		*(*complex64)(dst) = complex(float32(s.Re), float32(s.Im))
	case t == dtype.Complex128:
		*(*complex128)(dst) = complex(s.Re, s.Im)
	default: // the low bits are the number
		v := s.Int
		dtype.Convert(t, dst, 1, dtype.Int64, unsafe.Pointer(&v), 1, 1)
	}
	if n > 1 {
		repeat(dst, t.Size(), n)
	}
}

// repeat copies the first of n elements to all others.
func repeat(p unsafe.Pointer, size, n int) {
	all := elements[byte](p, n*size)
	for filled := size; filled < len(all); {
		filled += copy(all[filled:], all[:filled])
	}
}

// run computes all values for the n points from start on, which lie in one row if the blocks are cut so.
func (e *evaluation) run(r *registers, start, n int) {
	if e.code != nil {
		e.interpret(r, start, n)
		return
	}
	for i := range e.plan.steps {
		s := &e.plan.steps[i]
		switch s.kind {
		case stepLoop:
			s.run(r.place[s.dst], r.place[s.a], r.place[s.b], r.place[s.c], n)
		case stepInput:
			x := &e.inputs[s.index]
			switch {
			case x.inPlace:
				r.place[s.dst] = x.at(start)
			case x.crossed:
				r.place[s.dst] = e.fromBand(r, s.index, s.dtype, start, n)
			default:
				x.load(r.home[s.dst], s.dtype, start, n)
			}
		case stepCast:
			dtype.Convert(s.dtype, r.place[s.dst], 1, s.from, r.place[s.a], 1, n)
		case stepIndex:
			index := elements[int64](r.place[s.dst], n)
			for k := range index {
				index[k] = int64(start + k)
			}
		case stepRaw:
			x := &e.inputs[s.index]
			x.fetch(r.temp, elements[int64](r.place[s.a], n))
			dtype.Convert(s.dtype, r.place[s.dst], 1, x.dtype, r.temp, 1, n)
		}
	}
}

// fetch copies the elements of a raw input at these positions, and 0 for those outside of it.
func (x *input) fetch(dst unsafe.Pointer, positions []int64) {
	switch x.size {
	case 1:
		fetch[uint8](dst, x, positions)
	case 2:
		fetch[uint16](dst, x, positions)
	case 4:
		fetch[uint32](dst, x, positions)
	case 8:
		fetch[uint64](dst, x, positions)
	case 16:
		fetch[[2]uint64](dst, x, positions)
	}
}

func fetch[T any](dst unsafe.Pointer, x *input, positions []int64) {
	z, all := elements[T](dst, len(positions)), elements[T](x.base, x.len)
	for i, p := range positions {
		if uint64(p) < uint64(len(all)) {
			z[i] = all[p]
		} else {
			var zero T
			z[i] = zero
		}
	}
}
