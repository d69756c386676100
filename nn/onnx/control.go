package onnx

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// controls are the operators with graphs inside.
func controls() map[string]operator {
	return map[string]operator{"If": condition, "Loop": loop, "Scan": scan}
}

// body is a graph inside a node.
type body struct {
	model    *model.Model
	inputs   int // the number of the graph's own inputs
	captured int // and, after them, of values around the node that the graph uses
	from     int // index of the first captured value among those of the node
	outputs  []Type
}

// body translates the graph of an attribute, which has the given number of inputs, and at least the given number of outputs.
func (n *node) body(name string, inputs, outputs int) *body {
	a := n.attribute(name, attributeGraph)
	if a == nil || a.G == nil {
		n.refuse("no attribute %s", name)
		return nil
	}
	inner := &graph{translation: n.graph.translation, opsets: n.graph.opsets, outer: n.graph, names: map[string]string{}, calls: n.graph.calls}
	d, err := inner.definition(a.G)
	if err != nil {
		n.refuse("%s: %v", name, err)
		return nil
	}
	if len(inner.missing) > 0 {
		return nil
	}
	m, err := model.New(*d)
	if err != nil {
		n.refuse("%s: %v", name, err)
		return nil
	}
	n.hasBodies = true
	b := &body{model: m, inputs: len(d.Inputs) - len(inner.captured), captured: len(inner.captured), from: len(n.captured)}
	if b.inputs != inputs || len(d.Outputs) < outputs {
		n.refuse("%s has %d inputs and %d outputs, not %d and at least %d", name, b.inputs, len(d.Outputs), inputs, outputs)
	}
	for _, out := range a.G.Output {
		b.outputs = append(b.outputs, typeOf(out.Type))
	}
	n.captured = append(n.captured, inner.captured...)
	return b
}

// run computes the outputs of the graph.
func (b *body) run(c *call, args ...model.Value) []model.Value {
	inputs := make([]model.Value, b.inputs+b.captured)
	copy(inputs[:b.inputs], args)
	copy(inputs[b.inputs:], c.captured[b.from:])
	return c.bodies(b.model, inputs...)
}

func condition(n *node) run {
	yes, no := n.body("then_branch", 0, len(n.Output)), n.body("else_branch", 0, len(n.Output))
	return func(c *call) []model.Value {
		if c.float(0) != 0 {
			return yes.run(c)
		}
		return no.run(c)
	}
}

// loop carries values from turn to turn, and stacks what each turn gives besides.
func loop(n *node) run {
	carried := max(len(n.Input)-2, 0)
	inner := n.body("body", 2+carried, 1+carried)
	return func(c *call) []model.Value {
		most, going := -1, true
		if c.given(0) {
			most = c.int(0)
		}
		if c.given(1) {
			going = c.float(1) != 0
		}
		states := slices.Clone(c.in[min(2, len(c.in)):])
		stacks := make([]Sequence, max(c.results, len(inner.model.Outputs())-1)-len(states))
		for turn := 0; going && (most < 0 || turn < most); turn++ {
			args := append([]model.Value{nd.Full(nil, int64(turn)), nd.Full(nil, going)}, states...)
			out := inner.run(c, args...)
			going = truth(c, out[0])
			states = out[1 : 1+len(states)]
			for i, v := range out[1+len(states):] {
				stacks[i] = append(stacks[i], v)
			}
		}
		out := slices.Clone(states)
		for i, s := range stacks {
			out = append(out, stack(c, s, 0, at(inner.outputs, 1+len(states)+i)))
		}
		return out
	}
}

// truth returns a condition.
func truth(c *call, v model.Value) bool {
	x, ok := v.(*nd.Array)
	if !ok || x.Size() != 1 {
		c.refuse("the condition is not one bool")
	}
	return ops.Any(x).Float() != 0
}

// stack joins values along a new axis. Without values the result is empty, with the dtype and the shape that the file states.
func stack(c *call, values Sequence, axis int, t Type) model.Value {
	if len(values) == 0 {
		dt, shape := dtype.Float32, []int{0}
		if d := t.Element.DType(); d.Valid() {
			dt = d
		}
		for _, n := range t.Shape {
			shape = append(shape, max(n, 0))
		}
		return nd.Zeros(shape, dt)
	}
	xs := make([]*nd.Array, len(values))
	for i, v := range values {
		x, ok := v.(*nd.Array)
		if !ok {
			c.refuse("a %s in each turn", describe(v))
		}
		xs[i] = x
	}
	return ops.Stack(xs, ops.Over(axis))
}

