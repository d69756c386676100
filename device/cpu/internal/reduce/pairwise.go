package reduce

import (
	"math/bits"
	"unsafe"
)

// maxLevels is more than the depth of any stack.
const maxLevels = bits.UintSize

// pairwise combines vectors in pairs, pairs of pairs and so on, as they come: rounding errors grow with the number of
// levels, not of vectors. It is a stack: after n vectors there is one partial result for each bit of n.
type pairwise struct {
	fold    fold
	base    unsafe.Pointer
	pitch   int // between the vectors on the stack, in bytes
	width   int // of an element, in bytes
	columns int // elements of a vector
	height  int
	count   uint
}

func (p *pairwise) reset() { p.height, p.count = 0, 0 }

// next returns where the next vector is to be written, before push takes it in.
func (p *pairwise) next() unsafe.Pointer { return unsafe.Add(p.base, p.height*p.pitch) }

// top returns the partial result that was made last.
func (p *pairwise) top() unsafe.Pointer { return unsafe.Add(p.base, (p.height-1)*p.pitch) }

func (p *pairwise) push() {
	p.height++
	p.count++
	for n := p.count; n&1 == 0; n >>= 1 {
		p.merge()
	}
}

func (p *pairwise) merge() {
	p.height--
	p.fold.columns(unsafe.Add(p.base, (p.height-1)*p.pitch), unsafe.Add(p.base, p.height*p.pitch), 1, p.columns, 0)
}

// finish combines what there is and returns where the result lies.
func (p *pairwise) finish() unsafe.Pointer {
	for p.height > 1 {
		p.merge()
	}
	return p.base
}

// levelsFor returns how many vectors the stack holds at most while n are combined.
func levelsFor(n int) int { return bits.Len(uint(n)) + 1 }
