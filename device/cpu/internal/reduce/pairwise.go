package reduce

import (
	"math/bits"
	"unsafe"
)

// maxLevels is more than the depth of any tower.
const maxLevels = bits.UintSize

// pairwise combines vectors in pairs, pairs of pairs and so on, as they come: rounding errors grow with the number of
// levels, not of vectors. It is a stack: after n vectors there is one partial result for each bit of n.
type pairwise struct {
	fold    combiner
	base    unsafe.Pointer
	pitch   int // between the vectors on the stack, in bytes
	width   int // of an element, in bytes
	columns int // elements of a vector
	height  int
	count   uint
}

func (t *pairwise) reset() { t.height, t.count = 0, 0 }

// next returns where the next vector is to be written, before push takes it in.
func (t *pairwise) next() unsafe.Pointer { return unsafe.Add(t.base, t.height*t.pitch) }

// top returns the partial result that was made last.
func (t *pairwise) top() unsafe.Pointer { return unsafe.Add(t.base, (t.height-1)*t.pitch) }

func (t *pairwise) push() {
	t.height++
	t.count++
	for n := t.count; n&1 == 0; n >>= 1 {
		t.merge()
	}
}

func (t *pairwise) merge() {
	t.height--
	t.fold.columns(unsafe.Add(t.base, (t.height-1)*t.pitch), unsafe.Add(t.base, t.height*t.pitch), 1, t.columns, 0)
}

// finish combines what there is and returns where the result lies.
func (t *pairwise) finish() unsafe.Pointer {
	for t.height > 1 {
		t.merge()
	}
	return t.base
}

// levelsFor returns how many vectors the stack holds at most while n are combined.
func levelsFor(n int) int { return bits.Len(uint(n)) + 1 }
