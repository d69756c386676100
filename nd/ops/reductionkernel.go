package ops

import (
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
	"github.com/ndgrad/ndgrad/nd/ops/internal/view"
)

// ReductionKernel is a user-defined reduction, made from source text: a map of the inputs, an associative operation,
// and a map of the combined value. It is differentiable.
// CuPy: ReductionKernel.
type ReductionKernel struct {
	fn       nd.Func
	mapping  *Kernel
	post     *Kernel // nil if there is no Post
	output   device.Declaration
	reduce   combination
	pair     *Kernel // the operation on two values, if the device has no built-in one
	identity *Kernel // nil if none is given
}

// combination is a built-in operation of the device together with its function.
type combination struct {
	text    string // without spaces
	combine device.Combine
	whole   func(x *nd.Array, opts ...ReduceOption) *nd.Array
}

func combinations() []combination {
	return []combination{
		{"a+b", device.CombineSum, Sum}, {"a*b", device.CombineProd, Prod},
		{"max(a,b)", device.CombineMax, Max}, {"min(a,b)", device.CombineMin, Min},
		{"fmax(a,b)", device.CombineFMax, NanMax}, {"fmin(a,b)", device.CombineFMin, NanMin},
		{"a&&b", device.CombineAll, All}, {"a||b", device.CombineAny, Any},
	}
}

// ReductionKernelOptions are the options of NewReductionKernel.
type ReductionKernelOptions struct {
	// Name is the name of the kernel in messages; "ops.ReductionKernel" by default.
	Name string
	// ReduceType is the type of the combined values: a dtype's name or one of the inputs' letters. The default is the
	// type of the output.
	ReduceType string
}

// NewReductionKernel makes a reduction. in and out declare its inputs and its one output. mapping is the expression
// that is reduced, such as "x * x". reduce is an associative operation on two values a and b. post is an assignment
// that stores the result, such as "y = sqrt(a)" of the combined value a, or "" to store a itself. identity is the
// identity of the operation, such as "0", which is the combined value of an empty input, or "" for none.
//
// The operations a + b, a * b, max(a, b), min(a, b), fmax(a, b), fmin(a, b), a && b and a || b (the last two for bool
// outputs) run in one pass. Any other expression of a and b, such as "abs(a) < abs(b) ? b : a", runs as a tree that
// combines neighbours until one value is left; the number of passes is the logarithm of the number of values.
func NewReductionKernel(in, out, mapping, reduce, post, identity string, opts ...ReductionKernelOptions) (*ReductionKernel, error) {
	const fn nd.Func = "ops.NewReductionKernel"
	o := options.Read(fn, opts)
	if o.Name == "" {
		o.Name = "ops.ReductionKernel"
	}
	outputs, err := device.ParseParams(out)
	if err != nil {
		return nil, fmt.Errorf("%s: output: %w", o.Name, err)
	}
	if len(outputs) != 1 {
		return nil, fmt.Errorf("%s: %d outputs: want one", o.Name, len(outputs))
	}
	k := &ReductionKernel{fn: nd.Func(o.Name), output: outputs[0]}
	t, name := k.output.Type, KernelOptions{Name: o.Name}
	if o.ReduceType != "" {
		t = o.ReduceType
	}
	if k.mapping, err = NewKernel(in, t+" "+k.output.Name, mapping, name); err != nil {
		return nil, err
	}
	if k.output.Generic() && !k.mapping.decides(k.output.Type) {
		return nil, fmt.Errorf("%s: output %q has type %s, which no input decides", o.Name, k.output.Name, k.output.Type)
	}
	if err := k.combineWith(reduce, name); err != nil {
		return nil, err
	}
	if identity != "" {
		if k.identity, err = NewKernel("T like", "T y", "y = "+identity, name); err != nil {
			return nil, fmt.Errorf("identity %q: %w", identity, err)
		}
	}
	if post != "" {
		k.post, err = NewKernel("T a", "T "+k.output.Name, post, name)
	}
	return k, err
}

// combineWith finds the operation among the built-in operations of the device, or makes a kernel of it.
func (k *ReductionKernel) combineWith(reduce string, o KernelOptions) (err error) {
	for _, c := range combinations() {
		if c.text == strings.Join(strings.Fields(reduce), "") {
			k.reduce = c
			return nil
		}
	}
	if k.pair, err = NewKernel("T a, T b", "T y", "y = "+reduce, o); err != nil {
		return fmt.Errorf("operation %q: %w", reduce, err)
	}
	return nil
}

