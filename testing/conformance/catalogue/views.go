package catalogue

import (
	"bytes"
	"fmt"
	"math"
	"math/big"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// viewRows is the chapter of views, conversions and metadata of arrays.
var viewRows = []Row{
	{Signature: "cupy.reshape(a, newshape)", Func: (*nd.Array).Reshape},
	{Signature: "cupy.ravel(a, order='C')", Func: func(x *nd.Array, order string) *nd.Array { return rearranged("ravel", x, order).Ravel() },
		Note: "of a transposed array for another order"},
	{Signature: "cupy.rollaxis(a, axis, start=0)", Func: (*nd.Array).RollAxis},
	{Signature: "cupy.swapaxes(a, axis1, axis2)", Func: (*nd.Array).SwapAxes},
	{Signature: "cupy.transpose(a, axes=None)", Func: transposed},
	{Signature: "cupy.squeeze(a, axis=None)", Func: squeezed},
	{Signature: "cupy.expand_dims(a, axis)", Func: (*nd.Array).ExpandDims},
	{Signature: "cupy.broadcast_to(array, shape)", Func: (*nd.Array).BroadcastTo},
	{Signature: "cupy.diagonal(a, offset=0, axis1=0, axis2=1)", Func: (*nd.Array).Diagonal},
	{Signature: "cupy.copy(a)", Func: (*nd.Array).Copy},
	{Signature: "cupy.asnumpy(a, stream=None)", Func: (*nd.Array).HostCopy, Ignores: []string{"stream"}},
	{Signature: "cupy.broadcast(*arrays)", Func: newBroadcast},
	{Signature: "numpy.moveaxis(a, source, destination)", Func: (*nd.Array).MoveAxis},
	{Signature: "numpy.view_chain(shape, order, ops)", Func: viewChain},

	{Signature: "cupy.ndarray.T(self)", Func: (*nd.Array).T},
	{Signature: "cupy.ndarray.reshape(self, shape)", Func: (*nd.Array).Reshape},
	{Signature: "cupy.ndarray.ravel(self, order='C')", Func: func(x *nd.Array, order string) *nd.Array { return rearranged("ravel", x, order).Ravel() },
		Note: "of a transposed array for another order"},
	{Signature: "cupy.ndarray.flatten(self, order='C')", Func: func(x *nd.Array, order string) *nd.Array { return rearranged("flatten", x, order).Flatten() },
		Note: "of a transposed array for another order"},
	{Signature: "cupy.ndarray.swapaxes(self, axis1, axis2)", Func: (*nd.Array).SwapAxes},
	{Signature: "cupy.ndarray.transpose(self, axes=None)", Func: transposed},
	{Signature: "cupy.ndarray.squeeze(self, axis=None)", Func: squeezed},
	{Signature: "cupy.ndarray.diagonal(self, offset=0, axis1=0, axis2=1)", Func: (*nd.Array).Diagonal},
	{Signature: "cupy.ndarray.reduced_view(self, dtype=None)", Func: func(x *nd.Array, t dtype.DType) *nd.Array {
		if t.Valid() {
			x = x.View(t)
		}
		return x.MergeAxes()
	}, Note: "of Array.View if there is a dtype"},
	{Signature: "cupy.ndarray.view(self, dtype=None)", Func: func(x *nd.Array, t dtype.DType) *nd.Array {
		if !t.Valid() {
			t = x.DType()
		}
		return x.View(t)
	}, NoGrad: true},
	{Signature: "cupy.ndarray.astype(self, dtype, copy=True)", Func: func(x *nd.Array, t dtype.DType, duplicate bool) *nd.Array {
		y := x.AsType(t)
		if duplicate && y == x {
			return x.Copy()
		}
		return y
	}},
	{Signature: "cupy.ndarray.copy(self, order='C')", Func: func(x *nd.Array, order string) *nd.Array {
		requireOneOf("copy", "order", order, "C", "F", "A", "K")
		switch {
		case order == "K":
			return x.CopyInOrder()
		case order == "F" || order == "A" && isFortran(x):
			return x.CopyFortran()
		}
		return x.Copy()
	}},
	{Signature: "cupy.ndarray.__copy__(self)", Func: (*nd.Array).Copy},
	{Signature: "cupy.ndarray.__deepcopy__(self)", Func: (*nd.Array).Copy},
	{Signature: "cupy.ndarray.get(self, stream=None)", Func: (*nd.Array).HostCopy, Ignores: []string{"stream"}},
	{Signature: "cupy.ndarray.__array__(self)", Func: (*nd.Array).HostCopy},
	{Signature: "cupy.ndarray.__len__(self)", Func: func(x *nd.Array) int { return x.Dim(0) }},
	{Signature: "cupy.ndarray.__delitem__(self, index)", Func: func(x *nd.Array, _ []nd.Index) {
		panic(nd.Func("Array").Errorf([]*nd.Array{x}, "elements of an array cannot be deleted"))
	}},
	{Signature: "cupy.ndarray.__int__(self)", Func: toInt},
	{Signature: "cupy.ndarray.__long__(self)", Func: toInt},
	{Signature: "cupy.ndarray.__float__(self)", Func: func(x *nd.Array) float64 { return nd.Value[float64](x) }},
	{Signature: "cupy.ndarray.__nonzero__(self)", Func: func(x *nd.Array) bool { return nd.Value[bool](x) }},
	{Signature: "cupy.ndarray.__hex__(self)", Func: func(x *nd.Array) string { return digits(x, "0x", 16) }},
	{Signature: "cupy.ndarray.__oct__(self)", Func: func(x *nd.Array) string { return digits(x, "0o", 8) }},
	{Signature: "cupy.ndarray.dtype(self)", Func: (*nd.Array).DType},
	{Signature: "cupy.ndarray.shape(self)", Func: (*nd.Array).Shape},
	{Signature: "cupy.ndarray.size(self)", Func: (*nd.Array).Size},
	{Signature: "cupy.ndarray.ndim(self)", Func: (*nd.Array).Rank},
	{Signature: "cupy.ndarray.nbytes(self)", Func: (*nd.Array).Bytes},
	{Signature: "cupy.ndarray.itemsize(self)", Func: func(x *nd.Array) int { return x.DType().Size() }},
	{Signature: "cupy.ndarray.strides(self)", Func: func(x *nd.Array) []int {
		return converted(x.Strides(), func(elements int) int { return elements * x.DType().Size() })
	}},
	{Signature: "cupy.ndarray.flags(self)", Func: func(x *nd.Array) flags { return flags{x.IsContiguous(), x.IsFortran()} }},
	{Signature: "cupy.ndarray.tolist(self)", Func: nd.ToNested[any]},
	{Signature: "cupy.ndarray.tofile(self)", Func: func(x *nd.Array) (*nd.Array, error) {
		var file bytes.Buffer
		err := nd.WriteRaw(&file, x)
		return nd.FromSliceOn(x.Device(), file.Bytes()), err
	}},

	{Signature: "nnabla.functions.reshape(x, shape, inplace=True)", Func: func(x *nd.Array, shape []int) *nd.Array {
		return x.Reshape(shape...)
	}, Ignores: []string{"inplace"}},
	{Signature: "nnabla.functions.transpose(x, axes)", Func: transposed},
	{Signature: "nnabla.functions.broadcast(x, shape)", Func: (*nd.Array).BroadcastTo},
	{Signature: "nnabla.functions.broadcast_to(x, y, axis=None)", Func: broadcastNNabla},
	{Signature: "nnabla.functions.shape(x, start=None, end=None)", Func: func(x *nd.Array, start, end *int) *nd.Array {
		ix := nd.All()
		switch {
		case start != nil && end != nil:
			ix = nd.Span(*start, *end)
		case start != nil:
			ix = nd.From(*start)
		case end != nil:
			ix = nd.Until(*end)
		}
		return nd.FromSliceOn(x.Device(), x.Shape()).Index(ix)
	}, NoGrad: true},

	{Signature: "chainer.functions.reshape(x, shape)", Func: (*nd.Array).Reshape},
	{Signature: "chainer.functions.flatten(x)", Func: (*nd.Array).Ravel},
	{Signature: "chainer.functions.transpose(x, axes=None)", Func: transposed},
	{Signature: "chainer.functions.rollaxis(x, axis, start=0)", Func: (*nd.Array).RollAxis},
	{Signature: "chainer.functions.swapaxes(x, axis1, axis2)", Func: (*nd.Array).SwapAxes},
	{Signature: "chainer.functions.expand_dims(x, axis)", Func: (*nd.Array).ExpandDims},
	{Signature: "chainer.functions.squeeze(x, axis=None)", Func: squeezed},
	{Signature: "chainer.functions.broadcast_to(x, shape)", Func: (*nd.Array).BroadcastTo},
	{Signature: "chainer.functions.cast(x, typ)", Func: (*nd.Array).AsType},
	{Signature: "chainer.functions.copy(x, dst)", Func: func(x *nd.Array, dst int) (*nd.Array, error) {
		dev, err := deviceNumbered(dst)
		if err != nil {
			return nil, err
		}
		return x.CopyOn(dev), nil
	}, Note: "takes a device instead of a number; -1 is the CPU"},
	{Signature: "chainer.Variable.reshape(self, shape)", Func: (*nd.Array).Reshape},
	{Signature: "chainer.Variable.transpose(self, *axes)", Func: func(x *nd.Array, axes []int) *nd.Array { return x.Transpose(axes...) }},
	{Signature: "chainer.Variable.__len__(self)", Func: (*nd.Array).Size, Note: "the number of elements"},

	{Signature: "mxnet.npx.batch_flatten(data)", Func: func(x *nd.Array) *nd.Array { return x.Reshape(x.Dim(0), -1) }},
}

// broadcastNNabla broadcasts y to the shape of x. The axis is -1, for the last axes, or is that of the first axis of y.
func broadcastNNabla(x, y *nd.Array, axis *int) *nd.Array {
	if axis != nil {
		x.Dim(*axis) // refuse a wrong axis
	}
	if axis == nil || *axis == -1 || y.Rank() >= x.Rank() {
		return ops.BroadcastLike(y, x)
	}
	return ops.BroadcastLike(ops.AlignLike(y, x, ops.Over(*axis)), x)
}

// deviceNumbered returns the device with Chainer's number: a GPU, or the CPU for a negative number.
func deviceNumbered(number int) (device.Device, error) {
	if number < 0 {
		return device.Get("cpu")
	}
	return device.Get(fmt.Sprintf("cuda:%d", number))
}

func transposed(x *nd.Array, axes []int) *nd.Array {
	if axes == nil {
		return x.T()
	}
	if len(axes) == 0 && x.Rank() != 0 {
		panic(nd.Func("transpose").Errorf([]*nd.Array{x}, "axes do not match the array"))
	}
	return x.Transpose(axes...)
}

func squeezed(x *nd.Array, axis []int) *nd.Array {
	if axis != nil && len(axis) == 0 {
		return x
	}
	return x.Squeeze(axis...)
}

// isFortran reports whether the elements are contiguous in column-major order only.
func isFortran(x *nd.Array) bool { return x.T().IsContiguous() && !x.IsContiguous() }

// rearranged transposes x so that its elements in row-major order are those of x in another order.
func rearranged(name nd.Func, x *nd.Array, order string) *nd.Array {
	requireOneOf(name, "order", order, "C", "F", "A", "K")
	switch {
	case order == "K":
		return x.Transpose(x.MemoryOrder()...)
	case order == "F" || order == "A" && isFortran(x):
		return x.T()
	}
	return x
}

// flags are the attributes of an array's memory order.
type flags struct{ CContiguous, FContiguous bool }

// broadcastOf holds the attributes of cupy.broadcast.
type broadcastOf struct {
	values   []*nd.Array
	Shape    []int
	ND, Size int
}

func (b broadcastOf) Outputs() []*nd.Array { return b.values }

func newBroadcast(xs []*nd.Array) broadcastOf {
	b := broadcastOf{values: ops.BroadcastArrays(xs...)}
	if len(xs) > 0 {
		y := b.values[0]
		b.Shape, b.ND, b.Size = y.Shape(), y.Rank(), y.Size()
	}
	return b
}

// toInt returns the integer value of an array and refuses NaN and infinities, as Python's int does.
func toInt(x *nd.Array) int64 {
	if v := nd.Value[float64](x); math.IsNaN(v) || math.IsInf(v, 0) {
		panic(nd.Func("int").Errorf([]*nd.Array{x}, "%v: want a finite number", v))
	}
	return nd.Value[int64](x)
}

// digits formats an integer as Python's hex and oct do.
func digits(x *nd.Array, prefix string, base int) string {
	if !x.DType().IsInteger() {
		panic(nd.Func("digits").Errorf([]*nd.Array{x}, "want an integer"))
	}
	v := new(big.Int).SetInt64(nd.Value[int64](x))
	if x.DType() == dtype.Uint64 {
		v.SetUint64(nd.Value[uint64](x))
	}
	sign := ""
	if v.Sign() < 0 {
		sign = "-"
		v.Neg(v)
	}
	return sign + prefix + v.Text(base)
}

// chained is the result of a chain of views, with strides and offset in elements. A nil field means that the layout may
// vary.
type chained struct {
	y                        *nd.Array
	Shape                    []int
	Strides                  []any
	Offset                   any
	Views                    []any
	Shares                   any
	CContiguous, FContiguous bool
}

func (c chained) Outputs() []*nd.Array { return []*nd.Array{c.y} }

// viewChain applies operations, given by name with their arguments, to a range with the given memory order.
func viewChain(shape []int, order string, chain []any) chained {
	requireOneOf("view_chain", "order", order, "C", "F")
	x := nd.ArangeInt(0, broadcast.Size(shape), 1, dtype.Int32)
	if order == "F" {
		x = x.ReshapeFortran(shape...)
	} else {
		x = x.Reshape(shape...)
	}
	base, c := x, chained{y: x}
	for _, step := range chain {
		list := step.([]any)
		next := viewStep(c.y, list[0].(string), list[1:])
		if c.Views = append(c.Views, next.SharesMemory(c.y)); next.Size() == 0 {
			c.Views[len(c.Views)-1] = nil
		}
		c.y = next
	}
	y := c.y
	c.Shape, c.CContiguous, c.FContiguous = y.Shape(), y.IsContiguous(), y.IsFortran()
	for k, stride := range y.Strides() {
		if y.Dim(k) == 1 || y.Size() == 0 {
			c.Strides = append(c.Strides, nil)
		} else {
			c.Strides = append(c.Strides, stride)
		}
	}
	if y.Size() > 0 {
		c.Offset, c.Shares = y.Offset(), y.SharesMemory(base)
	}
	return c
}

func viewStep(x *nd.Array, name string, args []any) *nd.Array {
	list := func(k int) []int { return oneOrMore(args[k]) }
	or := func(k, def int) int {
		if k < len(args) {
			return integer(args[k])
		}
		return def
	}
	switch name {
	case "transpose":
		if len(args) == 0 {
			return x.T()
		}
		return x.Transpose(list(0)...)
	case "reshape":
		return x.Reshape(list(0)...)
	case "reshapeF":
		return x.ReshapeFortran(list(0)...)
	case "slice":
		return x.Index(indexOf(args[0])...)
	case "flip":
		if len(args) == 0 || args[0] == nil {
			return x.Flip()
		}
		return x.Flip(list(0)...)
	case "ravel":
		return x.Ravel()
	case "flatten":
		return x.Flatten()
	case "broadcast_to":
		return x.BroadcastTo(list(0)...)
	case "diagonal":
		return x.Diagonal(or(0, 0), or(1, 0), or(2, 1))
	case "copy":
		return x.Copy()
	case "ascontiguousarray":
		return x.Contiguous()
	case "expand_dims":
		return x.ExpandDims(list(0)...)
	case "squeeze":
		if len(args) == 0 || args[0] == nil {
			return x.Squeeze()
		}
		return x.Squeeze(list(0)...)
	case "swapaxes":
		return x.SwapAxes(integer(args[0]), integer(args[1]))
	case "moveaxis":
		return x.MoveAxis(list(0), list(1))
	case "rollaxis":
		return x.RollAxis(integer(args[0]), or(1, 0))
	}
	panic(fmt.Sprintf("no step %q", name))
}

// indexOf converts plain values to an index.
func indexOf(v any) []nd.Index {
	items, ok := v.([]any)
	if !ok {
		items = []any{v}
	}
	return converted(items, func(item any) nd.Index {
		ix, err := new(converter).index("slice", item)
		if err != nil {
			panic(nd.Func("view_chain").Errorf(nil, "%v", err))
		}
		return ix
	})
}
