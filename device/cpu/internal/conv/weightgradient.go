package conv

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/matmul"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/conv"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// weightGradient sums, for each output channel, input channel and tap, the products of output and input at all pixels.
// Output channels lie in vector lanes. A task is some input and output channels, over a part of the images; the sums of
// the parts are added at the end. How the sums are split depends only on the shape.
type weightGradient struct {
	*correlation
	*layout
	sub       subconvolution // of the channels of a task
	channels  int            // of a task
	images    int            // of a unit
	units     int            // groups of images, or bands of images
	parts     int            // of the units
	outBlocks []channelBlock
	cuts      int // of the output channels
	wide      int // all output channels, rounded up to whole vectors
	high      int // channels and taps of a task, rounded up for any tile
	sums      unsafe.Pointer
}

// Sizes of the tasks of a weight's gradient: how many input channels and taps share packed output channels, the desired
// number of tasks, and the maximum bytes for the sums of parts.
const (
	gradientTaps  = 512
	gradientTasks = 16
	gradientBytes = 4 << 20
)

// convolveWeightWithKernels uses the algorithm that suits the number of filters.
func convolveWeightWithKernels[T scalar.Number](c *correlation) {
	if c.byProducts() {
		convolveWeightByProducts[T](c)
		return
	}
	convolveWeightChannelLanes[T](c)
}

func convolveWeightChannelLanes[T scalar.Number](c *correlation) {
	q := c.q
	u := &weightGradient{correlation: c, channels: max(1, min(q.c, gradientTaps/q.taps)), images: 1}
	blocks := strided.CeilDiv(q.c, u.channels)
	u.channels = strided.CeilDiv(q.c, blocks)
	u.layout = c.layOut(u.channels, bandPixels, c.fits())
	if u.bands == 1 {
		u.images = max(1, min(q.n, strided.CeilDiv(bandPixels, q.pixels)))
	}
	u.units = strided.CeilDiv(q.n, u.images) * u.bands
	u.sub = c.subconvolutions(u.layout, u.channels, u.images)[0]
	u.outBlocks = c.blocks()
	u.wide, u.high = strided.RoundUp(q.m, c.kernels.Lanes), u.channels*q.taps+mostTilePixels-1
	bytes := q.g * blocks * u.wide * u.high * c.kernels.Size
	u.parts = max(1, min(u.units, gradientBytes/bytes, strided.CeilDiv(gradientTasks, q.g*blocks)))
	u.cuts = min(len(u.outBlocks), strided.CeilDiv(gradientTasks, q.g*blocks*u.parts))
	space := memory.TakeScratch(u.parts * bytes)
	u.sums = space.At(0)
	tasks := u.parts * q.g * blocks * u.cuts
	workers.ForRanges(tasks, c.cost()/float64(tasks), func(from, to int) {
		for task := from; task < to; task++ {
			cut, block, g, part := task%u.cuts, task/u.cuts%blocks, task/u.cuts/blocks%q.g, task/u.cuts/blocks/q.g
			sums := u.sumsOf((part*q.g+g)*blocks + block)
			rows := u.outBlocks[len(u.outBlocks)*cut/u.cuts : len(u.outBlocks)*(cut+1)/u.cuts]
			addGradients[T](u, sums, g, block*u.channels, rows, u.units*part/u.parts, u.units*(part+1)/u.parts)
		}
	})
	workers.ForRanges(q.g*blocks, float64(u.parts*u.wide*u.high), func(from, to int) {
		for i := from; i < to; i++ {
			total := memory.Slice[T](u.sumsOf(i), u.wide*u.high)
			for part := 1; part < u.parts; part++ {
				matmul.Axpy(total, memory.Slice[T](u.sumsOf(part*q.g*blocks+i), u.wide*u.high), 1)
			}
			storeGradients(u, total, i/blocks, i%blocks*u.channels)
		}
	})
	space.Recycle()
}

func (u *weightGradient) sumsOf(i int) unsafe.Pointer {
	return unsafe.Add(u.sums, i*u.wide*u.high*u.kernels.Size)
}

