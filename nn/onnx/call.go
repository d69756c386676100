package onnx

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/model"
)

// Sequence is a list of values of one type.
type Sequence []model.Value

// None is an optional value that is missing. One that is there is the value itself.
type None struct{}

// call is what a node gets when it runs. The arrays among the inputs are headers, so that everything computed from them is
// released but the results.
type call struct {
	fn       nd.Func
	scope    *nn.Scope
	in       []model.Value // nil where an input is left out
	bodies   model.Caller  // runs the graphs inside the node
	captured []model.Value // values that these graphs use
	results  int           // how many outputs the node has
	known    [][]int       // the elements of inputs that are few integers, known when the model is loaded
	device   device.Device // of the arrays; nil if all are on the CPU's device
	made     *nd.Temporaries
	then     *ops.Kernel // what a convolution or a product applies to its result; nil for nothing

	room struct { // for a few inputs
		in        [4]model.Value
		headers   [4]*nd.Array
		arguments [4]**nd.Array
	}
}

// run computes the outputs. It keeps them, and releases the other arrays.
func (c *call) run(compute run) []model.Value {
	headers, arguments := slices.Grow(c.room.headers[:0], len(c.in))[:len(c.in)], c.room.arguments[:0]
	for i, v := range c.in {
		if x := arrayIn(v); x != nil {
			headers[i] = x
			arguments = append(arguments, &headers[i])
		}
	}
	c.findDevice()
	c.made = c.fn.Temporaries(arguments...)
	defer c.made.Release()
	for i, v := range c.in {
		if headers[i] != nil {
			c.in[i] = withArray(v, headers[i])
		}
	}
	out := compute(c)
	for i, v := range out {
		out[i] = c.keep(v)
	}
	return out
}

// findDevice finds the device on which the operator runs, if one of the inputs is on another one than the CPU's.
func (c *call) findDevice() {
	for _, v := range c.in {
		if x := arrayIn(v); x != nil && !isCPU(x.Device()) {
			c.device = x.Device()
		}
	}
}

// arrayIn returns the array of a value that has one.
func arrayIn(v model.Value) *nd.Array {
	switch v := v.(type) {
	case *nd.Array:
		return v
	case Narrow:
		return v.Array
	}
	return nil
}

// withArray returns a value with another array.
func withArray(v model.Value, x *nd.Array) model.Value {
	if narrow, ok := v.(Narrow); ok {
		return Narrow{narrow.Type, x}
	}
	return x
}

// keep returns a value as a result.
func (c *call) keep(v model.Value) model.Value {
	switch v := v.(type) {
	case *nd.Array:
		if v == nil {
			return nil
		}
		return c.made.Keep(v)
	case Narrow:
		return Narrow{v.Type, c.made.Keep(v.Array)}
	case Sequence:
		kept := make(Sequence, len(v))
		for i, element := range v {
			kept[i] = c.keep(element)
		}
		return kept
	}
	return v
}

// refuse panics with an error of the operator.
func (c *call) refuse(format string, args ...any) { panic(c.fn.Errorf(c.arrays(), format, args...)) }

// arrays returns the inputs that are arrays.
func (c *call) arrays() (all []*nd.Array) {
	for _, v := range c.in {
		if x, ok := v.(*nd.Array); ok && x != nil {
			all = append(all, x)
		}
	}
	return all
}

// given reports whether there is an input of that index.
func (c *call) given(i int) bool { return i < len(c.in) && c.in[i] != nil }

// value returns an input of any type.
func (c *call) value(i int) model.Value {
	if !c.given(i) {
		c.refuse("input %d is missing", i)
	}
	return c.in[i]
}

// x returns an input that is an array.
func (c *call) x(i int) *nd.Array {
	x, ok := c.value(i).(*nd.Array)
	if !ok {
		c.refuse("input %d is a %s, not an array", i, describe(c.in[i]))
	}
	if c.device != nil && isCPU(x.Device()) {
		x = c.made.Own(x.To(c.device)) // a shape that becomes data
		c.in[i] = x
	}
	return x
}

// isCPU reports whether shapes are computed on a device.
func isCPU(d device.Device) bool { return d.Name() == "cpu" }

// optional returns an input that is an array, or nil if it is left out.
func (c *call) optional(i int) *nd.Array {
	if !c.given(i) {
		return nil
	}
	return c.x(i)
}

// xs returns all inputs from an index on.
func (c *call) xs(from int) []*nd.Array {
	var all []*nd.Array
	for i := from; i < len(c.in); i++ {
		all = append(all, c.x(i))
	}
	return all
}

// ints returns the elements of an input of integers.
func (c *call) ints(i int) []int {
	if i < len(c.known) && c.known[i] != nil {
		return slices.Clone(c.known[i])
	}
	x := arrayIn(c.value(i))
	if x == nil || !x.DType().IsInteger() {
		c.refuse("input %d is a %s: want integers", i, describe(c.in[i]))
	}
	return nd.ToSlice[int](x.Detach().AsType(dtype.Int64))
}

// integersIn returns the elements of an array of few integers, nil for other values.
func integersIn(v model.Value) []int {
	const few = 32
	x, ok := v.(*nd.Array)
	if !ok || x == nil || !x.DType().IsInteger() || x.Size() == 0 || x.Size() > few {
		return nil
	}
	return nd.ToSlice[int](x.Detach().AsType(dtype.Int64))
}

// int returns an input that is one integer.
func (c *call) int(i int) int {
	values := c.ints(i)
	if len(values) != 1 {
		c.refuse("input %d has %d elements: want 1", i, len(values))
	}
	return values[0]
}

// float returns an input that is one number.
func (c *call) float(i int) float64 {
	x := c.x(i)
	if x.Size() != 1 {
		c.refuse("input %d has %d elements: want 1", i, x.Size())
	}
	return nd.ToSlice[float64](x.Detach().AsType(dtype.Float64))[0]
}

// text returns an input that is a tensor of texts.
func (c *call) text(i int) Texts {
	t, ok := c.value(i).(Texts)
	if !ok {
		c.refuse("input %d is a %s, not a tensor of texts", i, describe(c.in[i]))
	}
	return t
}

// sequence returns an input that is a sequence.
func (c *call) sequence(i int) Sequence {
	s, ok := c.value(i).(Sequence)
	if !ok {
		c.refuse("input %d is a %s, not a sequence", i, describe(c.in[i]))
	}
	return s
}

// host returns an array of integers where shapes are computed: on the device of the CPU.
func host(values ...int) *nd.Array { return nd.FromSlice(values) }

// describe names the type of a value in a message.
func describe(v model.Value) string {
	switch v := v.(type) {
	case *nd.Array:
		return "array of dtype " + v.DType().String()
	case Narrow:
		return "tensor of type " + v.Type.String()
	case Texts:
		return "tensor of texts"
	case Sequence:
		return "sequence"
	case None:
		return "missing optional value"
	}
	return "map"
}

// one returns the outputs of an operator with a single one.
func one(y *nd.Array) []model.Value { return []model.Value{y} }

// some returns arrays as outputs.
func some(ys ...*nd.Array) []model.Value {
	out := make([]model.Value, len(ys))
	for i, y := range ys {
		out[i] = y
	}
	return out
}
