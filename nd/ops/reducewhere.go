package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// isPlain panics if Where or Initial is given to a function that does not support them.
func (o *ReduceOptions) isPlain(fn nd.Func, x *nd.Array) {
	if o.Where != nil || o.Initial != nil {
		panic(fn.Errorf([]*nd.Array{x}, "it has no use for Where and Initial"))
	}
}

// maskedReduction builds a reduction with Where or Initial from the plain one. It replaces the excluded elements by a
// neutral value and combines the result with the initial value.
func maskedReduction(d *reduction.Definition, x *nd.Array, o ReduceOptions) *nd.Array {
	fn := d.Fn
	fn.Check(x)
	checkWhere(fn, x, o.Where)
	join, neutral := combiner(d.Combine)
	if o.Initial != nil && (join == nil || d.Post != "" || o.Initial.Rank() != 0) {
		panic(fn.Errorf([]*nd.Array{x, o.Initial}, "want Initial to be one number, and the function to be a sum, a product or an extreme"))
	}
	if d == &countNonzero {
		o.isPlain(fn, x)
	}
	if d.Filled && o.Initial == nil {
		panic(fn.Errorf([]*nd.Array{x, o.Where}, "the operation has no identity: with Where it needs an Initial"))
	}
	if d == &mean {
		return chosenMean(x, o)
	}
	shape := checkedShape(fn, x, o)
	made := fn.Temporaries(&x, &o.Where, &o.Initial)
	defer made.Release()
	if x.IsScalar() {
		x = x.Copy()
	}
	axes := reduction.WithoutAxes(x, o.Axes)
	t := o.DType
	if !t.Valid() && o.Out != nil && d.In == "" {
		t = reduction.WithOut(x.DType(), o.Out)
	}
	var initial *nd.Array
	if d.Filled {
		if t.Valid() {
			x = x.AsType(t)
		}
		initial = argument.As(fn, x, o.Initial, x.DType())
		neutral = initial
	}
	if o.Where != nil {
		x = Where(o.Where, x, neutral)
	}
	norm, _ := reduction.ReducedAxes(fn, x, axes, false)
	if d.Filled && reduction.Count(x.Shape(), norm) == 0 {
		y := fn.NewLike(x.DType(), shape, x)
		y.Assign(initial)
		return made.Keep(reduction.Into(o.Out, y))
	}
	y := d.Call(x, reduction.Options{Axes: axes, KeepDims: o.KeepDims, DType: t})
	if o.Initial != nil {
		if initial == nil {
			initial = argument.As(fn, y, o.Initial, y.DType())
		}
		y = join(y, initial)
	}
	return made.Keep(reduction.Into(o.Out, y))
}

// combiner returns the function that a reduction repeats, and its neutral number.
func combiner(c device.Combine) (join func(a, b *nd.Array, opts ...UfuncOption) *nd.Array, neutral *nd.Array) {
	switch c {
	case device.CombineSum:
		return Add, nd.Scalar(false)
	case device.CombineProd:
		return Multiply, nd.Scalar(true)
	case device.CombineMax:
		return Maximum, nil
	case device.CombineMin:
		return Minimum, nil
	case device.CombineFMax:
		return FMax, nil
	case device.CombineFMin:
		return FMin, nil
	}
	return nil, nd.Scalar(c == device.CombineAll)
}

// checkWhere panics if the mask is not bool or does not broadcast to x's shape.
func checkWhere(fn nd.Func, x, where *nd.Array) {
	if where == nil {
		return
	}
	fn.Check(x, where)
	if !where.DType().IsBool() {
		panic(fn.Errorf([]*nd.Array{x, where}, "Where must be bool"))
	}
	if _, err := where.Layout().BroadcastTo(x.Layout().Shape); err != nil {
		panic(fn.Errorf([]*nd.Array{x, where}, "Where of shape %s does not broadcast to the array's", broadcast.FormatShape(where.Shape())))
	}
}

// chosenMean returns the mean of the elements that Where selects; NaN if it selects none.
func chosenMean(x *nd.Array, o ReduceOptions) *nd.Array {
	t := meanTypeOf(x, o.DType, o.Out)
	_, shape := reduction.ReducedAxes(mean.Fn, x, o.Axes, o.KeepDims)
	if o.Out != nil {
		ufunc.CheckOut(mean.Fn, x, o.Out, shape)
	}
	made := mean.Fn.Temporaries(&x, &o.Where)
	defer made.Release()
	along := ReduceOptions{Axes: o.Axes, KeepDims: o.KeepDims, DType: dtype.ComputeType(t), Where: o.Where}
	total, n := Sum(x, along), chosenCount(x, o.Where, o.Axes, o.KeepDims).AsType(along.DType.Real())
	var y *nd.Array
	if allFinite(total) {
		y = Divide(total, n)
	} else {
		along.Where = nil
		y = meanOfSome(Where(o.Where, x, 0), n, along)
	}
	if o.Out == nil {
		y = y.AsType(t)
	}
	return made.Keep(reduction.Into(o.Out, y))
}

// chosenCount returns (int64) how many elements Where selects.
func chosenCount(x, where *nd.Array, axes Axes, keep bool) *nd.Array {
	wide := where.BroadcastTo(x.Shape()...)
	return release.Operands(CountNonzero(wide, ReduceOptions{Axes: axes, KeepDims: keep}), wide)
}

// chosenDeviation returns the variance of the elements that Where selects, or its root.
func chosenDeviation(fn nd.Func, x *nd.Array, o VarOptions, t dtype.DType, shape []int, root bool) *nd.Array {
	made := fn.Temporaries(&x, &o.Mean, &o.Where)
	defer made.Release()
	wide := deviationType(x, t)
	x = x.AsType(wide)
	var distance *nd.Array
	if o.Mean == nil {
		along := ReduceOptions{Axes: o.Axes, KeepDims: true, Where: o.Where}
		distance = Subtract(x, Mean(x, along))
		distance = Subtract(distance, Mean(distance.Detach(), along)) // see distancesFromMean
	} else {
		distance = Subtract(x, o.Mean)
	}
	distance = Where(o.Where, distance, 0)
	n := Maximum(Subtract(chosenCount(x, o.Where, o.Axes, true).AsType(wide.Real()), o.DDof), 0)
	return made.Keep(o.deviation(distance, n, t, shape, root))
}
