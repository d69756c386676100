package elementwise

import (
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/vm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Evaluation is a program that is being run on a launch. Workers share it.
type Evaluation struct {
	plan    *Plan
	launch  *device.Launch
	size    int // of the loop
	Row     int // length of the last axis
	plane   int // rows of a plane, if blocks go down the rows of tiles; else 0
	Inputs  [device.MaxOperands]Input
	outputs [device.MaxOperands]output
	where   strided.View
	Code    *vm.Code // for blocks, or nil
}

// Input is an operand that the program reads.
type Input struct {
	strided.View
	inPlace     bool // the blocks are read directly from the operand
	repeats     bool // all rows are the same, and blocks contain whole rows
	columnMajor bool // its elements are closer together along the columns: they are read in tiles
	len         int  // of a raw input
}

type output struct {
	strided.View
	inPlace bool // the blocks are computed directly in the output
}

// evaluations and their lists of strides are reused by later launches.
var evaluations = sync.Pool{New: func() any { return new(Evaluation) }}

// NewEvaluation prepares the inputs of a launch's program. The loop must have at least one row. The inputs are the
// operands from number l.Outputs on.
func NewEvaluation(pl *Plan, l *device.Launch) *Evaluation {
	e := evaluations.Get().(*Evaluation)
	e.plan, e.launch, e.size, e.Row, e.plane = pl, l, l.Size(), l.Shape[l.Rank-1], 0
	for k, param := range pl.program.Inputs {
		x := &e.Inputs[k]
		x.View = strided.Of(l, l.Outputs+k)
		x.len = l.Operands[l.Outputs+k].Len
		x.inPlace = x.DType == param.Type && e.wholeBlocks(&x.View)
		x.columnMajor = false
		x.repeats = !e.WithinRows() && x.SameRows()
	}
	e.Code = e.blockCode()
	return e
}

// Recycle makes e available to NewEvaluation.
func (e *Evaluation) Recycle() {
	e.plan, e.launch, e.Code = nil, nil, nil
	clear(e.Inputs[:])
	clear(e.outputs[:])
	e.where = strided.View{}
	evaluations.Put(e)
}

// wholeBlocks reports whether the elements of every block are contiguous.
func (e *Evaluation) wholeBlocks(v *strided.View) bool {
	return v.Flat || e.WithinRows() && v.Step() == 1
}

// WithinRows reports whether each block lies within a row. Otherwise rows are short, and a block contains several.
func (e *Evaluation) WithinRows() bool { return e.Row > strided.BlockLen/4 }

// blocks returns how many blocks the loop has.
func (e *Evaluation) blocks() int {
	if e.WithinRows() {
		return e.size / e.Row * e.perRow()
	}
	n := e.rows() * e.Row
	return (e.size + n - 1) / n
}

// perRow returns the number of blocks per row.
func (e *Evaluation) perRow() int { return (e.Row + strided.BlockLen - 1) / strided.BlockLen }

// rows returns the number of rows per block.
func (e *Evaluation) rows() int { return strided.BlockLen / e.Row }

// bounds returns the first point of a block, and its number of points.
func (e *Evaluation) bounds(block int) (start, n int) {
	if e.plane > 0 {
		return e.boundsInTiles(block)
	}
	if e.WithinRows() {
		perRow := e.perRow()
		column := block % perRow * strided.BlockLen
		return block/perRow*e.Row + column, min(strided.BlockLen, e.Row-column)
	}
	n = e.rows() * e.Row
	start = block * n
	return start, min(n, e.size-start)
}

// Registers are the current blocks of values of one worker.
type Registers struct {
	Values []unsafe.Pointer // per register: the address of its block
	home   []unsafe.Pointer // per register: its buffer
	temp   unsafe.Pointer   // one more buffer, for conversions
	mask   unsafe.Pointer   // another buffer, for the mask of the store
	room   memory.Scratch
	plan   *Plan // the plan that home and room are made for
	tiles  [device.MaxOperands]tile

	runner *vm.Runner              // for the evaluation's code, if it has any
	target unsafe.Pointer          // where the code stores its only result; nil for a block
	blocks memory.Scratch          // blocks of the operands, for the runner
	filled [device.MaxOperands]int // elements of the block of an input that repeats
}

var registerSets = sync.Pool{New: func() any { return new(Registers) }}

// takeRegisters returns registers for a launch over size points, and fills the fixed ones.
func takeRegisters(pl *Plan, l *device.Launch, size int) *Registers {
	r := registerSets.Get().(*Registers)
	if r.plan != pl {
		r.layOut(pl)
	}
	n := min(size, strided.BlockLen)
	for _, register := range pl.fixed {
		in := &pl.program.Code[register]
		v := in.Value
		switch in.Op {
		case device.OpScalar:
			v = l.Scalars[in.Index]
		case device.OpSize:
			v = device.Scalar{Int: int64(size)}
		}
		strided.Splat(r.home[register], in.Type, v, n)
	}
	copy(r.Values, r.home)
	r.unloadTiles()
	return r
}

func (r *Registers) unloadTiles() {
	for k := range r.tiles {
		r.tiles[k].loaded = false
	}
}

// Registers returns registers for the launch.
func (e *Evaluation) Registers() *Registers {
	if e.Code == nil {
		return takeRegisters(e.plan, e.launch, e.size)
	}
	r := registerSets.Get().(*Registers)
	if r.plan != e.plan {
		r.layOut(e.plan)
	}
	r.unloadTiles()
	r.blocks.Grow(e.launch.N * blockPitch)
	clear(r.filled[:])
	r.runner = vm.NewRunner(e.Code, &e.launch.Scalars, e.size)
	for k := range e.plan.program.Inputs {
		if x := &e.Inputs[k]; x.Uniform {
			r.runner.SetUniform(k, x.Base)
		}
	}
	return r
}

// layOut makes room for a plan's buffers. A cache line between them keeps them from mapping to the same cache sets.
func (r *Registers) layOut(pl *Plan) {
	stride := strided.BlockLen*pl.width + 64
	const widest = 16
	tempSize := strided.BlockLen*widest + 64
	r.room.Grow(pl.buffers*stride + tempSize + strided.BlockLen)
	r.plan = pl
	registers := len(pl.buffer)
	if cap(r.home) < registers {
		r.home, r.Values = make([]unsafe.Pointer, registers), make([]unsafe.Pointer, registers)
	}
	r.home, r.Values = r.home[:registers], r.Values[:registers]
	for i, b := range pl.buffer {
		r.home[i] = r.room.At(b * stride)
	}
	r.temp = r.room.At(pl.buffers * stride)
	r.mask = r.room.At(pl.buffers*stride + tempSize)
}

// Recycle clears the references to the operands, which the registers must not keep alive, and releases r.
func (r *Registers) Recycle() {
	clear(r.Values)
	if r.runner != nil {
		r.runner.Recycle()
		r.runner = nil
	}
	registerSets.Put(r)
}

// Run computes all values for the n points from start on. These lie in one row if blocks lie within rows.
func (e *Evaluation) Run(r *Registers, start, n int) {
	if e.Code != nil {
		e.interpret(r, start, n)
		return
	}
	for i := range e.plan.steps {
		s := &e.plan.steps[i]
		switch s.kind {
		case stepLoop:
			s.run(r.Values[s.dst], r.Values[s.a], r.Values[s.b], r.Values[s.c], n)
		case stepInput:
			x := &e.Inputs[s.index]
			switch {
			case x.inPlace:
				r.Values[s.dst] = x.At(start)
			case x.columnMajor:
				r.Values[s.dst] = e.fromTile(r, s.index, s.dtype, start, n)
			default:
				x.Load(r.home[s.dst], s.dtype, start, n)
			}
		case stepCast:
			dtype.Convert(s.dtype, r.Values[s.dst], 1, s.from, r.Values[s.a], 1, n)
		case stepIndex:
			index := memory.Slice[int64](r.Values[s.dst], n)
			for k := range index {
				index[k] = int64(start + k)
			}
		case stepRaw:
			x := &e.Inputs[s.index]
			x.fetch(r.temp, memory.Slice[int64](r.Values[s.a], n))
			dtype.Convert(s.dtype, r.Values[s.dst], 1, x.DType, r.temp, 1, n)
		}
	}
}

// RunInto is Run for a program with one result, whose values it stores at dst.
func (e *Evaluation) RunInto(dst unsafe.Pointer, r *Registers, start, n int) {
	res := &e.plan.Results[0]
	if e.Code == nil && res.inPlace {
		r.Values[res.Register] = dst
	}
	r.target = dst
	e.Run(r, start, n)
	r.target = nil
	if from := r.Values[res.Register]; from != dst {
		bytes := n * res.DType.Size()
		copy(memory.Slice[byte](dst, bytes), memory.Slice[byte](from, bytes))
	}
}

// fetch copies the elements of a raw input at these indices, and 0 for an index out of range.
func (x *Input) fetch(dst unsafe.Pointer, positions []int64) {
	switch x.Size {
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

func fetch[T any](dst unsafe.Pointer, x *Input, positions []int64) {
	z, all := memory.Slice[T](dst, len(positions)), memory.Slice[T](x.Base, x.len)
	for i, p := range positions {
		if uint64(p) < uint64(len(all)) {
			z[i] = all[p]
		} else {
			var zero T
			z[i] = zero
		}
	}
}
