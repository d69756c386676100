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
	filters := float64(u.filters)
	return sum * float64(u.blocks) * (filters + 0.7)
}

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
	packed := takeScratch(u.q.g * u.packedSize(len(u.passes)) * u.kernels.Size)
	u.packed = packed.at(0)
	forRanges(q.g, float64(u.packedSize(len(u.passes))), u.packGroups)
	units := q.n * q.g * u.bands
	forRanges(units, u.cost()/float64(units), func(from, to int) {
		for unit := from; unit < to; unit++ {
			runInPlaces[T](u, unit/u.bands/q.g, unit/u.bands%q.g, unit%u.bands)
		}
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

func runInPlaces[T number](u *inPlaces, n, g, band int) {
	size := u.kernels.Size
	room := u.blocks * u.filters * u.width
	planes := 0
	if !u.inPlace {
		planes = u.size + u.width
	}
	space := takeScratch((room + planes) * size)
	sums, base := space.at(0), space.at(room*size)
	if u.inPlace {
		base = u.base(u.correlation, n, g, 0, band)
	} else {
		all := elements[T](base, planes)
		clear(all[u.size:])
		fillPlanes(u.correlation, u.layout, all, n, g, 0, u.channels, band)
	}
	rows := u.rowsOf(u.correlation, band)
	result := unsafe.Add(u.result.at(n, g, 0), band*u.height*u.result.strides[3+u.band]*size)
	for i := range u.passes {
		p := &u.passes[i]
		s := strip[T]{inPlaces: u, p: p, counts: u.countsOf(p, rows), g: g, pass: i}
		s.total = u.span(p, s.counts)
		for axis, a := range u.axes {
			stride := u.result.strides[3+axis]
			s.step[axis] = a.step * stride
			s.first += p.phase[axis] * stride
		}
		s.run(base, sums, (*T)(result))
	}
	space.recycle()
}

// strip is the places of a pass in a band.
type strip[T number] struct {
	*inPlaces
	p      *pass
	pass   int
	g      int
	counts [3]int
	total  int    // places, those that do not count among them
	first  int    // of the result's elements
	step   [3]int // from place to place in the result
}

func (s *strip[T]) run(base, sums unsafe.Pointer, result *T) {
	size := s.kernels.Size
	dense := s.total == product(s.counts[:]) && s.step[2] == 1 && s.stepsAlike()
	for at := 0; at < s.total; at += s.width {
		at := max(0, min(at, s.total-s.width)) // the last tile does some places again
		whole := 0                             // blocks that can be stored where they belong
		if dense && s.total >= s.width {
			whole = s.rows / s.filters
		}
		offset, x := s.p.offset, unsafe.Add(base, at*size)
		for k := 0; k == 0 || k < len(offset); k += placeTerms {
			end := min(k+placeTerms, len(offset))
			for b := range s.blocks {
				w := unsafe.Add(s.packedWeights(s.g, s.pass, b), k*s.filters*size)
				c, stride := unsafe.Add(sums, b*s.filters*s.width*size), s.width
				if b < whole {
					c, stride = unsafe.Pointer(advance(result, s.first+at+b*s.filters*s.result.strides[2])), s.result.strides[2]
				}
				s.kernels.WithPlaces(s.filters, x, offset[k:end], w, c, stride, k > 0)
			}
		}
		if row := whole * s.filters; row < s.rows {
			s.store(elements[T](sums, s.blocks*s.filters*s.width), row, at, result)
		}
	}
}

// stepsAlike reports whether places that follow each other in a strip without gaps do so in the result.
func (s *strip[T]) stepsAlike() bool {
	return (s.counts[1] == 1 || s.step[1] == s.cell[1]) && (s.counts[0] == 1 || s.step[0] == s.cell[0])
}

// store copies the sums of a tile for the rows from one on that count.
func (s *strip[T]) store(sums []T, row, at int, result *T) {
	end := min(at+s.width, s.total)
	for from := at; from < end; {
		i, rest := 0, from
		if s.counts[0] > 1 {
			i, rest = rest/s.cell[0], rest%s.cell[0]
		}
		j, k := 0, rest
		next := end
		if s.counts[1] > 1 {
			j, k = rest/s.cell[1], rest%s.cell[1]
			next = from - k + s.cell[1]
		} else if s.counts[0] > 1 {
			next = from - k + s.cell[0]
		}
		if n := min(s.counts[2]-k, end-from); n > 0 && j < s.counts[1] {
			dst := advance(result, s.first+i*s.step[0]+j*s.step[1]+k*s.step[2])
			for m := row; m < s.rows; m++ {
				spreadRun(advance(dst, m*s.result.strides[2]), s.step[2], sums[m*s.width+from-at:][:n])
			}
		}
		from = next
	}
}

// spreadRun stores elements in steps.
func spreadRun[T number](dst *T, step int, x []T) {
	if step == 1 {
		copy(unsafe.Slice(dst, len(x)), x)
		return
	}
	for i, v := range x {
		*advance(dst, i*step) = v
	}
}
