package conv

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/conv"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// pixelLanes computes a correlation with pixels in vector lanes: the pixels of a band are contiguous in the planes,
// with some unused ones between the rows. It suits few output channels, and large images. A unit of work is a band of a
// group of an image.
type pixelLanes struct {
	*correlation
	*layout
	subs    []subconvolution
	filters int // output channels per tile
	blocks  int // for this many channels
	width   int // pixels per tile
	packed  unsafe.Pointer
}

// Sizes for pixels in lanes: the pixels of a band, and the blocks of channels whose sums are computed before they are
// stored.
const (
	mostBandPixels = 8192
	tileBlocks     = 16
)

// fewBands is the desired number of bands per worker: with fewer bands, it is worth planning again with narrower ones.
const fewBands = 4

// pixelsFor returns about how many pixels a band has if each of some workers gets several bands.
func (c *correlation) pixelsFor(workers int) int {
	all := c.q.n * c.q.g * broadcast.Size(c.result.shape[3:])
	return min(mostBandPixels, max(bandPixels, all/(8*workers)))
}

// planPixelLanes plans the tiles of bands of about the given number of pixels, directly in the source if its pixels are
// contiguous.
func (c *correlation) planPixelLanes(pixels int) *pixelLanes {
	u := &pixelLanes{correlation: c, blocks: strided.CeilDiv(c.outChannels, c.kernels.Filters)}
	u.filters = strided.CeilDiv(c.outChannels, u.blocks)
	u.width = c.kernels.Width(u.filters)
	for _, inPlace := range []bool{true, false} {
		if inPlace && !c.fits() {
			continue
		}
		u.layout = c.layOut(c.inChannels, pixels, inPlace)
		u.subs = c.subconvolutions(u.layout, c.inChannels, 0)
		if !inPlace || u.inOrder() {
			break
		}
	}
	return u
}

// inOrder reports whether the pixels of every subconvolution are contiguous in the source, and so many that no tile
// reads beyond the last one.
func (u *pixelLanes) inOrder() bool {
	for i := range u.subs {
		p := &u.subs[i]
		total, count := u.reach(p, p.counts), broadcast.Size(p.counts[:])
		if p.counts[2] > 1 && u.pixelStride[2] != 1 || total < u.width || 4*total > 5*count {
			return false
		}
		if p.counts[1] > 1 && u.pixelStride[1] < p.counts[2] || p.counts[0] > 1 && u.pixelStride[0] < u.pixelStride[1]*p.counts[1] {
			return false
		}
		if u.reach(p, u.countsOf(p, u.rowsOf(u.correlation, u.bands-1))) < u.width {
			return false
		}
	}
	return true
}

// reach is the distance from the first of some pixels to the last.
func (u *pixelLanes) reach(p *subconvolution, counts [3]int) int {
	total := 1
	for axis, n := range counts {
		if n == 0 {
			return 0
		}
		total += (n - 1) * u.pixelStride[axis]
	}
	return total
}

func (u *pixelLanes) countsOf(p *subconvolution, rows int) [3]int {
	counts := p.counts
	counts[u.band] = u.axes[u.band].pixels(rows, p.phase[u.band])
	return counts
}

// effort estimates the number of products for an image's group, including those of unused pixels.
func (u *pixelLanes) effort() float64 {
	sum := 0.0
	for i := range u.subs {
		p := &u.subs[i]
		sum += float64(strided.RoundUp(u.reach(p, p.counts), u.width)) * float64(u.bands) * float64(len(p.offset))
	}
	sum *= float64(u.blocks) * (float64(u.filters) + 0.7)
	if r := u.result; r.strides[5]*u.axes[2].step != 1 && r.shape[5] > 1 {
		sum += apartEffort * float64(u.outChannels*broadcast.Size(r.shape[3:]))
	}
	return sum
}

// apartEffort is the number of products that take as long as storing an isolated sum.
const apartEffort = 60

// channelEffort estimates the effort with output channels in lanes, including the transposition of the sums.
func (c *correlation) channelEffort() float64 {
	wide := float64(strided.RoundUp(c.outChannels, c.kernels.Lanes))
	terms := float64(c.inChannels*c.q.taps) / float64(c.axes[0].step*c.axes[1].step*c.axes[2].step)
	return float64(broadcast.Size(c.result.shape[3:])) * wide * (1.08*terms + 25)
}

