package onnx

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
	"github.com/ndgrad/ndgrad/nn/model"
)

// scatters are the operators that write elements at indices, and those that look for elements or reorder them.
func scatters() map[string]operator {
	return map[string]operator{
		"ScatterElements": structural(scatterElements), "Scatter": structural(scatterElements),
		"ScatterND": structural(scatterND), "TensorScatter": tensorScatter, "Unique": structural(unique),
		"ReverseSequence": func(n *node) run {
			batch, time := n.int("batch_axis", 1), n.int("time_axis", 0)
			return func(c *call) []model.Value {
				x := c.x(0).MoveAxis([]int{time, batch}, []int{0, 1})
				y := sequence.Reverse(x, c.x(1), ops.Over(0))
				return one(y.MoveAxis([]int{0, 1}, []int{time, batch}))
			}
		},
	}
}

// kinds are the ways to combine an element with the values for its index.
var kinds = map[string]ops.ReduceKind{"add": ops.ReduceSum, "mul": ops.ReduceProd, "max": ops.ReduceMax, "min": ops.ReduceMin}

func (n *node) reduction() string {
	return n.text("reduction", "none", "none", "add", "mul", "max", "min")
}

func scatterElements(n *node) run {
	axis, how := n.int("axis", 0), n.reduction()
	return func(c *call) []model.Value {
		x, at, values := c.x(0), c.x(1), c.x(2)
		along := c.fn.Axis(x, []int{axis}, 0)
		at = nonnegative(at, x.Dim(along))
		if how == "none" {
			return one(putElements(x, at, values, along))
		}
		return one(ops.ReduceAlongAxis(x, at, values, ops.Over(along), kinds[how]))
	}
}

// nonnegative counts negative indices from the end of an axis.
func nonnegative(at *nd.Array, length int) *nd.Array {
	at = at.AsType(dtype.Int64)
	return ops.Where(ops.Less(at, nd.Scalar(0)), ops.Add(at, nd.Scalar(length)), at)
}

// putElements writes values at indices along an axis. The indices may be shorter than x along the other axes.
func putElements(x, at, values *nd.Array, along int) *nd.Array {
	ix := make([]nd.Index, x.Rank())
	for axis := range ix {
		if axis == along {
			ix[axis] = nd.Pick(at)
			continue
		}
		lengths := broadcast.Ones(x.Rank())
		lengths[axis] = at.Dim(axis)
		ix[axis] = nd.Pick(nd.ArangeInt(0, at.Dim(axis), 1).Reshape(lengths...).BroadcastTo(at.Shape()...).To(x.Device()))
	}
	return x.With(values.AsType(x.DType()), ix...)
}

func scatterND(n *node) run {
	how := n.reduction()
	return func(c *call) []model.Value {
		x, at, values := c.x(0), c.x(1), c.x(2)
		if at.Rank() == 0 || at.Dim(-1) > x.Rank() {
			c.refuse("want indices whose rows have at most %d elements", x.Rank())
		}
		if how == "none" || how == "add" {
			var ix []nd.Index
			for _, column := range ops.Unstack(at, ops.Over(-1)) {
				ix = append(ix, nd.Pick(column))
			}
			if how == "add" {
				return one(ops.AddAt(x, values, ix...))
			}
			return one(x.With(values.AsType(x.DType()), ix...))
		}
		// The indexed axes as one, and the others as one.
		depth := at.Dim(-1)
		lead, rest := x.Shape()[:depth], broadcast.Size(x.Shape()[depth:])
		rows := nd.Zeros(at.Shape()[:at.Rank()-1], dtype.Int64, x.Device())
		for k, column := range ops.Unstack(at, ops.Over(-1)) {
			rows = ops.Add(ops.Multiply(rows, nd.Scalar(lead[k])), nonnegative(column, lead[k]))
		}
		count := rows.Size()
		y := ops.ReduceAlongAxis(x.Reshape(broadcast.Size(lead), rest), rows.Reshape(count, 1).BroadcastTo(count, rest),
			values.Reshape(count, rest), ops.Over(0), kinds[how])
		return one(y.Reshape(x.Shape()...))
	}
}

// tensorScatter writes an update into a cache of keys or values, for each example at its own index.
func tensorScatter(n *node) run {
	axis, circular := n.int("axis", -2), n.text("mode", "linear", "linear", "circular") == "circular"
	return func(c *call) []model.Value {
		cache, update := c.x(0), c.x(1)
		along := c.fn.Axis(cache, []int{axis}, 0)
		if along == 0 || update.Rank() != cache.Rank() || update.Dim(0) != cache.Dim(0) {
			c.refuse("axis %d", axis)
		}
		begin := nd.Zeros([]int{cache.Dim(0)}, dtype.Int64, cache.Device())
		if c.given(2) {
			begin = c.x(2).AsType(dtype.Int64)
		}
		column, row := broadcast.Ones(cache.Rank()), broadcast.Ones(cache.Rank())
		column[0], row[along] = cache.Dim(0), update.Dim(along)
		at := ops.Add(begin.Reshape(column...), nd.ArangeInt(0, update.Dim(along), 1).Reshape(row...).To(cache.Device()))
		if circular {
			at = ops.Remainder(at, nd.Scalar(cache.Dim(along)))
		}
		return one(putElements(cache, at.BroadcastTo(update.Shape()...), update, along))
	}
}

// unique also gives the values in the order of their first occurrence.
func unique(n *node) run {
	var o ops.UniqueOptions
	if n.has("axis") {
		o.Axis = ops.Over(n.int("axis", 0))
	}
	sorted := n.int("sorted", 1) != 0
	return func(c *call) []model.Value {
		r := ops.UniqueAll(c.x(0), o)
		inverse := r.Inverse.Reshape(-1)
		if sorted {
			return some(r.Values, r.Indices, inverse, r.Counts)
		}
		order := ops.ArgSort(r.Indices)
		axis := 0
		if o.Axis != nil {
			axis = o.Axis[0]
		}
		ranks := ops.ArgSort(order)
		return some(ops.Take(r.Values, order, ops.Over(axis)), ops.Take(r.Indices, order), ops.Take(ranks, inverse), ops.Take(r.Counts, order))
	}
}

// axesOr returns the given axes, or all.
func axesOr(axes []int, rank int) []int {
	if axes == nil {
		return broadcast.AllAxes(rank)
	}
	return slices.Clone(axes)
}
