package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/graph"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// asGradient is the note for gradients that a document keeps in variables.
const asGradient = "gradients are arrays returned by Tape.Gradient; self is such an array"

// chainerVariableRows is the chapter of Chainer's variables and functions as objects. A variable is an array. Its
// gradient is not a part of it, but a result of Tape.Gradient.
var chainerVariableRows = []Row{
	{Signature: "chainer.Variable(data, volatile=OFF, name=None, grad=None)", Func: func(data *nd.Array) *nd.Array {
		return grad.NewTape().Watch(data)
	}, Ignores: []string{"volatile", "name", "grad"}, Note: "Tape.Watch; graph.Options.Names names arrays"},
	{Signature: "chainer.Variable.data(self)", Func: (*nd.Array).Detach},
	{Signature: "chainer.Variable.grad(self)", Func: func(self *nd.Array) func(y *nd.Array) *nd.Array {
		return func(y *nd.Array) *nd.Array { return gradients([]*nd.Array{y}, []*nd.Array{self}, []*nd.Array{nil})[0] }
	}, Note: "a gradient is returned by Tape.Gradient"},
	{Signature: "chainer.Variable.creator(self)", Func: (*nd.Array).Node},
	{Signature: "chainer.Variable.set_creator(self, gen_func)", Func: func(self *nd.Array, record func(y *nd.Array)) { record(self) },
		Note: "Func.Record takes the operation, its inputs, and self"},
	{Signature: "chainer.Variable.backward(self, retain_grad=False)", Func: func(self *nd.Array) func(xs ...*nd.Array) []*nd.Array {
		return func(xs ...*nd.Array) []*nd.Array { return gradients([]*nd.Array{self}, xs, []*nd.Array{nil}) }
	}, Ignores: []string{"retain_grad"}, Note: "Tape.Gradient, with respect to any arrays; optim.GradientsOf to all parameters"},
	{Signature: "chainer.Variable.unchain_backward(self)", Func: (*nd.Array).Detach, Note: "Array.Detach; for time steps, State.Carry"},
	{Signature: "chainer.Variable.copydata(self, var)", Func: func(self, from *nd.Array) { self.AssignFrom(from) },
		Writes: []string{"self"}},
	{Signature: "chainer.Variable.addgrad(self, var)", Func: func(self, g *nd.Array) {
		ops.Add(self, g.To(self.Device()), ops.Into(self))
	}, Writes: []string{"self"}, NoGrad: true, Note: asGradient + "; optim.Accumulator adds up those of several batches"},
	{Signature: "chainer.Variable.zerograd(self)", Func: func(self *nd.Array) { nd.Fill(self, 0) }, Writes: []string{"self"}, NoGrad: true,
		Note: asGradient},
	{Signature: "chainer.Variable.cleargrad(self)", Func: (*nd.Array).Release, Writes: []string{"self"}, NoGrad: true,
		Note: asGradient + "; Tape.Reset releases all"},
	{Signature: "chainer.Variable.label(self)", Func: func(self *nd.Array) string {
		return graph.Build([]*nd.Array{self.Detach()}).Nodes[0].Label
	}, NoGrad: true, Note: "the label that package graph gives it"},
	{Signature: "chainer.Variable.debug_print(self)", Func: grad.Describe, NoGrad: true},
	{Signature: "chainer.Variable.to_cpu(self)", Func: toCPU, Note: "To returns an array on a device"},
	{Signature: "chainer.Variable.to_gpu(self, device=None)", Func: toGPU, Note: "To returns an array on a device"},

	{Signature: "chainer.Function()", Func: func() *grad.Function { return &grad.Function{} },
		Note: "a struct with a name and functions for the forward and backward computation; it may be called any number of times"},
	{Signature: "chainer.Function.__call__(self, *inputs)", Func: (*grad.Function).Call},
	{Signature: "chainer.Function.label(self)", Func: func(self *grad.Function) string { return self.Name }, Note: "the field Name"},
	{Signature: "chainer.Function.forward(self, inputs)", Func: runForward, NoGrad: true, Note: "the field Forward"},
	{Signature: "chainer.Function.forward_cpu(self, inputs)", Func: runForward, NoGrad: true, Note: "the field Forward; arrays know their device"},
	{Signature: "chainer.Function.forward_gpu(self, inputs)", Func: runForward, NoGrad: true, Note: "the field Forward; arrays know their device"},
	{Signature: "chainer.Function.backward(self, inputs, grad_outputs)", Func: runBackward, Note: "the field Backward"},
	{Signature: "chainer.Function.backward_cpu(self, inputs, grad_outputs)", Func: runBackward, Note: "the field Backward"},
	{Signature: "chainer.Function.backward_gpu(self, inputs, grad_outputs)", Func: runBackward, Note: "the field Backward"},
	{Signature: "chainer.Function.check_type_forward(self, in_types)", Func: func(self *grad.Function, in []*nd.Array) {
		nd.Func(self.Name).Check(in...)
	}, NoGrad: true, Note: "part of the field Forward, which checks with Func.Expect"},
	{Signature: "chainer.Function.unchain(self)", Func: (*nd.Node).Unchain, Note: "Array.Node is the function of a result; Array.Detach cuts off the history of one array"},
}

func runForward(self *grad.Function, inputs []*nd.Array) []*nd.Array { return self.Forward(inputs) }

// runBackward returns the gradients of a function's inputs for the gradients of its results.
func runBackward(self *grad.Function, inputs, gys []*nd.Array) []*nd.Array {
	return pulledBack(func(xs []*nd.Array) []*nd.Array { return self.Call(xs...) }, inputs, gys, nil)
}
