package onnx

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// structure are the operators about shapes, and those that move elements without reading them.
func structure() map[string]operator {
	return map[string]operator{
		"Identity": plain(func(c *call) []model.Value { return []model.Value{c.value(0)} }),
		"Shape":    shape,
		"Size":     plain(func(c *call) []model.Value { return one(nd.Full(nil, int64(broadcast.Size(c.shape(0))))) }),
		"Reshape":  structural(reshape),
		"Flatten": structural(func(n *node) run {
			axis := n.int("axis", 1)
			return func(c *call) []model.Value {
				x := c.x(0)
				at := axis
				if at < 0 {
					at += x.Rank()
				}
				if at < 0 || at > x.Rank() {
					c.refuse("axis %d", axis)
				}
				return one(x.Reshape(broadcast.Size(x.Shape()[:at]), broadcast.Size(x.Shape()[at:])))
			}
		}),
		"Squeeze":   structural(squeeze),
		"Unsqueeze": structural(unsqueeze),
		"Transpose": structural(func(n *node) run {
			perm := n.ints("perm")
			return func(c *call) []model.Value { return one(c.x(0).Transpose(perm...)) }
		}),
		"Concat": structural(func(n *node) run {
			axis := n.int("axis", 1)
			return func(c *call) []model.Value { return one(ops.Concatenate(c.xs(0), ops.Over(axis))) }
		}),
		"Split":  structural(split),
		"Expand": structural(plain(func(c *call) []model.Value { return one(expand(c, c.x(0), c.ints(1))) })),
		"Tile":   structural(tile),
		"DepthToSpace": func(n *node) run {
			size, mode := n.int("blocksize", 0), n.text("mode", "DCR", "DCR", "CRD")
			return func(c *call) []model.Value {
				x := c.x(0)
				if x.Rank() != 4 || size < 1 || x.Dim(1)%(size*size) != 0 {
					c.refuse("block size %d", size)
				}
				s := x.Shape()
				if mode == "DCR" {
					x = x.Reshape(s[0], size, size, s[1]/(size*size), s[2], s[3]).Transpose(0, 3, 4, 1, 5, 2)
				} else {
					x = x.Reshape(s[0], s[1]/(size*size), size, size, s[2], s[3]).Transpose(0, 1, 4, 2, 5, 3)
				}
				return one(x.Reshape(s[0], s[1]/(size*size), s[2]*size, s[3]*size))
			}
		},
		"SpaceToDepth": func(n *node) run {
			size := n.int("blocksize", 0)
			crd := n.text("mode", "DCR", "DCR", "CRD") == "CRD"
			return func(c *call) []model.Value {
				x := c.x(0)
				if x.Rank() != 4 || size < 1 || x.Dim(2)%size != 0 || x.Dim(3)%size != 0 {
					c.refuse("block size %d", size)
				}
				s := x.Shape()
				x = x.Reshape(s[0], s[1], s[2]/size, size, s[3]/size, size)
				if crd {
					x = x.Transpose(0, 1, 3, 5, 2, 4)
				} else {
					x = x.Transpose(0, 3, 5, 1, 2, 4)
				}
				return one(x.Reshape(s[0], s[1]*size*size, s[2]/size, s[3]/size))
			}
		},
		"Trilu": func(n *node) run {
			f := ops.Tril
			if n.int("upper", 1) != 0 {
				f = ops.Triu
			}
			return func(c *call) []model.Value {
				k := 0
				if c.given(1) {
					k = c.int(1)
				}
				return one(f(c.x(0), k))
			}
		},
		"ConstantOfShape": func(n *node) run {
			value := n.tensor("value")
			return func(c *call) []model.Value {
				shape := c.ints(0)
				if value == nil {
					return one(nd.Zeros(shape, dtype.Float32))
				}
				v := arrayIn(value)
				if v == nil || v.Size() != 1 {
					c.refuse("the value is a %s: want one number", describe(value))
				}
				return []model.Value{withArray(value, v.Reshape(slices.Repeat([]int{1}, len(shape))...).BroadcastTo(shape...))}
			}
		},
		"EyeLike": func(n *node) run {
			k, t := n.int("k", 0), n.elementType("dtype", 0)
			return func(c *call) []model.Value {
				x := c.x(0)
				if x.Rank() != 2 {
					c.refuse("want a matrix")
				}
				dt := x.DType()
				if t != 0 {
					dt = t.DType()
				}
				return one(nd.Eye(x.Dim(0), x.Dim(1), k, dt))
			}
		},
		"Range": plain(func(c *call) []model.Value {
			start, limit, step := c.x(0), c.x(1), c.x(2)
			if start.DType().IsInteger() {
				return one(nd.ArangeInt(c.int(0), c.int(1), c.int(2)).AsType(start.DType()))
			}
			return one(nd.Arange(start.Float(), limit.Float(), step.Float(), start.DType()))
		}),
	}
}

