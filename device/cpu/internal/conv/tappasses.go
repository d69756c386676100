package conv

import (
	"slices"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/conv"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// tapPasses computes a correlation with output channels in vector lanes, like channelLanes, but with one pass for each tap: over
// the pixels for which the tap lies in the source. So nothing is multiplied by the zeros of a padding, which are a fifth of all
// terms of a 3×3 window on 7×7 pixels. The source is laid out with the channels next to each other. A unit of work is some
// images of a group, or a band of one image.
type tapPasses struct {
	*correlation
	sub      subconvolution
	passes   []subconvolution // the pixels of each tap
	images   int              // of a unit
	bands    int              // of an image: parts of its rows, if a unit has one image
	height   int              // rows of a band
	pixels   int              // of an image of the result
	points   int              // of an image of the source
	ranges   int              // of the input channels: a pass adds up one of them
	channels int              // of a range
	offsets  []int            // of the channels of a range
	panels   unsafe.Pointer   // of all weights, if they are kept
}

// Tap passes are faster if at least this part of the products is with the padding, and if a pass has so many terms.
const (
	leastPadding   = 0.04
	leastPassTerms = 64
)

// passBytes limits the weights of a pass. passPixels is about how many pixels use the weights that a unit packs.
const (
	passBytes  = 48 << 10
	passPixels = 800
)

// hasOnePhase reports whether all pixels use the same taps: only then tap passes compute a correlation.
func (c *correlation) hasOnePhase() bool {
	return c.axes[0].step == 1 && c.axes[1].step == 1 && c.axes[2].step == 1
}

// tapByTap reports whether a correlation should be computed by tap passes, if its weight is finite.
func (c *correlation) tapByTap() bool {
	if !c.hasOnePhase() {
		return false
	}
	all, inside := 1, 1
	for k := range c.axes {
		a, n, within := &c.axes[k], c.result.shape[3+k], 0
		for _, shift := range a.phases[0].shifts {
			lo, hi := a.inside(shift, n, c.source.shape[3+k])
			within += hi - lo
		}
		all, inside = all*n*len(a.phases[0].shifts), inside*within
	}
	return float64(all-inside) >= leastPadding*float64(all) && c.inChannels >= leastPassTerms && c.outChannels >= 2*c.kernels.Lanes
}

// inside returns for which of n pixels a shift lies in a source of the given length.
func (a *axis) inside(shift, n, length int) (lo, hi int) {
	lo = min(max(0, strided.CeilDiv(-shift, a.advance)), n)
	return lo, max(lo, min(n, strided.CeilDiv(length-shift, a.advance)))
}

func correlateTapByTap[T scalar.Number](c *correlation) {
	q := c.q
	u := &tapPasses{correlation: c, pixels: broadcast.Size(c.result.shape[3:]), points: broadcast.Size(c.source.shape[3:])}
	blocks := c.blocks()
	u.ranges = strided.CeilDiv(c.inChannels, min(passBytes/(blocks[0].vectors*c.kernels.Lanes*c.kernels.Size), conv.MostTerms))
	u.channels = strided.CeilDiv(c.inChannels, u.ranges)
	u.images = max(1, min(strided.CeilDiv(passPixels, u.pixels), imageBytes/(c.inChannels*u.points*c.kernels.Size)))
	u.images = strided.CeilDiv(q.n, strided.CeilDiv(q.n, u.images)) // units of about the same size
	u.offsets = multiples(1, u.channels)
	u.sub.findTaps(c, &layout{inPlace: true}, 0)
	find := func() {
		subs := []subconvolution{u.sub}
		findWeights[T](c, subs)
		u.sub = subs[0]
	}
	u.findPasses()
	rows := c.result.shape[3+c.bandAxis()]
	u.bands, u.height = 1, rows
	if u.images == 1 {
		u.height = strided.CeilDiv(rows, c.tasks(q.n*q.g*len(blocks)))
		u.bands = strided.CeilDiv(rows, u.height)
	}
	if q.kept == nil {
		find()
	} else {
		u.panels, _ = q.packed(forTapPasses, q.g*u.group()*c.kernels.Size, func(at unsafe.Pointer) {
			find()
			u.panels = at
			for g := range q.g {
				for _, b := range blocks {
					for r := range u.ranges {
						u.packTaps(u.panel(g, b, r), g, b, r)
					}
				}
			}
		})
	}
	units, parts := strided.CeilDiv(q.n, u.images)*q.g*u.bands, 1
	if n := workers.Count(); n > 1 && units < 4*n {
		parts = min(len(blocks), strided.CeilDiv(2*n, units)) // each unit lays its source out itself
	}
	workers.ForRanges(units*parts, c.cost()/float64(units*parts), func(from, to int) {
		for task := from; task < to; task++ {
			part, unit := task%parts, task/parts
			runTapPasses[T](u, unit/u.bands/q.g*u.images, unit/u.bands%q.g, unit%u.bands, blocks[len(blocks)*part/parts:len(blocks)*(part+1)/parts])
		}
	})
}

// findPasses finds the pixels of each tap, for all images of a unit.
func (u *tapPasses) findPasses() {
	size, result, axes := u.source.shape[3:], u.result.shape[3:], &u.axes
	for _, i := range axes[0].phases[0].shifts {
		for _, j := range axes[1].phases[0].shifts {
			for _, k := range axes[2].phases[0].shifts {
				var lo, hi [3]int
				for axis, shift := range [3]int{i, j, k} {
					lo[axis], hi[axis] = axes[axis].inside(shift, result[axis], size[axis])
				}
				count := u.images * (hi[0] - lo[0]) * (hi[1] - lo[1]) * (hi[2] - lo[2])
				p := subconvolution{from: make([]int, 0, count), to: make([]int, 0, count)}
				for image := range u.images {
					for a := lo[0]; a < hi[0]; a++ {
						for b := lo[1]; b < hi[1]; b++ {
							from := ((image*size[0]+a*axes[0].advance+i)*size[1]+b*axes[1].advance+j)*size[2] + k
							to := ((image*result[0]+a)*result[1] + b) * result[2]
							for c := lo[2]; c < hi[2]; c++ {
								p.from, p.to = append(p.from, (from+c*axes[2].advance)*u.channels), append(p.to, to+c)
							}
						}
					}
				}
				u.passes = append(u.passes, p)
			}
		}
	}
}

func runTapPasses[T scalar.Number](u *tapPasses, n, g, band int, blocks []channelBlock) {
	size, images, slots := u.kernels.Size, min(u.images, u.q.n-n), u.images*u.pixels
	wide := u.kernels.Vectors * u.kernels.Lanes
	panels, room, source := u.sub.taps*u.channels*wide, (slots+1)*wide, u.images*u.points*u.channels
	space := memory.TakeScratch(tableBytes + (panels+room+u.ranges*source)*size)
	tables, panel, sums := space.At(0), space.At(tableBytes), space.At(tableBytes+panels*size)
	base := unsafe.Add(sums, room*size)
	for r := range u.ranges {
		layOutChannels[T](u, unsafe.Add(base, r*source*size), n, g, r, images)
	}
	axis := u.bandAxis()
	lanes := &channelLanes{correlation: u.correlation, layout: &layout{band: axis, height: u.height}}
	rows := lanes.rowsOf(u.correlation, band)
	first, count := band*lanes.pixelsOf(u.height), images*lanes.pixelsOf(rows) // the unit's pixels
	for _, b := range blocks {
		width := b.vectors * u.kernels.Lanes
		startSums(memory.Slice[T](unsafe.Add(sums, first*width*size), count*width), (*T)(u.start(g, b.first)), width)
		for r := range u.ranges {
			from := unsafe.Add(base, r*source*size)
			channels := u.channelsOf(r)
			if u.panels != nil {
				panel = u.panel(g, b, r)
			} else {
				u.packTaps(panel, g, b, r)
			}
			for tap := range u.passes {
				p, own := u.passes[tap].within(first, first+count), unsafe.Add(panel, tap*channels*width*size)
				lanes.tiles(&p, b.vectors, from, u.offsets[:channels], own, sums, tables, len(p.from), slots, true, nil, 0, nil)
			}
		}
		for image := range images {
			storeChannelLanes[T](lanes, b, unsafe.Add(sums, (first+image*u.pixels)*width*size), n+image, g, band, rows)
		}
	}
	space.Recycle()
}

// multiples returns the first n multiples of a step.
func multiples(step, n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i * step
	}
	return all
}

