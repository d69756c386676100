package ops

import (
	"reflect"
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
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
	// Axis is the axis; the default is 0. Reduce also takes several axes: it combines their elements in row-major order.
	Axis Axes
	// DType is the dtype to which the elements are converted before they are combined; the default is that of the array.
	// dtype.SumType(x.DType()) makes small integers 64 bits wide, as NumPy's add and multiply do.
	DType dtype.DType
	// Out receives the result, converted to its dtype (which same_kind casting must allow). It must have the shape of the
	// result. Without DType the elements are converted to the dtype to which the array and Out promote.
	Out *nd.Array
	// KeepDims leaves the reduced axes in the result, with length 1. It is for Reduce only.
	KeepDims bool
	// Where is a bool array that broadcasts to x's shape. Elements where it is false are left out. It is for Reduce only.
	Where *nd.Array
	// Initial is a number (nd.Scalar or a 0-d array), converted to the dtype of the result, that comes before the
	// elements. It is the result if there are no elements. It is for Reduce only.
	Initial *nd.Array
}

// AlongOption is an [AlongOptions], the axes alone ([Axes] or [KeptAxes]), or [Into].
type AlongOption interface {
	along(AlongOptions) AlongOptions
}

func (o AlongOptions) along(AlongOptions) AlongOptions { return o }
func (a Axes) along(o AlongOptions) AlongOptions       { o.Axis = a; return o }
func (a KeptAxes) along(o AlongOptions) AlongOptions   { o.Axis, o.KeepDims = Axes(a), true; return o }
func (out Output) along(o AlongOptions) AlongOptions   { o.Out = out.array; return o }

func alongOptions(fn nd.Func, opts []AlongOption) AlongOptions {
	return options.OfReduction(fn, opts, Axes.along, KeptAxes.along, Output.along)
}

// elements returns x converted to the dtype in which its elements are combined.
func (o AlongOptions) elements(fn nd.Func, x *nd.Array) *nd.Array {
	if o.DType.Valid() {
		return x.AsType(o.DType)
	}
	if o.Out != nil {
		fn.Check(x, o.Out)
	}
	return x.AsType(reduction.WithOut(x.DType(), o.Out))
}

// axis returns the one axis of a method other than Reduce, and refuses the options of Reduce.
func (o AlongOptions) axis(fn nd.Func, x *nd.Array) int {
	if o.KeepDims || o.Where != nil || o.Initial != nil {
		panic(fn.Errorf([]*nd.Array{x}, "it has no use for KeepDims, Where and Initial"))
	}
	return fn.Axis(x, o.Axis, 0)
}

// Reduce combines all elements along axes with the function. It panics if there are none and no Initial, because the
// identity of the function is not known. A 0-d array has one element. Where without Initial waits for the device, and must select at least one
// element for each result.
// NumPy: ufunc.reduce.
func (f Ufunc) Reduce(x *nd.Array, opts ...AlongOption) *nd.Array {
	const fn nd.Func = "Ufunc.Reduce"
	fn.Check(x)
	o := alongOptions(fn, opts)
	if o.Axis == nil {
		o.Axis = Over(0)
	}
	axes, shape := reduction.ReducedAxes(fn, x, reduction.WithoutAxes(x, o.Axis), o.KeepDims)
	checkWhere(fn, x, o.Where)
	count := reduction.Count(x.Shape(), axes)
	if o.Initial == nil && count == 0 {
		panic(fn.Errorf([]*nd.Array{x}, "there are no elements along axis %d", axes[slices.IndexFunc(axes, func(k int) bool { return x.Dim(k) == 0 })]))
	}
	if o.Initial != nil {
		fn.Check(x, o.Initial)
		if o.Initial.Rank() > 0 {
			panic(fn.Errorf([]*nd.Array{x, o.Initial}, "want Initial to be one number"))
		}
	}
	if o.Out != nil {
		ufunc.CheckOut(fn, x, o.Out, shape)
	}
	made := fn.Temporaries(&x, &o.Where, &o.Initial)
	defer made.Release()
	front := broadcast.AllAxes(len(axes))
	rows := func(a *nd.Array) []*nd.Array {
		a = a.MoveAxis(axes, front)
		return Unstack(a.Reshape(append([]int{count}, a.Shape()[len(axes):]...)...))
	}
	x = o.elements(fn, x)
	t := f.repeatable(fn, x)
	var y *nd.Array
	if o.Initial != nil {
		y = argument.As(fn, x, o.Initial, t)
	}
	if count == 0 {
		full := fn.NewLike(t, shape, x)
		full.Assign(y)
		return made.Keep(reduction.IntoChecked(fn, o.Out, full))
	}
	if o.Where == nil {
		y = f.fold(y, t, rows(x))
	} else {
		y = f.foldWhere(fn, y, t, rows(x), rows(o.Where.BroadcastTo(x.Shape()...)))
	}
	if y = y.Reshape(shape...); y.SharesMemory(x) {
		y = y.Copy()
	}
	return made.Keep(reduction.IntoChecked(fn, o.Out, y))
}

