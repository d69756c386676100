package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// joinRows is the chapter of joining, splitting, repeating and padding.
var joinRows = []Row{
	{Signature: "cupy.concatenate(tup, axis=0)", Func: ops.Concatenate},
	{Signature: "cupy.stack(tup, axis=0)", Func: ops.Stack},
	{Signature: "cupy.hstack(tup)", Func: ops.HStack},
	{Signature: "cupy.vstack(tup)", Func: ops.VStack},
	{Signature: "cupy.dstack(tup)", Func: ops.DStack},
	{Signature: "cupy.column_stack(tup)", Func: ops.ColumnStack},
	{Signature: "cupy.split(ary, indices_or_sections, axis=0)", Func: split(ops.Split)},
	{Signature: "cupy.array_split(ary, indices_or_sections, axis=0)", Func: split(ops.ArraySplit)},
	{Signature: "cupy.hsplit(ary, indices_or_sections)", Func: func(x *nd.Array, where any) []*nd.Array {
		requireRank("hsplit", x, 1)
		return split(ops.Split)(x, where, min(1, x.Rank()-1))
	}},
	{Signature: "cupy.vsplit(ary, indices_or_sections)", Func: func(x *nd.Array, where any) []*nd.Array {
		requireRank("vsplit", x, 2)
		return split(ops.Split)(x, where, 0)
	}},
	{Signature: "cupy.dsplit(ary, indices_or_sections)", Func: func(x *nd.Array, where any) []*nd.Array {
		requireRank("dsplit", x, 3)
		return split(ops.Split)(x, where, 2)
	}},
	{Signature: "cupy.tile(A, reps)", Func: tile},
	{Signature: "cupy.repeat(a, repeats, axis=None)", Func: ops.RepeatEach},
	{Signature: "cupy.ndarray.repeat(self, repeats, axis=None)", Func: ops.RepeatEach},
	{Signature: "cupy.roll(a, shift, axis=None)", Func: ops.Roll[[]int]},
	{Signature: "cupy.rot90(a, k=1, axes=(0, 1))", Func: ops.Rot90},
	{Signature: "cupy.flip(a, axis=None)", Func: flip},
	{Signature: "cupy.fliplr(a)", Func: ops.FlipLR},
	{Signature: "cupy.flipud(a)", Func: ops.FlipUD},
	{Signature: "cupy.atleast_1d(*arys)", Func: eachOf(ops.AtLeast1D)},
	{Signature: "cupy.atleast_2d(*arys)", Func: eachOf(ops.AtLeast2D)},
	{Signature: "cupy.atleast_3d(*arys)", Func: eachOf(ops.AtLeast3D)},
	{Signature: "cupy.broadcast_arrays(*args)", Func: func(xs []*nd.Array) []*nd.Array { return ops.BroadcastArrays(xs...) }},
	{Signature: "cupy.pad(array, pad_width, mode, constant_values=0)", Func: padConstants},
	{Signature: "numpy.pad(array, pad_width, mode='constant', stat_length=None, constant_values=None, end_values=None, reflect_type='')", Func: padNumPy},

	{Signature: "nnabla.functions.concatenate(*x, axis=-1)", Func: joinAlong},
	{Signature: "nnabla.functions.stack(*x, axis=0)", Func: ops.Stack},
	{Signature: "nnabla.functions.split(x, axis=0)", Func: ops.Unstack},
	{Signature: "nnabla.functions.tile(x, reps)", Func: tile},
	{Signature: "nnabla.functions.flip(x, axes=None)", Func: func(x *nd.Array, axes []int) *nd.Array {
		if axes == nil {
			axes = []int{-1}
		}
		return x.Flip(axes...)
	}},
	{Signature: "nnabla.functions.pad(x, pad_width, mode='constant', constant_value=0)", Func: padNNabla},
	{Signature: "nnabla.functions.shift(x, shifts=None, border_mode='nearest')", Func: shiftNNabla},

	{Signature: "chainer.functions.concat(xs, axis=1)", Func: joinAlong},
	{Signature: "chainer.functions.stack(xs, axis=0)", Func: ops.Stack},
	{Signature: "chainer.functions.hstack(xs)", Func: ops.HStack},
	{Signature: "chainer.functions.vstack(xs)", Func: ops.VStack},
	{Signature: "chainer.functions.dstack(xs)", Func: ops.DStack},
	{Signature: "chainer.functions.split_axis(x, indices_or_sections, axis, force_tuple=False)", Func: split(ops.Split), Ignores: []string{"force_tuple"}},
	{Signature: "chainer.functions.separate(x, axis=0)", Func: ops.Unstack},
	{Signature: "chainer.functions.tile(x, reps)", Func: tile},
	{Signature: "chainer.functions.fliplr(a)", Func: ops.FlipLR},
	{Signature: "chainer.functions.flipud(a)", Func: ops.FlipUD},
	{Signature: "chainer.functions.broadcast(*args)", Func: func(xs []*nd.Array) []*nd.Array { return ops.BroadcastArrays(xs...) }},
	{Signature: "chainer.functions.pad(x, pad_width, mode, constant_values=0)", Func: padConstants},

	{Signature: "mxnet.npx.pad(data, mode, pad_width, constant_value=0)", Func: func(x *nd.Array, mode string, widths []int, value *nd.Array) *nd.Array {
		return ops.Pad(x, widths, padOptions(mode, value))
	}},
	{Signature: "mxnet.npx.slice_channel(data, num_outputs, axis=1, squeeze_axis=False)", Func: func(x *nd.Array, n, axis int, squeeze bool) []*nd.Array {
		if !squeeze {
			return ops.Split(x, n, ops.Over(axis))
		}
		if n != x.Dim(axis) {
			panic(nd.Func("slice_channel").Errorf([]*nd.Array{x}, "%d parts with squeeze_axis: want one for each index", n))
		}
		return ops.Unstack(x, ops.Over(axis))
	}},
}

