package device

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Reg is a register. It holds the value that the instruction with the same number computes.
type Reg int32

// Inst is one instruction. Type is the type of its value. A, B and C are the registers that it reads, which belong to
// earlier instructions.
type Inst struct {
	Op      Op
	Type    dtype.DType
	A, B, C Reg
	Index   int    // OpInput, OpScalar, OpLoad: the number of the input or scalar
	Value   Scalar // OpConst
}

// Args returns the registers that the instruction reads.
func (in *Inst) Args() []Reg {
	return []Reg{in.A, in.B, in.C}[:in.Op.Arity()]
}

// Param is a declared input, scalar or output of a program.
type Param struct {
	Name   string
	Type   dtype.DType // of the register
	Stored dtype.DType // the declared type: a 16-bit float, which is computed as float32, or Type
	Raw    bool        // an input that is read by index with OpLoad
}

// Program is an elementwise function as code without branches, in which each register is written once (static single
// assignment). A Program does not change once it is made. It knows neither shapes nor the values of its scalars.
// Registers have [ComputeTypes]; operands can have any dtype, and are converted when they are read and written.
type Program struct {
	Name    string
	Inputs  []Param
	Scalars []Param
	Outputs []Param
	Code    []Inst
	Results []Reg // the register with the value of each output

	gradient *Source // Source.Gradient; nil if the opcodes' rules give the gradient
	compiled atomic.Pointer[compilation]
	making   sync.Mutex
	derived  sync.Map                       // input number → *Derivative
	forms    [forms]atomic.Pointer[Program] // the programs that Reduce makes of it
	joins    atomic.Pointer[joins]          // the programs that Join makes of it and others
	number   atomic.Uint32                  // identifies the program in the keys of joins; 0 until it is joined
}

// compilation is what a backend compiled from a program for one key. A program has a short list of compilations.
type compilation struct {
	key, made any
	next      *compilation
}

// Compiled returns what a backend compiles from the program with make. It calls make for the first request with a key
// and caches the result.
func (p *Program) Compiled(key any, make func() any) any {
	if made := p.find(key); made != nil {
		return made
	}
	made := make() // no lock is held: make may compile other things for the program
	p.making.Lock()
	defer p.making.Unlock()
	if first := p.find(key); first != nil {
		return first
	}
	p.compiled.Store(&compilation{key, made, p.compiled.Load()})
	return made
}

func (p *Program) find(key any) any {
	for c := p.compiled.Load(); c != nil; c = c.next {
		if c.key == key {
			return c.made
		}
	}
	return nil
}

// IsIdentity reports whether the program returns its only input unchanged.
func (p *Program) IsIdentity() bool {
	return len(p.Inputs) == 1 && len(p.Results) == 1 && p.Code[p.Results[0]].Op == OpInput
}

// HasRaw reports whether the program reads an input by index, or reads the index in the loop: then the axes of the loop
// must stay unchanged.
func (p *Program) HasRaw() bool {
	for i := range p.Code {
		switch p.Code[i].Op {
		case OpLoad, OpIndex:
			return true
		}
	}
	return false
}

