package conv

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// channelLanes computes a correlation with output channels in vector lanes. A unit of work is some images of a group,
// or a band of one image.
type channelLanes struct {
	*correlation
	*layout
	subs   []subconvolution
	images int            // of a unit
	panels unsafe.Pointer // of all weights, if they are kept, or so few that they are packed once
}

// panelsBytes limits the weights that are packed once, in advance: larger weights are packed by each unit.
const panelsBytes = 1 << 20

// unitPixels is about how many pixels use the weights that one unit packs. imageBytes limits the planes of the images
// that have so many pixels.
const (
	unitPixels = 1600
	imageBytes = 8 << 20
)

// channelBlock is count output channels starting at first, for which the width of one tile is enough.
type channelBlock struct{ first, count, vectors int }

// bandPixels is how many pixels use a packed panel of weights.
const bandPixels = 448

// productCost is the cost of a product and sum, in nanoseconds.
const productCost = 0.02

func correlateChannelLanes[T scalar.Number](c *correlation) {
	u := &channelLanes{correlation: c, images: 1}
	c.q.clamping.applied = c.q.clamping.bounds != nil
	blocks := c.blocks()
	u.layout = c.layOut(c.inChannels, bandPixels, c.fits())
	if tasks := c.tasks(c.q.n * c.q.g * len(blocks)); u.bands < tasks {
		u.layout = c.layOut(c.inChannels, strided.CeilDiv(u.pixelsOf(c.result.shape[3+u.band]), tasks), u.inPlace)
	}
	if u.bands == 1 {
		pixels := bandPixels
		if c.q.g*c.inChannels*c.q.taps*u.wide()*c.kernels.Size > panelsBytes {
			pixels = unitPixels
		}
		u.images = strided.CeilDiv(pixels, u.pixelsOf(u.height))
		if !u.inPlace {
			u.images = max(1, min(u.images, imageBytes/max(1, u.size*c.kernels.Size)))
		}
		u.images = strided.CeilDiv(c.q.n, strided.CeilDiv(c.q.n, u.images)) // units of about the same size
	}
	u.subs = c.subconvolutions(u.layout, c.inChannels, u.images)
	units, parts := strided.CeilDiv(c.q.n, u.images)*c.q.g*u.bands, 1
	if n := workers.Count(); n > 1 && units < 4*n {
		parts = min(len(blocks), strided.CeilDiv(2*n, units)) // each unit makes its planes itself
	}
	panels := u.packAll(blocks, func() { findWeights[T](c, u.subs) })
	defer recycle(panels)
	workers.ForRanges(units*parts, c.cost()/float64(units*parts), func(from, to int) {
		for task := from; task < to; task++ {
			part, unit := task%parts, task/parts
			band, g, n := unit%u.bands, unit/u.bands%c.q.g, unit/u.bands/c.q.g*u.images
			runChannelLanes[T](u, n, g, band, blocks[len(blocks)*part/parts:len(blocks)*(part+1)/parts])
		}
	})
}

// tasks returns into how many bands each of some independent parts of the work should be split at least, so that all workers have
// some: a pixel's sums do not depend on its band.
func (c *correlation) tasks(parts int) int {
	n := workers.Count()
	if n == 1 || !workers.Sharing(workers.Estimate(1, c.cost())) {
		return 1
	}
	return strided.CeilDiv(2*n, max(parts, 1))
}

// packAll packs the weights of all groups, which find finds, if they are few or are kept, and returns memory to recycle.
func (u *channelLanes) packAll(blocks []channelBlock, find func()) (space *memory.Scratch) {
	group := u.termsBefore(len(u.subs)) * u.wide()
	if u.q.kept == nil && group*u.q.g*u.kernels.Size > panelsBytes {
		find()
		return nil
	}
	bytes := (group*u.q.g + 1) * u.kernels.Size // subconvolutions without terms come last
	u.panels, space = u.q.packed(forChannelLanes, bytes, func(at unsafe.Pointer) {
		find()
		u.panels = at
		workers.ForRanges(u.q.g, float64(group)*0.5, func(from, to int) {
			for g := from; g < to; g++ {
				for i := range u.subs {
					p := &u.subs[i]
					for _, b := range blocks {
						width := b.vectors * u.kernels.Lanes
						u.pack(p, u.panel(g, i, b, 0), g, b.first, b.count, width, 0, len(p.offset))
					}
				}
			}
		})
	})
	return space
}

// wide is the number of output channels, rounded up to whole vectors.
func (u *channelLanes) wide() int { return strided.RoundUp(u.outChannels, u.kernels.Lanes) }

// termsBefore is the number of terms of the subconvolutions before one.
func (u *channelLanes) termsBefore(sub int) int {
	n := 0
	for i := range sub {
		n += len(u.subs[i].offset)
	}
	return n
}

// panel returns the address of the packed weights of a block of channels, starting at a term.
func (u *channelLanes) panel(g, sub int, b channelBlock, k int) unsafe.Pointer {
	before := (g*u.termsBefore(len(u.subs))+u.termsBefore(sub))*u.wide() + b.first*len(u.subs[sub].offset)
	return unsafe.Add(u.panels, (before+k*b.vectors*u.kernels.Lanes)*u.kernels.Size)
}

// cost estimates the time of a convolution, in nanoseconds.
func (c *correlation) cost() float64 {
	q := c.q
	return float64(q.n*q.g*q.m*q.c) * float64(q.pixels) * float64(q.taps) * productCost
}

