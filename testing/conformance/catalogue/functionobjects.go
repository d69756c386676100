package catalogue

import (
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
)

// arraysFunction is a function passed as an argument: a Go function, or one given by its documented name.
type arraysFunction = func(xs []*nd.Array) []*nd.Array

// functionObjectRows is the chapter of functions as objects, and what they are called with: recorded operations,
// user-defined functions, arrays, devices and the gradient operator.
var functionObjectRows = []Row{
	{Signature: "nnabla.Context(backend=None, array_class='', device_id='0')", Func: contextDevice, Ignores: []string{"array_class"},
		Note: "a device on which arrays are created; there is no current context"},
	{Signature: "nnabla.NdArray(shape=())", Func: func(shape []int) *nd.Array {
		return nd.Empty(shape, dtype.Float32)
	}},
	{Signature: "nnabla.Variable(shape=(), need_grad=False)", Func: func(shape []int, needGrad bool) *nd.Array {
		x := nd.Empty(shape, dtype.Float32)
		if needGrad {
			x = grad.NewTape().Watch(x)
		}
		return x
	}, Note: "an array; need_grad is Tape.Watch"},
	{Signature: "nnabla.Variable.reshape(self, shape)", Func: (*nd.Array).Reshape},
	{Signature: "nnabla.grad(outputs, inputs, grad_outputs=None, persistent_outputs=[], bind_grad_output=False)", Func: gradients,
		Ignores: []string{"persistent_outputs", "bind_grad_output"},
		Note:    "the arrays must be on one tape; zeros if an output does not depend on an input"},

	{Signature: "nnabla.function.Function(variable)", Func: (*nd.Array).Node,
		Note: "the operation that computed a recorded array, its parent"},
	{Signature: "nnabla.function.Function.args(self)", Func: func(self *nd.Node) nd.Op { return self.Op },
		Note: "the field Op, a struct with the resolved options"},
	{Signature: "nnabla.function.Function.info(self)", Func: (*nd.Node).String, Note: "the function, dtypes and shapes"},
	{Signature: "nnabla.function.Function.min_outputs(self)", Func: (*nd.Node).Outputs, Note: "the number of its results"},
	{Signature: "nnabla.function.Function.grad_depends_output_data(self, i, o)", Func: func(self *nd.Node, o int) bool {
		return self.Claims().HasOut(o)
	}, Ignores: []string{"i"}, Note: "its Claims: the arrays that the gradient of any input reads"},
	{Signature: "nnabla.function.Function.forward(self, inputs, outputs)",
		Func: func(self arraysFunction, inputs, outputs []*nd.Array) {
			assignAll("nnabla.function.Function.forward", outputs, self(inputs))
		}, Writes: []string{"outputs"}, Note: "a call of the function"},
	{Signature: "nnabla.function.Function.backward(self, inputs, outputs, accum=None)",
		Func: func(self arraysFunction, inputs, outputs []*nd.Array) []*nd.Array {
			return pulledBack(self, inputs, outputs, nil)
		}, Ignores: []string{"accum"}, Note: "outputs are the gradients of the results; those of the inputs are returned"},
	{Signature: "nnabla.function.Function.recompute(self, inputs, outputs=None)",
		Func: func(self arraysFunction, inputs []*nd.Array) []*nd.Array {
			return grad.Checkpoint(self, inputs...)
		}, Ignores: []string{"outputs"}, Note: "computes now, and again in the backward pass"},

	{Signature: "nnabla.function.PythonFunction(ctx=None)", Func: func() *grad.Function { return &grad.Function{} },
		Ignores: []string{"ctx"}, Note: "a struct with a name, functions for forward_impl and backward_impl, and the arrays that the gradient reads"},
	{Signature: "nnabla.function.PythonFunction.__call__(self, *inputs)", Func: (*grad.Function).Call},
	{Signature: "nnabla.function.PythonFunction.name(self)", Func: func(self *grad.Function) string { return self.Name },
		Note: "the field Name"},
	{Signature: "nnabla.function.PythonFunction.forward_impl(self, inputs, outputs)",
		Func: func(self *grad.Function, inputs, outputs []*nd.Array) {
			assignAll("nnabla.function.PythonFunction.forward_impl", outputs, self.Forward(inputs))
		}, Writes: []string{"outputs"}, Note: "the field Forward, which returns the results"},
	{Signature: "nnabla.function.PythonFunction.backward_impl(self, inputs, outputs, propagate_down, accum=None)",
		Func: func(self *grad.Function, inputs, outputs []*nd.Array, propagateDown []bool) []*nd.Array {
			call := func(xs []*nd.Array) []*nd.Array { return self.Call(xs...) }
			return pulledBack(call, inputs, outputs, propagateDown)
		}, Ignores: []string{"accum"},
		Note: "the field Backward; outputs are the gradients of the results, and those of the inputs are returned"},
	{Signature: "nnabla.function.PythonFunction.grad_depends_input_data(self, i, j)", Func: func(self *grad.Function, j int) bool {
		return claimsOf(self).HasIn(j)
	}, Ignores: []string{"i"}, Note: "the field Claims: the arrays that the gradient of any input reads"},
	{Signature: "nnabla.function.PythonFunction.grad_depends_output_data(self, i, o)", Func: func(self *grad.Function, o int) bool {
		return claimsOf(self).HasOut(o)
	}, Ignores: []string{"i"}, Note: "the field Claims: the arrays that the gradient of any input reads"},
}

