package nnabla

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
)

func arrays() []entry {
	return []entry{
		{typ: "Concatenate", name: "concatenate", make: func(a *arguments) operation {
			axis := a.axis("axis")
			return many(func(xs ...*nd.Array) *nd.Array { return ops.Concatenate(xs, axis) })(a)
		}},
		{typ: "Split", name: "split", make: func(a *arguments) operation {
			axis := a.axis("axis")
			return operation{1, 1, func(c *call) []*nd.Array { return ops.Unstack(c.in[0], axis) }}
		}},
		{typ: "Stack", name: "stack", make: func(a *arguments) operation {
			axis := a.axis("axis")
			return many(func(xs ...*nd.Array) *nd.Array { return ops.Stack(xs, axis) })(a)
		}},
		{typ: "Slice", name: "slice", make: slice},
		{typ: "Pad", name: "pad", make: func(a *arguments) operation {
			width, mode, value := a.ints("pad_width"), a.text("mode", "constant", "reflect", "repeat"), a.float("constant_value")
			o := ops.PadOptions{Mode: ops.PadMode(mode)}
			switch mode {
			case "constant":
				o.Value = nd.Scalar(value)
			case "repeat":
				o.Mode = ops.PadEdge
			}
			return one(func(x *nd.Array) *nd.Array { return ops.Pad(x, width, o) })
		}},
		{typ: "Transpose", name: "transpose", make: func(a *arguments) operation {
			axes := a.ints("axes")
			return one(func(x *nd.Array) *nd.Array {
				if len(axes) != x.Rank() {
					panic(nd.Func("Transpose").Errorf([]*nd.Array{x}, "%d axes", len(axes)))
				}
				return x.Transpose(axes...)
			})
		}},
		{typ: "Broadcast", name: "broadcast", make: func(a *arguments) operation {
			shape := a.shape("shape")
			return taking(1, 1, func(c *call) *nd.Array { return c.in[0].BroadcastTo(c.shape(shape)...) })
		}},
		{typ: "BroadcastTo", name: "broadcast_to", make: func(a *arguments) operation {
			axis := a.int("axis")
			return two(func(x, y *nd.Array) *nd.Array {
				if axis == -1 || y.Rank() >= x.Rank() {
					return ops.BroadcastLike(y, x)
				}
				aligned := ops.AlignLike(y, x, ops.Over(axis))
				defer aligned.Release()
				return ops.BroadcastLike(aligned, x)
			})
		}},
		{typ: "Tile", name: "tile", make: func(a *arguments) operation {
			reps := a.ints("reps")
			return one(func(x *nd.Array) *nd.Array { return ops.Tile(x, reps...) })
		}},
		{typ: "Flip", name: "flip", make: func(a *arguments) operation {
			axes := a.ints("axes")
			return one(func(x *nd.Array) *nd.Array {
				if len(axes) == 0 {
					return x
				}
				return x.Flip(axes...)
			})
		}},
		{typ: "Shift", name: "shift", make: func(a *arguments) operation {
			shifts, o := a.ints("shifts"), ops.ShiftOptions{Mode: ops.PadEdge}
			if a.text("border_mode", "nearest", "reflect") == "reflect" {
				o.Mode = ops.PadSymmetric
			}
			return one(func(x *nd.Array) *nd.Array { return ops.Shift(x, shifts, o) })
		}},
		{typ: "Sort", name: "sort", make: func(a *arguments) operation {
			o := ops.SortOptions{Axis: a.axis("axis"), Descending: a.bool("reverse")}
			return withIndex(a, func(x *nd.Array) (sorted, positions *nd.Array) { return ops.SortWithIndex(x, o) })
		}},
		{typ: "Shape", name: "shape", make: func(a *arguments) operation {
			start, end := a.int("start"), a.int("end")
			return taking(1, 1, func(c *call) *nd.Array {
				all := nd.FromSlice(c.in[0].Shape())
				defer all.Release()
				part := nd.Span(start, end)
				if end == 0 {
					part = nd.From(start)
				}
				view := all.Index(part)
				defer view.Release()
				lengths := view.AsType(dtype.Float32)
				defer lengths.Release()
				return lengths.CopyOn(c.in[0].Device())
			})
		}},
		{typ: "Reshape", name: "reshape", make: func(a *arguments) operation {
			shape := a.ints("shape") // -1 is the length that the others leave
			return one(func(x *nd.Array) *nd.Array { return x.Reshape(shape...) })
		}},
		{typ: "OneHot", name: "one_hot", make: func(a *arguments) operation {
			shape := a.ints("shape")
			return taking(1, 1, func(c *call) *nd.Array {
				return indices(c.in[0], func(at *nd.Array) *nd.Array {
					return ops.OneHot(at, shape, nd.ArrayOptions{DType: c.scope.DType(), Device: at.Device()})
				})
			})
		}},
		{typ: "Meshgrid", name: "meshgrid", make: func(a *arguments) operation {
			o := nd.MeshgridOptions{Indexing: nd.IndexingXY}
			if a.bool("ij_indexing") {
				o.Indexing = nd.IndexingIJ
			}
			return operation{1, -1, func(c *call) []*nd.Array { return nd.Meshgrid(c.in, o) }}
		}},
		{typ: "TopKData", name: "top_k_data", make: topKData},
		{typ: "TopKGrad", name: "top_k_grad", make: func(a *arguments) operation {
			k, o := a.int("k"), ops.TopKGradOptions{Abs: a.bool("abs"), BaseAxis: new(a.int("base_axis"))}
			return one(func(x *nd.Array) *nd.Array { return ops.TopKGrad(x, k, o) })
		}},
		{typ: "PackPaddedSequence", name: "pack_padded_sequence", make: func(a *arguments) operation {
			o := sequence.PackOptions{BatchFirst: a.bool("batch_first")}
			return operation{2, 2, func(c *call) []*nd.Array {
				var sizes *nd.Array
				packed := indices(c.in[1], func(lengths *nd.Array) (y *nd.Array) {
					y, sizes = sequence.PackPadded(c.in[0], lengths, o)
					return y
				})
				return []*nd.Array{packed, sizes}
			}}
		}},
		{typ: "PadPackedSequence", name: "pad_packed_sequence", make: func(a *arguments) operation {
			a.ignore("padding_value") // NNabla pads with 0, whatever it is
			o := sequence.PadOptions{BatchFirst: a.bool("batch_first"), TotalLength: max(a.int("total_length"), 0)}
			return operation{2, 2, func(c *call) []*nd.Array {
				var lengths *nd.Array
				x := indices(c.in[1], func(sizes *nd.Array) (y *nd.Array) {
					y, lengths = sequence.PadPacked(c.in[0], sizes, o)
					return y
				})
				return []*nd.Array{x, lengths}
			}}
		}},
		{name: "dot", why: "NNabla composes it of Reshape, Transpose and BatchMatmul"},
	}
}

