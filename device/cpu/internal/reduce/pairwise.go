package reduce

import (
	"math/bits"
	"unsafe"
)

// maxLevels exceeds the depth of any stack.
const maxLevels = bits.UintSize

// pairwise combines vectors in pairs, pairs of pairs and so on, as they arrive: rounding errors grow with the number of
// levels, not with the number of vectors. It is a stack: after n vectors it holds one partial result for each 1 bit of
// n.
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

// next returns the address to which the next vector is written, before push adds it.
func (p *pairwise) next() unsafe.Pointer { return unsafe.Add(p.base, p.height*p.pitch) }

// top returns the most recent partial result.
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

// finish combines all partial results and returns the address of the result.
func (p *pairwise) finish() unsafe.Pointer {
	for p.height > 1 {
		p.merge()
	}
	return p.base
}

// levelsFor returns the maximum number of vectors on the stack while n are combined.
func levelsFor(n int) int { return bits.Len(uint(n)) + 1 }
