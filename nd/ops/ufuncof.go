package ops

import (
	"reflect"
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/view"
)

// Ufunc is an elementwise function of two arrays together with its methods: UfuncOf(Subtract).Outer(a, b) is
// np.subtract.outer(a, b). It may be a function of this package or of a program. The results of the methods are
// differentiable if the function is. The methods combine elements from left to right, with one call of the function for
// each index along the axis, and compute in the dtype of the array. For additions and multiplications NumPy widens small
// integers to 64 bits first: the option DType with dtype.SumType does so. Sum, Prod, Max, CumSum and similar functions are
// faster where they do the same.
type Ufunc func(a, b *nd.Array, opts ...UfuncOption) *nd.Array

// UfuncOf returns a function of two arrays as a [Ufunc]. Go infers the type arguments of functions such as Subtract
// from the type of its parameter.
func UfuncOf(f func(a, b *nd.Array, opts ...UfuncOption) *nd.Array) Ufunc { return f }

// UfuncCounts returns how many arrays an elementwise function takes and returns, apart from its options: 1 and 1 for
// Sin, 1 and 2 for Modf, 2 and 1 for [UfuncOf](Add). It panics if f is not a function from arrays to arrays.
// NumPy: ufunc.nin, ufunc.nout. CuPy: ufunc.nin, ufunc.nout.
func UfuncCounts(f any) (nin, nout int) {
	const fn nd.Func = "ops.UfuncCounts"
	t, array := reflect.TypeOf(f), reflect.TypeFor[*nd.Array]()
	if t == nil || t.Kind() != reflect.Func {
		panic(fn.Errorf(nil, "a %T: want a function of arrays", f))
	}
	nin, nout = t.NumIn(), t.NumOut()
	if t.IsVariadic() {
		nin--
	}
	for i := range nin {
		if t.In(i) != array {
			panic(fn.Errorf(nil, "a %T: parameter %d is not an array", f, i))
		}
	}
	for i := range nout {
		if t.Out(i) != array {
			panic(fn.Errorf(nil, "a %T: result %d is not an array", f, i))
		}
	}
	if nin == 0 || nout == 0 {
		panic(fn.Errorf(nil, "a %T: want a function of arrays", f))
	}
	return nin, nout
}

// Outer returns the function of all pairs of an element of a and an element of b.
//
// Shapes: (m…) and (n…) give (m…, n…).
// NumPy: ufunc.outer.
func (f Ufunc) Outer(a, b *nd.Array, opts ...UfuncOption) *nd.Array {
	const fn nd.Func = "Ufunc.Outer"
	fn.Check(a, b)
	if a.Rank()+b.Rank() > nd.MaxRank {
		panic(fn.Errorf([]*nd.Array{a, b}, "the result has more than %d axes", nd.MaxRank))
	}
	made := fn.Temporaries(&a, &b)
	defer made.Release()
	if a.Rank() > 0 && b.Rank() > 0 {
		a = a.Reshape(append(a.Shape(), broadcast.Ones(b.Rank())...)...)
	}
	return made.Keep(f(a, b, opts...))
}

// AlongOptions are the options of the methods of a Ufunc that combine elements along an axis.
type AlongOptions struct {
	// Axis is the axis; the default is 0.
	Axis Axes
	// DType is the dtype to which the elements are converted before they are combined; the default is that of the array.
	// dtype.SumType(x.DType()) makes small integers 64 bits wide, as NumPy's add and multiply do.
	DType dtype.DType
}

// AlongOption is an [AlongOptions], or the axis alone.
type AlongOption interface {
	along(AlongOptions) AlongOptions
}

func (o AlongOptions) along(AlongOptions) AlongOptions { return o }
func (a Axes) along(o AlongOptions) AlongOptions       { o.Axis = a; return o }

// elements returns x converted to the option DType.
func (o AlongOptions) elements(x *nd.Array) *nd.Array {
	if o.DType.Valid() {
		return x.AsType(o.DType)
	}
	return x
}