// blocks splits the output channels, as evenly as vectors allow.
func (c *correlation) blocks() []channelBlock {
	all := strided.CeilDiv(c.outChannels, c.kernels.Lanes)
	blocks := make([]channelBlock, strided.CeilDiv(all, c.kernels.Vectors))
	for i := range blocks {
		from, to := all*i/len(blocks), all*(i+1)/len(blocks)
		first := from * c.kernels.Lanes
		blocks[i] = channelBlock{first, min(to*c.kernels.Lanes, c.outChannels) - first, to - from}
	}
	return blocks
}

// pixelsOf returns how many pixels of an image a band with the given number of rows has.
func (u *channelLanes) pixelsOf(rows int) int {
	return rows * (broadcast.Size(u.result.shape[3:]) / u.result.shape[3+u.band])
}

func runChannelLanes[T scalar.Number](u *channelLanes, n, g, band int, blocks []channelBlock) {
	size := u.kernels.Size
	images, rows := min(u.images, u.q.n-n), u.rowsOf(u.correlation, band)
	slots := u.images * u.pixelsOf(u.height)
	room := (slots + 1) * u.kernels.Vectors * u.kernels.Lanes * size
	planes := 0
	if !u.inPlace {
		planes = images * u.size
	}
	space := memory.TakeScratch(panelBytes + room + tableBytes + planes*size)
	panel, sums, tables := space.At(0), space.At(panelBytes), space.At(panelBytes+room)
	var base unsafe.Pointer
	if u.inPlace {
		base = u.base(u.correlation, n, g, 0, band)
	} else {
		base = space.At(panelBytes + room + tableBytes)
		f := u.fillingOf(u.correlation, band)
		for image := range images {
			f.clean = false
			fillPlanes(f, memory.Slice[T](base, planes)[image*u.size:], n+image, g, 0, u.inChannels)
		}
	}
	prefetches := isa.PrefetchesPasses(images * u.size * size)
	for _, b := range blocks {
		width := b.vectors * u.kernels.Lanes
		for i := range u.subs {
			p := &u.subs[i]
			count := images * p.pixelsIn(u.correlation, u.layout, rows)
			terms := u.terms(p, width)
			for k := 0; k == 0 || k < len(p.offset); k += terms {
				end := min(k+terms, len(p.offset))
				if u.panels != nil {
					panel = u.panel(g, i, b, k)
				} else {
					u.pack(p, panel, g, b.first, b.count, width, k, end)
				}
				start := u.start(g, b.first)
				if k > 0 {
					start = nil
				}
				ahead := 0
				if prefetches && end < len(p.offset) {
					ahead = (p.offset[end] - p.offset[k]) * size
				}
				u.tiles(p, b.vectors, base, p.offset[k:end], panel, sums, tables, count, slots, k > 0, start, ahead, u.q.clamp(end == len(p.offset)))
			}
		}
		for image := range images {
			storeChannelLanes[T](u, b, unsafe.Add(sums, image*u.pixelsOf(u.height)*width*size), n+image, g, band, rows)
		}
	}
	space.Recycle()
}

// mostTilePixels is the maximum number of pixels of a tile; tableBytes has room for two tables of them.
const (
	mostTilePixels = 16
	tableBytes     = 2 * 8 * mostTilePixels
)

// tiles computes the sums of some terms for all pixels of a subconvolution. The unused pixels of a tile go to a slot
// that is never read. The terms of the next pass lie ahead bytes behind those of this one.
func (u *channelLanes) tiles(p *subconvolution, vectors int, base unsafe.Pointer, offset []int, panel, sums, tables unsafe.Pointer, count, trash int, add bool, start unsafe.Pointer, ahead int, clamp unsafe.Pointer) {
	n, width := u.kernels.Positions(vectors), vectors*u.kernels.Lanes
	both := memory.Slice[int](tables, 2*mostTilePixels)
	from, to := both[:n], both[mostTilePixels:][:n]
	for at := 0; at < count; at += n {
		own, targets := p.from[at:], p.to[at:]
		if at+n <= count {
			targets = targets[:len(to)]
			for i := range to {
				to[i] = targets[i] * width
			}
			u.kernels.WithFilters(vectors, base, own[:n], offset, panel, sums, to, add, start, ahead, clamp)
			continue
		}
		for i := range to {
			from[i], to[i] = own[0], trash*width
			if at+i < count {
				from[i], to[i] = own[i], targets[i]*width
			}
		}
		u.kernels.WithFilters(vectors, base, from, offset, panel, sums, to, add, start, ahead, clamp)
	}
}

// storeChannelLanes copies the sums of a band of an image to the result.
func storeChannelLanes[T scalar.Number](u *channelLanes, b channelBlock, sums unsafe.Pointer, n, g, band, rows int) {
	r, size, width := u.result, u.kernels.Size, b.vectors*u.kernels.Lanes
	base := unsafe.Add(r.at(n, g, b.first), band*u.height*r.strides[3+u.band]*size)
	step, flat := r.flat(3)
	count := u.pixelsOf(rows)
	if flat && (step == 1 || count == 1) {
		u.kernels.Transpose(count, b.count, base, r.strides[2], sums, width)
		return
	}
	shape := [3]int(r.shape[3:])
	shape[u.band] = rows
	pixel := 0
	for i := range shape[0] {
		for j := range shape[1] {
			for k := range shape[2] {
				dst := (*T)(unsafe.Add(base, (i*r.strides[3]+j*r.strides[4]+k*r.strides[5])*size))
				from := memory.Slice[T](unsafe.Add(sums, pixel*width*size), b.count)
				pixel++
				if r.strides[2] == 1 {
					copy(unsafe.Slice(dst, b.count), from)
					continue
				}
				for m, v := range from {
					*memory.Advance(dst, m*r.strides[2]) = v
				}
			}
		}
	}
}