// correlate computes the result with the fastest algorithm. The algorithms split long sums at different terms. So the
// choice assumes the bands of one worker, however many workers there are: a pixel's sums do not depend on its band.
func correlate[T scalar.Number](c *correlation) {
	if u := c.planLowPlanes(); u != nil {
		correlateLowPlanes[T](u)
		return
	}
	if c.slides() {
		correlateSliding[T](c)
		return
	}
	if c.byWinograd() && correlateByWinograd(c) {
		return
	}
	if c.tapByTap() && c.weightIsFinite() {
		correlateTapByTap[T](c)
		return
	}
	pixels := c.pixelsFor(1)
	u := c.planPixelLanes(pixels)
	if u.effort() >= c.channelEffort() {
		correlateChannelLanes[T](c)
		return
	}
	if n := workers.Count(); c.q.n*c.q.g*u.bands < fewBands*n && c.pixelsFor(n) < pixels {
		u = c.planPixelLanes(c.pixelsFor(n))
	}
	correlatePixelLanes[T](u)
}

func correlatePixelLanes[T scalar.Number](u *pixelLanes) {
	q := u.q
	q.clamping.applied = q.clamping.bounds != nil
	var space *memory.Scratch
	bytes := (q.g*u.packedSize(len(u.subs)) + 1) * u.kernels.Size // subconvolutions without terms come last
	u.packed, space = q.packed(forPixelLanes, bytes, func(at unsafe.Pointer) {
		findWeights[T](u.correlation, u.subs)
		u.packed = at
		workers.ForRanges(q.g, float64(u.packedSize(len(u.subs))), u.packGroups)
	})
	defer recycle(space)
	units := q.n * q.g * u.bands
	workers.ForRanges(units, u.cost()/float64(units), func(from, to int) {
		sums := min(u.blocks, tileBlocks) * u.filters * u.width
		planes := 0
		if !u.inPlace {
			planes = u.size + u.width
		}
		space := memory.TakeScratch((sums + planes) * u.kernels.Size)
		all := memory.Room[T](space, 0, sums+planes)[sums:]
		clear(all)
		f := u.fillingOf(u.correlation, from%u.bands)
		for unit := from; unit < to; unit++ {
			runPixelLanes(u, f, unit/u.bands/q.g, unit/u.bands%q.g, unit%u.bands, space.At(0), all)
		}
		space.Recycle()
	})
}

// packedSize is how many elements the packed weights of a group have in the subconvolutions before one.
func (u *pixelLanes) packedSize(subs int) int {
	n := 0
	for i := range subs {
		n += len(u.subs[i].offset)
	}
	return n * u.blocks * u.filters
}

// packedWeights returns the address of the packed weights of a subconvolution, block by block.
func (u *pixelLanes) packedWeights(g, sub int) unsafe.Pointer {
	return unsafe.Add(u.packed, (g*u.packedSize(len(u.subs))+u.packedSize(sub))*u.kernels.Size)
}

func (u *pixelLanes) packGroups(from, to int) {
	for g := from; g < to; g++ {
		for i := range u.subs {
			p := &u.subs[i]
			for b := range u.blocks {
				channel := b * u.filters
				panel := unsafe.Add(u.packedWeights(g, i), channel*len(p.offset)*u.kernels.Size)
				u.pack(p, panel, g, channel, min(u.filters, u.outChannels-channel), u.filters, 0, len(p.offset))
			}
		}
	}
}

// runPixelLanes computes a unit, with room for the sums of a tile and for the planes.
func runPixelLanes[T scalar.Number](u *pixelLanes, f *planeFilling, n, g, band int, sums unsafe.Pointer, planes []T) {
	size, base := u.kernels.Size, unsafe.Pointer(unsafe.SliceData(planes))
	if u.inPlace {
		base = u.base(u.correlation, n, g, 0, band)
	} else {
		f.change(band)
		fillPlanes(f, planes, n, g, 0, u.inChannels)
	}
	rows := u.rowsOf(u.correlation, band)
	result := unsafe.Add(u.result.at(n, g, 0), band*u.height*u.result.strides[3+u.band]*size)
	for i := range u.subs {
		p := &u.subs[i]
		t := pixelTiles[T]{pixelLanes: u, g: g, offset: p.offset, weights: u.packedWeights(g, i), base: base, sums: sums, counts: u.countsOf(p, rows)}
		t.total = u.reach(p, t.counts)
		if t.total == 0 {
			continue
		}
		at := 0
		for axis, a := range u.axes {
			stride := u.result.strides[3+axis]
			t.step[axis] = a.step * stride
			at += p.phase[axis] * stride
		}
		t.first = (*T)(unsafe.Add(result, at*size))
		t.run()
	}
}

