package caffe

import (
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// shape returns the lengths of a blob: those that it states, or the four of the old format.
func (b *blob) shape() []int {
	if b.Shape == nil {
		return []int{int(b.Num), int(b.Channels), int(b.Height), int(b.Width)}
	}
	shape := make([]int, len(b.Shape.Dim))
	for i, n := range b.Shape.Dim {
		shape[i] = int(n)
	}
	return shape
}

// array returns the values in a shape.
func (b *blob) array(shape []int) (*nd.Array, error) {
	if err := broadcast.CheckShape(shape); err != nil {
		return nil, err
	}
	n, wide := b.Data.Len(), b.DoubleData.Len()
	if n == 0 {
		n = wide
	}
	if want := broadcast.Size(shape); n != want {
		return nil, fmt.Errorf("a blob of shape %s has %d values", broadcast.FormatShape(shape), n)
	}
	if b.Data.Len() > 0 || n == 0 {
		x := nd.Empty(shape, dtype.Float32)
		return x, b.Data.CopyTo(nd.Data[float32](x))
	}
	x := nd.Empty(shape, dtype.Float64)
	defer x.Release()
	if err := b.DoubleData.CopyTo(nd.Data[float64](x)); err != nil {
		return nil, err
	}
	return x.AsType(dtype.Float32), nil
}

// grouped returns the weights (R, C/groups, …) of a layer with groups as weights (R, C, …) of one without: they are zero
// between channels of different groups. Chainer has no groups, and stores the weights in this form.
//
// spare is the number of bytes that the zeros of all layers may still take, so that a small file cannot fill the memory.
func (b *blob) grouped(groups int, spare *int) (*nd.Array, error) {
	shape := b.shape()
	if len(shape) < 2 || groups < 1 || shape[0]%groups != 0 {
		return nil, fmt.Errorf("weights of shape %s do not divide into %d groups", broadcast.FormatShape(shape), groups)
	}
	parts, err := b.array(shape)
	if err != nil || groups == 1 {
		return parts, err
	}
	rows, channels := shape[0]/groups, shape[1]
	whole := slices.Clone(shape)
	whole[1] *= groups
	if err := broadcast.CheckShape(whole); err != nil {
		return nil, err
	}
	if *spare -= broadcast.Size(whole) * parts.DType().Size(); *spare < 0 {
		return nil, fmt.Errorf("weights of shape %s in %d groups: more zeros than a file of this size may need", broadcast.FormatShape(shape), groups)
	}
	w := nd.Zeros(whole, parts.DType())
	for g := range groups {
		w.Assign(parts.Index(nd.Span(g*rows, (g+1)*rows)), nd.Span(g*rows, (g+1)*rows), nd.Span(g*channels, (g+1)*channels))
	}
	return w, nil
}