// addGradients computes the sums of a task over the units [from, to). The sums of each block of channels follow those
// of the block before.
func addGradients[T scalar.Number](u *weightGradient, sums unsafe.Pointer, g, channel int, blocks []channelBlock, from, to int) {
	size, channels := u.kernels.Size, min(u.channels, u.q.c-channel)
	planes := 0
	if !u.inPlace {
		planes = u.images * u.size
	}
	space := memory.TakeScratch(panelBytes + tableBytes + planes*size)
	panel, tables := space.At(0), space.At(panelBytes)
	clear(memory.Slice[T](space.At(panelBytes+tableBytes), planes))
	f := u.fillingOf(u.correlation, from%u.bands)
	for unit := from; unit < to; unit++ {
		band, n := unit%u.bands, unit/u.bands*u.images
		images, height := min(u.images, u.q.n-n), u.rowsOf(u.correlation, band)
		var base unsafe.Pointer
		if u.inPlace {
			base = u.base(u.correlation, n, g, channel, band)
		} else {
			base = space.At(panelBytes + tableBytes)
			f.change(band)
			for image := range images {
				fillPlanes(f, memory.Slice[T](base, planes)[image*u.size:], n+image, g, channel, channel+channels)
			}
		}
		each := u.sub.pixelsIn(u.correlation, u.layout, height)
		for _, b := range blocks {
			width := b.vectors * u.kernels.Lanes
			terms := min(panelBytes/(width*size), conv.MostTerms)
			for k := 0; k < images*each; k += terms {
				end := min(k+terms, images*each)
				packRowsOf[T](u, panel, n, g, band, b, each, k, end)
				own := unsafe.Add(sums, b.first*u.high*size)
				u.tiles(b.vectors, base, u.sub.from[k:end], panel, own, tables, channels*u.q.taps, unit > from || k > 0)
			}
		}
	}
	space.Recycle()
}

// tiles adds to the sums of all channels and taps.
func (u *weightGradient) tiles(vectors int, base unsafe.Pointer, pixels []int, panel, sums, tables unsafe.Pointer, count int, add bool) {
	width, n := vectors*u.kernels.Lanes, u.kernels.Positions(vectors)
	both := memory.Slice[int](tables, 2*mostTilePixels)
	from, to := both[:n], both[mostTilePixels:][:n]
	for at := 0; at < count; at += n {
		for i := range n {
			from[i], to[i] = u.sub.offset[min(at+i, count-1)], (at+i)*width
		}
		u.kernels.WithFilters(vectors, base, from, pixels, panel, sums, to, add, nil, 0, nil)
	}
}

// packRowsOf lays out the pixels [from, to) of a unit in a panel: for each pixel a block of output channels next to
// each other, padded with zeros.
func packRowsOf[T scalar.Number](u *weightGradient, panel unsafe.Pointer, n, g, band int, b channelBlock, each, from, to int) {
	size, width := u.kernels.Size, b.vectors*u.kernels.Lanes
	if b.count < width {
		clear(memory.Slice[byte](panel, (to-from)*width*size))
	}
	y := u.result
	step, flat := y.flat(3)
	for at := from; at < to; {
		image, pixel := at/each, at%each
		count := min(to-at, each-pixel)
		base := unsafe.Add(y.at(n+image, g, b.first), band*u.height*y.strides[3+u.band]*size)
		own := unsafe.Add(panel, (at-from)*width*size)
		if flat && (step == 1 || each == 1) {
			u.kernels.Transpose(b.count, count, own, width, unsafe.Add(base, pixel*step*size), y.strides[2])
		} else {
			for k := range count {
				source := (*T)(unsafe.Add(base, y.offset(pixel+k)*size))
				copyRun(memory.Slice[T](unsafe.Add(own, k*width*size), b.count), source, 0, y.strides[2])
			}
		}
		at += count
	}
}

// offset returns the distance of the k-th pixel, counted along the last three axes, from the first.
func (t *tensor) offset(k int) int {
	return k/(t.shape[4]*t.shape[5])*t.strides[3] + k/t.shape[5]%t.shape[4]*t.strides[4] + k%t.shape[5]*t.strides[5]
}

// storeGradients copies the sums of some channels of a group to the weight.
func storeGradients[T scalar.Number](u *weightGradient, sums []T, g, channel int) {
	w, count := &u.q.w, min(u.channels, u.q.c-channel)*u.q.taps
	step, flat := w.flat(2)
	for _, b := range u.outBlocks {
		own := sums[b.first*u.high:]
		width := b.vectors * u.kernels.Lanes
		if flat && (step == 1 || count == 1) {
			u.kernels.Transpose(count, b.count, w.at(g, b.first, channel), w.strides[1], unsafe.Pointer(&own[0]), width)
			continue
		}
		for k := range count {
			dst := (*T)(w.plus(g*w.strides[0] + b.first*w.strides[1] + (channel+k/u.q.taps)*w.strides[2] + w.offset(k%u.q.taps)))
			for m, v := range own[k*width:][:b.count] {
				*memory.Advance(dst, m*w.strides[1]) = v
			}
		}
	}
}