// slice takes a range of each of the last axes.
func slice(a *arguments) operation {
	start, stop, step := a.ints("start"), a.ints("stop"), a.ints("step")
	if len(start) != len(stop) || len(start) != len(step) {
		a.fail("%d, %d and %d numbers in start, stop and step", len(start), len(stop), len(step))
		start = nil
	}
	ix := []nd.Index{nd.Ellipsis()}
	for k := range start {
		ix = append(ix, nd.Span(start[k], stop[k]).By(step[k]))
	}
	return one(func(x *nd.Array) *nd.Array { return x.Index(ix...) })
}

// topKData keeps the k largest elements, or without the argument largest the k smallest.
func topKData(a *arguments) operation {
	k, o := a.int("k"), ops.TopKDataOptions{Abs: a.bool("abs"), Reduce: new(a.bool("reduce")), BaseAxis: new(a.int("base_axis"))}
	largest := a.bool("largest")
	if a.bool("with_index") || o.Abs && !largest {
		a.fail("want the largest elements, or the smallest without abs, and no indices")
	}
	return one(func(x *nd.Array) *nd.Array {
		if largest {
			return ops.TopKData(x, k, o)
		}
		negative := ops.Negative(x)
		defer negative.Release()
		y := ops.TopKData(negative, k, o)
		defer y.Release()
		return ops.Negative(y)
	})
}

func indexing() []entry {
	return []entry{
		{typ: "Assign", name: "assign", make: func(*arguments) operation {
			return taking(2, 2, func(c *call) *nd.Array {
				c.store(0, c.in[1])
				return c.in[1]
			})
		}},
		{typ: "Gather", name: "gather", make: func(a *arguments) operation {
			axis, batch := a.axis("axis"), a.int("batch_dims")
			return two(func(x, at *nd.Array) *nd.Array {
				return indices(at, func(at *nd.Array) *nd.Array { return ops.Gather(x, at, axis, batch) })
			})
		}},
		{typ: "GatherNd", name: "gather_nd", make: func(*arguments) operation {
			return two(func(x, at *nd.Array) *nd.Array {
				return indices(at, func(at *nd.Array) *nd.Array { return ops.GatherND(x, at) })
			})
		}},
		{typ: "ScatterNd", name: "scatter_nd", make: func(a *arguments) operation {
			shape, add := a.ints("shape"), a.bool("add")
			return taking(2, 3, func(c *call) *nd.Array {
				return indices(c.in[1], func(at *nd.Array) *nd.Array {
					return ops.ScatterND(c.in[0], at, shape, ops.ScatterOptions{Add: add, Onto: c.in[2]})
				})
			})
		}},
		{typ: "ScatterAdd", name: "scatter_add", make: func(a *arguments) operation {
			axis := a.axis("axis")
			return taking(3, 3, func(c *call) *nd.Array {
				return indices(c.in[1], func(at *nd.Array) *nd.Array { return ops.AddAlongAxis(c.in[0], at, c.in[2], axis) })
			})
		}},
		{typ: "BoolGather", name: "bool_gather", make: func(*arguments) operation {
			return two(func(x, mask *nd.Array) *nd.Array {
				return truth(mask, func(mask *nd.Array) *nd.Array { return x.Index(nd.Pick(mask)) })
			})
		}},
		{typ: "BoolScatter", name: "bool_scatter", make: func(*arguments) operation {
			return taking(2, 3, func(c *call) *nd.Array {
				x, onto := c.in[0], c.in[2]
				if onto == nil {
					if x.Rank() == 0 {
						panic(nd.Func("BoolScatter").Errorf([]*nd.Array{x}, "want an array with axes"))
					}
					onto = nd.Zeros(append(c.in[1].Shape(), x.Shape()[1:]...), nd.ArrayOptions{DType: x.DType(), Device: x.Device()})
					defer onto.Release()
				}
				return truth(c.in[1], func(mask *nd.Array) *nd.Array { return onto.With(x, nd.Pick(mask)) })
			})
		}},
		{typ: "BoolFill", name: "bool_fill", make: func(a *arguments) operation {
			value := a.float("value")
			return two(func(x, mask *nd.Array) *nd.Array {
				return truth(mask, func(mask *nd.Array) *nd.Array { return ops.Where(mask, value, x) })
			})
		}},
		{typ: "SearchSorted", name: "searchsorted", make: logical(func(a *arguments) operation {
			o := ops.SearchOptions{Right: a.bool("right")}
			return two(func(sorted, values *nd.Array) *nd.Array { return ops.SearchSorted(sorted, values, o) })
		})},
	}
}
