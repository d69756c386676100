package cpu

import "unsafe"

// inPlaces does a correlation with places in lanes: those of a band follow each other in the planes, with some between the
// rows that do not count. It suits results of few rows, and large maps. A unit of work is a band of a group of an image.
type inPlaces struct {
	*correlation
	*layout
	passes  []pass
	filters int // rows of the result that a tile has
	blocks  int // of so many rows
	width   int // places of a tile
	packed  unsafe.Pointer
}

// Sizes for places in lanes: places of a band, and the terms that are summed up at once.
const (
	mostBandPlaces = 8192
	placeTerms     = 512
)

// spread plans the tiles, in the source itself if its places follow each other.
func (c *correlation) spread() *inPlaces {
	all := product(c.result.shape[3:])
	places := min(mostBandPlaces, max(bandPlaces, c.q.n*c.q.g*all/(8*workers.count())))
	u := &inPlaces{correlation: c, blocks: ceilDiv(c.rows, c.kernels.Filters)}
	u.filters = ceilDiv(c.rows, u.blocks)
	u.width = c.kernels.Width(u.filters)
	for _, inPlace := range []bool{true, false} {
		if inPlace && !c.fits() {
			continue
		}
		u.layout = c.layOut(c.channels, places, inPlace)
		u.passes = c.passes(u.layout, c.channels, 0)
		if !inPlace || u.inOrder() {
			break
		}
	}
	return u
}

// inOrder reports whether the places of every pass follow each other in the source itself, so many of them that no tile
// reads anything beyond the last.
func (u *inPlaces) inOrder() bool {
	for i := range u.passes {
		p := &u.passes[i]
		total, count := u.span(p, p.counts), product(p.counts[:])
		if p.counts[2] > 1 && u.cell[2] != 1 || total < u.width || 4*total > 5*count {
			return false
		}
		if p.counts[1] > 1 && u.cell[1] < p.counts[2] || p.counts[0] > 1 && u.cell[0] < u.cell[1]*p.counts[1] {
			return false
		}
		if u.span(p, u.countsOf(p, u.rowsOf(u.correlation, u.bands-1))) < u.width {
			return false
		}
	}
	return true
}

// span is from the first of some places to the last.
func (u *inPlaces) span(p *pass, counts [3]int) int {
	total := 1
	for axis, n := range counts {
		if n == 0 {
			return 0
		}
		total += (n - 1) * u.cell[axis]
	}
	return total
}

func (u *inPlaces) countsOf(p *pass, rows int) [3]int {
	counts := p.counts
	counts[u.band] = u.axes[u.band].places(rows, p.phase[u.band])
	return counts
}

// effort estimates the products that are made for an image's group, those that do not count among them.
func (u *inPlaces) effort() float64 {
	sum := 0.0
	for i := range u.passes {
		p := &u.passes[i]
		sum += float64(roundUp(u.span(p, p.counts), u.width)) * float64(u.bands) * float64(len(p.offset))
	}
	sum *= float64(u.blocks) * (float64(u.filters) + 0.7)
	if r := u.result; r.strides[5]*u.axes[2].step != 1 && r.shape[5] > 1 {
		sum += apartEffort * float64(u.rows*product(r.shape[3:]))
	}
	return sum
}

// apartEffort is how many products take as long as storing a sum that has no neighbours.
const apartEffort = 60

// laneEffort estimates the same for rows in lanes, and what it takes to transpose the sums.
func (c *correlation) laneEffort() float64 {
	wide := float64(roundUp(c.rows, c.kernels.Lanes))
	terms := float64(c.channels*c.q.window) / float64(c.axes[0].step*c.axes[1].step*c.axes[2].step)
	return float64(product(c.result.shape[3:])) * wide * (1.08*terms + 25)
}

// correlate computes the result in the way that takes less.
func correlate[T number](c *correlation) {
	if u := c.spread(); u.effort() < c.laneEffort() {
		correlateInPlaces[T](u)
		return
	}
	correlateInLanes[T](c)
}

func correlateInPlaces[T number](u *inPlaces) {
	q := u.q
	findWeights[T](u.correlation, u.passes)
	packed := takeScratch((u.q.g*u.packedSize(len(u.passes)) + 1) * u.kernels.Size) // passes without terms lie at the end
	u.packed = packed.at(0)
	forRanges(q.g, float64(u.packedSize(len(u.passes))), u.packGroups)
	units := q.n * q.g * u.bands
	forRanges(units, u.cost()/float64(units), func(from, to int) {
		sums := u.blocks * u.filters * (u.stripLength() + 2*u.width)
		planes := 0
		if !u.inPlace {
			planes = u.size + u.width
		}
		space := takeScratch((sums + planes) * u.kernels.Size)
		all := room[T](space, 0, sums+planes)[sums:]
		clear(all)
		for unit := from; unit < to; unit++ {
			runInPlaces(u, unit/u.bands/q.g, unit/u.bands%q.g, unit%u.bands, space.at(0), all)
		}
		space.recycle()
	})
	packed.recycle()
}

// packedSize is how many elements the packed weights of a group have in the passes before one.
func (u *inPlaces) packedSize(passes int) int {
	n := 0
	for i := range passes {
		n += len(u.passes[i].offset)
	}
	return n * u.blocks * u.filters
}

// packedWeights returns where those of a block of rows lie.
func (u *inPlaces) packedWeights(g, pass, block int) unsafe.Pointer {
	at := g*u.packedSize(len(u.passes)) + u.packedSize(pass) + block*u.filters*len(u.passes[pass].offset)
	return unsafe.Add(u.packed, at*u.kernels.Size)
}

