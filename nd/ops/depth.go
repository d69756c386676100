package ops

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// DepthOptions are the options of DepthToSpace and SpaceToDepth.
type DepthOptions struct {
	// ChannelFirst numbers the channels c·r² + dy·r + dx, as PyTorch does: the channels that form one channel of the
	// large images are then neighbours.
	ChannelFirst bool
}

// DepthToSpace returns images r times as high and wide, whose pixels come from the channels: channel (dy·r + dx)·C + c
// holds the pixels of channel c at dy rows below and dx columns right of the multiples of r.
//
// Shapes: x (B, C·r², H, W); the result (B, C, H·r, W·r).
//
// Source: W. Shi et al., Real-Time Single Image and Video Super-Resolution Using an Efficient Sub-Pixel Convolutional
// Neural Network, 2016.
// PyTorch: pixel_shuffle (with ChannelFirst). Chainer: depth2space.
func DepthToSpace(x *nd.Array, r int, opts ...DepthOptions) *nd.Array {
	const fn nd.Func = "ops.DepthToSpace"
	fn.Check(x)
	square := broadcast.Product(r, r)
	if x.Rank() != 4 || r < 1 || x.Dim(1)%square != 0 {
		panic(fn.Errorf([]*nd.Array{x}, "want images (B, C, H, W) with channels in multiples of %d·%[1]d", r))
	}
	b, c, h, w := x.Dim(0), x.Dim(1)/square, x.Dim(2), x.Dim(3)
	split, order := []int{b, r, r, c, h, w}, []int{0, 3, 4, 1, 5, 2}
	if options.Read(fn, opts).ChannelFirst {
		split, order = []int{b, c, r, r, h, w}, []int{0, 1, 4, 2, 5, 3}
	}
	apart := x.Reshape(split...)
	y := release.Replace(apart, apart.Transpose(order...))
	return fn.Made(release.Replace(y, y.Reshape(b, c, broadcast.Product(h, r), broadcast.Product(w, r))))
}

// SpaceToDepth returns images whose height and width are divided by r; the pixels of each r·r square become channels.
// It is the inverse of DepthToSpace.
//
// Shapes: x (B, C, H·r, W·r); the result (B, C·r², H, W).
// PyTorch: pixel_unshuffle (with ChannelFirst). Chainer: space2depth.
func SpaceToDepth(x *nd.Array, r int, opts ...DepthOptions) *nd.Array {
	const fn nd.Func = "ops.SpaceToDepth"
	fn.Check(x)
	if x.Rank() != 4 || r < 1 || x.Dim(2)%r != 0 || x.Dim(3)%r != 0 {
		panic(fn.Errorf([]*nd.Array{x}, "want images (B, C, H, W) with heights and widths in multiples of %d", r))
	}
	b, c, h, w := x.Dim(0), x.Dim(1), x.Dim(2)/r, x.Dim(3)/r
	split := x.Reshape(b, c, h, r, w, r)
	order := []int{0, 3, 5, 1, 2, 4}
	if options.Read(fn, opts).ChannelFirst {
		order = []int{0, 1, 3, 5, 2, 4}
	}
	y := release.Replace(split, split.Transpose(order...))
	return fn.Made(release.Replace(y, y.Reshape(b, broadcast.Product(c, r, r), h, w)))
}