// Call maps the inputs, which broadcast, combines the values over the axes of the options, and maps the result. For an
// empty input the combined value is the identity. Without an identity Call panics then, unless the operation is a sum,
// a product, a && b or a || b.
func (k *ReductionKernel) Call(args []*nd.Array, opts ...ReduceOption) *nd.Array {
	o := reduceOptions(k.fn, opts)
	o.isPlain(k.fn, nil)
	out, t := o.Out, o.DType
	o.Out, o.DType = nil, dtype.Unspecified
	y := k.call(args, o)
	if t.Valid() {
		y = release.Replace(y, y.AsType(t))
	}
	if out == nil {
		return y
	}
	ufunc.CheckOutCast(k.fn, y, out, y.Shape(), y.DType())
	out.Assign(y)
	y.Release()
	return out
}

func (k *ReductionKernel) call(args []*nd.Array, o ReduceOptions) *nd.Array {
	k.mapping.check(args)
	types := k.mapping.bind(args)
	p := k.mapping.program(args, types)
	var room ufunc.Operands
	arrays, scalars, mask := room.Split(p, nil, args)
	if k.pair != nil || ufunc.Recorded(args...) || p.HasRaw() || len(arrays) == 0 {
		return k.composed(args, types, o)
	}
	shape := room.Loop(k.fn, arrays, ufunc.Options{})
	if broadcast.Size(shape) == 0 {
		return k.composed(args, types, o)
	}
	whole := arrays[0].BroadcastTo(shape...)
	axes, left := reduction.ReducedAxes(k.fn, whole, o.Axes, o.KeepDims)
	whole.Release()
	y := k.fn.NewLike(p.Outputs[0].Stored, left, args...)
	var after *device.Program
	if k.post != nil {
		after = k.post.program([]*nd.Array{y}, k.post.bind([]*nd.Array{y}))
	}
	k.fn.Reduce(p.Bind(mask), after, k.reduce.combine, axes, scalars, y, arrays...)
	return release.Replace(y, y.AsType(k.outputType(y, types)))
}

// outputType returns the dtype of the output; the combined values may have another dtype.
func (k *ReductionKernel) outputType(y *nd.Array, types device.Letters) dtype.DType {
	if k.output.Type == k.mapping.out[0].Type {
		return y.DType()
	}
	return k.output.DType(types.Of)
}

// composed is the definition of call by differentiable functions.
func (k *ReductionKernel) composed(args []*nd.Array, types device.Letters, o ReduceOptions) *nd.Array {
	values := k.mapping.Call(args...)
	defer values.Release()
	axes, shape := reduction.ReducedAxes(k.fn, values, o.Axes, o.KeepDims)
	var y *nd.Array
	switch {
	case k.identity != nil && reduction.Count(values.Shape(), axes) == 0:
		like := k.fn.NewLike(values.DType(), shape, values)
		y = release.Operands(k.identity.Call(like), like)
	case k.pair == nil:
		o.DType = values.DType()
		y = k.reduce.whole(values, o)
	default:
		y = k.tree(values, axes)
		y = release.Replace(y, y.Reshape(shape...))
	}
	if k.post != nil {
		y = release.Replace(y, k.post.Call(y))
	}
	return release.Replace(y, y.AsType(k.outputType(y, types)))
}

// tree combines neighbours until one value is left. It keeps their order.
func (k *ReductionKernel) tree(values *nd.Array, axes []int) *nd.Array {
	rows, _ := asRows(values, axes)
	if rows.Dim(1) == 0 && rows.Dim(0) > 0 {
		panic(k.fn.Errorf([]*nd.Array{values}, "there are no elements to reduce, and the kernel has no identity"))
	}
	for rows.Dim(1) > 1 {
		n := rows.Dim(1)
		even, odd := rows.Index(nd.All(), nd.Span(0, n/2*2).By(2)), rows.Index(nd.All(), nd.From(1).By(2))
		next := release.Operands(k.pair.Call(even, odd), even, odd)
		if n%2 == 1 {
			last := view.Span(rows, 1, n-1, n)
			next = release.Operands(concatenate(k.fn, []*nd.Array{next, last}, JoinOptions{Axis: Over(1)}), next, last)
		}
		rows = release.Replace(rows, next)
	}
	return rows
}