// joinAlong is Concatenate for systems whose default axis differs.
func joinAlong(xs []*nd.Array, axis int) *nd.Array {
	return ops.Concatenate(xs, ops.Over(axis))
}

// requireRank refuses arrays with fewer axes than a NumPy function needs.
func requireRank(fn nd.Func, x *nd.Array, rank int) {
	if x.Rank() < rank {
		panic(fn.Errorf([]*nd.Array{x}, "want at least %d axes", rank))
	}
}

// split takes a number of parts, or the indices to split at.
func split(into func(x *nd.Array, parts int, opts ...ops.Axes) []*nd.Array) func(x *nd.Array, where any, axis int) []*nd.Array {
	return func(x *nd.Array, where any, axis int) []*nd.Array {
		o := ops.Over(axis)
		if list, ok := where.([]any); ok {
			return ops.SplitAt(x, integers(list), o)
		}
		return into(x, integer(where), o)
	}
}

func tile(x *nd.Array, reps []int) *nd.Array { return ops.Tile(x, reps...) }

// flip takes one axis, several, or none for all.
func flip(x *nd.Array, axis []int) *nd.Array { return x.Flip(axis...) }

// padConstants pads with a value that modes other than "constant" ignore.
func padConstants(x *nd.Array, widths any, mode string, values *nd.Array) *nd.Array {
	if values != nil && x.DType().IsInteger() { // NumPy converts the values to an array, so that they wrap
		values = values.Copy().To(x.Device())
	}
	return padded(x, widths, padOptions(mode, values))
}

func padOptions(mode string, values *nd.Array) ops.PadOptions {
	if mode != "constant" {
		values = nil
	}
	return ops.PadOptions{Mode: ops.PadMode(mode), Value: values}
}

// padNumPy has separate names for the values of the modes "constant" and "linear_ramp".
func padNumPy(x *nd.Array, widths any, mode string, lengths any, constants, ends *nd.Array, reflect string) *nd.Array {
	o := ops.PadOptions{Mode: ops.PadMode(mode), Value: constants, ReflectType: ops.ReflectType(reflect)}
	if lengths != nil {
		o.StatLength = pairsOf(lengths)
	}
	if mode == "linear_ramp" {
		o.Value = ends
	}
	if ends != nil && mode != "linear_ramp" || constants != nil && mode == "linear_ramp" {
		panic(nd.Func("pad").Errorf([]*nd.Array{x}, "unsupported values for mode %q", mode))
	}
	return padded(x, widths, o)
}

// padded takes a number, a pair, or a list with one pair for each axis or for all.
func padded(x *nd.Array, widths any, o ops.PadOptions) *nd.Array {
	pairs := pairsOf(widths)
	if len(pairs) == 1 {
		return ops.Pad(x, pairs[0], o)
	}
	return ops.Pad(x, pairs, o)
}

// pairsOf converts a number or a pair to one pair, and a list of them to pairs.
func pairsOf(v any) [][2]int {
	if x, isArray := v.(*nd.Array); isArray {
		v = nd.ToNested[any](x.AsType(dtype.Int64))
	}
	list, isList := v.([]any)
	if !isList {
		return [][2]int{{integer(v), integer(v)}}
	}
	if len(list) > 0 {
		if _, nested := list[0].([]any); !nested {
			return [][2]int{pairOf(v)}
		}
	}
	return converted(list, pairOf)
}

// pairOf converts a list of one number or two.
func pairOf(v any) [2]int {
	list, _ := v.([]any)
	if len(list) != 1 && len(list) != 2 {
		panic(nd.Func("pad").Errorf(nil, "%d numbers: want one or a pair", len(list)))
	}
	return [2]int{integer(list[0]), integer(list[len(list)-1])}
}

// padNNabla pads the last axes.
func padNNabla(x *nd.Array, widths []int, mode string, value *nd.Array) *nd.Array {
	if mode == "repeat" {
		mode = "edge"
	}
	return ops.Pad(x, widths, padOptions(mode, value))
}

// shiftNNabla has other words for the modes.
func shiftNNabla(x *nd.Array, shifts []int, mode string) *nd.Array {
	requireOneOf("shift", "border_mode", mode, "nearest", "reflect")
	if mode == "reflect" {
		return ops.Shift(x, shifts, ops.ShiftOptions{Mode: ops.PadSymmetric})
	}
	return ops.Shift(x, shifts, ops.ShiftOptions{Mode: ops.PadEdge})
}
