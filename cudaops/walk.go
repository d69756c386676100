package cudaops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// mostPoints is the largest number of points of a Walk of kernels/walk.cuh. Tests lower it.
var mostPoints = 1<<31 - 1

// walk adds a Walk over the first axes of a launch, with room for room operands.
func (a *arguments) walk(l *device.Launch, rank, room int, operands ...walked) {
	a.int(rank)
	a.int(broadcast.Size(l.Shape[:rank]))
	for axis := rank - 1; axis >= 0; axis-- {
		a.divisor(max(l.Shape[axis], 1))
	}
	a.n += 2 * (a.limit - rank)
	for _, o := range operands {
		a.word(o.address)
	}
	for range room - len(operands) {
		a.word(0) // the kernel asks whether an operand is missing
	}
	for _, o := range operands {
		for k := range rank {
			a.words[a.n+k] = uint64(o.size * o.strides[rank-1-k])
		}
		a.n += a.limit
	}
	a.n += (room - len(operands)) * a.limit
}

// walked is an operand of a walk.
type walked struct {
	address uint64
	size    int // bytes of an element
	strides *[device.MaxRank]int
}

// walkedOf returns o as an operand of a walk.
func walkedOf(o *device.Operand) walked {
	size := o.DType.Size()
	return walked{address(o.Memory, o.Offset*size), size, &o.Strides}
}

// inPieces calls f for a launch, or for parts of it that have few enough points for a walk over the first axes. first
// is the number of the first point of a part.
func inPieces(l *device.Launch, rank, first int, f func(l *device.Launch, first int)) {
	if broadcast.Size(l.Shape[:rank]) <= mostPoints {
		f(l, first)
		return
	}
	axis := 0
	for l.Shape[axis] == 1 {
		axis++
	}
	n := l.Shape[axis]
	for from, end := 0, n/2; from < n; from, end = end, n {
		part := *l
		part.Shape[axis] = end - from
		for k := range part.N {
			part.Operands[k].Offset += from * part.Operands[k].Strides[axis]
		}
		inPieces(&part, rank, first, f)
		first += broadcast.Size(part.Shape[:rank])
	}
}

// groups returns the number of points that a thread processes at a time, at most most and at most 16 bytes of units,
// and the number of blocks for n points: as FOR_GROUPS in kernels/walk.cuh. Few points are spread over many threads.
func groups(n, unit, most int) (each, blocks int) {
	each = max(1, min(most, 16/unit, n/(threads*1024)))
	return each, min((n+threads*each-1)/(threads*each), maxBlocks)
}

// The largest number of points of a thread at a time: most_each in kernels/walk.cuh, most_gathered in
// kernels/gather.cu.
const (
	mostEach     = 4
	mostGathered = 2
)
