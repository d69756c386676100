package matmul

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/products"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// smallDepth is the depth up to which the sums of the routines of package gemm run along the whole depth, one product after the other, in
// every layout that a small batch has.
const smallDepth = 63

// multiplySmall computes a batch of small matrices in one pass, with the sums of [multiplyOne]. It reports whether the shapes and strides
// allow it.
func multiplySmall[T products.Float](p *Product) bool {
	size := int(unsafe.Sizeof(*new(T)))
	if p.batches == 1 || p.adds || p.K == 0 || p.K > smallDepth || p.N < 2 || p.N > products.MostColumns[T]() || p.M > 2*smallDepth ||
		p.b.Line != 1 || p.c.Depth != 1 || p.a.DType != p.DType || p.b.DType != p.DType || p.c.DType != p.DType {
		return false
	}
	a, okA := p.a.Distance()
	b, okB := p.b.Distance()
	c, okC := p.c.Distance()
	if !okA || !okB || !okC {
		return false
	}
	p.limits.miss()
	all := products.Batch{
		Count: p.batches, M: p.M, N: p.N, K: p.K, A: p.a.batch.Base, B: p.b.batch.Base, C: p.c.batch.Base,
		ANext: a * size, ALine: p.a.Line * size, ADepth: p.a.Depth * size, BNext: b * size, BLine: p.b.Depth * size, CNext: c * size, CLine: p.c.Line * size,
	}
	cost := float64(p.M*p.N*p.K)*p.cost() + smallCost
	if !workers.Sharing(workers.Estimate(p.batches, cost)) {
		products.Multiply[T](&all)
		return true
	}
	shareSmall[T](all, cost)
	return true
}

// smallCost is about how many nanoseconds a product takes besides its sums.
const smallCost = 5

func shareSmall[T products.Float](all products.Batch, cost float64) {
	workers.ForRanges(all.Count, cost, func(from, to int) {
		part := all
		part.Count = to - from
		part.A, part.B, part.C = unsafe.Add(all.A, from*all.ANext), unsafe.Add(all.B, from*all.BNext), unsafe.Add(all.C, from*all.CNext)
		products.Multiply[T](&part)
	})
}