// String lists the program, one instruction per line.
func (p *Program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s(%s", p.Name, params(p.Inputs))
	if len(p.Scalars) > 0 {
		fmt.Fprintf(&b, "; %s", params(p.Scalars))
	}
	fmt.Fprintf(&b, ") -> %s\n", params(p.Outputs))
	for i, in := range p.Code {
		fmt.Fprintf(&b, "%3d %s %s", i, in.Type, in.Op)
		for _, a := range in.Args() {
			fmt.Fprintf(&b, " %%%d", a)
		}
		switch in.Op {
		case OpInput, OpLoad:
			fmt.Fprintf(&b, " %s", p.Inputs[in.Index].Name)
		case OpScalar:
			fmt.Fprintf(&b, " %s", p.Scalars[in.Index].Name)
		case OpConst:
			fmt.Fprintf(&b, " %v", in.Value.format(in.Type))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "  = %v\n", p.Results)
	return b.String()
}

func params(ps []Param) string {
	var parts []string
	for _, p := range ps {
		raw := ""
		if p.Raw {
			raw = "raw "
		}
		parts = append(parts, fmt.Sprintf("%s%s %s", raw, p.Type, p.Name))
	}
	return strings.Join(parts, ", ")
}

func (s Scalar) format(t dtype.DType) any {
	switch {
	case t.IsComplex():
		return complex(s.Re, s.Im)
	case t.IsFloat():
		return s.Re
	case t.IsUnsigned():
		return uint64(s.Int)
	}
	return s.Int
}

// builder builds programs. It does not emit a value that is already computed, and leaves out operations that change
// nothing, such as a multiplication by 1, and comparisons of constants, such as a test of the type's range.
type builder struct {
	prog  *Program
	known map[Inst]Reg
}

func newBuilder(p *Program) *builder { return &builder{prog: p, known: map[Inst]Reg{}} }

func (b *builder) typeOf(r Reg) dtype.DType { return b.prog.Code[r].Type }

func (b *builder) emit(in Inst) Reg {
	if r, ok := b.known[in]; ok {
		return r
	}
	r := Reg(len(b.prog.Code))
	b.prog.Code = append(b.prog.Code, in)
	b.known[in] = r
	return r
}

func (b *builder) input(i int) Reg {
	return b.emit(Inst{Op: OpInput, Type: b.prog.Inputs[i].Type, Index: i})
}

func (b *builder) scalar(i int) Reg {
	return b.emit(Inst{Op: OpScalar, Type: b.prog.Scalars[i].Type, Index: i})
}

// number returns a constant of type t. Its value v must be exact in float64.
func (b *builder) number(v float64, t dtype.DType) Reg {
	return b.constant(Scalar{Re: v, Int: int64(v)}, t)
}

func (b *builder) constant(s Scalar, t dtype.DType) Reg {
	switch {
	case t.IsComplex(): // Int distinguishes 0 from -0 and one NaN from another, which == on floats does not
		s.Int = int64(math.Float64bits(s.Re)) ^ int64(bits.RotateLeft64(math.Float64bits(s.Im), 1))
	case t.IsFloat():
		s.Im, s.Int = 0, int64(math.Float64bits(s.Re))
	default:
		s.Re, s.Im = 0, 0
	}
	return b.emit(Inst{Op: OpConst, Type: t, Value: s})
}

func (b *builder) isConst(r Reg, v float64) bool {
	in := &b.prog.Code[r]
	if in.Op != OpConst {
		return false
	}
	if in.Type.IsInexact() {
		return in.Value.Re == v && in.Value.Im == 0
	}
	return in.Value.Int == int64(v)
}

func (b *builder) cast(r Reg, t dtype.DType) Reg {
	from := b.typeOf(r)
	if from == t {
		return r
	}
	return b.emit(Inst{Op: OpCast, Type: t, A: r})
}

func (b *builder) unary(op Op, a Reg) Reg {
	t := b.typeOf(a)
	return b.emit(Inst{Op: op, Type: op.resultType(t), A: a})
}

// binary emits op for two values of one type. It leaves out multiplications by 1 and similar operations, and emits a
// square as a product.
func (b *builder) binary(op Op, x, y Reg) Reg {
	switch {
	case op == OpMul && b.isConst(x, 1):
		return y
	case (op == OpMul || op == OpDiv || op == OpPow) && b.isConst(y, 1):
		return x
	case op == OpPow && b.isConst(y, 2) && b.typeOf(x).IsInexact():
		return b.binary(OpMul, x, x)
	}
	if holds, ok := b.compareConstants(op, x, y); ok {
		return b.constant(Scalar{Int: holds}, dtype.Bool)
	}
	return b.emit(Inst{Op: op, Type: op.resultType(b.typeOf(x)), A: x, B: y})
}

// compareConstants compares two constant floats. It returns 1 if the comparison holds, and 0 if it does not.
func (b *builder) compareConstants(op Op, x, y Reg) (holds int64, ok bool) {
	left, right := &b.prog.Code[x], &b.prog.Code[y]
	if left.Op != OpConst || right.Op != OpConst || !left.Type.IsFloat() {
		return 0, false
	}
	is := false
	switch v, w := ScalarOf(left.Value.Re, left.Type).Re, ScalarOf(right.Value.Re, right.Type).Re; op {
	case OpEq:
		is = v == w
	case OpNe:
		is = v != w
	case OpLt:
		is = v < w
	case OpLe:
		is = v <= w
	case OpGt:
		is = v > w
	case OpGe:
		is = v >= w
	default:
		return 0, false
	}
	if is {
		holds = 1
	}
	return holds, true
}

func (b *builder) choose(cond, x, y Reg) Reg {
	switch c := &b.prog.Code[cond]; {
	case x == y:
		return x
	case c.Op == OpConst && c.Value.Int != 0:
		return x
	case c.Op == OpConst:
		return y
	}
	return b.emit(Inst{Op: OpSelect, Type: b.typeOf(x), A: cond, B: x, C: y})
}

// finish drops the instructions that no result needs. The declarations of inputs and scalars stay.
func (b *builder) finish() *Program {
	p := b.prog
	live := make([]bool, len(p.Code))
	for _, r := range p.Results {
		live[r] = true
	}
	for i := len(p.Code) - 1; i >= 0; i-- {
		if live[i] {
			for _, a := range p.Code[i].Args() {
				live[a] = true
			}
		}
	}
	to := make([]Reg, len(p.Code))
	kept := p.Code[:0:0]
	for i, in := range p.Code {
		if !live[i] {
			continue
		}
		in.A, in.B, in.C = to[in.A], to[in.B], to[in.C]
		to[i] = Reg(len(kept))
		kept = append(kept, in)
	}
	p.Code = kept
	for i, r := range p.Results {
		p.Results[i] = to[r]
	}
	return p
}
