package conv_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// TestThen: a kernel that is part of a convolution gives the bits that it gives after it, in every algorithm, and has gradients.
func TestThen(t *testing.T) {
	rng := nd.NewRand(3)
	var kernels []*ops.Kernel
	for _, body := range []string{"x * (min(max(x + 3, 0), 6) * (1.0/6))", "max(0, x)", "max(x, 0)", "min(max(x, -0.25), 6)", "min(x, 0)", "min(0.5, x)"} {
		kernels = append(kernels, ops.MustKernel("T x", "T y", body))
	}
	for _, c := range []struct {
		channels, filters, height, width, window, stride, group int
		what                                                    string
	}{
		{70, 130, 20, 20, 1, 1, 1, "channels in lanes"}, {3, 9, 41, 43, 3, 2, 1, "pixels in lanes"}, {16, 70, 30, 31, 1, 1, 1, "pixels in place"},
		{128, 70, 7, 7, 3, 1, 1, "taps"}, {130, 140, 9, 9, 3, 1, 2, "groups"}, {8, 8, 16, 17, 3, 1, 8, "sliding"}, {8, 8, 2, 40, 3, 1, 8, "low planes"},
		{64, 64, 14, 15, 3, 1, 1, "Winograd"}, {64, 40, 3, 3, 3, 1, 1, "windows"}, {0, 3, 4, 4, 3, 1, 1, "no channels"},
	} {
		for _, dt := range []dtype.DType{dtype.Float32, dtype.Float64, dtype.Float16} {
			x := random.Normal(rng, 0, 1, []int{2, c.channels, c.height, c.width}, dtype.Float32).AsType(dt)
			w := random.Normal(rng, 0, 1, []int{c.filters, c.channels / c.group, c.window, c.window}, dtype.Float32).AsType(dt)
			b := random.Normal(rng, 0, 1, []int{c.filters}, dtype.Float32).AsType(dt)
			for _, last := range []bool{false, true} {
				o := conv.ConvolutionOptions{Group: c.group, Pad: []int{c.window / 2}, Stride: []int{c.stride}, Fast: true, ChannelLast: last}
				x, w := x, w
				if last {
					x, w = x.Transpose(0, 2, 3, 1), w.Transpose(0, 2, 3, 1)
				}
				for _, bias := range []*nd.Array{nil, b} {
					plain := conv.Convolution(x, w, bias, o)
					for _, o.Then = range kernels {
						same(t, c.what, conv.Convolution(x, w, bias, o), o.Then.Call(plain))
					}
					o.Then = nil
				}
			}
		}
	}
}

func same(t *testing.T, what string, got, want *nd.Array) {
	t.Helper()
	a, b := nd.ToSlice[float64](got.AsType(dtype.Float64)), nd.ToSlice[float64](want.AsType(dtype.Float64))
	if got.DType() != want.DType() || len(a) != len(b) {
		t.Fatalf("%s: %d elements of %s, want %d of %s", what, len(a), got.DType(), len(b), want.DType())
	}
	for i, v := range a {
		if math.Float64bits(v) != math.Float64bits(b[i]) {
			t.Fatalf("%s, %s: element %d is %v, want %v", what, got.DType(), i, v, b[i])
		}
	}
}

// TestThenIsRecorded: with a tape, the kernel follows the convolution.
func TestThenIsRecorded(t *testing.T) {
	double := ops.MustKernel("T x", "T y", "x < 0 ? 3*x : 2*x")
	tape := grad.NewTape()
	x, w := tape.Watch(nd.FromSlice([]float64{1, -2, 3}, 1, 1, 3)), nd.FromSlice([]float64{5}, 1, 1, 1)
	y := conv.Convolution(x, w, nil, conv.ConvolutionOptions{Then: double})
	same(t, "result", y, nd.FromSlice([]float64{10, -30, 30}))
	same(t, "gradient", tape.Gradient(ops.Sum(y), x)[0], nd.FromSlice([]float64{10, 15, 10}))
	if y := conv.Convolution(nd.Ones([]int{1, 1, 2, 2, 2, 2}), nd.Ones([]int{1, 1, 1, 1, 1, 1}), nil, conv.ConvolutionOptions{Then: double}); nd.ToSlice[float64](y)[3] != 2 {
		t.Errorf("four axes: %v", y)
	}
	widened := ops.MustKernel("T x", "float64 y", "x + 1")
	if y := conv.Convolution(nd.Ones([]int{1, 1, 2}, dtype.Float32), nd.Ones([]int{1, 1, 1}, dtype.Float32), nil, conv.ConvolutionOptions{Then: widened}); y.DType() != dtype.Float64 || nd.ToSlice[float64](y)[0] != 2 {
		t.Errorf("a kernel with another dtype: %v", y)
	}
}

func TestThenIsUnary(t *testing.T) {
	opstest.Refuses(t, "conv.Convolution: Then: want a kernel of one input", func() {
		sum := ops.MustKernel("T x, T y", "T z", "x + y")
		conv.Convolution(nd.Ones([]int{1, 1, 2}), nd.Ones([]int{1, 1, 1}), nil, conv.ConvolutionOptions{Then: sum})
	})
}