// fold combines y, unless it is nil, and the parts.
func (f Ufunc) fold(y *nd.Array, t dtype.DType, parts []*nd.Array) *nd.Array {
	for _, part := range parts {
		if y == nil {
			y = part.AsType(t)
		} else {
			y = f(y, part)
		}
	}
	return y
}

// foldWhere is fold without the elements at which the masks are false.
func (f Ufunc) foldWhere(fn nd.Func, y *nd.Array, t dtype.DType, parts, masks []*nd.Array) *nd.Array {
	var begun *nd.Array // where y has elements; nil means everywhere
	for k, part := range parts {
		switch {
		case y == nil:
			y, begun = part.AsType(t), masks[k]
		case begun == nil:
			y = Where(masks[k], f(y, part), y)
		default:
			y = Where(masks[k], Where(begun, f(y, part), part.AsType(t)), y)
			begun = LogicalOr(begun, masks[k])
		}
	}
	if begun != nil && !nd.Value[bool](All(begun)) {
		panic(fn.Errorf(parts, "Where selects no element for some results: they need an Initial"))
	}
	return y
}

// Accumulate combines the elements up to each index along an axis with the function.
// NumPy: ufunc.accumulate.
func (f Ufunc) Accumulate(x *nd.Array, opts ...AlongOption) *nd.Array {
	const fn nd.Func = "Ufunc.Accumulate"
	fn.Check(x)
	o := alongOptions(fn, opts)
	axis := o.axis(fn, x)
	made := fn.Temporaries(&x)
	defer made.Release()
	x = o.elements(fn, x)
	t := f.repeatable(fn, x)
	if x.Dim(axis) == 0 {
		return made.Keep(reduction.IntoChecked(fn, o.Out, fn.NewLike(t, x.Shape(), x)))
	}
	all := Unstack(x, Over(axis))
	all[0] = all[0].AsType(t)
	for k := range all[1:] {
		all[k+1] = f(all[k], all[k+1])
	}
	return made.Keep(reduction.IntoChecked(fn, o.Out, Stack(all, Over(axis))))
}

// repeatable returns the dtype of the function of two arrays with the dtype of x. It panics if the function compares
// numbers: its results are truth values, which mean nothing beside a further number. A function of truth values, such as
// LogicalOr, has the same result for the truth values of numbers.
func (f Ufunc) repeatable(fn nd.Func, x *nd.Array) dtype.DType {
	t := f.result(x)
	if !t.IsBool() || x.DType().IsBool() {
		return t
	}
	made := fn.Temporaries()
	defer made.Release()
	a := made.Own(made.Own(nd.FromSliceOn(x.Device(), []int{1, 2})).AsType(x.DType()))
	b := made.Own(a.Flip(0))
	truth := made.Own(a.AsType(dtype.Bool))
	if !ArrayEqual(made.Own(f(a, b)), made.Own(f(truth, truth))) {
		panic(fn.Errorf([]*nd.Array{x}, "the function compares numbers: a result cannot be compared with a further number"))
	}
	return t
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
	o := alongOptions(fn, opts)
	axis := o.axis(fn, x)
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
	x = o.elements(fn, x)
	t := f.repeatable(fn, x)
	if len(at) == 0 {
		shape := x.Shape()
		shape[axis] = 0
		return made.Keep(reduction.IntoChecked(fn, o.Out, fn.NewLike(t, shape, x)))
	}
	y := f.reduceParts(fn, x.MoveAxis([]int{axis}, []int{0}), at, lengths).MoveAxis([]int{0}, []int{axis}).Contiguous()
	return made.Keep(reduction.IntoChecked(fn, o.Out, y))
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
