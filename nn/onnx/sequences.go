package onnx

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// sequences are the operators on sequences and optional values.
func sequences() map[string]operator {
	return map[string]operator{
		"SequenceEmpty": func(n *node) run {
			n.int("dtype", int(Float)) // an empty sequence has none here
			return func(*call) []model.Value { return []model.Value{Sequence{}} }
		},
		"SequenceConstruct": plain(func(c *call) []model.Value { return []model.Value{Sequence(slices.Clone(c.in))} }),
		"SequenceAt": plain(func(c *call) []model.Value {
			s := c.sequence(0)
			return []model.Value{s[c.index(1, len(s)-1)]}
		}),
		"SequenceInsert": plain(func(c *call) []model.Value {
			s := c.sequence(0)
			at := len(s)
			if c.given(2) {
				at = c.index(2, len(s))
			}
			return []model.Value{slices.Insert(slices.Clone(s), at, c.value(1))}
		}),
		"SequenceErase": plain(func(c *call) []model.Value {
			s := c.sequence(0)
			at := len(s) - 1
			if c.given(1) {
				at = c.index(1, len(s)-1)
			}
			if at < 0 {
				c.refuse("the sequence is empty")
			}
			return []model.Value{slices.Delete(slices.Clone(s), at, at+1)}
		}),
		"SequenceLength": plain(func(c *call) []model.Value { return one(nd.Full(nil, int64(len(c.sequence(0))))) }),
		"SequenceMap":    sequenceMap,
		"SplitToSequence": func(n *node) run {
			axis, keep := n.int("axis", 0), n.int("keepdims", 1) != 0
			return func(c *call) []model.Value { return []model.Value{splitToSequence(c, axis, keep)} }
		},
		"ConcatFromSequence": func(n *node) run {
			axis, stacked := n.int("axis", 0), n.flag("new_axis")
			return func(c *call) []model.Value {
				var xs []*nd.Array
				for _, v := range c.sequence(0) {
					x, ok := v.(*nd.Array)
					if !ok {
						c.refuse("the sequence has a %s", describe(v))
					}
					xs = append(xs, x)
				}
				if stacked {
					return one(ops.Stack(xs, ops.Over(axis)))
				}
				return one(ops.Concatenate(xs, ops.Over(axis)))
			}
		},
		"Optional": func(n *node) run {
			n.attribute("type", attributeType)
			return func(c *call) []model.Value {
				if !c.given(0) {
					return []model.Value{None{}}
				}
				return []model.Value{c.in[0]}
			}
		},
		"OptionalHasElement": plain(func(c *call) []model.Value {
			has := false
			if c.given(0) {
				_, none := c.in[0].(None)
				has = !none
			}
			return one(nd.Full(nil, has))
		}),
		"OptionalGetElement": plain(func(c *call) []model.Value {
			v := c.value(0)
			if _, none := v.(None); none {
				c.refuse("the optional value is missing")
			}
			return []model.Value{v}
		}),
	}
}

// index returns an input that is an index of a sequence, which may count from the end.
func (c *call) index(i, most int) int {
	at := c.int(i)
	if at < 0 {
		at += len(c.sequence(0))
	}
	if at < 0 || at > most {
		c.refuse("index %d in a sequence of length %d", c.int(i), len(c.sequence(0)))
	}
	return at
}

// splitToSequence cuts an array into parts of the given lengths, or of one length, or along each index.
func splitToSequence(c *call, axis int, keep bool) Sequence {
	x := c.x(0)
	at := c.fn.Axis(x, []int{axis}, 0)
	var lengths []int
	switch split := c.optional(1); {
	case split == nil:
		lengths = slices.Repeat([]int{1}, x.Dim(at))
	case split.Rank() == 0:
		size := c.int(1)
		if size < 1 {
			c.refuse("parts of length %d", size)
		}
		for left := x.Dim(at); left > 0; left -= size {
			lengths = append(lengths, min(size, left))
		}
	default:
		lengths = c.ints(1)
	}
	parts, from := Sequence{}, 0
	for _, n := range lengths {
		if n < 0 || from+n > x.Dim(at) {
			c.refuse("lengths %d of an axis of length %d", lengths, x.Dim(at))
		}
		part := x.MoveAxis([]int{at}, []int{0}).Index(nd.Span(from, from+n)).MoveAxis([]int{0}, []int{at})
		if !keep && !c.given(1) {
			part = part.Squeeze(at)
		}
		parts = append(parts, part)
		from += n
	}
	if from != x.Dim(at) {
		c.refuse("lengths %d of an axis of length %d", lengths, x.Dim(at))
	}
	return parts
}

// sequenceMap runs a graph on each element of sequences.
func sequenceMap(n *node) run {
	inner := n.body("body", len(n.Input), len(n.Output))
	return func(c *call) []model.Value {
		first := c.sequence(0)
		out := make([]model.Value, c.results)
		for i := range out {
			out[i] = Sequence{}
		}
		for k := range first {
			args := make([]model.Value, len(c.in))
			for i, v := range c.in {
				args[i] = v
				if s, ok := v.(Sequence); ok {
					if len(s) != len(first) {
						c.refuse("sequences of lengths %d and %d", len(first), len(s))
					}
					args[i] = s[k]
				}
			}
			for i, v := range inner.run(c, args...) {
				if i < len(out) {
					out[i] = append(out[i].(Sequence), v)
				}
			}
		}
		return out
	}
}