// contextDevice returns the device of the first backend of a context, such as "cudnn:float".
func contextDevice(backend []string, deviceID string) (device.Device, error) {
	name := "cpu"
	if len(backend) > 0 {
		name, _, _ = strings.Cut(backend[0], ":")
	}
	if name == "cuda" || name == "cudnn" {
		name = "cuda:" + deviceID
	}
	return device.Get(name)
}

// gradients computes the gradients of inputs on their tape. A nil gradient of an output means ones, and a number an
// array of that number.
func gradients(outputs, inputs, gys []*nd.Array) []*nd.Array {
	const fn nd.Func = "nnabla.grad"
	if len(inputs) == 0 {
		return nil
	}
	n, _ := inputs[0].Node()
	if n == nil {
		panic(fn.Errorf(inputs, "the inputs are on no tape: want watched arrays"))
	}
	gys = slices.Clone(gys)
	for i, g := range gys {
		if g != nil && g.IsScalar() && i < len(outputs) {
			gys[i] = nd.EmptyLike(outputs[i].Detach())
			gys[i].Assign(g)
		}
	}
	gxs := n.Tape.(*grad.Tape).VJPRecorded(outputs, gys, inputs...)
	for i, g := range gxs {
		if g == nil {
			gxs[i] = nd.ZerosLike(inputs[i].Detach())
		}
	}
	return gxs
}

// assignAll assigns results to the output arrays.
func assignAll(fn nd.Func, outputs, results []*nd.Array) {
	if len(outputs) != len(results) {
		panic(fn.Errorf(results, "%d results for %d outputs", len(results), len(outputs)))
	}
	for i, y := range results {
		outputs[i].Assign(y)
	}
}

// pulledBack computes the gradients of those inputs that wanted selects, or of all if wanted is nil, from the gradients
// of f's results. All other gradients are nil.
func pulledBack(f arraysFunction, inputs, gys []*nd.Array, wanted []bool) []*nd.Array {
	var at []int
	var xs []*nd.Array
	for i, x := range inputs {
		if wanted == nil || i < len(wanted) && wanted[i] {
			at, xs = append(at, i), append(xs, x)
		}
	}
	_, pull := grad.VJP(func(xs ...*nd.Array) []*nd.Array {
		in := slices.Clone(inputs)
		for k, x := range xs {
			in[at[k]] = x
		}
		return f(in)
	}, xs...)
	gxs := make([]*nd.Array, len(inputs))
	for k, g := range pull(gys) {
		gxs[at[k]] = g
	}
	return gxs
}

// claimsOf returns what a user-defined function reads for its gradient.
func claimsOf(f *grad.Function) nd.Claims {
	if f.Claims == nil {
		return nd.Claims{In: ^uint64(0), Out: ^uint64(0)}
	}
	return *f.Claims
}