// Reduce combines all elements along an axis with the function. It panics if the axis is empty, because the identity of
// the function is not known.
// NumPy: ufunc.reduce.
func (f Ufunc) Reduce(x *nd.Array, opts ...AlongOption) *nd.Array {
	const fn nd.Func = "Ufunc.Reduce"
	fn.Check(x)
	o := options.Of(fn, opts, Axes.along)
	axis := fn.Axis(x, o.Axis, 0)
	if x.Dim(axis) == 0 {
		panic(fn.Errorf([]*nd.Array{x}, "there are no elements along axis %d", axis))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	all := f.running(o.elements(x), axis)
	if len(all) == 1 {
		return made.Keep(all[0].Copy())
	}
	return made.Keep(all[len(all)-1])
}

// Accumulate combines the elements up to each index along an axis with the function.
// NumPy: ufunc.accumulate.
func (f Ufunc) Accumulate(x *nd.Array, opts ...AlongOption) *nd.Array {
	const fn nd.Func = "Ufunc.Accumulate"
	fn.Check(x)
	o := options.Of(fn, opts, Axes.along)
	axis := fn.Axis(x, o.Axis, 0)
	made := fn.Temporaries(&x)
	defer made.Release()
	x = o.elements(x)
	if x.Dim(axis) == 0 {
		return made.Keep(fn.NewLike(f.result(x), x.Shape(), x))
	}
	return made.Keep(Stack(f.running(x, axis), Over(axis)))
}

// running returns the combined elements up to each index along an axis. Its parts lack that axis.
func (f Ufunc) running(x *nd.Array, axis int) []*nd.Array {
	all := Unstack(x, Over(axis))
	all[0] = all[0].AsType(f.result(x))
	for k := range all[1:] {
		all[k+1] = f(all[k], all[k+1])
	}
	return all
}

// result returns the dtype of the function of two arrays with the dtype of x.
func (f Ufunc) result(x *nd.Array) dtype.DType {
	none := nd.Empty([]int{0}, nd.ArrayOptions{DType: x.DType(), Device: x.Device()})
	return release.Operands(f(none, none), none).DType()
}

// ReduceAt combines the elements of parts of an axis with the function. Part k begins at at[k] and
// ends before at[k+1], the last one at the end of the axis. If at[k+1] is not larger than at[k], the part is the
// element at at[k]. ReduceAt makes as many calls as the longest part has elements. For sums over parts see also AddAt.
//
// Shapes: the axis has the length of at.
// NumPy: ufunc.reduceat.
func (f Ufunc) ReduceAt(x *nd.Array, at []int, opts ...AlongOption) *nd.Array {
	const fn nd.Func = "Ufunc.ReduceAt"
	fn.Check(x)
	o := options.Of(fn, opts, Axes.along)
	axis := fn.Axis(x, o.Axis, 0)
	n := x.Dim(axis)
	lengths := make([]int, len(at))
	for k, from := range at {
		if from < 0 || from >= n {
			panic(fn.Errorf([]*nd.Array{x}, "index %d is outside an axis of length %d", from, n))
		}
		to := n
		if k+1 < len(at) {
			to = at[k+1]
		}
		lengths[k] = max(to-from, 1)
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	x = o.elements(x)
	if len(at) == 0 {
		shape := x.Shape()
		shape[axis] = 0
		return made.Keep(fn.NewLike(f.result(x), shape, x))
	}
	return made.Keep(f.reduceParts(fn, x.MoveAxis([]int{axis}, []int{0}), at, lengths).MoveAxis([]int{0}, []int{axis}).Contiguous())
}

// reduceParts combines parts along axis 0, the longest first, so that the unfinished parts always come first. Each
// element is gathered once, in the order in which it is needed.
func (f Ufunc) reduceParts(fn nd.Func, x *nd.Array, at, lengths []int) *nd.Array {
	order := make([]int, len(at))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return lengths[b] - lengths[a] })
	var indices []int
	bounds := []int{0}
	for step := range lengths[order[0]] {
		for _, k := range order {
			if lengths[k] <= step {
				break
			}
			indices = append(indices, at[k]+step)
		}
		bounds = append(bounds, len(indices))
	}
	parts := split(fn, takeFrom(fn, x, 0, indices), 0, bounds, false)
	y := parts[0].AsType(f.result(x))
	var ended []*nd.Array // the shortest parts last
	for _, next := range parts[1:] {
		if m := next.Dim(0); m < y.Dim(0) {
			ended = append(ended, view.Span(y, 0, m, y.Dim(0)))
			y = view.Span(y, 0, 0, m)
		}
		y = f(y, next)
	}
	slices.Reverse(ended)
	y = Concatenate(append([]*nd.Array{y}, ended...))
	back := make([]int, len(order))
	for row, k := range order {
		back[k] = row
	}
	return takeFrom(fn, y, 0, back)
}
