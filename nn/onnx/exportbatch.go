package onnx

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/internal/wire"
)

// Two calls with different batch sizes have the same operations. What differs between them are lengths, which are linear in the
// batch size: factor·batch + rest. In the file they are computed from the first input's shape.

// batchAxis holds the batch sizes of the two calls.
type batchAxis struct{ first, second int }

// lengthOf is a length that depends on the batch size.
type lengthOf struct{ factor, rest int }

// through returns the function with two values; ok is false if its factor is not an integer.
func (b batchAxis) through(first, second int) (l lengthOf, ok bool) {
	l.factor = (second - first) / (b.second - b.first)
	l.rest = first - l.factor*b.first
	return l, l.factor*b.second+l.rest == second
}

// batchOf returns the batch size of inputs: the length of the first axis of the first one.
func batchOf(inputs []*nd.Array) int {
	if inputs[0].Rank() == 0 {
		return 0
	}
	return inputs[0].Dim(0)
}

// withBatch returns inputs of another batch size, with examples of the given ones.
func withBatch(inputs []*nd.Array, n int) []*nd.Array {
	was := batchOf(inputs)
	if was == 0 {
		panic(nd.Func("onnx.Export").Errorf(inputs[:1], "with Batch, want a first input with examples along its first axis"))
	}
	all := slices.Clone(inputs)
	for k, x := range inputs {
		if x.Rank() > 0 && x.Dim(0) == was && n != was {
			at := make([]int, n)
			for i := range at {
				at[i] = i % was
			}
			all[k] = ops.Take(x, nd.FromSliceOn(x.Device(), at), ops.Over(0))
		}
	}
	return all
}

// name is the name of a length in the file.
func (l lengthOf) name() string {
	switch {
	case l == lengthOf{1, 0}:
		return "batch"
	case l.rest == 0:
		return strconv.Itoa(l.factor) + "*batch"
	}
	return fmt.Sprintf("%d*batch%+d", l.factor, l.rest)
}

// generalize makes the graph right for every batch size: other is the graph of a call with another one.
func (g *exported) generalize(other *exported, b batchAxis) error {
	if len(g.graph.Node) != len(other.graph.Node) {
		return fmt.Errorf("calls with batch sizes %d and %d run %d and %d operations", b.first, b.second, len(g.graph.Node), len(other.graph.Node))
	}
	for i, n := range g.graph.Node {
		first, err := wire.Marshal(n)
		if err != nil {
			return err
		}
		second, err := wire.Marshal(other.graph.Node[i])
		if err != nil {
			return err
		}
		if string(first) != string(second) {
			return fmt.Errorf("the operation %s (%s) depends on the batch size", n.Name, n.OpType)
		}
	}
	c := &lengths{g: g, b: b, known: map[lengthOf]string{}}
	nodes := g.graph.Node
	g.graph.Node, g.prefix = nil, ""
	for _, n := range nodes {
		for i, name := range n.Input {
			x, y := g.constants[name], other.constants[name]
			if x == nil || y == nil || g.fixed[name] || equalArrays(x, y) {
				continue
			}
			replaced, err := c.computed(n, i, x, y)
			if err != nil {
				return fmt.Errorf("a constant of the operation %s (%s) depends on the batch size: %w", n.Name, n.OpType, err)
			}
			n.Input[i] = replaced
		}
		g.graph.Node = append(g.graph.Node, n)
	}
	g.dimensions(other, b)
	return nil
}

func equalArrays(x, y *nd.Array) bool {
	return x.DType() == y.DType() && broadcast.Equal(x.Shape(), y.Shape()) && slices.Equal(bytesOf(x), bytesOf(y))
}

// lengths computes what depends on the batch size.
type lengths struct {
	g     *exported
	b     batchAxis
	known map[lengthOf]string // arrays with one axis of length 1
}

// of returns the value of a length, an array of one element.
func (c *lengths) of(l lengthOf) string {
	if name, ok := c.known[l]; ok {
		return name
	}
	var y string
	switch {
	case l == lengthOf{1, 0}:
		y = c.g.node("Shape", []string{c.g.graph.Input[0].Name}, intValue("start", 0), intValue("end", 1))
	case l.factor == 0:
		return c.g.ints(l.rest)
	case l.rest == 0:
		y = c.g.node("Mul", []string{c.of(lengthOf{1, 0}), c.g.ints(l.factor)})
	default:
		y = c.g.node("Add", []string{c.of(lengthOf{l.factor, 0}), c.g.ints(l.rest)})
	}
	c.known[l] = y
	return y
}

