package onnx

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// indexing are the operators that read or write elements at indices.
func indexing() map[string]operator {
	return map[string]operator{
		"Gather": structural(func(n *node) run {
			axis := n.int("axis", 0)
			return func(c *call) []model.Value { return one(ops.Take(c.x(0), c.x(1), ops.Over(axis))) }
		}),
		"GatherElements": structural(func(n *node) run {
			axis := n.int("axis", 0)
			return func(c *call) []model.Value { return one(ops.TakeAlongAxis(c.x(0), c.x(1), ops.Over(axis))) }
		}),
		"GatherND": structural(gatherND),
		"Slice":    structural(slice),
		"Compress": func(n *node) run {
			axis, along := n.int("axis", 0), n.has("axis")
			return func(c *call) []model.Value {
				if along {
					return one(ops.Compress(c.x(1), c.x(0), ops.Over(axis)))
				}
				return one(ops.Compress(c.x(1), c.x(0)))
			}
		},
		"NonZero": plain(func(c *call) []model.Value { return one(ops.ArgWhere(c.x(0)).T().Contiguous()) }),
		"OneHot":  oneHot,
		"TopK":    topK,
	}
}

// gatherND reads parts at the rows of indices, for each example of the batch axes.
func gatherND(n *node) run {
	batch := n.int("batch_dims", 0)
	return func(c *call) []model.Value {
		x, at := c.x(0), c.x(1)
		if at.Rank() == 0 || batch < 0 || batch >= at.Rank() || batch+at.Dim(-1) > x.Rank() {
			c.refuse("want indices with at least %d axes, and rows of at most %d", batch+1, x.Rank()-batch)
		}
		lead := at.Shape()[:at.Rank()-1]
		ix := make([]nd.Index, 0, x.Rank())
		for axis := range batch {
			// The example itself, broadcast over the other axes of the indices.
			column := nd.ArangeInt(0, x.Dim(axis), 1)
			shape := slices.Repeat([]int{1}, len(lead))
			shape[axis] = x.Dim(axis)
			ix = append(ix, nd.Pick(column.Reshape(shape...).BroadcastTo(lead...).To(x.Device())))
		}
		for _, column := range ops.Unstack(at, ops.Over(-1)) {
			ix = append(ix, nd.Pick(column))
		}
		return one(x.Index(ix...))
	}
}

// slice has its bounds as attributes before opset 10, and as inputs since then.
func slice(n *node) run {
	var starts, ends, axes []int
	if n.opset < 10 {
		starts, ends, axes = n.ints("starts"), n.ints("ends"), n.ints("axes")
	}
	return func(c *call) []model.Value {
		x, starts, ends, axes := c.x(0), starts, ends, axes
		var steps []int
		if n.opset >= 10 {
			starts, ends = c.ints(1), c.ints(2)
			if c.given(3) {
				axes = c.ints(3)
			}
			if c.given(4) {
				steps = c.ints(4)
			}
		}
		if axes == nil {
			axes = make([]int, len(starts))
			for i := range axes {
				axes[i] = i
			}
		}
		if len(ends) != len(starts) || len(axes) != len(starts) || steps != nil && len(steps) != len(starts) {
			c.refuse("%d starts, %d ends, %d axes and %d steps", len(starts), len(ends), len(axes), len(steps))
		}
		ix := slices.Repeat([]nd.Index{nd.All()}, x.Rank())
		for i, axis := range axes {
			step := 1
			if steps != nil {
				step = steps[i]
			}
			at := c.fn.Axis(x, []int{axis}, 0)
			ix[at] = span(starts[i], ends[i], step, x.Dim(at))
		}
		return one(x.Index(ix...))
	}
}

// span is a range whose end lies below the first element if it is far below zero.
func span(start, end, step, length int) nd.Index {
	if step < 0 && end < -length {
		return nd.From(start).By(step)
	}
	return nd.Span(start, end).By(step)
}

func oneHot(n *node) run {
	axis := n.int("axis", -1)
	return func(c *call) []model.Value {
		at, depth, values := c.x(0), int(c.float(1)), c.x(2)
		if depth < 1 || values.Size() != 2 {
			c.refuse("depth %d, and %d values: want a positive depth and 2 values", depth, values.Size())
		}
		at = at.AsType(dtype.Int64)
		at = ops.Where(ops.Less(at, nd.Scalar(0)), ops.Add(at, nd.Scalar(depth)), at)
		along := c.fn.AxisOf(at.Rank()+1, []int{axis}, -1)
		classes := slices.Repeat([]int{1}, at.Rank()+1)
		classes[along] = depth
		hot := ops.Equal(at.ExpandDims(along), nd.ArangeInt(0, depth, 1).Reshape(classes...).To(at.Device()))
		values = values.Reshape(2)
		return one(ops.Where(hot, values.Index(nd.At(1)), values.Index(nd.At(0))))
	}
}

// topK has k as an attribute before opset 10.
func topK(n *node) run {
	axis, fixed := n.int("axis", -1), 0
	if n.opset < 10 {
		fixed = n.int("k", 0)
	}
	smallest := n.opset >= 11 && n.int("largest", 1) == 0
	if n.opset >= 11 {
		n.int("sorted", 1)
	}
	return func(c *call) []model.Value {
		k := fixed
		if n.opset >= 10 {
			k = c.int(1)
		}
		values, at := ops.TopK(c.x(0), k, ops.TopKOptions{Axis: ops.Over(axis), Smallest: smallest})
		return some(values, at)
	}
}
