package catalogue

import (
	"cmp"
	"io"
	"os"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/graph"
	"github.com/ndgrad/ndgrad/testing/assert"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// onTape is the note for hooks.
const onTape = "a field of the tape"

// graphRows is the chapter of computational graphs, function hooks and checks.
var graphRows = []Row{
	{Signature: "chainer.computational_graph.build_computational_graph(outputs, remove_split=True, " +
		"variable_style={'shape': 'octagon', 'style': 'filled', 'fillcolor': '#E0E0E0'}, " +
		"function_style={'shape': 'record', 'style': 'filled', 'fillcolor': '#6495ED'}, rankdir='TB', remove_variable=False, show_name=True)", Func: buildGraph,
		Ignores: []string{"remove_split"}, NoGrad: true, Note: "Options.Names names arrays"},
	{Signature: "chainer.computational_graph.ComputationalGraph(nodes, edges, " +
		"variable_style={'shape': 'octagon', 'style': 'filled', 'fillcolor': '#E0E0E0'}, " +
		"function_style={'shape': 'record', 'style': 'filled', 'fillcolor': '#6495ED'}, rankdir='TB', remove_variable=False, show_name=True)", Func: newGraph, NoGrad: true},
	{Signature: "chainer.computational_graph.ComputationalGraph.dump(self, format='dot')", Func: dumpGraph, NoGrad: true},

	{Signature: "chainer.function.FunctionHook()", Func: func() grad.Hook { return grad.Hook{} }, Note: "a struct of functions, set as Tape.Hook"},
	{Signature: "chainer.function.FunctionHook.forward_preprocess(self, function, in_data)", Func: func(self grad.Hook, fn nd.Func, in []*nd.Array) {
		self.OnCall(fn, in)
	}, Note: "the field OnCall"},
	{Signature: "chainer.function.FunctionHook.forward_postprocess(self, function, in_data)", Func: func(self grad.Hook, n *nd.Node, in []*nd.Array) {
		self.OnResult(n, in, nil)
	}, Note: "the field OnResult, which also gets the results"},
	{Signature: "chainer.function.FunctionHook.backward_preprocess(self, function, in_data, out_grad)",
		Func: func(self grad.Hook, n *nd.Node, gy []*nd.Array) { self.OnBack(n, gy) }, Ignores: []string{"in_data"}, Note: "the field OnBack"},
	{Signature: "chainer.function.FunctionHook.backward_postprocess(self, function, in_data, out_grad)",
		Func: func(self grad.Hook, n *nd.Node, gy []*nd.Array) { self.OnGradient(n, gy, nil) }, Ignores: []string{"in_data"},
		Note: "the field OnGradient, which also gets the gradients of the inputs"},
	{Signature: "chainer.function_hooks.PrintHook(sep='', end='', file=None, flush=True)", Func: func(file io.Writer) grad.Hook {
		if file == nil {
			file = os.Stdout
		}
		return grad.PrintHook(file)
	}, Ignores: []string{"sep", "end", "flush"}},
	{Signature: "chainer.function_hooks.TimerHook()", Func: func() *grad.Timer { return &grad.Timer{} }, Note: "Tape.Timer"},
	{Signature: "chainer.function_hooks.TimerHook.total_time(self)", Func: func(self *grad.Timer) float64 { return self.Total().Seconds() },
		Note: "a time.Duration; Rows lists the functions separately"},
	{Signature: "chainer.Function.add_hook(self, hook, name=None)", Func: func(self *grad.Tape, hook grad.Hook, name string) {
		hook.Name = cmp.Or(name, hook.Name)
		self.Hook = grad.Hooks(self.Hook, hook)
	}, Note: onTape + "; Hook.Of is for one function"},
	{Signature: "chainer.Function.delete_hook(self, name)", Func: func(self *grad.Tape, name string) { self.Hook = self.Hook.Without(name) },
		Note: onTape},
	{Signature: "chainer.Function.local_function_hooks(self)", Func: func(self *grad.Tape) grad.Hook { return self.Hook }, Note: onTape},

	{Signature: "chainer.DebugMode(debug)", Func: func(debug bool) func(t *grad.Tape) (restore func()) {
		return func(t *grad.Tape) (restore func()) {
			before := t.Debug
			t.Debug = debug
			return func() { t.Debug = before }
		}
	}, Note: onTape + ", Debug"},
	{Signature: "chainer.set_debug(debug)", Func: func(debug bool) *grad.Tape {
		t := grad.NewTape()
		t.Debug = debug
		return t
	}, Note: onTape + ", Debug"},
	{Signature: "chainer.is_debug()", Func: func() func(t *grad.Tape) bool { return func(t *grad.Tape) bool { return t.Debug } }, Note: onTape + ", Debug"},
	{Signature: "chainer.no_backprop_mode(*args)", Func: eachOf((*nd.Array).Detach), NoGrad: true,
		Note: "Array.Detach; computations on arrays that no tape watches are not recorded, and neither are those with an unwatched Scope"},

	{Signature: "chainer.gradient_check.numerical_grad(f, inputs, grad_outputs, eps=0.001)", Func: gradcheck.Numerical, NoGrad: true,
		Note: "f is called with the inputs"},
	{Signature: "chainer.gradient_check.check_backward(func, x_data, y_grad, params=(), eps=0.001, atol=1e-05, rtol=0.0001, no_grads=None, dtype=None)",
		Func: checkBackward, NoGrad: true, Note: "returns whether they agree; params go to func after x_data. gradcheck.Check is faster"},
	{Signature: "chainer.testing.assert_allclose(x, y, atol=1e-05, rtol=0.0001, verbose=True)", Func: func(x, y *nd.Array, atol, rtol float64) bool {
		return assert.AllClose(silent{}, x, y, rtol, atol)
	}, Ignores: []string{"verbose"}, NoGrad: true},
	{Signature: "chainer.testing.unary_math_function_unittest(func, func_expected=None, label_expected=None, make_data=None)", Func: unaryTest,
		Ignores: []string{"label_expected"}, NoGrad: true, Note: "gradcheck.Unary; make_data makes only x"},

	{Signature: "chainer.utils.type_check.expect(*bool_exprs)", Func: func(holds []bool) {
		i := slices.Index(holds, false)
		nd.Func("chainer.utils.type_check.expect").Expect(i < 0, nil, "want condition %d", i)
	}, NoGrad: true, Note: "Func.Expect, with a condition, its message and the operands"},
	{Signature: "chainer.utils.type_check.InvalidType(expect_msg, actual_msg)", Func: func(expect, actual string) *nd.Error {
		return nd.Func("chainer.utils.type_check.InvalidType").Errorf(nil, "Expect: %s, Actual: %s", expect, actual)
	}, NoGrad: true, Note: "Func.Errorf; an *nd.Error contains the shapes and dtypes of the operands"},
	{Signature: "chainer.utils.type_check.TypeInfo(shape, dtype)", Func: func(shape []int, t dtype.DType) *nd.Array {
		return nd.Empty(shape, t)
	}, NoGrad: true, Note: "use the array's Shape and DType"},
	{Signature: "chainer.utils.type_check.TypeInfoTuple(*args)", Func: func(args []*nd.Array) []*nd.Array { return args }, NoGrad: true,
		Note: "a slice of arrays"},
	{Signature: "chainer.utils.type_check.TypeInfoTuple.size(self)", Func: func(self []*nd.Array) int { return len(self) }, NoGrad: true,
		Note: "the length of the slice"},
}

// graphOptions converts the document's options, where None means no style.
func graphOptions(variables, functions graph.Style, rankdir string, removeVariable, showName bool) graph.Options {
	o := graph.Options{VariableStyle: variables, FunctionStyle: functions, RankDir: graph.RankDir(rankdir), RemoveVariable: removeVariable, ShowName: &showName}
	if o.VariableStyle == nil {
		o.VariableStyle = graph.Style{}
	}
	if o.FunctionStyle == nil {
		o.FunctionStyle = graph.Style{}
	}
	return o
}

func buildGraph(outputs []*nd.Array, variables, functions graph.Style, rankdir string, removeVariable, showName bool) *graph.Graph {
	return graph.Build(outputs, graphOptions(variables, functions, rankdir, removeVariable, showName))
}

func newGraph(nodes []graph.Node, edges []graph.Edge, variables, functions graph.Style, rankdir string, removeVariable, showName bool) *graph.Graph {
	return graph.New(nodes, edges, graphOptions(variables, functions, rankdir, removeVariable, showName))
}

func dumpGraph(self *graph.Graph, format string) string {
	const fn nd.Func = "chainer.computational_graph.ComputationalGraph.dump"
	fn.Expect(format == "dot", nil, "format %q: want dot", format)
	return self.DOT()
}

// checkBackward checks the gradients of x and of params, which follow x.
func checkBackward(f arraysFunction, x, gys, params []*nd.Array, eps, atol, rtol float64, noGrads []bool, t dtype.DType) bool {
	const fn nd.Func = "chainer.gradient_check.check_backward"
	fn.Expect(noGrads == nil || len(noGrads) == len(x), x, "%d no_grads for %d arrays", len(noGrads), len(x))
	return gradcheck.Backward(silent{}, f, slices.Concat(x, params), gys,
		gradcheck.BackwardOptions{Eps: eps, ATol: &atol, RTol: &rtol, NoGrads: noGrads, DType: t})
}

// unaryTest returns the test of a function of one array against the expected function.
func unaryTest(f arraysFunction, expected func(x float64) float64, makeData func(shape []int, t dtype.DType) *nd.Array) func(t testing.TB) {
	return func(t testing.TB) {
		gradcheck.Unary(t, func(x *nd.Array) *nd.Array { return f([]*nd.Array{x})[0] }, expected, gradcheck.UnaryOptions{Make: makeData})
	}
}