func (u *inPlaces) packGroups(from, to int) {
	for g := from; g < to; g++ {
		for i := range u.passes {
			p := &u.passes[i]
			for b := range u.blocks {
				row := b * u.filters
				u.pack(p, u.packedWeights(g, i, b), g, row, min(u.filters, u.rows-row), u.filters, 0, len(p.offset))
			}
		}
	}
}

// stripBytes bounds the sums of a strip.
const stripBytes = 32 << 10

// runInPlaces does a unit, with room for the sums of a strip and for the planes.
func runInPlaces[T number](u *inPlaces, n, g, band int, sums unsafe.Pointer, planes []T) {
	size, base := u.kernels.Size, unsafe.Pointer(unsafe.SliceData(planes))
	if u.inPlace {
		base = u.base(u.correlation, n, g, 0, band)
	} else {
		fillPlanes(u.correlation, u.layout, planes, n, g, 0, u.channels, band)
	}
	rows := u.rowsOf(u.correlation, band)
	result := unsafe.Add(u.result.at(n, g, 0), band*u.height*u.result.strides[3+u.band]*size)
	for i := range u.passes {
		p := &u.passes[i]
		s := strips[T]{inPlaces: u, offset: p.offset, g: g, pass: i, base: base, sums: sums, counts: u.countsOf(p, rows)}
		s.total = u.span(p, s.counts)
		if s.total == 0 {
			continue
		}
		at := 0
		for axis, a := range u.axes {
			stride := u.result.strides[3+axis]
			s.step[axis] = a.step * stride
			at += p.phase[axis] * stride
		}
		s.first = (*T)(unsafe.Add(result, at*size))
		s.run()
	}
}

// stripLength is how many places of the planes a strip has: whole rows.
func (u *inPlaces) stripLength() int {
	row := 0
	for i := range u.passes {
		row = max(row, u.cell[1], u.passes[i].counts[2])
	}
	fit := stripBytes / (u.kernels.Size * u.blocks * u.filters * row)
	return row * max(1, min(fit, u.result.shape[4]))
}

// strips are the places of a pass in a band.
type strips[T number] struct {
	*inPlaces
	offset []int
	pass   int
	g      int
	base   unsafe.Pointer
	sums   unsafe.Pointer
	counts [3]int
	total  int    // places, those that do not count among them
	first  *T     // of the result's elements
	step   [3]int // from place to place in the result
}

func (s *strips[T]) run() {
	if s.total == product(s.counts[:]) && s.total >= s.width && s.step[2] == 1 && s.stepsAlike() && s.rows%s.filters == 0 {
		for at := 0; at < s.total; at += s.width {
			at := min(at, s.total-s.width) // the last tile does some places again
			s.tile(at, unsafe.Pointer(advance(s.first, at)), s.result.strides[2])
		}
		return
	}
	row := s.counts[2]
	if s.counts[1] > 1 {
		row = s.cell[1]
	}
	height := max(1, s.stripLength()/row)
	for i := range s.counts[0] {
		for j := 0; j < s.counts[1]; j += height {
			s.strip(i, j, min(height, s.counts[1]-j))
		}
	}
}

// stepsAlike reports whether places that follow each other without gaps do so in the result.
func (s *strips[T]) stepsAlike() bool {
	return (s.counts[1] == 1 || s.step[1] == s.cell[1]) && (s.counts[0] == 1 || s.step[0] == s.cell[0])
}

// strip does rows from one on.
func (s *strips[T]) strip(i, j, rows int) {
	from := 0
	if s.counts[0] > 1 {
		from = i * s.cell[0]
	}
	if s.counts[1] > 1 {
		from += j * s.cell[1]
	}
	length := (rows-1)*s.cell[1] + s.counts[2]
	stride := roundUp(length, s.width) + s.width
	// The last tile of all may begin before the strip, so that it reads nothing beyond the places.
	for at := 0; at < length; at += s.width {
		begin := from + at
		if s.total >= s.width && begin > s.total-s.width {
			begin = s.total - s.width
		}
		s.tile(begin, unsafe.Add(s.sums, (s.width+begin-from)*s.kernels.Size), stride)
	}
	dst := advance(s.first, i*s.step[0]+j*s.step[1])
	for m := range s.rows {
		sums := unsafe.Add(s.sums, (s.width+m*stride)*s.kernels.Size)
		if s.step[2] == 1 || s.counts[2] == 1 {
			s.kernels.CopyRows(rows, s.counts[2], unsafe.Pointer(advance(dst, m*s.result.strides[2])), s.step[1], sums, s.cell[1])
			continue
		}
		for r := range rows {
			spreadRun(advance(dst, m*s.result.strides[2]+r*s.step[1]), s.step[2], elements[T](unsafe.Add(sums, r*s.cell[1]*s.kernels.Size), s.counts[2]))
		}
	}
}

// tile makes the sums of all rows of the result for the places from one on.
func (s *strips[T]) tile(at int, c unsafe.Pointer, stride int) {
	size := s.kernels.Size
	x := unsafe.Add(s.base, at*size)
	for k := 0; k == 0 || k < len(s.offset); k += placeTerms {
		end := min(k+placeTerms, len(s.offset))
		for b := range s.blocks {
			w := unsafe.Add(s.packedWeights(s.g, s.pass, b), k*s.filters*size)
			s.kernels.WithPlaces(s.filters, x, s.offset[k:end], w, unsafe.Add(c, b*s.filters*stride*size), stride, k > 0)
		}
	}
}

// spreadRun stores elements in steps.
func spreadRun[T number](dst *T, step int, x []T) {
	for i, v := range x {
		*advance(dst, i*step) = v
	}
}
