package conv_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// TestFastConvolutions compares the option Fast with exact sums in float64, for sizes that tiles do not divide, bands, groups, paddings
// and strided operands, and from the first call on.
func TestFastConvolutions(t *testing.T) {
	rng := nd.NewRand(1)
	for _, c := range []struct{ n, channels, filters, height, width, pad, group int }{
		{1, 32, 32, 3, 3, 1, 1}, {2, 64, 70, 14, 14, 1, 1}, {1, 512, 96, 7, 7, 1, 1}, {3, 33, 65, 9, 12, 0, 1}, {1, 64, 64, 56, 57, 1, 1},
		{2, 64, 96, 8, 5, 2, 2}, {1, 36, 40, 11, 6, 5, 1}, {1, 140, 130, 28, 3, 1, 1},
	} {
		x := random.Normal(rng, 0, 1, []int{c.n, c.channels, c.height, c.width}, dtype.Float32)
		w := random.Normal(rng, 0, 1, []int{c.filters, c.channels / c.group, 3, 3}, dtype.Float32)
		b := random.Normal(rng, 0, 1, []int{c.filters}, dtype.Float32)
		o := conv.ConvolutionOptions{Pad: []int{c.pad}, Group: c.group}
		want := nd.ToSlice[float64](conv.Convolution(x.AsType(dtype.Float64), w.AsType(dtype.Float64), b.AsType(dtype.Float64), o))
		limit := 4e-7 * 9 * math.Sqrt(float64(c.channels/c.group)) * 4
		o.Fast = true
		y := conv.Convolution(x, w, b, o)
		first := nd.ToSlice[float32](y)
		for i, v := range first {
			if !(math.Abs(float64(v)-want[i]) <= limit) {
				t.Fatalf("%v: element %d is %v, want %v", c, i, v, want[i])
			}
		}
		for call := range 2 {
			if !slices.Equal(nd.ToSlice[float32](conv.Convolution(x, w, b, o)), first) {
				t.Fatalf("%v: call %d differs", c, call)
			}
		}
		if half := w.Index(nd.Until(c.filters / 2)); c.group == 1 {
			want := conv.Convolution(x, half.Copy(), nil, o)
			if !slices.Equal(nd.ToSlice[float32](conv.Convolution(x, half, nil, o)), nd.ToSlice[float32](want)) {
				t.Errorf("%v: a part of the weights gives another result", c)
			}
		}
		strided := x.Transpose(0, 2, 3, 1).Copy().Transpose(0, 3, 1, 2)
		if !slices.Equal(nd.ToSlice[float32](conv.Convolution(strided, w, b, o)), first) {
			t.Errorf("%v: channels last in memory give another result", c)
		}
		ops.Multiply(w, 0, ops.Into(w))
		for _, v := range nd.ToSlice[float32](conv.Convolution(x, w, nil, o)) {
			if v != 0 {
				t.Fatalf("%v: %v after a write to the weights", c, v)
			}
		}
	}
}

// TestFastConvolutionsKeepInfinity: a number that is not finite reaches only the pixels whose windows hold it, and large numbers do not
// overflow on the way.
func TestFastConvolutionsKeepInfinity(t *testing.T) {
	rng := nd.NewRand(2)
	w := ops.Square(random.Normal(rng, 0, 1, []int{32, 32, 3, 3}, dtype.Float32))
	for _, v := range []float64{math.Inf(1), math.NaN(), 3e38} {
		x := ops.Square(random.Normal(rng, 0, 1, []int{1, 32, 8, 8}, dtype.Float32))
		nd.Data[float32](x)[3*64+4*8+5] = float32(v)
		o := conv.ConvolutionOptions{Pad: []int{1}}
		want := nd.ToSlice[float32](conv.Convolution(x, w, nil, o))
		o.Fast = true
		for i, got := range nd.ToSlice[float32](conv.Convolution(x, w, nil, o)) {
			if got != want[i] && !(math.IsNaN(float64(got)) && math.IsNaN(float64(want[i]))) {
				if math.Abs(v) < math.Inf(1) && math.Abs(float64(got-want[i])) <= 1e-5*v {
					continue
				}
				t.Fatalf("%v: element %d is %v, want %v", v, i, got, want[i])
			}
		}
	}
}
