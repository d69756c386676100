package matmul

import (
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Up to so many rows, columns or steps, and up to so many products, making pairs is not worth it.
const (
	fewBFloats        = 16
	fewBFloatProducts = 1 << 16
)

// multiplyBFloats computes a task of bfloat16 by the processor's products of pairs, or returns false: then it must be computed in
// float32. The sums are the same to the last bit: they are split in the same parts, and the factors' magnitudes are such that
// the instruction's treatment of tiny numbers does not matter.
func multiplyBFloats(t *task, shared bool) bool {
	few := min(t.m, t.n, t.k) <= fewBFloats || t.m*t.n*t.k <= fewBFloatProducts
	if few || t.a.dtype != dtype.BFloat16 || t.b.dtype != dtype.BFloat16 || !gemm.MultipliesBFloats() {
		return false
	}
	return multiplyPairs(*t, shared)
}

// multiplyPairs is multiplyBFloats for a task of a size that pays. The task is a copy, which workers may share, so that small ones allocate
// nothing.
func multiplyPairs(t task, shared bool) bool {
	t.turn()
	floats := t.floats()
	if floats.alongDepth || floats.hasFewColumns() {
		return false
	}
	g := groups[gemm.BFloats]{t: &t, each: 2, steps: (t.k + 1) / 2, shared: shared}
	a, isA := g.bound(t.a, t.m)
	b, isB := g.bound(t.b, t.n)
	if !isA || !isB || !gemm.Exact(&a, &b) {
		return false
	}
	right, panel := g.factor(t.b, t.n, false, true, g.copies[2:])
	left, _ := g.factor(t.a, t.m, false, false, g.copies[:2])
	f := tiled[gemm.BFloats]{bLine: right.Line, whole: gemm.Block{
		K: g.steps, A: left.At, ALine: left.Line, ADepth: left.Depth, B: right.At, BDepth: right.Depth, BPanel: panel,
	}}
	result := t.prepare(&f.whole, t.dtype)
	t.limits.miss()
	f.plan()
	f.depth = floats.depth / g.each
	f.multiply(shared)
	result.store(&t, &f.whole, shared)
	recycle(g.copies[:])
	return true
}

// floats returns the plan for factors that are converted to float32.
func (t *task) floats() (f tiled[float32]) {
	size := dtype.Float32.Size()
	a, b := t.contiguous(t.a, t.m, size), t.contiguous(t.b, t.n, size)
	f.whole = gemm.Block{M: t.m, N: t.n, K: t.k, ALine: a.Line, ADepth: a.Depth, BDepth: b.Depth}
	f.bLine = b.Line
	f.plan()
	return f
}

// bound returns the magnitudes of a factor with the given number of lines. It returns false if its elements are contiguous
// neither along the lines nor across them.
func (g *groups[T]) bound(e elements, lines int) (all gemm.Magnitudes, ok bool) {
	n, each, stride := lines, g.t.k, e.line
	switch {
	case e.depth == 1:
	case e.line == 1:
		n, each, stride = g.t.k, lines, e.depth
	default:
		return all, false
	}
	var lock sync.Mutex
	g.forRanges(n, each, func(from, to int) {
		var part gemm.Magnitudes
		if stride == each {
			part.Bound(unsafe.Add(e.at, from*each*g.size()), (to-from)*each)
			from = to
		}
		for ; from < to; from++ {
			part.Bound(unsafe.Add(e.at, from*stride*g.size()), each)
		}
		lock.Lock()
		all.Join(&part)
		lock.Unlock()
	})
	return all, true
}
