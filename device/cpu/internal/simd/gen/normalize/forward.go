package main

import (
	. "github.com/mmcloughlin/avo/build"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// The routines that normalise.

func center(k vec.Kind) {
	r := begin(k, "center", params(k, "dst, a *%s, n int, mean, scale, offset %[1]s"), "dst", "a")
	Doc("center" + k.Suffix() + " stores (a - mean)·scale + offset.")
	mean, scale, offset := r.scalar("mean"), r.scalar("scale"), r.scalar("offset")
	r.each(func(p part) {
		a := p.load("a")
		p.bring("dst")
		k.Sub(mean, a, a)
		k.FMA213(offset, scale, a)
		p.store(a, "dst")
	})
	vec.Leave()
}

func standardize(k vec.Kind) {
	r := begin(k, "standardize", params(k, "dst, a, gamma, beta *%s, n, next int, mean, scale %[1]s"), "dst", "a", "gamma", "beta")
	Doc("standardize" + k.Suffix() + " stores (a - mean)·scale·gamma + beta.")
	r.findNext()
	mean, scale := r.scalar("mean"), r.scalar("scale")
	r.each(func(p part) {
		a := p.load("a")
		p.bring("dst")
		p.bringNext("a")
		k.Sub(mean, a, a)
		k.Mul(scale, a, a)
		k.FMA213(p.load("beta"), p.load("gamma"), a)
		p.store(a, "dst")
	})
	vec.Leave()
}
