package bench

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
)

func convolutions() (cs []Case) {
	for _, c := range []struct {
		name                                             string
		batch, channels, side, maps, kernel, stride, pad int
		groups                                           int
	}{
		{"k3_64", 32, 64, 56, 64, 3, 1, 1, 1},
		{"k7s2_3to64", 32, 3, 224, 64, 7, 2, 3, 1},
		{"dw3_128", 32, 128, 28, 128, 3, 1, 1, 128},
		{"k1_256", 32, 256, 28, 256, 1, 1, 0, 1},
		{"k3_512", 32, 512, 7, 512, 3, 1, 1, 1},
		{"mnist_k3_32to64", 64, 32, 26, 64, 3, 1, 0, 1},
	} {
		out := (c.side+2*c.pad-c.kernel)/c.stride + 1
		flops := 2 * float64(c.batch*c.maps*(c.channels/c.groups)*c.kernel*c.kernel*out*out)
		o := conv.ConvolutionOptions{Pad: []int{c.pad, c.pad}, Stride: []int{c.stride, c.stride}, Group: c.groups}
		operands := func() (x, w, g *nd.Array) {
			return f32(c.batch, c.channels, c.side, c.side), f32(c.maps, c.channels/c.groups, c.kernel, c.kernel),
				f32(c.batch, c.maps, out, out)
		}
		name := func(part string) string {
			return fmt.Sprintf("conv2d/%s_%s/%dx%dx%dx%d/f32", c.name, part, c.batch, c.channels, c.side, c.side)
		}
		cs = append(cs,
			Case{Name: name("fwd"), Flops: flops, Setup: func() func() *nd.Array {
				x, w, _ := operands()
				return func() *nd.Array { return conv.Convolution(x, w, nil, o) }
			}},
			Case{Name: name("bwd_input"), Flops: flops, Setup: func() func() *nd.Array {
				x, w, g := operands()
				return backward(g, x, func(x *nd.Array) *nd.Array { return conv.Convolution(x, w, nil, o) })
			}},
			Case{Name: name("bwd_weight"), Flops: flops, Setup: func() func() *nd.Array {
				x, w, g := operands()
				return backward(g, w, func(w *nd.Array) *nd.Array { return conv.Convolution(x, w, nil, o) })
			}})
	}
	return append(cs,
		Case{Name: "conv2d/transpose_k4s2_fwd/32x64x28x28/f32", Flops: 2 * 32 * 64 * 32 * 16 * 28 * 28, Setup: func() func() *nd.Array {
			x, w := f32(32, 64, 28, 28), f32(64, 32, 4, 4)
			return func() *nd.Array {
				return conv.Deconvolution(x, w, nil, conv.DeconvolutionOptions{Pad: []int{1, 1}, Stride: []int{2, 2}})
			}
		}},
		Case{Name: "conv1d/k3_64_fwd/32x64x1000/f32", Flops: 2 * 32 * 64 * 64 * 3 * 1000, Setup: func() func() *nd.Array {
			x, w := f32(32, 64, 1000), f32(64, 64, 3)
			return func() *nd.Array { return conv.Convolution(x, w, nil, conv.ConvolutionOptions{Pad: []int{1}}) }
		}},
		fixed("pool/max3s2_fwd/32x64x112x112/f32", 4*32*64*(112*112+56*56), pooled, maxPooling),
		forwardBackward("pool/max3s2_fwdbwd/32x64x112x112/f32", 8*32*64*(112*112+56*56), pooled, maxPooling),
		fixed("pool/avg2s2_fwd/32x64x112x112/f32", 4*32*64*(112*112+56*56), pooled,
			func(in []*nd.Array) *nd.Array { return conv.AveragePooling(in[0], []int{2, 2}) }))
}

func pooled() []*nd.Array { return []*nd.Array{f32(32, 64, 112, 112)} }

func maxPooling(in []*nd.Array) *nd.Array {
	return conv.MaxPooling(in[0], []int{3, 3}, conv.PoolingOptions{Stride: []int{2, 2}, Pad: []int{1, 1}})
}

// backward returns the backward pass of f alone: the gradient of f at x from the gradient g of its result.
func backward(g, x *nd.Array, f func(x *nd.Array) *nd.Array) func() *nd.Array {
	_, pull := grad.VJP(func(xs ...*nd.Array) []*nd.Array { return []*nd.Array{f(xs[0])} }, x)
	seeds := []*nd.Array{g}
	return func() *nd.Array { return pull(seeds)[0] }
}
