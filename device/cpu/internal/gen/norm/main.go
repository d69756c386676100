// Command norm generates the routines of package norm.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/gen/vec"
)

func main() {
	ConstraintExpr("!purego")
	for _, k := range vec.Kinds {
		center(k)
		standardize(k)
		flatSums(k)
		sums(k)
		flatGradient(k)
		gradient(k)
	}
	Generate()
}

// unroll is how many vectors are gone along at once.
const unroll = 4

// row is a routine that goes along rows of n elements.
type row struct {
	k        vec.Kind
	n        reg.Register
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

// scalar spreads a parameter.
func (r *row) scalar(name string) reg.VecVirtual {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	v := r.k.Reg()
	r.k.Splat(p.Addr, v)
	return v
}

// part is some vector of the rows; its lanes may be those of the tail alone.
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

// each emits the body for all vectors.
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

func (r *row) advance(vectors int) {
	for _, name := range []string{"dst", "a", "gy", "gamma", "beta", "ggamma", "gbeta"} {
		if p := r.pointers[name]; p != nil {
			ADDQ(operand.U32(vectors*r.k.Bytes()), p)
		}
	}
}

func params(k vec.Kind, format string) string { return fmt.Sprintf(format, k.Elem()) }

func center(k vec.Kind) {
	r := begin(k, "center", params(k, "dst, a *%s, n int, mean, scale, offset %[1]s"), "dst", "a")
	Doc("center" + k.Suffix() + " stores (a - mean)·scale + offset.")
	mean, scale, offset := r.scalar("mean"), r.scalar("scale"), r.scalar("offset")
	r.each(func(p part) {
		a := p.load("a")
		k.Sub(mean, a, a)
		k.FMA213(offset, scale, a)
		p.store(a, "dst")
	})
	vec.Leave()
}

func standardize(k vec.Kind) {
	r := begin(k, "standardize", params(k, "dst, a, gamma, beta *%s, n int, mean, scale %[1]s"), "dst", "a", "gamma", "beta")
	Doc("standardize" + k.Suffix() + " stores (a - mean)·scale·gamma + beta.")
	mean, scale := r.scalar("mean"), r.scalar("scale")
	r.each(func(p part) {
		a := p.load("a")
		k.Sub(mean, a, a)
		k.Mul(scale, a, a)
		k.FMA213(p.load("beta"), p.load("gamma"), a)
		p.store(a, "dst")
	})
	vec.Leave()
}

// accumulators are two sums of vectors, several side by side.
type accumulators [2][]reg.VecVirtual

func newAccumulators(k vec.Kind, n int) (s accumulators) {
	for i := range s {
		s[i] = k.Regs(n)
		for _, acc := range s[i] {
			k.Zero(acc)
		}
	}
	return s
}

// finish adds the sums up and stores them at a pointer.
func (s accumulators) finish(k vec.Kind, at reg.Register) {
	for i, accs := range s {
		for _, acc := range accs[1:] {
			k.Add(acc, accs[0], accs[0])
		}
		move := VMOVSS
		if k.Double {
			move = VMOVSD
		}
		move(k.Sum(accs[0], k.Reg()), operand.Mem{Base: at, Disp: i * k.Size()})
	}
}

func flatSums(k vec.Kind) {
	r := begin(k, "flatSums", params(k, "a, gy *%s, n int, mean %[1]s, totals *%[1]s"), "a", "gy")
	Doc("flatSums" + k.Suffix() + " stores the sums of gy and of gy·(a - mean).")
	totals := Load(Param("totals"), GP64())
	mean := r.scalar("mean")
	s := newAccumulators(k, unroll)
	r.each(func(p part) {
		a, gy := p.load("a"), p.load("gy")
		k.Sub(mean, a, a)
		k.Add(gy, s[0][p.i], s[0][p.i])
		k.FMA231(gy, a, s[1][p.i])
	})
	s.finish(k, totals)
	vec.Leave()
}

func sums(k vec.Kind) {
	r := begin(k, "sums", params(k, "a, gy, gamma, ggamma, gbeta *%s, n int, mean, scale %[1]s, totals *%[1]s"), "a", "gy", "gamma", "ggamma", "gbeta")
	Doc("sums"+k.Suffix()+" stores the sums of gy·gamma and of gy·gamma·(a - mean), and adds gy·(a - mean)·scale to ggamma and gy to",
		"gbeta.")
	totals := Load(Param("totals"), GP64())
	mean, scale := r.scalar("mean"), r.scalar("scale")
	s := newAccumulators(k, 2)
	r.each(func(p part) {
		a, gy := p.load("a"), p.load("gy")
		gbeta := p.load("gbeta")
		k.Add(gy, gbeta, gbeta)
		p.store(gbeta, "gbeta")
		k.Sub(mean, a, a)
		k.Mul(gy, a, a)
		ggamma, gamma := p.load("ggamma"), p.load("gamma")
		k.FMA231(scale, a, ggamma)
		p.store(ggamma, "ggamma")
		k.FMA231(gamma, gy, s[0][p.i%2])
		k.FMA231(gamma, a, s[1][p.i%2])
	})
	s.finish(k, totals)
	vec.Leave()
}

func flatGradient(k vec.Kind) {
	r := begin(k, "flatGradient", params(k, "dst, a, gy *%s, n int, mean, scale, slope, offset %[1]s"), "dst", "a", "gy")
	Doc("flatGradient" + k.Suffix() + " stores gy·scale + (a - mean)·slope + offset.")
	mean, scale, slope, offset := r.scalar("mean"), r.scalar("scale"), r.scalar("slope"), r.scalar("offset")
	r.each(func(p part) {
		a, gy := p.load("a"), p.load("gy")
		k.Sub(mean, a, a)
		k.FMA213(offset, slope, a)
		k.FMA231(scale, gy, a)
		p.store(a, "dst")
	})
	vec.Leave()
}

func gradient(k vec.Kind) {
	r := begin(k, "gradient", params(k, "dst, a, gy, gamma *%s, n int, mean, scale, slope, offset %[1]s"), "dst", "a", "gy", "gamma")
	Doc("gradient" + k.Suffix() + " stores gy·gamma·scale + (a - mean)·slope + offset.")
	mean, scale, slope, offset := r.scalar("mean"), r.scalar("scale"), r.scalar("slope"), r.scalar("offset")
	r.each(func(p part) {
		a, gy, gamma := p.load("a"), p.load("gy"), p.load("gamma")
		k.Sub(mean, a, a)
		k.FMA213(offset, slope, a)
		k.Mul(scale, gamma, gamma)
		k.FMA231(gamma, gy, a)
		p.store(a, "dst")
	})
	vec.Leave()
}