// scan goes through inputs along an axis, with states.
func scan(n *node) run {
	count, given := n.int("num_scan_inputs", 0), len(n.Input)
	if n.opset < 9 {
		given = max(given-1, 0)
	}
	if count < 1 || count > given {
		n.refuse("num_scan_inputs is %d", count)
		return nil
	}
	inner := n.body("body", given, given-count)
	if n.opset < 9 {
		return scanBatch(n, inner, count)
	}
	inAxes, outAxes := n.ints("scan_input_axes"), n.ints("scan_output_axes")
	inBack, outBack := n.ints("scan_input_directions"), n.ints("scan_output_directions")
	return func(c *call) []model.Value {
		return scanned{inner, inAxes, outAxes, inBack, outBack}.run(c, c.in[:len(c.in)-count], c.in[len(c.in)-count:])
	}
}

// scanned is a scan with its attributes.
type scanned struct {
	inner                            *body
	inAxes, outAxes, inBack, outBack []int
}

// at returns an element of a list, its zero value if it is missing.
func at[T any](values []T, i int) (v T) {
	if i < len(values) {
		return values[i]
	}
	return v
}

func (s scanned) run(c *call, states, inputs []model.Value) []model.Value {
	states = slices.Clone(states)
	rows := make([]*nd.Array, len(inputs))
	for i, v := range inputs {
		x, ok := v.(*nd.Array)
		if !ok {
			c.refuse("a %s as scan input", describe(v))
		}
		axis := c.fn.Axis(x, []int{at(s.inAxes, i)}, 0)
		rows[i] = x.MoveAxis([]int{axis}, []int{0})
		if rows[i].Dim(0) != rows[0].Dim(0) {
			c.refuse("scan inputs of lengths %d and %d", rows[0].Dim(0), rows[i].Dim(0))
		}
	}
	stacks := make([]Sequence, max(c.results-len(states), 0))
	for turn := range rows[0].Dim(0) {
		args := slices.Clone(states)
		for i, x := range rows {
			k := turn
			if at(s.inBack, i) != 0 {
				k = x.Dim(0) - 1 - turn
			}
			args = append(args, x.Index(nd.At(k)))
		}
		out := s.inner.run(c, args...)
		states = out[:len(states)]
		for i, v := range out[len(states):] {
			if i < len(stacks) {
				stacks[i] = append(stacks[i], v)
			}
		}
	}
	out := slices.Clone(states)
	for i, values := range stacks {
		if at(s.outBack, i) != 0 {
			slices.Reverse(values)
		}
		out = append(out, stack(c, values, at(s.outAxes, i), at(s.inner.outputs, len(states)+i)))
	}
	return out
}

// scanBatch is the form of opset 8: every input has a batch axis in front, and the first one may give the lengths.
func scanBatch(n *node, inner *body, count int) run {
	directions := n.ints("directions")
	return func(c *call) []model.Value {
		if c.given(0) {
			c.refuse("sequence_lens is not supported")
		}
		all := c.in[1:]
		for i, v := range all {
			if x, ok := v.(*nd.Array); !ok || x.Rank() == 0 {
				c.refuse("input %d is a %s: want an array with a batch axis", 1+i, describe(v))
			}
		}
		first := all[len(all)-count].(*nd.Array)
		var examples [][]*nd.Array
		for b := range first.Dim(0) {
			row := make([]model.Value, len(all))
			for i, v := range all {
				row[i] = v.(*nd.Array).Index(nd.At(b))
			}
			out := scanned{inner, nil, nil, directions, nil}.run(c, row[:len(row)-count], row[len(row)-count:])
			for i, v := range out {
				if b == 0 {
					examples = append(examples, nil)
				}
				examples[i] = append(examples[i], v.(*nd.Array))
			}
		}
		out := make([]model.Value, len(examples))
		for i, xs := range examples {
			out[i] = ops.Stack(xs)
		}
		return out
	}
}
