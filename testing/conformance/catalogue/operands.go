package catalogue

import (
	"math/big"
	"reflect"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// array makes an operand: an array of the case, a weak scalar of a number, or an array of a list of numbers.
func (c *Converter) array(path string, v golden.Value, t reflect.Type) (*nd.Array, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case golden.Array:
		return c.Load(path, string(v))
	case bool:
		return nd.Scalar(v), nil
	case *big.Int:
		return nd.ScalarInt(v), nil
	case float64:
		return nd.Scalar(v), nil
	case complex128:
		return nd.Scalar(v), nil
	case golden.List:
		if x, ok := arrayOfList(v); ok {
			return Place(x, c.Device), nil
		}
	}
	return nil, &UnfitError{path, v, t}
}

// arrayOfList makes an array of nested lists of numbers as NumPy does: float64 unless all are integers or all bools.
func arrayOfList(list golden.List) (*nd.Array, bool) {
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
			f, isNumber := golden.Float(v)
			if !isNumber {
				return nil, false
			}
			_, isInt := golden.Int(v)
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
			values[i], _ = golden.Int(v)
		}
		return nd.FromSlice(values, shape...), true
	}
	return nd.FromSlice(floats, shape...), true
}

// flatten gives the shape and the items of nested lists; false where they are ragged.
func flatten(list golden.List) (shape []int, items []golden.Value, ok bool) {
	shape = []int{len(list)}
	for i, v := range list {
		inner, isList := v.(golden.List)
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

// indices converts what stands between the brackets of x[…]: a list of items, or one.
func (c *Converter) indices(path string, v golden.Value) ([]nd.Index, error) {
	items, ok := v.(golden.List)
	if keys, isArrays := v.(golden.Arrays); isArrays {
		for _, key := range keys {
			items = append(items, golden.Array(key))
		}
		ok = true
	}
	if !ok {
		items = golden.List{v}
	}
	ix := make([]nd.Index, len(items))
	for i, item := range items {
		var err error
		if ix[i], err = c.index(path, item); err != nil {
			return nil, err
		}
	}
	return ix, nil
}

func (c *Converter) index(path string, v golden.Value) (nd.Index, error) {
	unfit := &UnfitError{path, v, indexType}
	switch v := v.(type) {
	case nil:
		return nd.NewAxis(), nil
	case string:
		switch v {
		case "newaxis":
			return nd.NewAxis(), nil
		case "...":
			return nd.Ellipsis(), nil
		}
	case bool:
		return nd.Pick(Place(nd.Full(nil, v), c.Device)), nil
	case *big.Int:
		if i, ok := golden.Int(v); ok {
			return nd.At(i), nil
		}
	case golden.Array:
		x, err := c.Load(path, string(v))
		return nd.Pick(x), err
	case golden.Slice:
		return sliceIndex(v, unfit)
	}
	return nd.Index{}, unfit
}

func sliceIndex(s golden.Slice, unfit error) (nd.Index, error) {
	bad := false
	part := func(v golden.Value) (int, bool) {
		i, ok := golden.Int(v)
		bad = bad || v != nil && !ok
		return i, ok
	}
	start, hasStart := part(s.Start)
	stop, hasStop := part(s.Stop)
	step, hasStep := part(s.Step)
	if bad {
		return nd.Index{}, unfit
	}
	ix := nd.All()
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
	return ix, nil
}

// Place moves x to a device, in the order that its elements lie in.
func Place(x *nd.Array, dev device.Device) *nd.Array {
	if dev == nil || x == nil || x.IsScalar() {
		return x
	}
	if x.IsFortran() && !x.IsContiguous() {
		return x.T().To(dev).T()
	}
	return x.To(dev)
}
