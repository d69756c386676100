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

// Operand is an array as a kernel sees it. Its strides are those over the axes of the loop, not over the axes of the
// array. An axis along which the operand does not vary has stride 0.
type Operand struct {
	Memory  Memory
	Offset  int          // of the first element, in elements
	Strides [MaxRank]int // in elements, for the axes of Launch.Shape
	DType   dtype.DType
	Len     int // number of elements of a raw operand (read by index), which is contiguous; else 0
}

// Scalar is a launch parameter: the value of a program's scalar or constant. Integers and bools are in Int (unsigned
// integers by their bits), floats in Re, complex numbers in Re and Im.
type Scalar struct {
	Re, Im float64
	Int    int64
}

// Launch describes one run of a kernel: the loop, the operands and the attributes. [NewLaunch] returns a Launch, and
// [Launch.Recycle] releases it. [Signatures] says which operands a kernel has and which attributes it reads; a kernel
// reads no others.
type Launch struct {
	Func  string       // the function that the user called, for messages
	Rank  int          // number of axes of the loop
	Shape [MaxRank]int // of the loop: the first Rank numbers

	Operands [MaxOperands]Operand
	N        int // number of operands
	Outputs  int // how many of the operands are outputs: the outputs come first
	Where    int // the operand number of Elementwise's mask; 0 if there is no mask

	Scalars [MaxScalars]Scalar // the scalars of Program, then those of Post
	Attributes
}

var launches = sync.Pool{New: func() any { return new(Launch) }}

// NewLaunch returns a Launch for a loop of rank 0, with no operands and all attributes zero. Shape, Scalars and all
// fields of the operands except Memory and Len have arbitrary content: the caller sets those that it uses.
func NewLaunch() *Launch { return launches.Get().(*Launch) }

// Recycle makes l available for reuse. It clears only what NewLaunch promises, since the rest is large. The recycled
// Launch keeps no memory and no program alive.
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

// ApplyPost applies Post to the elements of operand 0 which l has stored, by a launch of elementwise. The operand has the first axes of
// the loop, as many as given.
func (l *Launch) ApplyPost(axes int, elementwise func(*Launch)) {
	post := NewLaunch()
	post.Func, post.Program = l.Func, l.Post
	post.Rank, post.N, post.Outputs = axes, 2, 1
	copy(post.Shape[:], l.Shape[:post.Rank])
	post.Operands[0], post.Operands[1] = l.Operands[0], l.Operands[0]
	elementwise(post)
	post.Recycle()
}

// Inputs returns the operands that are read, without the mask.
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
