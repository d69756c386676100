package onnx

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// Elementwise operators whose results only one other elementwise operator reads are computed with it in one pass over the
// memory: a kernel of their joined formula. A joined operator is differentiable as each of its parts is.

// formulas are the elementwise operators that can be joined, as expressions of their inputs. An operator is left out by
// returning nil.
var formulas = map[string]func(n *node) formula{
	"Add": infix("+"), "Sub": infix("-"), "Mul": infix("*"), "Div": infix("/"),
	"Neg": function("-%s"), "Abs": function("abs(%s)"), "Sqrt": function("sqrt(%s)"), "Exp": function("exp(%s)"), "Erf": function("erf(%s)"),
	"Tanh": function("tanh(%s)"), "Sigmoid": function("sigmoid(%s)"), "Relu": function("max(0, %s)"),
	"Reciprocal": function("1 / %s"), "HardSwish": function("%[1]s * (min(max(%[1]s + 3, 0), 6) * " + reciprocal(6) + ")"),
	"HardSigmoid": func(n *node) formula {
		return function(fmt.Sprintf("min(max(%%s * %s + %s, 0), 1)", literal(n.float("alpha", 0.2)), literal(n.float("beta", 0.5))))(n)
	},
	"LeakyRelu": func(n *node) formula {
		return function("%[1]s < 0 ? %[1]s * " + literal(n.float("alpha", 0.01)) + " : %[1]s")(n)
	},
	"Sum": func(n *node) formula {
		if n.opset < 8 {
			return nil // its inputs do not broadcast
		}
		return func(args []string) string { return strings.Join(args, " + ") }
	},
	"Clip":        clipFormula,
	"Pow":         powerFormula,
	scaleAndShift: function("%s * %s + %s"),
}

// formula writes an expression of arguments.
type formula func(args []string) string

func function(format string) func(*node) formula {
	return func(*node) formula {
		return func(args []string) string {
			values := make([]any, len(args))
			for i, a := range args {
				values[i] = a
			}
			return fmt.Sprintf(format, values...)
		}
	}
}

func infix(operator string) func(*node) formula { return function("%s " + operator + " %s") }

// reciprocal writes 1/v.
func reciprocal(v float64) string { return "(" + strconv.FormatFloat(1/v, 'g', -1, 64) + ")" }

// literal writes a number of a model; those that have no literal, and negative ones, are in parentheses.
func literal(v float64) string {
	if v < 0 {
		return "(" + strconv.FormatFloat(v, 'g', -1, 32) + ")"
	}
	return strconv.FormatFloat(v, 'g', -1, 32)
}

// scalar returns an input that is one finite number, known when the model is loaded.
func (n *node) scalar(i int) (float64, bool) {
	if i >= len(n.constants) {
		return 0, false
	}
	x, ok := n.constants[i].(*nd.Array)
	if !ok || x.Size() != 1 || x.Rank() > 1 || x.DType() != dtype.Float32 {
		return 0, false
	}
	v := x.Reshape().Float()
	return v, !math.IsInf(v, 0) && !math.IsNaN(v)
}

func clipFormula(n *node) formula {
	text := "%s"
	for i, f := range []string{"max", "min"} {
		if n.opset < 11 {
			text = f + "(" + text + ", " + literal(n.float([]string{"min", "max"}[i], []float32{-math.MaxFloat32, math.MaxFloat32}[i])) + ")"
		} else if n.given(1 + i) {
			v, ok := n.scalar(1 + i)
			if !ok {
				return nil
			}
			text = f + "(" + text + ", " + literal(v) + ")"
		}
	}
	return function(text)(n)
}

func powerFormula(n *node) formula {
	v, ok := n.scalar(1)
	switch {
	case ok && v == 2:
		return function("%[1]s * %[1]s")(n)
	case ok && v == 0.5:
		return function("sqrt(%[1]s)")(n)
	}
	return nil
}

// term is an elementwise operator whose node does not exist yet, or an operand.
type term struct {
	node    *node // nil for an operand
	compute run
	formula formula
	args    []*term
	output  string // the name of its result in the graph

	value    string      // of an operand: the name of its value
	constant model.Value // of an operand that is known
	number   string      // of an operand that is written into the formula
}

// Limits of a joined operator.
const (
	mostOperands = 8
	mostTerms    = 20
)

// size counts operators and operands.
func (t *term) size() (terms, operands int) {
	if t.node == nil {
		if t.number != "" {
			return 0, 0
		}
		return 0, 1
	}
	terms = 1
	for _, a := range t.args {
		n, k := a.size()
		terms, operands = terms+n, operands+k
	}
	return terms, operands
}

// join makes a term of an elementwise node, or returns nil. Arguments that are terms which nothing else reads become parts of
// it.
func (g *graph) join(n *node, in []string, compute run) *term {
	of, ok := formulas[n.OpType]
	if !ok || compute == nil || n.problem != "" || len(n.Output) != 1 || n.opset < 7 || standard(n.Domain) != "" && n.Domain != internalDomain {
		return nil
	}
	f := of(n)
	if f == nil {
		return nil
	}
	t := &term{node: n, compute: compute, formula: f, output: n.Output[0]}
	terms, operands := 1, 0
	for i, name := range n.Input {
		if i > 0 && (n.OpType == "Clip" || n.OpType == "Pow") {
			break // they are in the formula
		}
		a := &term{value: in[i], constant: n.constants[i]}
		if v, ok := n.scalar(i); ok {
			a.number = literal(v)
		} else if inner := g.pending[name]; inner != nil && g.uses[name] == 1 {
			more, leaves := inner.size()
			if terms+more <= mostTerms && operands+leaves+len(n.Input)-i <= mostOperands {
				a = inner
				delete(g.pending, name)
			}
		}
		if a.node == nil && a.value == "" && a.constant == nil {
			a.value, _ = g.value(name)
		}
		more, leaves := a.size()
		terms, operands = terms+more, operands+leaves
		t.args = append(t.args, a)
	}
	if n.OpType == "Div" && t.args[0].isGated() {
		if v, ok := n.scalar(1); ok && math.Abs(v) >= 1 && math.Abs(v) < 1<<32 { // 1/v is a normal number
			t.formula = function("%[1]s * " + reciprocal(v))(n)
		}
	}
	return t
}