// computed returns the value that replaces a constant, which is input i of a node and is x and y in the two calls.
func (c *lengths) computed(n *nodeMessage, i int, x, y *nd.Array) (string, error) {
	if broadcast.Equal(x.Shape(), y.Shape()) && x.Rank() < 2 {
		all, err := c.linears(x, y)
		if err != nil {
			return "", err
		}
		if n.OpType == "Reshape" && i == 1 {
			if shape, ok := inferred(all); ok {
				return c.g.ints(shape...), nil
			}
		}
		v := c.vector(all)
		if x.Rank() == 0 {
			v = c.g.node("Squeeze", []string{v, c.g.ints(0)})
		}
		return c.g.cast(v, dtype.Int64, x.DType()), nil
	}
	if x.Rank() != y.Rank() {
		return "", fmt.Errorf("it has %d axes and %d", x.Rank(), y.Rank())
	}
	all, err := c.linears(nd.FromSlice(x.Shape()), nd.FromSlice(y.Shape()))
	if err != nil {
		return "", err
	}
	shape := c.vector(all)
	if value, ok := uniformValue(x, y); ok {
		return c.g.node("Expand", []string{value(c.g), shape}), nil
	}
	if isRamp(x) && isRamp(y) {
		size := c.g.node("ReduceProd", []string{shape}, intValue("keepdims", 0))
		ramp := c.g.node("Range", []string{c.g.number(0, dtype.Int64), size, c.g.number(1, dtype.Int64)})
		return c.g.cast(c.g.node("Reshape", []string{ramp, shape}), dtype.Int64, x.DType()), nil
	}
	return "", fmt.Errorf("it is an array of shape %s, and of %s with another batch size", broadcast.FormatShape(x.Shape()), broadcast.FormatShape(y.Shape()))
}

// linears returns the functions with the elements of two arrays.
func (c *lengths) linears(x, y *nd.Array) ([]lengthOf, error) {
	a, b := nd.ToSlice[float64](x.AsType(dtype.Float64)), nd.ToSlice[float64](y.AsType(dtype.Float64))
	all := make([]lengthOf, len(a))
	for k := range a {
		l, ok := c.b.through(int(a[k]), int(b[k]))
		if !ok || float64(int(a[k])) != a[k] || float64(int(b[k])) != b[k] {
			return nil, fmt.Errorf("it is %g for a batch of %d, and %g for %d", a[k], c.b.first, b[k], c.b.second)
		}
		all[k] = l
	}
	return all, nil
}

// vector returns lengths as an array.
func (c *lengths) vector(all []lengthOf) string {
	var parts []string
	for k := 0; k < len(all); {
		if all[k].factor != 0 {
			parts = append(parts, c.of(all[k]))
			k++
			continue
		}
		var fixed []int
		for ; k < len(all) && all[k].factor == 0; k++ {
			fixed = append(fixed, all[k].rest)
		}
		parts = append(parts, c.g.ints(fixed...))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return c.g.node("Concat", parts, intValue("axis", 0))
}

// inferred returns the shape for a Reshape that infers the one length that depends on the batch size.
func inferred(all []lengthOf) ([]int, bool) {
	shape := make([]int, len(all))
	unknown := 0
	for k, l := range all {
		if shape[k] = l.rest; l.factor != 0 {
			shape[k] = -1
			unknown++
		} else if l.rest <= 0 {
			return nil, false
		}
	}
	return shape, unknown == 1
}

// uniformValue returns the value of arrays whose elements are all equal.
func uniformValue(x, y *nd.Array) (func(g *exported) string, bool) {
	if x.Size() == 0 || y.Size() == 0 || x.DType() != y.DType() || x.DType().IsComplex() {
		return nil, false
	}
	first := x.Reshape(-1).Index(nd.Until(1)).Reshape()
	for _, a := range []*nd.Array{x, y} {
		if !equalArrays(a, first.BroadcastTo(a.Shape()...)) {
			return nil, false
		}
	}
	return func(g *exported) string { return g.constant(first.Copy()) }, true
}

// isRamp reports whether the elements are 0, 1, 2 …
func isRamp(x *nd.Array) bool {
	if !x.DType().IsInteger() {
		return false
	}
	for i, v := range nd.ToSlice[int64](x.AsType(dtype.Int64)) {
		if int(v) != i {
			return false
		}
	}
	return true
}

// dimensions names the lengths that depend on the batch size.
func (g *exported) dimensions(other *exported, b batchAxis) {
	g.lengthNames = map[string]map[int]string{}
	for name, shape := range g.shapes {
		second, ok := other.shapes[name]
		if !ok || len(second) != len(shape) {
			continue
		}
		for k, n := range shape {
			if l, ok := b.through(n, second[k]); n != second[k] && ok {
				if g.lengthNames[name] == nil {
					g.lengthNames[name] = map[int]string{}
				}
				g.lengthNames[name][k] = l.name()
			}
		}
	}
	for _, all := range [][]*valueMessage{g.graph.Input, g.graph.Output} {
		for i, v := range all {
			all[i] = g.info(v.Name)
		}
	}
}