// within returns the pixels from one on to before another one.
func (s *subconvolution) within(first, end int) subconvolution {
	lo, _ := slices.BinarySearch(s.to, first)
	hi, _ := slices.BinarySearch(s.to, end)
	return subconvolution{from: s.from[lo:hi], to: s.to[lo:hi]}
}

// channelsOf returns the number of channels of a range.
func (u *tapPasses) channelsOf(r int) int { return min(u.channels, u.inChannels-r*u.channels) }

// startSums sets the sums of all pixels to the start values of the channels, or to zeros.
func startSums[T scalar.Number](sums []T, start *T, width int) {
	if start == nil {
		clear(sums)
		return
	}
	for i := 0; i < len(sums); i += width {
		copy(sums[i:], unsafe.Slice(start, width))
	}
}

// group is the number of elements of the packed weights of a group.
func (u *tapPasses) group() int {
	return u.sub.taps * u.inChannels * strided.RoundUp(u.outChannels, u.kernels.Lanes)
}

// panel returns the address of the packed weights of a block of output channels and a range of input channels.
func (u *tapPasses) panel(g int, b channelBlock, r int) unsafe.Pointer {
	at := g*u.group() + u.sub.taps*(b.first*u.inChannels+r*u.channels*b.vectors*u.kernels.Lanes)
	return unsafe.Add(u.panels, at*u.kernels.Size)
}

