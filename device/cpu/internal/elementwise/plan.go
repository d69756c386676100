package elementwise

import (
	"slices"
	"sync/atomic"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Plan is a program prepared for blocks. Every value has a register, with the number of its instruction. The register
// says where the value's block lies. Intermediate values lie in buffers, which are reused once nothing reads the value
// any more.
type Plan struct {
	program *device.Program
	steps   []step
	fixed   []int // the registers that hold one constant number: constants, scalars and the loop's size
	buffer  []int // per register: the number of its buffer
	buffers int
	width   int // of a buffer's elements, in bytes
	Results []Result
	Raw     bool    // the program reads by index: the loop keeps its order
	Cost    float64 // approximate nanoseconds per element
	single  *single // for a program that is one opcode of its inputs and scalars; else nil
	trivial bool    // nothing is computed: the results are inputs, scalars or constants

	compiled atomic.Pointer[compiled]
	engines  atomic.Uint32 // EnginesOf, for the level in the upper half
	Pattern  Pattern       // for a program that needs no blocks in reductions
}

// Result is an output of a program.
type Result struct {
	Register int
	DType    dtype.DType
	// inPlace says that the value may be computed directly in the output, since an instruction with a loop computes it.
	// readLater has a bit for each input that is read after that: these inputs must not overlap the output.
	inPlace   bool
	readLater uint
}

type stepKind uint8

const (
	stepLoop  stepKind = iota // run the loop
	stepInput                 // the block of input index
	stepIndex                 // the indices in the loop
	stepRaw                   // the elements of raw input index at the indices in a
	stepCast                  // a converted
)

// step computes one value for a block.
type step struct {
	kind         stepKind
	dst, a, b, c int
	run          Loop
	index        int
	dtype, from  dtype.DType
}

type planKey struct{}

// PlanFor returns the plan of a program.
func PlanFor(p *device.Program) *Plan {
	return p.Compiled(planKey{}, func() any { return newPlan(p) }).(*Plan)
}

func newPlan(p *device.Program) *Plan {
	pl := &Plan{program: p, Raw: p.HasRaw()}
	pl.schedule()
	pl.allocate()
	pl.describeResults()
	pl.findSingle()
	pl.trivial = true
	for i := range pl.steps {
		pl.trivial = pl.trivial && pl.steps[i].kind == stepInput
	}
	pl.Pattern = findPattern(p)
	return pl
}

// schedule lists the steps in the order of the code, but delays the inputs until they are needed.
func (pl *Plan) schedule() {
	code := pl.program.Code
	loaded := make([]bool, len(code))
	load := func(r device.Reg) {
		if in := &code[r]; in.Op == device.OpInput && !loaded[r] {
			loaded[r] = true
			pl.add(step{kind: stepInput, dst: int(r), index: in.Index, dtype: in.Type}, 0.3)
		}
	}
	for i := range code {
		in := &code[i]
		for _, a := range in.Args() {
			load(a)
		}
		s := step{dst: i, a: int(in.A), b: int(in.B), c: int(in.C), index: in.Index, dtype: in.Type}
		switch in.Op {
		case device.OpInput:
		case device.OpScalar, device.OpConst, device.OpSize:
			pl.fixed = append(pl.fixed, i)
		case device.OpIndex:
			s.kind = stepIndex
			pl.add(s, 0.5)
		case device.OpLoad:
			s.kind = stepRaw
			pl.add(s, 2)
		case device.OpCast:
			s.kind, s.from = stepCast, code[in.A].Type
			pl.add(s, 0.7)
		case device.OpSelect:
			s.run = LoopOf(in.Op, in.Type)
			pl.add(s, 0.8)
		default:
			s.run = LoopOf(in.Op, code[in.A].Type)
			pl.add(s, costOfOp(in.Op, code[in.A].Type))
		}
	}
	for _, r := range pl.program.Results {
		load(r)
	}
}

func (pl *Plan) add(s step, nanoseconds float64) {
	pl.steps = append(pl.steps, s)
	pl.Cost += nanoseconds
}

// costOfOp estimates how long an opcode takes for one element, in nanoseconds.
func costOfOp(op device.Op, t dtype.DType) float64 {
	cost := 0.5
	switch {
	case scalar.Functions[op] != nil || scalar.Functions2[op] != nil, t.IsComplex() && scalar.ComplexFunctions[op] != nil:
		cost = 25
	case op == device.OpFloorDiv || op == device.OpMod || op == device.OpFmod || op == device.OpPow || op == device.OpGcd ||
		op == device.OpLcm || op == device.OpLdexp || op == device.OpNextAfter || op == device.OpDiv && t.IsInteger():
		cost = 6
	}
	if t.IsComplex() {
		cost *= 4
	}
	return cost
}

// allocate assigns buffers to the values.
func (pl *Plan) allocate() {
	code := pl.program.Code
	lastUse := make([]int, len(code)) // per value, the last step that reads it
	for i, s := range pl.steps {
		for _, a := range code[s.dst].Args() {
			lastUse[a] = i
		}
	}
	end := len(pl.steps)
	for _, r := range pl.program.Results {
		lastUse[r] = end
	}
	pl.buffer = make([]int, len(code))
	var free []int
	take := func() int {
		if n := len(free); n > 0 {
			b := free[n-1]
			free = free[:n-1]
			return b
		}
		pl.buffers++
		return pl.buffers - 1
	}
	for i := range code {
		pl.width = max(pl.width, code[i].Type.Size())
	}
	for _, r := range pl.fixed {
		pl.buffer[r] = take()
		lastUse[r] = end
	}
	for i, s := range pl.steps {
		var dying []int
		ofSameSize := s.kind != stepRaw
		args := code[s.dst].Args()
		for k, a := range args {
			if lastUse[a] == i && !slices.Contains(args[:k], a) {
				dying = append(dying, pl.buffer[a])
				ofSameSize = ofSameSize && code[a].Type.Size() == code[s.dst].Type.Size()
			}
		}
		if ofSameSize { // then a loop may write to the buffer that it reads
			free = append(free, dying...)
			dying = nil
		}
		pl.buffer[s.dst] = take()
		free = append(free, dying...)
	}
}

func (pl *Plan) describeResults() {
	code := pl.program.Code
	made := make([]int, len(code)) // per value, the step that computes it
	for i, s := range pl.steps {
		made[s.dst] = i
	}
	for _, r := range pl.program.Results {
		res := Result{Register: int(r), DType: code[r].Type}
		switch code[r].Op {
		case device.OpInput, device.OpScalar, device.OpConst, device.OpSize, device.OpLoad:
		default:
			res.inPlace = true
			for i := made[r] + 1; i < len(pl.steps); i++ {
				res.readLater |= pl.inputsReadBy(pl.steps[i])
			}
			for _, other := range pl.program.Results {
				if code[other].Op == device.OpInput {
					res.readLater |= 1 << code[other].Index
				}
			}
		}
		pl.Results = append(pl.Results, res)
	}
}

// inputsReadBy returns the inputs whose elements a step reads, if the elements may lie in the operand itself.
func (pl *Plan) inputsReadBy(s step) (inputs uint) {
	code := pl.program.Code
	if s.kind == stepInput {
		return 1 << s.index
	}
	if s.kind == stepRaw {
		inputs = 1 << s.index
	}
	for _, a := range code[s.dst].Args() {
		if in := &code[a]; in.Op == device.OpInput {
			inputs |= 1 << in.Index
		}
	}
	return inputs
}

// single is a program with one opcode: it needs no buffers except those of scalars.
type single struct {
	run       Loop
	args      [3]arg
	cost      float64 // approximate nanoseconds per element
	preferred bool    // the interpreter is not faster
	remainder bool    // it divides uint64 numbers by one number, and keeps the remainders
}

// arg is an argument of the opcode of a single: an operand of the launch, or a fixed register.
type arg struct {
	operand  int // 0 if the argument is a fixed register, or absent
	register int
	fixed    bool
}

// findSingle recognises programs with one opcode.
func (pl *Plan) findSingle() {
	if len(pl.Results) != 1 || pl.Raw {
		return
	}
	var only *step
	for i := range pl.steps {
		switch s := &pl.steps[i]; {
		case s.kind == stepInput:
		case s.kind == stepLoop && only == nil:
			only = s
		default:
			return
		}
	}
	if only == nil || only.dst != pl.Results[0].Register {
		return
	}
	d := &single{run: only.run, cost: pl.Cost}
	code := pl.program.Code
	in := &code[only.dst]
	if r := routineOf(in.Op, code[in.A].Type); r.most != nil {
		d.cost, d.preferred = r.cost, true
	}
	for k, r := range in.Args() {
		if code[r].Op == device.OpInput {
			d.args[k].operand = 1 + code[r].Index
		} else {
			d.args[k] = arg{register: int(r), fixed: true}
		}
	}
	d.remainder = in.Op == device.OpMod && in.Type == dtype.Uint64 && !d.args[0].fixed && d.args[1].fixed && code[in.B].Op != device.OpSize
	pl.single = d
}
