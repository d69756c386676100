package cudaops

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// product is a sum over k of A(i, k)·B(k, j), for each index of a batch. MatMul and Convolve are computed as products.
// i counts outerI and then the positions of a window, k counts outerK and then its taps. See kernels/product.cuh.
type product struct {
	launch         *device.Launch
	batch          []int
	outerI, outerK int
	columns        int // j
	omits          bool
	window         [3]windowAxis
	a, b, c, d     factor
}

// windowAxis is an axis of a window, along which A has a coordinate.
type windowAxis struct {
	stepI, stepK, limit int
	phases              []phase
}

// phase is Phase of kernels/product.cuh.
type phase struct{ positions, taps, start, a, b, c int }

// noWindow stands for a missing axis.
var noWindow = windowAxis{limit: 1, phases: []phase{{positions: 1, taps: 1}}}

// factor is an operand, nil for none, with its strides along i, j and k in elements.
type factor struct {
	operand *device.Operand
	batch   []int
	i       [4]int
	j       int
	k       [4]int
}

// rows and depth return the number of i and of k in the largest phase.
func (p *product) rows() int {
	i, _ := p.sizes()
	return broadcast.Size(i[:])
}

func (p *product) depth() int {
	_, k := p.sizes()
	return broadcast.Size(k[:])
}

func (p *product) phases() int {
	return len(p.window[0].phases) * len(p.window[1].phases) * len(p.window[2].phases)
}

// mostPhases is the largest number of phases, in all axes together, that a kernel has room for.
const mostPhases = 16

// multiplyOwn computes a product with the library's own kernels. If an axis has many phases, they are processed in
// groups.
func (d *Device) multiplyOwn(p *product) {
	room := mostPhases / max(1, p.launch.Window.Rank)
	for axis := range p.window {
		all := p.window[axis].phases
		if len(all) <= room {
			continue
		}
		for group := range slices.Chunk(all, room) {
			p.window[axis].phases = group
			d.multiplyOwn(p)
		}
		p.window[axis].phases = all
		return
	}
	d.multiplyPhases(p)
}

func (d *Device) multiplyPhases(p *product) {
	rows, batches := p.rows(), broadcast.Size(p.batch)
	if rows*batches*p.columns*p.phases() == 0 {
		return
	}
	m := p.method(rows, p.depth(), batches*p.phases())
	fn, e := p.launch.Func, entry{file: m.file, name: m.name, class: classOf(p.c.operand.DType)}
	if m.slices == 1 {
		d.run(fn, e, m.blocks, m.threads, 0, p.arguments(rows, m, 0))
		return
	}
	s := d.scratch(fn, m.slices*batches*rows*p.columns*sumSize(p.c.operand.DType))
	d.run(fn, e, m.blocks, m.threads, 0, p.arguments(rows, m, s.address))
	e.name = "product_join"
	d.run(fn, e, min((batches*rows*p.columns+joinedElements-1)/joinedElements, maxBlocks), threads, 0, p.arguments(rows, m, s.address))
	s.free()
}

// joinedElements is the number of elements that a block of product_join adds up.
const joinedElements = 32

// sumSize returns the size in bytes of a running sum of products.
func sumSize(t dtype.DType) int {
	switch classOf(t) {
	case 'b':
		return 1
	case 'f':
		return 4
	case 'c', 'z':
		return 16
	}
	return 8
}

// method is the method by which a product is computed. It depends only on the operands' shapes and types.
type method struct {
	file, name      string
	blocks, threads int
	slices, slice   int // of k
}

// tileSizes are the tile sizes of a kernel: rows and columns of C, and threads of a block.
type tileSizes struct {
	name                   string
	rows, columns, threads int
	blocks                 int // k is split into slices to reach this number of blocks
}

var (
	large  = tileSizes{"product_large", 128, 128, 256, 264}
	middle = tileSizes{"product_middle", 64, 64, 256, 396}
	slim   = tileSizes{"product_slim", 64, 16, 128, 1024}
)