// pixelTiles are the pixels of a subconvolution in a band.
type pixelTiles[T scalar.Number] struct {
	*pixelLanes
	g       int
	offset  []int
	weights unsafe.Pointer
	base    unsafe.Pointer
	sums    unsafe.Pointer
	counts  [3]int
	total   int    // number of pixels, including the unused ones
	first   *T     // of the result's elements
	step    [3]int // distance of the pixels in the result
}

// run computes the sums tile by tile. The last tile computes some pixels again, and may reach beyond the last pixel.
func (t *pixelTiles[T]) run() {
	whole := t.total == broadcast.Size(t.counts[:]) && t.total >= t.width && t.step[2] == 1 && t.stepsAlike()
	group := tileBlocks
	for at := 0; at < t.total; at += t.width {
		at := min(at, max(0, t.total-t.width))
		for block := 0; block < t.blocks; block += group {
			channel, blocks := block*t.filters, min(group, t.blocks-block)
			channels := min(blocks*t.filters, t.outChannels-channel)
			dst := memory.Advance(t.first, channel*t.result.strides[2])
			if whole && channels == blocks*t.filters {
				t.tile(at, block, blocks, unsafe.Pointer(memory.Advance(dst, at)), t.result.strides[2])
				continue
			}
			t.tile(at, block, blocks, t.sums, t.width)
			t.store(at, channels, dst)
		}
	}
}

// stepsAlike reports whether pixels that are contiguous in the source are evenly spaced in the result.
func (t *pixelTiles[T]) stepsAlike() bool {
	return (t.counts[1] == 1 || t.step[1] == t.pixelStride[1]) && (t.counts[0] == 1 || t.step[0] == t.pixelStride[0])
}

// tile computes the sums of some blocks of channels for the pixels from one on.
func (t *pixelTiles[T]) tile(at, block, blocks int, c unsafe.Pointer, stride int) {
	size := t.kernels.Size
	x := unsafe.Add(t.base, at*size)
	for k := 0; k == 0 || k < len(t.offset); k += conv.MostTerms {
		end := min(k+conv.MostTerms, len(t.offset))
		offset := t.offset[k:end]
		for b := range blocks {
			w := unsafe.Add(t.weights, ((block+b)*len(t.offset)+k)*t.filters*size)
			var start unsafe.Pointer
			if k == 0 {
				start = t.start(t.g, (block+b)*t.filters)
			}
			t.kernels.WithPositions(t.filters, x, offset, w, unsafe.Add(c, b*t.filters*stride*size), stride, k > 0, start, t.q.clamp(end == len(t.offset)))
		}
	}
}

// store copies a tile's sums for some channels to the result, in runs of contiguous pixels.
func (t *pixelTiles[T]) store(at, channels int, dst *T) {
	plane := t.total
	if t.counts[0] > 1 {
		plane = t.pixelStride[0]
	}
	line := plane
	if t.counts[1] > 1 {
		line = t.pixelStride[1]
	}
	end := min(at+t.width, t.total)
	for p := at; p < end; {
		i, j, k := p/plane, p%plane/line, p%plane%line
		if j >= t.counts[1] {
			p = (i + 1) * plane
			continue
		}
		if k < t.counts[2] {
			n := min(t.counts[2]-k, end-p)
			t.storeRun(n, channels, memory.Advance(dst, i*t.step[0]+j*t.step[1]+k*t.step[2]), unsafe.Add(t.sums, (p-at)*t.kernels.Size))
		}
		p += line - k
	}
}

func (t *pixelTiles[T]) storeRun(n, channels int, dst *T, sums unsafe.Pointer) {
	if t.step[2] == 1 || n == 1 {
		t.kernels.CopyRows(channels, n, unsafe.Pointer(dst), t.result.strides[2], sums, t.width)
		return
	}
	for m := range channels {
		storeStrided(memory.Advance(dst, m*t.result.strides[2]), t.step[2], memory.Slice[T](unsafe.Add(sums, m*t.width*t.kernels.Size), n))
	}
}

// storeStrided stores elements with a stride.
func storeStrided[T scalar.Number](dst *T, step int, x []T) {
	for i, v := range x {
		*memory.Advance(dst, i*step) = v
	}
}
