package device

import (
	"sync"

	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Limits of one launch.
const (
	MaxRank     = broadcast.MaxRank
	MaxOperands = 12
	MaxScalars  = 12
	MaxIndices  = MaxOperands - 2
)

// Operand is an array as a kernel sees it: strides over the axes of the loop, not of the array. An axis along which
// the operand does not vary has stride 0.
type Operand struct {
	Memory  Memory
	Offset  int          // of the first element, in elements
	Strides [MaxRank]int // in elements, for the axes of Launch.Shape
	DType   dtype.DType
	Len     int // number of elements of a raw operand, which is contiguous; else 0
}

// Scalar is a launch parameter: the value of a program's scalar or constant. Integers and bools are in Int (unsigned
// ones by their bits), floats in Re, complex numbers in Re and Im.
type Scalar struct {
	Re, Im float64
	Int    int64
}

// Launch describes one run of a kernel: the loop, the operands and the attributes. It comes from [NewLaunch] and goes back
// with [Launch.Recycle]. [Signatures] says which operands a kernel has and which attributes it reads; it looks at no other.
type Launch struct {
	Func  string       // the function that is called, for messages
	Rank  int          // number of axes of the loop
	Shape [MaxRank]int // of the loop: its first Rank numbers

	Operands [MaxOperands]Operand
	N        int // number of operands
	Outputs  int // how many of them are written: they come first
	Where    int // the number of Elementwise's mask; 0 for none

	Scalars [MaxScalars]Scalar // those of Program, then those of Post
	Attributes
}

var launches = sync.Pool{New: func() any { return new(Launch) }}

// NewLaunch returns a Launch whose loop has no axes, without operands, all of whose attributes are zero. Shape, Scalars and
// the operands beyond their Memory and Len are of any content: whoever uses them sets them.
func NewLaunch() *Launch { return launches.Get().(*Launch) }

// Recycle gives l back. It clears what NewLaunch promises, and no more: the rest is large. No memory or program is kept alive.
func (l *Launch) Recycle() {
	for i := range l.N {
		l.Operands[i].Memory = Memory{}
		l.Operands[i].Len = 0
	}
	l.Func, l.Rank, l.N, l.Outputs, l.Where = "", 0, 0, 0, 0
	l.Attributes = Attributes{}
	launches.Put(l)
}

// Size returns the number of points of the loop.
func (l *Launch) Size() int { return broadcast.Size(l.Shape[:l.Rank]) }

// Inputs returns the operands that are read, without the predicate.
func (l *Launch) Inputs() []Operand {
	end := l.N
	if l.Where != 0 {
		end = l.Where
	}
	return l.Operands[l.Outputs:end]
}

// Coalesce merges and reorders the axes of the loop so that inner loops are long and
// contiguous. It does not change what an elementwise kernel computes.
func (l *Launch) Coalesce() {
	var strides [MaxOperands][]int
	for i := range l.N {
		strides[i] = l.Operands[i].Strides[:l.Rank]
	}
	l.Rank = broadcast.Simplify(l.Shape[:l.Rank], strides[:l.N])
}
