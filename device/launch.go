package device

import (
	"math"
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

// Launch describes one run of a kernel. It comes from [NewLaunch] and goes back with [Launch.Recycle]; fields that a
// kernel does not name are ignored by it.
type Launch struct {
	Program *Program           // Elementwise, Reduce
	Post    *Program           // Reduce: applied to the combined value; nil for none. Its scalars follow Program's.
	Scalars [MaxScalars]Scalar // for the scalars of Program, then of Post

	Rank     int
	Shape    [MaxRank]int
	Operands [MaxOperands]Operand
	N        int // operands in use
	Outputs  int // how many of them are outputs (the first)
	Where    int // Elementwise: the operand that is the predicate of the store; 0 for none

	Reduced      int     // Reduce, ArgReduce, Normalize, NormalizeGrad: how many axes, the last ones, are combined
	Eps          float64 // Normalize, NormalizeGrad: added to the variance
	Scale        float64 // Attention: what the products of queries and keys are multiplied by
	Combine      Combine // Reduce, Scan, ArgReduce, Scatter
	Exclusive    bool    // Scan
	Descending   bool    // Sort
	Keep         int     // Sort: how many elements of each row are stored; 0 for all
	Right        bool    // SearchSorted
	Log          bool    // Softmax, SoftmaxGrad
	Full         bool    // QR, SVD
	Upper        bool    // TriangularSolve, Eigh
	Transposed   bool    // TriangularSolve
	UnitDiagonal bool    // TriangularSolve
	Inverse      bool    // FFT
	Axes         [MaxIndices]IndexAxis
	Bounds       Bounds       // Gather, Scatter
	Fresh        bool         // Gather, Scatter: operand 0 is new, and need not stay as it is where an index has no place
	Cleared      bool         // Scatter: operand 0, over its axes of the loop and those of the indices, is 0 at first; not where the loop has no points
	Key          [2]uint32    // Random
	Counter      uint64       // Random
	Distribution Distribution // Random
	Ignore       int          // CrossEntropy, CrossEntropyGrad: the label that does not count
	Window       Window       // Convolve, Pool, PoolGrad
	Part         Part         // Convolve
}

// IndexAxis is what an index operand of Gather and Scatter counts, and along what SearchSorted goes.
type IndexAxis struct {
	Stride int // of the indexed array along the axis, in elements
	Size   int // of the axis
}

// Window is how a convolution or pooling slides over the last axes of its input.
type Window struct {
	Rank     int    // number of axes, 1 to 3
	Size     [3]int // of the input's axes
	Stride   [3]int
	Dilation [3]int
	Before   [3]int // points of padding before the first element
}

// Part says which operand of a convolution is computed from the other two.
type Part uint8

// The parts: the output, the gradient of the input, the gradient of the weight.
const (
	PartOutput Part = iota
	PartInput
	PartWeight
)

// Combine is an associative operation of Reduce, Scan and Scatter.
type Combine uint8

// The operations. Max and Min propagate not-a-number, FMax and FMin ignore it; complex numbers compare by their real
// parts, then their imaginary parts. All and Any are of bools, of which a sum and a maximum are Any, too, a product and a minimum All.
const (
	CombineAssign Combine = iota // Scatter only
	CombineSum
	CombineProd
	CombineMax
	CombineMin
	CombineFMax
	CombineFMin
	CombineAll
	CombineAny
)

var combineNames = [...]string{"assign", "sum", "prod", "max", "min", "fmax", "fmin", "all", "any"}

// String returns the operation's name, such as "sum".
func (c Combine) String() string { return combineNames[c] }

// Accepts reports whether the operation combines values of a compute type.
func (c Combine) Accepts(t dtype.DType) bool {
	return t.IsBool() || c != CombineAll && c != CombineAny
}

// Bounds says what an index outside [-size, size) means. Within it, negative indices count from the end, unless it says
// otherwise.
type Bounds uint8

// The meanings of an index that is out of range.
const (
	BoundsRaise Bounds = iota // panics with *IndexError before anything is written
	BoundsWrap                // modulo the size
	BoundsClip                // the first or last element; negative indices do not count from the end
	BoundsDrop                // Gather reads 0, Scatter leaves the point out; negative indices do not count from the end
	BoundsExact               // as BoundsRaise, but negative indices do not count from the end
)

// Distribution is what Random draws.
type Distribution uint8

// The distributions of Random. Each element uses one Philox block, with the counter (low, high, 0, 0).
const (
	DistributionBits    Distribution = iota // the first word (two for 64-bit dtypes, low word first), for integer dtypes
	DistributionUniform                     // [0, 1), of UniformBits bits of the first word, 53 of both in float64
	DistributionNormal                      // mean 0, deviation 1: Box and Muller on two 53-bit uniforms, cosine branch

	// DistributionBernoulli, in bools, is true where the block's uniform float32 number is at least Scalars[0].Re: with that
	// number p, the probability is 1-p.
	DistributionBernoulli
)

// BernoulliLeast returns the least of the first 24 bits of a block with which an element of DistributionBernoulli is true,
// for Scalars[0].Re = p from 0 to 1.
func BernoulliLeast(p float64) uint32 { return uint32(math.Ceil(p * (1 << 24))) }

// UniformBits returns how many random bits a uniform number of a type narrower than float64 has: those of its
// significand, so that no number is rounded up to 1.
func UniformBits(t dtype.DType) int {
	switch t {
	case dtype.Float16:
		return 11
	case dtype.BFloat16:
		return 8
	}
	return 24
}

var launches = sync.Pool{New: func() any { return new(Launch) }}

// NewLaunch returns a Launch with no operands.
func NewLaunch() *Launch { return launches.Get().(*Launch) }

// Recycle gives l back. It keeps no memory alive.
func (l *Launch) Recycle() {
	for i := range l.N {
		l.Operands[i].Memory = Memory{}
		l.Operands[i].Len = 0
	}
	l.Program, l.Post = nil, nil
	l.Rank, l.N, l.Outputs, l.Where, l.Reduced, l.Keep = 0, 0, 0, 0, 0, 0
	l.Combine, l.Bounds, l.Distribution = 0, 0, 0
	l.Exclusive, l.Descending, l.Right, l.Log = false, false, false, false
	l.Fresh, l.Cleared = false, false
	l.Full, l.Upper, l.Transposed, l.UnitDiagonal, l.Inverse = false, false, false, false, false
	launches.Put(l)
}

// Size returns the number of points of the loop.
func (l *Launch) Size() int {
	n := 1
	for _, d := range l.Shape[:l.Rank] {
		n *= d
	}
	return n
}

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
