package conv

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// UnpoolingOptions are the options of Unpooling and Upsampling. Stride, Pad and OutSize have a number for each axis of the
// windows, or one for all.
type UnpoolingOptions struct {
	// Stride is the distance between windows along each axis; nil means the kernel's lengths.
	Stride []int
	// Pad is the number of points of the windows that lie before and behind each axis of the result; nil means 0.
	Pad []int
	// OutSize holds the result's lengths along the windows' axes; nil means stride·(n-1) + kernel - 2·pad.
	OutSize []int
	// CoverAll and CoverPadding say that the pooling to be undone used this option; CoverPadding is Chainer's default.
	// Without OutSize, the result is then the shortest one for which this pooling has as many windows: with CoverPadding it
	// is shorter by stride - 1.
	CoverAll, CoverPadding bool
	// ChannelLast says that the last axis holds the channels.
	ChannelLast bool
}

// Unpooling spreads each element over a window of the kernel's shape, of one to three lengths; overlapping windows add
// up. A kernel of one length has it along all axes, as in MaxPooling. Without a stride the elements are repeated. It is the transpose of SumPooling.
// NNabla: unpooling. Chainer: unpooling_2d.
func Unpooling(x *nd.Array, kernel []int, opts ...UnpoolingOptions) *nd.Array {
	const fn nd.Func = "conv.Unpooling"
	x = argument.Numbers(fn, x)
	s := newSpreading(fn, x, kernel, options.Read(fn, opts))
	planes := s.planes(x)
	defer release.Unless(planes, x)
	return s.unplanes(s.addToWindows(planes))
}

// Upsampling puts each element at one position of its window and zeros elsewhere; elements at the same location add up.
// index holds the positions in the windows, as MaxPoolingWithIndex returns them. It undoes max pooling.
// PyTorch: nn.functional.max_unpool1d, nn.functional.max_unpool2d, nn.functional.max_unpool3d. Chainer: upsampling_2d.
func Upsampling(x, index *nd.Array, kernel []int, opts ...UnpoolingOptions) *nd.Array {
	const fn nd.Func = "conv.Upsampling"
	fn.Check(x, index)
	x = argument.Numbers(fn, x)
	if !index.DType().IsInteger() || !broadcast.Equal(x.Shape(), index.Shape()) {
		panic(fn.Errorf([]*nd.Array{x, index}, "want integer indices, one for each element"))
	}
	made := fn.Temporaries(&x, &index)
	defer made.Release()
	s := newSpreading(fn, x, kernel, options.Read(fn, opts))
	return made.Keep(s.unplanes(s.scatterAtPositions(s.planes(x), s.planes(index.AsType(dtype.Int64)).Detach())))
}

// newSpreading returns a sliding with one window for each element of x.
func newSpreading(fn nd.Func, x *nd.Array, kernel []int, o UnpoolingOptions) *sliding {
	kernel, windows := PoolingOptions{Stride: o.Stride, Pad: o.Pad, ChannelLast: o.ChannelLast}.perAxis(fn, x, kernel)
	s := newGeometry(fn, x, kernel, windows)
	s.atMostThree(x)
	if o.OutSize != nil {
		o.OutSize = argument.PerAxis(fn, []*nd.Array{x}, "OutSize", o.OutSize, s.window.Rank, -1, 0)
	}
	for k := range s.window.Rank {
		n := x.Dim(s.axis(k))
		whole := broadcast.Sum(broadcast.Product(s.window.Stride[k], n-1), s.kernel[k])
		fn.CheckAllocatable(x.DType(), max(whole, 0))
		cover := coveringOf(o.CoverAll, o.CoverPadding, nil)
		size := s.windowsAlong(k).shortest(n, cover)
		if o.OutSize != nil {
			size = o.OutSize[k]
			if s.windowsAlong(k).count(size, cover) != n {
				panic(fn.Errorf([]*nd.Array{x}, "OutSize %v gives another number of windows than the array has elements along axis %d", o.OutSize, s.axis(k)))
			}
		}
		if n == 0 && o.OutSize == nil {
			size = 0
		}
		if size < 0 {
			panic(fn.Errorf([]*nd.Array{x}, "the result would have %d elements along axis %d", size, s.axis(k)))
		}
		s.window.Size[k] = size
		s.window.Stride[k] = min(s.window.Stride[k], max(whole, 1)) // as in newSliding
		s.windows = append(s.windows, n)
	}
	return s
}
