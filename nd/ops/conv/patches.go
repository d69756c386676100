package conv

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// PatchCorrelationOptions are the options of PatchCorrelation. Each holds one number for rows and one for columns, or
// one for both.
type PatchCorrelationOptions struct {
	// Patch is the height and width of the patches. PatchStep is the distance between neighbouring patches. Nil means
	// 1.
	Patch, PatchStep []int
	// Shift is the largest shift of the patches of b, and ShiftStep the distance between shifts. Nil means 0 and 1.
	Shift, ShiftStep []int
	// Padding is the number of zeros above, below, to the left and to the right of the images. Two numbers are for rows
	// and columns, one number is for all sides. Nil means 0.
	Padding []int
	// ChannelLast makes the channels the last axis of the images; the result then has the axes (N, H', W', S, T).
	ChannelLast bool
}

// PatchCorrelation compares patches of image a with patches of image b around the same location. y[n, s, t, h, w] is
// the sum, over all channels and pixels, of the products of two patches: the patch of a that begins at (h,
// w)·PatchStep, and the patch of b that begins at (h, w)·PatchStep + (s, t)·ShiftStep - Shift. Beyond the images there
// are zeros.
//
// Shapes: a and b (N, C, H, W), the result (N, S, T, H', W') with S = floor(2·Shift/ShiftStep) + 1 and H' = floor((H +
// Padding - Patch)/PatchStep) + 1. With ChannelLast (N, H, W, C) and (N, H', W', S, T).
//
// Source: A. Dosovitskiy and others, FlowNet, 2015.
// NNabla: patch_correlation.
func PatchCorrelation(a, b *nd.Array, opts ...PatchCorrelationOptions) *nd.Array {
	const fn nd.Func = "conv.PatchCorrelation"
	fn.Check(a, b)
	o := options.Read(fn, opts)
	in := []*nd.Array{a, b}
	if a.Rank() != 4 || !broadcast.Equal(a.Shape(), b.Shape()) || a.DType().IsBool() || b.DType().IsBool() {
		panic(fn.Errorf(in, "want two arrays of images of one shape (N, C, H, W)"))
	}
	made := fn.Temporaries(&a, &b)
	defer made.Release()
	if o.ChannelLast {
		a, b = a.MoveAxis([]int{3}, []int{1}), b.MoveAxis([]int{3}, []int{1})
	}
	s := shiftsOf(fn, a, b, o)
	t := ufunc.CommonType(in)
	products := s.products(fn, a.AsType(t), b.AsType(t))
	y := pooled(fn, products, s.patch[:], PoolingOptions{Stride: s.patchStep[:]}, sumPooling)
	if o.ChannelLast {
		y = y.Transpose(0, 3, 4, 1, 2).Contiguous()
	}
	return made.Keep(y)
}

// shifts describes the comparison of patches, by rows and columns.
type shifts struct{ patch, patchStep, shift, shiftStep, count, before, after [2]int }

func shiftsOf(fn nd.Func, a, b *nd.Array, o PatchCorrelationOptions) (s shifts) {
	in := []*nd.Array{a, b}
	pair := func(name string, values []int, def, least int) (both [2]int) {
		if len(values) == 0 {
			values = []int{def}
		}
		if len(values) > 2 || values[0] < least || values[len(values)-1] < least {
			panic(fn.Errorf(in, "%s %v: want one or two numbers from %d", name, values, least))
		}
		return [2]int{values[0], values[len(values)-1]}
	}
	s.patch, s.patchStep = pair("Patch", o.Patch, 1, 1), pair("PatchStep", o.PatchStep, 1, 1)
	s.shift, s.shiftStep = pair("Shift", o.Shift, 0, 0), pair("ShiftStep", o.ShiftStep, 1, 1)
	if len(o.Padding) == 4 {
		for k := range 2 {
			s.before[k], s.after[k] = o.Padding[2*k], o.Padding[2*k+1]
		}
		pair("Padding", o.Padding[:2], 0, 0)
		pair("Padding", o.Padding[2:], 0, 0)
	} else {
		s.before = pair("Padding", o.Padding, 0, 0)
		s.after = s.before
	}
	size := []int{a.Dim(0)}
	for k := range 2 {
		padded := broadcast.Sum(a.Dim(2+k), s.before[k], s.after[k])
		if padded < s.patch[k] {
			panic(fn.Errorf(in, "patches of %v do not fit into the padded images", s.patch))
		}
		s.count[k] = broadcast.Product(2, s.shift[k])/s.shiftStep[k] + 1
		fn.CheckAllocatable(dtype.Int64, broadcast.Sum(padded, broadcast.Product(2, s.shift[k])))
		s.patchStep[k] = min(s.patchStep[k], padded) // a longer step also gives a single patch
		size = append(size, padded, s.count[k])
	}
	fn.CheckAllocatable(a.DType(), size...)
	return s
}

// products returns, for each shift, the sum over the channels of the products of all pixels: (N, S, T, H, W), padded.
func (s shifts) products(fn nd.Func, a, b *nd.Array) *nd.Array {
	made := fn.Temporaries(&a, &b)
	defer made.Release()
	var widths, wider [4][2]int
	for k := range 2 {
		widths[2+k] = [2]int{s.before[k], s.after[k]}
		wider[2+k] = [2]int{s.before[k] + s.shift[k], s.after[k] + s.shift[k]}
	}
	a, b = ops.Pad(a, widths[:]), ops.Pad(b, wider[:])
	height, width := a.Dim(2), a.Dim(3)
	var all []*nd.Array
	for i := range s.count[0] {
		for j := range s.count[1] {
			down, right := i*s.shiftStep[0], j*s.shiftStep[1]
			shifted := b.Index(nd.All(), nd.All(), nd.Span(down, down+height), nd.Span(right, right+width))
			all = append(all, sumOfProducts(fn, []int{1}, a, shifted))
		}
	}
	y := ops.Stack(all, ops.Over(1))
	return made.Keep(y.Reshape(y.Dim(0), s.count[0], s.count[1], height, width))
}
