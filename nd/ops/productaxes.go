package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// coreAxes returns the axes of one array of a product: those of its matrices, two, or of its vectors, one. k numbers the
// operands; the result comes last.
func coreAxes(fn nd.Func, axes Axes, k, rank, core int, operands []*nd.Array) []int {
	which := [...]string{"operand 0", "operand 1", "the result"}[k]
	if len(axes) != core {
		panic(fn.Errorf(operands, "axes %v of %s: want %d", []int(axes), which, core))
	}
	norm, err := broadcast.Axes(axes, rank)
	if err != nil {
		panic(fn.Errorf(operands, "axes of %s: %v", which, err))
	}
	return norm
}

// lastAxes returns the numbers of the last n axes.
func lastAxes(n int) []int {
	last := make([]int, n)
	for i := range last {
		last[i] = i - n
	}
	return last
}

// productOf calls f, a product of the last axes of a and b, with the options. core says how many of the last axes of a, of b
// and of the result are matrices or vectors; the axes before them broadcast.
func productOf(fn nd.Func, o ProductOptions, a, b *nd.Array, core [3]int, f func(a, b *nd.Array) *nd.Array) *nd.Array {
	if o.Axes == nil {
		return intoProduct(fn, o.Out, f(a, b), nil, core[2])
	}
	operands := []*nd.Array{a, b}
	if len(o.Axes) != 3 && (len(o.Axes) != 2 || core[2] > 0) {
		panic(fn.Errorf(operands, "axes of %d arrays: want those of both operands and of the result", len(o.Axes)))
	}
	made := fn.Temporaries(&a, &b)
	defer made.Release()
	a = a.MoveAxis(coreAxes(fn, o.Axes[0], 0, a.Rank(), core[0], operands), lastAxes(core[0]))
	b = b.MoveAxis(coreAxes(fn, o.Axes[1], 1, b.Rank(), core[1], operands), lastAxes(core[1]))
	y := f(a, b)
	rank := y.Rank()
	if o.Out != nil {
		fn.Check(a, o.Out)
		rank = o.Out.Rank()
	}
	var at []int
	if len(o.Axes) == 3 {
		at = coreAxes(fn, o.Axes[2], 2, rank, core[2], operands)
	}
	return made.Keep(intoProduct(fn, o.Out, y, at, core[2]))
}

// intoProduct moves the last axes of a product y to the axes at, unless that is nil, and writes y into out, unless that is
// nil: the axes before the last ones broadcast to Out's.
func intoProduct(fn nd.Func, out, y *nd.Array, at []int, core int) *nd.Array {
	if out == nil {
		if at == nil {
			return y
		}
		y = release.Replace(y, y.MoveAxis(lastAxes(core), at))
		return release.Replace(y, y.Contiguous())
	}
	fn.Check(y, out)
	shape := out.Shape()
	if at != nil {
		shape = broadcast.Permute(nil, shape, broadcast.MovedLast(len(shape), at))
	}
	if broadcast.Equal(shape, y.Shape()) && at == nil {
		return reduction.IntoChecked(fn, out, y)
	}
	outer, inner := len(shape)-core, y.Rank()-core
	full, err := broadcast.Shapes(shape[:max(outer, 0)], y.Shape()[:inner])
	if outer < 0 || err != nil || !broadcast.Equal(full, shape[:outer]) || !broadcast.Equal(shape[outer:], y.Shape()[inner:]) {
		ufunc.CheckOut(fn, y, out, y.Shape())
	}
	fn.CheckWritable(out)
	ufunc.CheckCast(fn, y, out, y.DType())
	wide := release.Operands(y.BroadcastTo(shape...), y)
	if at != nil {
		wide = release.Replace(wide, wide.MoveAxis(lastAxes(core), at))
	}
	out.Assign(wide)
	wide.Release()
	return out
}