// method chooses tiles by how well the product fills them and by the number of blocks, or a kernel without tiles if there
// are hardly any columns.
func (p *product) method(rows, depth, sections int) method {
	elements := rows * p.columns * sections
	file, directFile := files(p.c.operand.DType)
	direct := method{file: directFile, name: "product_each", blocks: over(elements), threads: threads, slices: 1}
	switch {
	case p.isVast():
		return direct
	case p.columns <= fewColumns && rows <= fewRows && depth > longDepth:
		direct.name, direct.blocks = "product_shared", min(elements, maxBlocks)
		return direct
	case p.columns <= fewColumns && depth <= longDepth:
		return direct
	}
	sizes := slim
	if p.isPlain() {
		switch blocks := large.count(rows, p.columns, sections); {
		case classOf(p.c.operand.DType) == 'f' && min(rows, p.columns) > middle.rows && blocks*max(1, depth/leastSlice) >= large.blocks/2:
			sizes = large
		case p.columns > 2*slim.columns:
			sizes = middle
		}
	}
	blocks := sizes.count(rows, p.columns, sections)
	if blocks > math.MaxInt32 { // more than a launch permits
		return direct
	}
	slices := 1
	if p.phases() == 1 && blocks < sizes.blocks/2 {
		slices = max(1, min(sizes.blocks/blocks, depth/leastSlice, mostSlices))
	}
	slice := (depth + slices - 1) / slices
	if slices > 1 { // whole tiles
		slice = (slice + 15) / 16 * 16
		slices = (depth + slice - 1) / slice
	}
	return method{file, sizes.name, blocks * slices, sizes.threads, slices, slice}
}

// files returns the files with the tiles for results of a type, and with the kernels without tiles.
func files(t dtype.DType) (tiles, direct string) {
	switch classOf(t) {
	case 'f':
		return "product", "product_direct"
	case 'd':
		return "product_doubles", "product_direct"
	}
	return "product_others", "product_direct_others"
}

const (
	fewColumns = 2   // tiles would be almost empty
	fewRows    = 64  // the same for rows, if the work is in k
	longDepth  = 512 // products that are too many for one thread
	leastSlice = 256 // smallest k of a slice: a part of a sum in kernels/product.cuh
	mostSlices = 256
)

// count returns the number of tiles.
func (t tileSizes) count(rows, columns, sections int) int {
	return (rows + t.rows - 1) / t.rows * ((columns + t.columns - 1) / t.columns) * sections
}

// isPlain reports whether large tiles can load the operands' types: real numbers of the result's type, or with 16 bits
// for float32.
func (p *product) isPlain() bool {
	t := p.c.operand.DType
	class := classOf(t)
	if class != 'f' && class != 'd' {
		return false
	}
	for _, f := range []*factor{&p.a, &p.b, &p.d} {
		if f.operand != nil && classOf(f.operand.DType) != class {
			return false
		}
	}
	return true
}

// isVast reports whether coordinates do not fit the 30 bits that tiles use for them.
func (p *product) isVast() bool {
	for _, axis := range p.window {
		for _, f := range axis.phases {
			far := abs(f.start) + f.positions*abs(axis.stepI) + f.taps*abs(axis.stepK)
			if max(far, axis.limit) >= 1<<30 {
				return true
			}
		}
	}
	return false
}