// packTaps lays out the weights of some output channels and a range of input channels: for each tap, the terms of the input
// channels, and for each term the output channels next to each other, padded with zeros.
func (u *tapPasses) packTaps(panel unsafe.Pointer, g int, b channelBlock, r int) {
	p, size, width, channels := &u.sub, u.kernels.Size, b.vectors*u.kernels.Lanes, u.channelsOf(r)
	if b.count < width {
		clear(memory.Slice[byte](panel, p.taps*channels*width*size))
	}
	source := unsafe.Add(p.weight, (g*p.groupStride+b.first*p.outStride+r*u.channels*p.inStride)*size)
	for in := range channels {
		u.kernels.Transpose(b.count, p.taps, unsafe.Add(panel, in*width*size), channels*width, unsafe.Add(source, in*p.inStride*size), p.outStride)
	}
}

// layOutChannels copies a range of the channels of some images, with the channels of each point next to each other.
func layOutChannels[T scalar.Number](u *tapPasses, dst unsafe.Pointer, n, g, r, images int) {
	s, first, channels := u.source, r*u.channels, u.channelsOf(r)
	if step, flat := s.flat(3); flat && (step == 1 || u.points == 1) {
		for image := range images {
			u.kernels.Transpose(channels, u.points, unsafe.Add(dst, image*u.points*u.channels*u.kernels.Size), u.channels, s.at(n+image, g, first), s.strides[2])
		}
		return
	}
	from, to := *s, *s
	from.base, from.shape = s.at(n, g, first), [6]int{images, 1, channels, s.shape[3], s.shape[4], s.shape[5]}
	to.base, to.shape = dst, from.shape
	to.strides = [6]int{u.points * u.channels, 0, 1, s.shape[4] * s.shape[5] * u.channels, s.shape[5] * u.channels, u.channels}
	copyTensor(&to, &from)
}
