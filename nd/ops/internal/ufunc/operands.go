package ufunc

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Operands is scratch memory for the checks of a call, so that they allocate nothing.
type Operands struct {
	arrays [4]*nd.Array
	values [4]device.Scalar
	shapes [2][6]int
}

// Split separates arrays from scalar operands. The values of scalar operands, in the dtype of their inputs, join the
// scalars, and mask says which inputs they were. Arrays with more digits than a 16-bit float input are converted.
func (r *Operands) Split(p *device.Program, scalars []device.Scalar, in []*nd.Array) (arrays []*nd.Array, values []device.Scalar, mask uint) {
	plain := true
	for i, x := range in {
		if x.IsScalar() {
			mask |= 1 << i
		} else {
			plain = plain && !losesDigits(x.DType(), p.Inputs[i].Stored)
		}
	}
	if mask == 0 && plain {
		return in, scalars, 0
	}
	arrays, values = r.arrays[:0], append(r.values[:0], scalars...)
	for i, x := range in {
		if t := p.Inputs[i].Stored; mask>>i&1 != 0 {
			values = append(values, x.Immediate(t))
		} else {
			arrays = append(arrays, Loaded(x, t))
		}
	}
	if len(values) > device.MaxScalars {
		panic(nd.Func(p.Name).Errorf(in, "%d scalars: at most %d", len(values), device.MaxScalars))
	}
	return arrays, values, mask
}

// losesDigits reports whether an operand must be converted to dtype to, a 16-bit float, before a program loads it: the
// load converts it to float32, and would keep digits that the conversion drops.
func losesDigits(from, to dtype.DType) bool {
	return to.Size() == 2 && to.IsFloat() && from != to && from.Size() > 1
}

// Loaded returns x as a program that computes in dtype t may load it: x itself, or x converted.
func Loaded(x *nd.Array, t dtype.DType) *nd.Array {
	if losesDigits(x.DType(), t) {
		return x.AsType(t)
	}
	return x
}

// ReleaseLoaded releases the arrays of a call that Split has converted.
func ReleaseLoaded(arrays, in []*nd.Array) {
	k := 0
	for _, x := range in {
		if !x.IsScalar() {
			if arrays[k] != x {
				arrays[k].Release()
			}
			k++
		}
	}
}

// Loop returns the broadcast shape of the operands. Do not change it: it may be the shape of an operand.
func (r *Operands) Loop(fn nd.Func, arrays []*nd.Array, o Options) []int {
	shape, ok := r.common(arrays)
	if ok && o.Where != nil {
		checkWhere(fn, o.Where, arrays)
		shape, ok = r.merge(shape, o.Where.Layout().Shape)
	}
	if !ok {
		refuseShapes(fn, arrays, o.Where)
	}
	if o.Out == nil {
		return shape
	}
	fn.Check(o.Out)
	if len(arrays) > 0 {
		fn.Check(o.Out, arrays[0])
	}
	fn.CheckWritable(o.Out)
	full := o.Out.Layout().Shape
	if merged, ok := r.merge(shape, full); !ok || !broadcast.Equal(merged, full) {
		panic(fn.Errorf(append(slices.Clone(arrays), o.Out), "the result has shape %s, Out %s: Out cannot be broadcast",
			broadcast.FormatShape(slices.Clone(shape)), broadcast.FormatShape(full)))
	}
	return full
}

// common returns the shape to which the arrays broadcast.
func (r *Operands) common(arrays []*nd.Array) (shape []int, ok bool) {
	ok = true
	for i, x := range arrays {
		if i == 0 {
			shape = x.Layout().Shape
		} else if shape, ok = r.merge(shape, x.Layout().Shape); !ok {
			break
		}
	}
	return shape, ok
}

// merge returns the shape to which two shapes broadcast: one of them, or a new one in r's memory.
func (r *Operands) merge(a, b []int) ([]int, bool) {
	if broadcast.Equal(a, b) {
		return a, true
	}
	room := &r.shapes[0]
	if len(a) > 0 && &a[0] == &room[0] {
		room = &r.shapes[1]
	}
	merged, err := broadcast.Into(room[:0], a, b)
	return merged, err == nil
}

func checkWhere(fn nd.Func, where *nd.Array, arrays []*nd.Array) {
	fn.Check(where)
	if len(arrays) > 0 {
		fn.Check(where, arrays[0])
	}
	if !where.DType().IsBool() {
		panic(fn.Errorf([]*nd.Array{where}, "Where must be bool"))
	}
}

// refuseShapes panics with the error for shapes that do not broadcast.
func refuseShapes(fn nd.Func, arrays []*nd.Array, where *nd.Array) {
	arrays = slices.Clone(arrays)
	if where != nil {
		arrays = append(arrays, where)
	}
	shapes := make([][]int, len(arrays))
	for i, x := range arrays {
		shapes[i] = x.Shape()
	}
	_, err := broadcast.Shapes(shapes...)
	panic(fn.Errorf(arrays, "%v", err))
}

// RefuseCast panics if an operand does not cast to dtype t (same_kind).
func RefuseCast(fn nd.Func, t dtype.DType, in ...*nd.Array) {
	new(Options).CheckInputs(fn, in, t)
}
