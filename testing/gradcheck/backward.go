package gradcheck

import (
	"cmp"
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// BackwardOptions are the options of [Backward].
type BackwardOptions struct {
	// Eps is the step of [Numerical]. 0 means 1e-3.
	Eps float64
	// ATol and RTol are the absolute and the relative tolerance; nil means 1e-5 and 1e-4.
	ATol, RTol *float64
	// NoGrads says which of the first arrays are not checked. Integers, bools and complex numbers never are.
	NoGrads []bool
	// DType is the dtype in which the differences are computed, such as dtype.Float64 for arrays of float32. By default
	// it is that of each array.
	DType dtype.DType
}

// Backward reports whether the gradients of f at xs agree with the central differences that [Numerical] computes at
// every element, and reports an error to t if they do not. f returns several arrays; gys are the gradients that arrive
// at them, and nil means ones. [Check] is faster, and chooses random gradients.
// Chainer: gradient_check.check_backward.
func Backward(t assert.TB, f func(xs []*nd.Array) []*nd.Array, xs, gys []*nd.Array, opts ...BackwardOptions) bool {
	t.Helper()
	const fn nd.Func = "gradcheck.Backward"
	o := options.Read(fn, opts)
	fn.Check(xs...)
	fn.Expect(len(o.NoGrads) <= len(xs), xs, "%d NoGrads for %d arrays", len(o.NoGrads), len(xs))
	var at []int
	var wanted, moved []*nd.Array
	for i, x := range xs {
		if !x.DType().IsFloat() || i < len(o.NoGrads) && o.NoGrads[i] {
			continue
		}
		at, wanted = append(at, i), append(wanted, x)
		if o.DType.Valid() {
			x = x.AsType(o.DType)
		}
		moved = append(moved, x)
	}
	of := func(some ...*nd.Array) []*nd.Array {
		all := slices.Clone(xs)
		for k, x := range some {
			all[at[k]] = x
		}
		return f(all)
	}
	ys, pull := grad.VJP(of, wanted...)
	if gys == nil {
		for _, y := range ys {
			gys = append(gys, nd.OnesLike(y))
		}
	}
	got := pull(gys)
	want := Numerical(func(some []*nd.Array) []*nd.Array { return of(some...) }, moved, gys, cmp.Or(o.Eps, 1e-3))
	agree := true
	for k := range wanted {
		agree = assert.AllClose(t, got[k], want[k], tolerance(o.RTol, 1e-4), tolerance(o.ATol, 1e-5)) && agree
	}
	return agree
}

func tolerance(v *float64, def float64) float64 {
	if v == nil {
		return def
	}
	return *v
}
