package ops

import (
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// ReductionKernel is a reduction of the user's own, made from source text: a map of the inputs, an associative operation,
// and a map of its result. It runs in one pass and is differentiable. cupy.ReductionKernel.
type ReductionKernel struct {
	fn      string
	mapping *Kernel
	post    *Kernel // nil for none
	reduce  combination
}

// combination is an operation that a reduction kernel knows, and the function that it is.
type combination struct {
	text    string // without spaces
	combine device.Combine
	whole   func(x *nd.Array, opts ...ReduceOptions) *nd.Array
}

func combinations() []combination {
	return []combination{
		{"a+b", device.CombineSum, Sum}, {"a*b", device.CombineProd, Prod},
		{"max(a,b)", device.CombineMax, Max}, {"min(a,b)", device.CombineMin, Min},
		{"fmax(a,b)", device.CombineFMax, NanMax}, {"fmin(a,b)", device.CombineFMin, NanMin},
		{"a&&b", device.CombineAll, All}, {"a||b", device.CombineAny, Any},
	}
}

// NewReductionKernel makes a reduction from declarations of its inputs and of its one output; the expression that is
// reduced, such as "x * x"; the operation on two values a and b, one of a + b, a * b, max(a, b), min(a, b), fmax(a, b),
// fmin(a, b), a && b and a || b (the last two of bool outputs); and what is stored, an assignment such as "y = sqrt(a)" of
// the combined value a, or "" for a itself. The combined value has the output's type.
func NewReductionKernel(in, out, mapping, reduce, post string, opts ...KernelOptions) (*ReductionKernel, error) {
	o := firstOf(opts)
	if o.Name == "" {
		o.Name = "ops.ReductionKernel"
	}
	if o.Gradient != "" {
		return nil, fmt.Errorf("%s: the gradient of a reduction follows from its maps", o.Name)
	}
	k := &ReductionKernel{fn: o.Name}
	for _, c := range combinations() {
		if c.text == strings.Join(strings.Fields(reduce), "") {
			k.reduce = c
		}
	}
	if k.reduce.whole == nil {
		return nil, fmt.Errorf("%s: operation %q: want a + b, a * b, max(a, b), min(a, b), fmax(a, b), fmin(a, b), a && b or a || b", o.Name, reduce)
	}
	outputs, err := device.ParseParams(out)
	if err != nil {
		return nil, fmt.Errorf("%s: output: %w", o.Name, err)
	}
	if len(outputs) != 1 {
		return nil, fmt.Errorf("%s: %d outputs: want one", o.Name, len(outputs))
	}
	if k.mapping, err = NewKernel(in, out, mapping, o); err != nil || post == "" {
		return k, err
	}
	k.post, err = NewKernel("T a", "T "+outputs[0].Name, post, o)
	return k, err
}

// Call maps the inputs, which broadcast, combines the values over the axes of the options, and maps the result. Where
// there is nothing to combine, the result is that of the operation's identity; max and min have none and refuse.
func (k *ReductionKernel) Call(args []*nd.Array, opts ...ReduceOptions) *nd.Array {
	o := firstOf(opts)
	out, t := o.Out, o.DType
	o.Out, o.DType = nil, dtype.Unspecified
	y := k.call(args, o)
	if t.Valid() {
		y = y.AsType(t)
	}
	if out == nil {
		return y
	}
	checkOut(k.fn, y, out, y.Shape(), y.DType())
	out.Assign(y)
	return out
}

func (k *ReductionKernel) call(args []*nd.Array, o ReduceOptions) *nd.Array {
	k.mapping.check(args)
	types := k.mapping.bind(args)
	p := k.mapping.program(args, types)
	arrays, scalars, mask := splitImmediates(p, nil, args)
	if recorded(args...) || p.HasRaw() || len(arrays) == 0 {
		return k.composed(args, o)
	}
	shape := loopShape(k.fn, arrays, UfuncOptions{})
	if broadcast.Size(shape) == 0 {
		return k.composed(args, o)
	}
	axes, left := reducedAxes(k.fn, arrays[0].BroadcastTo(shape...), o.Axes, o.KeepDims)
	t := storedType(k.mapping.out[0], p.Outputs[0].Type, types)
	y := nd.NewLike(k.fn, t, left, args...)
	var after *device.Program
	if k.post != nil {
		after = k.post.program([]*nd.Array{y}, k.post.bind([]*nd.Array{y}))
	}
	nd.Reduce(k.fn, p.Bind(mask), after, k.reduce.combine, axes, scalars, y, arrays...)
	return y
}

// composed is the definition of call by differentiable functions.
func (k *ReductionKernel) composed(args []*nd.Array, o ReduceOptions) *nd.Array {
	values := k.mapping.Call(args...)
	o.DType = values.DType()
	y := k.reduce.whole(values, o)
	if k.post != nil {
		y = k.post.Call(y)
	}
	return y
}