// arguments packs ProductParams of kernels/product.cuh.
func (p *product) arguments(rows int, way method, partial uint64) *arguments {
	a := newArguments(limitOf(len(p.batch)))
	a.int(len(p.batch))
	a.int(broadcast.Size(p.batch))
	a.int(p.outerI)
	a.int(p.outerK)
	a.int(rows)
	a.int(p.columns)
	a.int(way.slices)
	a.int(way.slice)
	a.word(partial)
	a.int(int(p.summedAs()))
	a.bool(p.d.operand != nil)
	a.bool(p.omits)
	i, k := p.sizes()
	columns := []int{p.columns}
	a.bool(closeness(i[:], p.a.i[:]) >= closeness(k[:], p.a.k[:]))
	a.bool(closeness(columns, []int{p.b.j}) >= closeness(k[:], p.b.k[:]))
	a.bool(closeness(i[:], p.c.i[:]) > closeness(columns, []int{p.c.j}))
	a.int(p.phases())
	for _, axis := range p.window {
		a.int(len(axis.phases))
	}
	first := 0
	for _, axis := range p.window {
		a.int(first)
		first += len(axis.phases)
	}
	for _, of := range []func(windowAxis) int{
		func(w windowAxis) int { return w.stepI }, func(w windowAxis) int { return w.stepK }, func(w windowAxis) int { return w.limit },
	} {
		for _, axis := range p.window {
			a.int(of(axis))
		}
	}
	for _, axis := range p.window {
		for _, f := range axis.phases {
			for _, v := range [...]int{f.positions, f.taps, f.start, f.a, f.b, f.c} {
				a.int(v)
			}
		}
	}
	a.n += (mostPhases - first) * 6 // the rest is never read
	a.axes(p.batch)
	for _, f := range []*factor{&p.a, &p.b, &p.c, &p.d} {
		a.factor(f, p.summedAs())
	}
	return a
}

// summedAs returns the type to which factors are converted when they are read.
func (p *product) summedAs() dtype.DType {
	switch t := p.c.operand.DType; classOf(t) {
	case 'f':
		return dtype.Float32
	case 'c':
		return dtype.Complex128
	default:
		return t
	}
}

// factor adds a Factor, whose elements are read as numbers of type to.
func (a *arguments) factor(f *factor, to dtype.DType) {
	if f.operand == nil {
		words := 4 + a.limit + 9
		clear(a.words[a.n : a.n+words])
		a.n += words
		return
	}
	o := f.operand
	size := o.DType.Size()
	a.word(address(o.Memory, o.Offset*size))
	a.int(int(o.DType))
	a.int(size)
	a.int(sortOf(o.DType, to))
	a.axes(f.batch)
	for _, stride := range f.i {
		a.int(stride)
	}
	a.int(f.j)
	for _, stride := range f.k {
		a.int(stride)
	}
}

// sortOf returns how elements are read as numbers of a type, in the format of kernels/product.cuh: unchanged, from 16
// bits, or converted.
func sortOf(t, to dtype.DType) int {
	switch {
	case t == to && t.Size() >= 4 && to != dtype.Int32 && to != dtype.Uint32:
		return 0
	case to == dtype.Float32 && t == dtype.Float16:
		return 1
	case to == dtype.Float32 && t == dtype.BFloat16:
		return 2
	}
	return 3
}

// sizes returns the sizes of i and of k; the window axes come last.
func (p *product) sizes() (i, k [4]int) {
	i[0], k[0] = p.outerI, p.outerK
	for axis, w := range p.window {
		for _, f := range w.phases {
			i[1+axis], k[1+axis] = max(i[1+axis], f.positions), max(k[1+axis], f.taps)
		}
	}
	return i, k
}

// closeness measures how close together neighbours along some axes lie: of eight consecutive elements, the average
// number in each piece of memory that holds eight.
func closeness(sizes, strides []int) float64 {
	run, step := 1, 0
	for axis := len(sizes) - 1; axis >= 0; axis-- {
		switch {
		case sizes[axis] == 1:
			continue
		case run == 1:
			step = abs(strides[axis])
		case abs(strides[axis]) != run*step:
			return float64(min(run, 8)) / float64(min(max(step, 1), 8))
		}
		run *= sizes[axis]
	}
	return float64(min(run, 8)) / float64(min(max(step, 1), 8))
}
