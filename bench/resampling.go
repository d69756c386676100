package bench

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/image"
)

// resampling returns cases that resize images, and that warp them by grids.
func resampling() (cs []Case) {
	for _, c := range []struct {
		batch, channels, side, to int
	}{
		{8, 3, 224, 448}, {8, 64, 56, 112}, {8, 3, 512, 224}, {4, 64, 28, 40},
	} {
		name := func(part string) string {
			return fmt.Sprintf("resize/bilinear_%s/%dx%dx%dto%d/f32", part, c.batch, c.channels, c.side, c.to)
		}
		operands := func() []*nd.Array { return []*nd.Array{f32(c.batch, c.channels, c.side, c.side)} }
		resize := func(in []*nd.Array) *nd.Array {
			return image.Interpolate(in[0], []int{c.to, c.to}, image.InterpolateOptions{HalfPixel: true})
		}
		bytes := 4 * float64(c.batch*c.channels) * float64(c.side*c.side+c.to*c.to)
		cs = append(cs, fixed(name("fwd"), bytes, operands, resize),
			Case{Name: name("bwd"), Bytes: bytes, Setup: func() func() *nd.Array {
				g := f32(c.batch, c.channels, c.to, c.to)
				return backward(g, operands()[0], func(x *nd.Array) *nd.Array { return resize([]*nd.Array{x}) })
			}})
	}
	for _, c := range []struct{ batch, channels, side int }{{8, 3, 224}, {8, 64, 56}} {
		operands := func() []*nd.Array {
			theta := onBenchDevice(nd.FromSlice([]float32{0.9, 0.3, 0.1, -0.3, 0.9, 0}, 1, 2, 3)).BroadcastTo(c.batch, 2, 3)
			return []*nd.Array{f32(c.batch, c.channels, c.side, c.side), image.AffineGrid(theta, []int{c.side, c.side})}
		}
		warp := func(in []*nd.Array) *nd.Array { return image.WarpByGrid(in[0], in[1]) }
		name := func(part string) string {
			return fmt.Sprintf("grid_sample/bilinear_%s/%dx%dx%dx%d/f32", part, c.batch, c.channels, c.side, c.side)
		}
		pixels, grid := 4*float64(c.batch*c.channels*c.side*c.side), 8*float64(c.batch*c.side*c.side)
		cs = append(cs, fixed(name("fwd"), 2*pixels+grid, operands, warp), forwardBackward(name("fwdbwd"), 5*pixels+3*grid, operands, warp))
	}
	return cs
}
