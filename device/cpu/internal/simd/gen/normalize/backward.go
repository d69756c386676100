package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// The routines of gradients.

// accumulators are two sums of vectors, each in several registers side by side.
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

// finish adds up the sums and stores them at a pointer.
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
		p.bring("dst")
		k.Sub(mean, a, a)
		k.FMA213(offset, slope, a)
		k.FMA231(scale, gy, a)
		p.store(a, "dst")
	})
	vec.Leave()
}

func gradient(k vec.Kind) {
	r := begin(k, "gradient", params(k, "dst, a, gy, gamma *%s, n, next int, mean, scale, slope, offset %[1]s"), "dst", "a", "gy", "gamma")
	Doc("gradient" + k.Suffix() + " stores gy·gamma·scale + (a - mean)·slope + offset.")
	r.findNext()
	mean, scale, slope, offset := r.scalar("mean"), r.scalar("scale"), r.scalar("slope"), r.scalar("offset")
	r.each(func(p part) {
		a, gy, gamma := p.load("a"), p.load("gy"), p.load("gamma")
		p.bring("dst")
		p.bringNext("a")
		p.bringNext("gy")
		k.Sub(mean, a, a)
		k.FMA213(offset, slope, a)
		k.Mul(scale, gamma, gamma)
		k.FMA231(gamma, gy, a)
		p.store(a, "dst")
	})
	vec.Leave()
}
