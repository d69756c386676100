package catalogue

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
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
	{Signature: "cupy.roll(a, shift, axis=None)", Func: roll},
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
		return ops.Pad(x, pairs(widths), padOptions(mode, value))
	}},
	{Signature: "mxnet.npx.slice_channel(data, num_outputs, axis=1, squeeze_axis=False)", Func: func(x *nd.Array, n, axis int, squeeze bool) []*nd.Array {
		parts := ops.Split(x, n, ops.Over(axis))
		if squeeze {
			for i := range parts {
				parts[i] = parts[i].Squeeze(axis)
			}
		}
		return parts
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

// roll takes one shift, or several for several axes.
func roll(x *nd.Array, shift []int, axis []int) *nd.Array {
	if axis == nil {
		total := 0
		for _, n := range shift {
			total += n
		}
		return ops.Roll(x, total)
	}
	if len(shift) == 0 || len(axis) == 0 {
		return ops.Roll(x, 0)
	}
	if len(shift) != len(axis) && len(shift) != 1 && len(axis) != 1 {
		panic(nd.Func("roll").Errorf([]*nd.Array{x}, "%d shifts along %d axes", len(shift), len(axis)))
	}
	for i := range max(len(shift), len(axis)) {
		x = ops.Roll(x, shift[i%len(shift)], ops.Over(axis[i%len(axis)]))
	}
	return x
}

// flip takes one axis, several, or none for all.
func flip(x *nd.Array, axis []int) *nd.Array { return x.Flip(axis...) }

func eachOf(f func(*nd.Array) *nd.Array) func(xs []*nd.Array) []*nd.Array {
	return func(xs []*nd.Array) []*nd.Array {
		ys := make([]*nd.Array, len(xs))
		for i, x := range xs {
			ys[i] = f(x)
		}
		return ys
	}
}

// padConstants pads with a value that modes other than "constant" ignore.
func padConstants(x *nd.Array, widths any, mode string, values *nd.Array) *nd.Array {
	if values != nil && x.DType().IsInteger() { // NumPy converts the values to an array, so that they wrap
		values = values.Copy().To(x.Device())
	}
	return ops.Pad(x, perAxis(x, widths), padOptions(mode, values))
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
		o.StatLength = perAxis(x, lengths)
	}
	if mode == "linear_ramp" {
		o.Value = ends
	}
	if ends != nil && mode != "linear_ramp" || constants != nil && mode == "linear_ramp" {
		panic(nd.Func("pad").Errorf([]*nd.Array{x}, "unsupported values for mode %q", mode))
	}
	return ops.Pad(x, perAxis(x, widths), o)
}

// perAxis expands a number, a pair, or a list with one pair to one pair for every axis. Pad checks a list of several
// pairs.
func perAxis(x *nd.Array, v any) [][2]int {
	if a, isArray := v.(*nd.Array); isArray {
		v = plain(toList(a))
	}
	var list [][2]int
	switch items, _ := v.([]any); {
	case items == nil:
		list = [][2]int{{integer(v), integer(v)}}
	case len(items) > 0 && !isList(items[0]):
		list = [][2]int{pairOf(items)}
	default:
		for _, item := range items {
			inner, _ := item.([]any)
			list = append(list, pairOf(inner))
		}
	}
	if len(list) == 1 {
		list = slices.Repeat(list, x.Rank())
	}
	return list
}

func isList(v any) bool {
	_, is := v.([]any)
	return is
}

func pairOf(list []any) [2]int {
	if len(list) != 1 && len(list) != 2 {
		panic(nd.Func("pad").Errorf(nil, "%d numbers: want one or a pair", len(list)))
	}
	return [2]int{integer(list[0]), integer(list[len(list)-1])}
}

func pairs(flat []int) [][2]int {
	if len(flat)%2 != 0 {
		panic(nd.Func("pad").Errorf(nil, "%d widths: want pairs", len(flat)))
	}
	var out [][2]int
	for pair := range slices.Chunk(flat, 2) {
		out = append(out, [2]int(pair))
	}
	return out
}

// padNNabla takes pairs for the last axes.
func padNNabla(x *nd.Array, widths []int, mode string, value *nd.Array) *nd.Array {
	w := pairs(widths)
	if len(w) > x.Rank() {
		panic(nd.Func("pad").Errorf([]*nd.Array{x}, "%d pairs of widths", len(w)))
	}
	all := append(make([][2]int, x.Rank()-len(w)), w...)
	if mode == "repeat" {
		mode = "edge"
	}
	return ops.Pad(x, all, padOptions(mode, value))
}

// shiftNNabla moves the elements along the last axes and fills the gap by padding. NNabla's "reflect" repeats the
// outermost element.
func shiftNNabla(x *nd.Array, shifts []int, mode string) *nd.Array {
	lead := x.Rank() - len(shifts)
	if lead < 0 {
		panic(nd.Func("shift").Errorf([]*nd.Array{x}, "%d shifts", len(shifts)))
	}
	padMode := map[string]string{"nearest": "edge", "reflect": "symmetric"}[mode]
	if padMode == "" {
		panic(nd.Func("shift").Errorf([]*nd.Array{x}, "border mode %q: want nearest or reflect", mode))
	}
	widths := make([][2]int, x.Rank())
	shown := make([]nd.Index, x.Rank())
	for k := range widths {
		s := 0
		if k >= lead {
			s = shifts[k-lead]
		}
		widths[k] = [2]int{max(s, 0), max(-s, 0)}
		shown[k] = nd.Span(max(-s, 0), max(-s, 0)+x.Dim(k))
	}
	return ops.Pad(x, widths, ops.PadOptions{Mode: ops.PadMode(padMode)}).Index(shown...)
}
