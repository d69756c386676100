package catalogue

import (
	"math/big"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// operand returns an operand: an array itself, a number as a weak scalar, or a list of numbers as an array.
func (c *converter) operand(path string, v any) (*nd.Array, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case *nd.Array:
		return c.array(path, v), nil
	case []any:
		if x, ok := arrayOfList(v); ok {
			return OnDevice(x, c.device), nil
		}
	}
	if x, ok := weakOf(v); ok {
		return x, nil
	}
	return nil, unfit(path, v, arrayType)
}

// arrayOfList converts nested lists of numbers to an array as NumPy does: float64 unless all are integers or all bools.
func arrayOfList(list []any) (*nd.Array, bool) {
	shape, flat, ok := flatten(list)
	if !ok {
		return nil, false
	}
	bools, ints := len(flat) > 0, len(flat) > 0
	var floats []float64
	for _, v := range flat {
		switch v := v.(type) {
		case bool:
			ints = false
			floats = append(floats, map[bool]float64{true: 1}[v])
		default:
			f, isNumber := asFloat(v)
			if !isNumber {
				return nil, false
			}
			_, isInt := asInt(v)
			bools, ints = false, ints && isInt
			floats = append(floats, f)
		}
	}
	switch {
	case bools:
		values := make([]bool, len(flat))
		for i, v := range flat {
			values[i] = v.(bool)
		}
		return nd.FromSlice(values, shape...), true
	case ints:
		values := make([]int, len(flat))
		for i, v := range flat {
			values[i], _ = asInt(v)
		}
		return nd.FromSlice(values, shape...), true
	}
	return nd.FromSlice(floats, shape...), true
}

// flatten returns the shape and the items of nested lists. ok is false if the lists are ragged.
func flatten(list []any) (shape []int, items []any, ok bool) {
	shape = []int{len(list)}
	for i, v := range list {
		inner, isList := v.([]any)
		if !isList {
			if i > 0 && len(shape) > 1 {
				return nil, nil, false
			}
			items = append(items, v)
			continue
		}
		s, more, fits := flatten(inner)
		if i == 0 {
			shape = append(shape, s...)
		}
		if !fits || !slices.Equal(shape[1:], s) {
			return nil, nil, false
		}
		items = append(items, more...)
	}
	return shape, items, true
}

// indices converts the contents of the brackets of x[…]: one item or a list of items.
func (c *converter) indices(path string, v any) ([]nd.Index, error) {
	if ix, ok := v.([]nd.Index); ok {
		return ix, nil
	}
	items, isList := itemsOf(v)
	if !isList {
		items = []any{v}
	}
	ix := make([]nd.Index, len(items))
	for i, item := range items {
		var err error
		if ix[i], err = c.index(itemPath(path, i, isList), item); err != nil {
			return nil, err
		}
	}
	return ix, nil
}

func (c *converter) index(path string, v any) (nd.Index, error) {
	switch v := v.(type) {
	case nil:
		return nd.NewAxis(), nil
	case nd.Index:
		return v, nil
	case string:
		switch v {
		case "newaxis":
			return nd.NewAxis(), nil
		case "...":
			return nd.Ellipsis(), nil
		}
	case bool:
		return nd.Pick(OnDevice(nd.Full(nil, v), c.device)), nil
	case *big.Int:
		if i, ok := asInt(v); ok {
			return nd.At(i), nil
		}
	case *nd.Array:
		return nd.Pick(c.array(path, v)), nil
	case Slice:
		if ix, ok := sliceIndex(v); ok {
			return ix, nil
		}
	}
	return nd.Index{}, unfit(path, v, indexType)
}

func sliceIndex(s Slice) (ix nd.Index, ok bool) {
	ok = true
	part := func(v any) (int, bool) {
		i, isInt := asInt(v)
		ok = ok && (v == nil || isInt)
		return i, isInt
	}
	start, hasStart := part(s.Start)
	stop, hasStop := part(s.Stop)
	step, hasStep := part(s.Step)
	ix = nd.All()
	switch {
	case hasStart && hasStop:
		ix = nd.Span(start, stop)
	case hasStart:
		ix = nd.From(start)
	case hasStop:
		ix = nd.Until(stop)
	}
	if hasStep {
		ix = ix.By(step)
	}
	return ix, ok
}

// OnDevice moves x to a device and keeps the memory order of its elements. A nil device leaves x on its device.
func OnDevice(x *nd.Array, dev device.Device) *nd.Array {
	if dev == nil || x == nil || x.IsScalar() || x.Device() == dev {
		return x
	}
	y := x.To(dev)
	if x.IsFortran() && !slices.Equal(y.Strides(), x.Strides()) {
		y.Release()
		rows := x.T()
		moved := rows.To(dev)
		y = moved.T()
		rows.Release()
		moved.Release()
	}
	return y
}

// pairFunc is a function of two arrays, as reflection and rows take it.
type pairFunc = func(a, b *nd.Array, opts ...ops.UfuncOption) *nd.Array

// pair has Go infer the type arguments of a function of two operands.
func pair(f pairFunc) pairFunc { return f }

// withNumber is a function of an array and a number, or a bool.
func withNumber[V nd.Number](f pairFunc) func(x *nd.Array, v V) *nd.Array {
	return func(x *nd.Array, v V) *nd.Array { return f(x, nd.Scalar(v)) }
}

// ofNumber is a function of a number and an array, in this order.
func ofNumber(f pairFunc) func(x *nd.Array, v float64) *nd.Array {
	return func(x *nd.Array, v float64) *nd.Array { return f(nd.Scalar(v), x) }
}

// clip is Clip, or with one bound ClipMin or ClipMax.
func clip(x, low, high *nd.Array, opts ...ops.UfuncOption) *nd.Array {
	switch {
	case low != nil && high != nil:
		return ops.Clip(x, low, high, opts...)
	case low != nil:
		return ops.ClipMin(x, low, opts...)
	case high != nil:
		return ops.ClipMax(x, high, opts...)
	}
	return ops.Positive(x, opts...)
}