// isGated reports whether a term is a product with a clipped factor, which exporters write for HardSwish: x·clip(x+3, 0, 6)/6.
func (t *term) isGated() bool {
	return t.node != nil && t.node.OpType == "Mul" && slices.ContainsFunc(t.args, func(a *term) bool { return a.node != nil && a.node.OpType == "Clip" })
}

// flush makes the node of a term.
func (g *graph) flush(t *term) string {
	delete(g.pending, t.output)
	j := &joint{root: t}
	terms := j.collect()
	if p := g.sumsIn(j); p != nil {
		return g.flushOver(p, j)
	}
	if terms > 1 {
		in := make([]string, len(j.operands))
		for i, o := range j.operands {
			in[i] = o.value
		}
		out := g.define(t.output)
		n := *t.node
		n.constants = make([]model.Value, len(in))
		for i, o := range j.operands {
			n.constants[i] = o.constant
		}
		run := n.runner(j.run, len(in))
		*g.nodes = append(*g.nodes, model.Node{Name: n.Name, Type: j.title(), Inputs: in, Outputs: []string{out}, Constant: true, Run: withoutBodies(run)})
		return out
	}
	in := make([]string, len(t.node.Input))
	for i, a := range t.args {
		in[i] = a.value
	}
	return g.emit(t.node, in, t.compute)[0]
}

// joint is a term of several operators.
type joint struct {
	root     *term
	operands []*term
	kernels  sync.Map // by the source of the formula; nil if it does not compile
	last     atomic.Pointer[plan]
}

// collect lists the operands, and returns the number of operators.
func (j *joint) collect() (terms int) {
	var visit func(t *term)
	visit = func(t *term) {
		switch {
		case t.node != nil:
			terms++
			for _, a := range t.args {
				visit(a)
			}
		case t.number == "":
			j.operands = append(j.operands, t)
		}
	}
	visit(j.root)
	return terms
}

// title is the type of the node.
func (j *joint) title() string { return strings.Join(j.names(nil, j.root), "+") }

// names lists the types of the operators, the first one first.
func (j *joint) names(all []string, t *term) []string {
	for _, a := range t.args {
		if a.node != nil {
			all = j.names(all, a)
		}
	}
	return append(all, t.node.OpType)
}

// run computes the joined formula, or each operator by itself if the formula does not hold: for integers, whose operators
// mean something else, and for floats of 16 bits, whose steps round.
func (j *joint) run(c *call) []model.Value { return j.runInto(c, nil) }

// runInto is run, and writes over an operand that nothing else reads, if into is one and has the shape of the result.
func (j *joint) runInto(c *call, into *nd.Array) []model.Value {
	values := make([]*nd.Array, len(j.operands))
	fits, rank := true, 0
	for i := range j.operands {
		x, ok := c.value(i).(*nd.Array)
		if !ok || (x.DType() != dtype.Float32 && x.DType() != dtype.Float64) {
			fits = false
			break
		}
		values[i], rank = c.x(i), max(rank, x.Rank())
		fits = fits && x.DType() == values[0].DType()
	}
	if !fits || rank == 0 {
		return []model.Value{j.step(c, j.root)}
	}
	p := j.last.Load()
	if p == nil || !slices.EqualFunc(p.shapes, values, func(shape []int, x *nd.Array) bool { return hasLengths(x, 0, shape) }) {
		p = j.plan(c, values)
		j.last.Store(p)
	}
	if into != nil && (!hasLengths(into, 0, p.shape) || slices.ContainsFunc(values, isRecorded)) {
		into = nil
	}
	return one(j.compute(c, p.whole, values, into))
}

// isRecorded reports whether a tape has recorded an array.
func isRecorded(x *nd.Array) bool {
	node, _ := x.Node()
	return node != nil
}

// step computes the operators of a term one after the other.
func (j *joint) step(c *call, t *term) model.Value {
	n := t.node
	inner := &call{fn: nd.Func(n.OpType), scope: c.scope, results: 1, device: c.device, made: c.made, in: make([]model.Value, len(n.Input))}
	copy(inner.in, n.constants)
	for i, a := range t.args {
		switch {
		case a.node != nil:
			inner.in[i] = j.step(c, a)
		case a.number == "":
			for k, o := range j.operands {
				if o == a {
					inner.in[i] = c.in[k]
				}
			}
		}
	}
	inner.findDevice()
	return t.compute(inner)[0]
}

// kernel compiles a formula once.
func (j *joint) kernel(text string, operands int) *ops.Kernel {
	if k, ok := j.kernels.Load(text); ok {
		return k.(*ops.Kernel)
	}
	names := make([]string, operands)
	for i := range names {
		names[i] = fmt.Sprintf("T x%d", i)
	}
	k, err := ops.NewKernel(strings.Join(names, ", "), "T z", text, ops.KernelOptions{Name: "onnx.joined"})
	if err != nil {
		k = nil
	}
	j.kernels.Store(text, k)
	return k
}