// shape returns the lengths of an input of any type.
func (c *call) shape(i int) []int {
	if t, ok := c.value(i).(Texts); ok {
		return t.Shape
	}
	x := arrayIn(c.in[i])
	if x == nil {
		c.refuse("input %d is a %s: it has no shape", i, describe(c.in[i]))
	}
	return x.Shape()
}

func shape(n *node) run {
	start, end, ends := n.int("start", 0), n.int("end", 0), n.has("end")
	return func(c *call) []model.Value {
		all := c.shape(0)
		bound := func(at int) int {
			if at < 0 {
				at += len(all)
			}
			return min(max(at, 0), len(all))
		}
		from, to := bound(start), len(all)
		if ends {
			to = bound(end)
		}
		return one(host(all[from:max(from, to)]...))
	}
}

// reshape has the shape as an attribute before opset 5. A length of 0 is that of the input at the same axis, and -1 what
// the others leave.
func reshape(n *node) run {
	fixed, keepZeros := n.ints("shape"), n.flag("allowzero")
	n.ints("consumed_inputs")
	return func(c *call) []model.Value {
		x, lengths := c.x(0), fixed
		if n.opset >= 5 {
			lengths = c.ints(1)
		}
		lengths = slices.Clone(lengths)
		for i, n := range lengths {
			if n == 0 && !keepZeros {
				if i >= x.Rank() {
					c.refuse("the length of axis %d is 0, but the input has no such axis", i)
				}
				lengths[i] = x.Dim(i)
			}
		}
		return one(x.Reshape(lengths...))
	}
}

// axes returns the function that gives the axes of an operator: the attribute before an opset, the input since then. Nil
// means that none are given.
func (n *node) axes(since, input int) func(c *call) []int {
	if n.opset < since {
		fixed := n.ints("axes")
		return func(*call) []int { return fixed }
	}
	return func(c *call) []int {
		if !c.given(input) {
			return nil
		}
		return c.ints(input)
	}
}

func squeeze(n *node) run {
	axes := n.axes(13, 1)
	return func(c *call) []model.Value {
		over := axes(c)
		if over == nil {
			return one(c.x(0).Squeeze())
		}
		if len(over) == 0 {
			return one(c.x(0))
		}
		return one(c.x(0).Squeeze(over...))
	}
}

func unsqueeze(n *node) run {
	axes := n.axes(13, 1)
	return func(c *call) []model.Value { return one(c.x(0).ExpandDims(axes(c)...)) }
}

// split has the lengths as an attribute or as an input, or a number of parts of about equal lengths.
func split(n *node) run {
	axis := n.int("axis", 0)
	var fixed []int
	if n.opset < 13 {
		fixed = n.ints("split")
	}
	parts := 0
	if n.opset >= 18 {
		parts = n.int("num_outputs", 0)
	}
	return func(c *call) []model.Value {
		x, lengths := c.x(0), fixed
		at := c.fn.Axis(x, []int{axis}, 0)
		if c.given(1) {
			lengths = c.ints(1)
		}
		if lengths == nil {
			count := parts
			if count == 0 {
				count = c.results
			}
			if count < 1 {
				c.refuse("no outputs")
			}
			each := (x.Dim(at) + count - 1) / count
			for left := x.Dim(at); len(lengths) < count; left -= each {
				lengths = append(lengths, max(min(each, left), 0))
			}
		}
		out, from := make([]model.Value, len(lengths)), 0
		for i, length := range lengths {
			if length < 0 || from+length > x.Dim(at) {
				c.refuse("lengths %d of an axis of length %d", lengths, x.Dim(at))
			}
			out[i] = x.MoveAxis([]int{at}, []int{0}).Index(nd.Span(from, from+length)).MoveAxis([]int{0}, []int{at})
			from += length
		}
		if from != x.Dim(at) {
			c.refuse("lengths %d of an axis of length %d", lengths, x.Dim(at))
		}
		return out
	}
}

// expand broadcasts an array and a shape to each other.
func expand(c *call, x *nd.Array, lengths []int) *nd.Array {
	shape, err := broadcast.Shapes(x.Shape(), lengths)
	if err != nil {
		c.refuse("shape %s: %v", broadcast.FormatShape(lengths), err)
	}
	return x.BroadcastTo(shape...)
}

// tile has one count and one axis before opset 6.
func tile(n *node) run {
	return func(c *call) []model.Value {
		x := c.x(0)
		if n.opset >= 6 {
			return one(ops.Tile(x, c.ints(1)...))
		}
		reps := slices.Repeat([]int{1}, x.Rank())
		reps[c.fn.Axis(x, []int{int(c.float(2))}, 0)] = int(c.float(1))
		return one(ops.Tile(x, reps...))
	}
}
