package onnx

import (
	"maps"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// operators returns the operators by name; those of other domains than ONNX's own have the domain in front. The table is
// made when a file is read, so that other programs do not carry it.
func operators() map[string]operator {
	all := map[string]operator{}
	for _, chapter := range []func() map[string]operator{elementwise, structure, indexing, reductions, controls, casts, products, quantizations,
		convolutions, poolings, normalizations, scatters, paddings, losses, resizes, attentions, regions,
		recurrents, signals, sequences, words, randomness,
		features, linears, trees, previews, contributed, internals, absorbers} {
		maps.Copy(all, chapter())
	}
	return all
}

// plain is an operator without attributes.
func plain(compute run) operator { return func(*node) run { return compute } }

// unary is an elementwise function of one array.
func unary(f func(x *nd.Array, opts ...ops.UfuncOption) *nd.Array) operator {
	return plain(func(c *call) []model.Value { return one(f(c.x(0))) })
}

// pairwise is an elementwise function of two arrays.
func pairwise(f func(a, b *nd.Array, opts ...ops.UfuncOption) *nd.Array) operator {
	return ofTwo(func(a, b *nd.Array) *nd.Array { return f(a, b) })
}

// ofTwo is a function of two arrays that broadcast.
func ofTwo(f func(a, b *nd.Array) *nd.Array) operator {
	return func(n *node) run {
		align := alignment(n)
		return func(c *call) []model.Value {
			a, b := align(c.x(0), c.x(1))
			return one(f(a, b))
		}
	}
}

// alignment returns the function that makes two operands broadcast. Before opset 7 the second one broadcasts only if the
// attribute broadcast says so, and begins at the given axis of the first.
func alignment(n *node) func(a, b *nd.Array) (*nd.Array, *nd.Array) {
	if n.opset >= 7 {
		return func(a, b *nd.Array) (*nd.Array, *nd.Array) { return a, b }
	}
	n.int("broadcast", 0)
	axis, begins := n.int("axis", 0), n.has("axis")
	n.ints("consumed_inputs")
	return func(a, b *nd.Array) (*nd.Array, *nd.Array) {
		if !begins || b.Rank() == 0 || b.Rank() >= a.Rank() {
			return a, b
		}
		return a, ops.AlignLike(b, a, ops.Over(axis))
	}
}

// folded is an elementwise function of any number of arrays.
func folded(f func(a, b *nd.Array, opts ...ops.UfuncOption) *nd.Array) operator {
	return func(n *node) run {
		n.ints("consumed_inputs")
		return func(c *call) []model.Value { return one(fold(c, f)) }
	}
}

// fold joins all inputs by a function.
func fold(c *call, f func(a, b *nd.Array, opts ...ops.UfuncOption) *nd.Array) *nd.Array {
	y := c.x(0)
	for _, x := range c.xs(1) {
		y = f(y, x)
	}
	return y
}

// structural is an operator that only moves elements: it also takes texts and narrow types. All outputs are tensors of
// the inputs' type.
func structural(make operator) operator {
	return func(n *node) run {
		compute := make(n)
		return func(c *call) []model.Value {
			var texts []string
			var narrow ElementType
			isTexts := false
			for i, v := range c.in {
				switch v := v.(type) {
				case Narrow:
					narrow, c.in[i] = v.Type, v.Array
				case Texts:
					at := nd.ArangeInt(len(texts), len(texts)+len(v.Values), 1)
					texts, isTexts = append(texts, v.Values...), true
					c.in[i] = at.Reshape(v.Shape...)
				}
			}
			out := compute(c)
			for i, v := range out {
				switch x := v.(*nd.Array); {
				case isTexts:
					t := Texts{Shape: x.Shape()}
					for _, at := range nd.ToSlice[int](x) {
						t.Values = append(t.Values, texts[at])
					}
					out[i] = t
				case narrow != 0:
					out[i] = Narrow{narrow, x}
				}
			}
			return out
		}
	}
}
