package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// unroll is the number of vectors that are processed at once.
const unroll = 4

// row emits a routine that walks along rows of n elements.
type row struct {
	k        vec.Kind
	n        reg.Register
	next     reg.Register // the distance to the next rows in bytes, for routines with this parameter
	pointers map[string]reg.Register
	tail     vec.Tail
	rest     reg.GPVirtual
}

// begin starts a routine with pointers to rows, in their order, then n and other parameters.
func begin(k vec.Kind, name, params string, pointers ...string) *row {
	TEXT(name+k.Suffix(), NOSPLIT, "func("+params+")")
	Pragma("noescape")
	r := &row{k: k, pointers: map[string]reg.Register{}, rest: GP64()}
	for _, p := range pointers {
		r.pointers[p] = Load(Param(p), GP64())
	}
	r.n = Load(Param("n"), GP64())
	MOVQ(r.n, r.rest)
	ANDQ(operand.Imm(uint64(k.Lanes()-1)), r.rest)
	r.tail = k.Tail(r.rest)
	return r
}

// scalar broadcasts a parameter.
func (r *row) scalar(name string) reg.VecVirtual {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	v := r.k.Reg()
	r.k.Splat(p.Addr, v)
	return v
}

// part is some vector of the rows, possibly only the lanes of the tail.
type part struct {
	*row
	i      int
	isTail bool
}

func (p part) load(name string) reg.VecVirtual {
	v := p.k.Reg()
	m := operand.Mem{Base: p.pointers[name], Disp: p.i * p.k.Bytes()}
	if p.isTail {
		p.tail.LoadZero(m, v)
	} else {
		p.k.Load(m, v)
	}
	return v
}

func (p part) store(v reg.VecVirtual, name string) {
	m := operand.Mem{Base: p.pointers[name], Disp: p.i * p.k.Bytes()}
	if p.isTail {
		p.tail.Store(v, m)
	} else {
		p.k.Store(v, m)
	}
}

// each emits body for all vectors.
func (r *row) each(body func(p part)) {
	for _, step := range []int{unroll, 1} {
		loop, done := fmt.Sprintf("by%d", step), fmt.Sprintf("after%d", step)
		CMPQ(r.n, operand.I32(step*r.k.Lanes()))
		JL(operand.LabelRef(done))
		Label(loop)
		for i := range step {
			body(part{r, i, false})
		}
		r.advance(step)
		SUBQ(operand.U32(step*r.k.Lanes()), r.n)
		CMPQ(r.n, operand.I32(step*r.k.Lanes()))
		JGE(operand.LabelRef(loop))
		Label(done)
	}
	TESTQ(r.rest, r.rest)
	JZ(operand.LabelRef("end"))
	body(part{r, 0, true})
	Label("end")
}

// bring prefetches memory that is stored soon.
func (p part) bring(name string) {
	if at := p.i * p.k.Bytes(); at%line == 0 && !p.isTail {
		PREFETCHT0(operand.Mem{Base: p.pointers[name], Disp: at + ahead})
	}
}

// bringNext prefetches the next data of a row into the second-level cache.
func (p part) bringNext(name string) {
	if at := p.i * p.k.Bytes(); at%line == 0 && !p.isTail {
		PREFETCHT1(operand.Mem{Base: p.pointers[name], Index: p.next, Scale: 1, Disp: at})
	}
}

// line is the size of a cache line; ahead is the distance in bytes at which lines are prefetched before they are
// stored.
const (
	line  = 64
	ahead = 1024
)

func (r *row) advance(vectors int) {
	for _, name := range []string{"dst", "a", "gy", "gamma", "beta", "ggamma", "gbeta"} {
		if p := r.pointers[name]; p != nil {
			ADDQ(operand.U32(vectors*r.k.Bytes()), p)
		}
	}
}

// findNext loads the parameter with the distance to the next rows.
func (r *row) findNext() {
	r.next = Load(Param("next"), GP64())
	SHLQ(operand.Imm(uint64(r.k.Size()/4+1)), r.next)
}

func params(k vec.Kind, format string) string { return fmt.Sprintf(format, k.Elem()) }
