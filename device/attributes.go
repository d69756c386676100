package device

import (
	"math"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Attributes are what a kernel is told besides its operands. The zero value of each is its usual meaning. [Signatures] says
// which kernel reads which.
type Attributes struct {
	Program *Program // what is computed at each point of the loop
	Post    *Program // what is computed from each combined value before it is stored; nil for nothing

	Reduced   int     // how many axes of the loop, the last ones, are combined
	Combine   Combine // how values are combined
	Exclusive bool    // the value at a place does not count for the result there
	Eps       float64 // added to the variance
	Scale     float64 // what the products of queries and keys are multiplied by
	Causal    bool    // a query sees no key behind its own place
	Log       bool    // the logarithm of the result is wanted
	Ignore    int     // the label of the rows that do not count
	Blank     int     // the class that stands for no label

	Descending bool // the largest element comes first
	Keep       int  // how many elements of each row are stored; 0 for all
	Right      bool // elements equal to the value count, too

	Axes    [MaxIndices]IndexAxis // along what the first index operand counts, the second, and so on
	Bounds  Bounds                // what an index out of range means
	Fresh   bool                  // the output is new: where an index has no place, it may be left with any content
	Cleared bool                  // all of the output is set to 0 first

	Key          [2]uint32    // of the stream of random numbers
	Counter      uint64       // the place in the stream of the first element
	Distribution Distribution // of the random numbers

	Window Window // how windows slide over the input
	Part   Part   // what a convolution computes

	Full         bool // the orthogonal factors are square
	Upper        bool // the upper triangle is read instead of the lower one
	Transposed   bool // the transpose of the matrix is meant
	UnitDiagonal bool // ones are meant on the diagonal, whatever is stored there
	Inverse      bool // the inverse transform is meant
}

// IndexAxis is an axis of an operand along which an index counts, and the loop does not go.
type IndexAxis struct {
	Stride int // of the operand along the axis, in elements
	Size   int // of the axis
}

// Window says how the window of a convolution or pooling slides over the last axes of its input. How many points it has along
// each axis says the loop.
type Window struct {
	Rank     int    // number of axes, 1 to 3
	Size     [3]int // of the input along these axes
	Stride   [3]int // from one place of the window to the next
	Dilation [3]int // from one point of the window to the next
	Before   [3]int // points of padding before the first element
}

// Part says which of its three arrays a convolution computes from the other two.
type Part uint8

// The parts of a convolution.
const (
	PartOutput Part = iota // y, the output
	PartInput              // x, the input: its gradient, where y is the gradient of the output
	PartWeight             // w, the weight: its gradient, likewise
)

// Combine is how two values become one. Every way but CombineAssign is associative.
type Combine uint8

// The ways to combine. Max and Min of not-a-number and a number are not-a-number, FMax and FMin the number. Complex numbers
// compare by their real parts, and where these are equal by their imaginary parts. All and Any are of bools alone; the sum and
// the maximum of bools are Any, too, their product and their minimum All.
const (
	CombineAssign Combine = iota // the later value replaces the other; Scatter only
	CombineSum
	CombineProd
	CombineMax
	CombineMin
	CombineFMax
	CombineFMin
	CombineAll
	CombineAny
)

// String returns the name, such as "sum".
func (c Combine) String() string {
	return [...]string{"assign", "sum", "prod", "max", "min", "fmax", "fmin", "all", "any"}[c]
}

// Accepts reports whether values of a compute type can be combined so.
func (c Combine) Accepts(t dtype.DType) bool {
	return t.IsBool() || c != CombineAll && c != CombineAny
}

// Bounds says what an index means that is below 0, or not below the size of its axis.
type Bounds uint8

// The meanings of such an index. An axis of size 0 has no place: but for BoundsDrop, the kernel panics, on an asynchronous device too.
const (
	BoundsRaise Bounds = iota // -1 is the last place, and so on to -size; else the kernel panics with *[IndexError]
	BoundsWrap                // the place that the remainder of a division by the size says
	BoundsClip                // the first place for a negative one, else the last one
	BoundsDrop                // no place: Gather stores 0, Scatter leaves the element out
	BoundsExact               // no place: the kernel panics with *[IndexError]
)

// Distribution is what Random draws.
type Distribution uint8

// The distributions. Each element has a block of Philox 4x32-10, four words of 32 random bits, to itself: that of the 128-bit
// counter whose lower half is the element's number in the stream, and whose upper half is 0.
const (
	// DistributionBits is of integers: the lowest bits of the first word, for 64-bit dtypes the first two words, the lower half
	// first.
	DistributionBits Distribution = iota
	// DistributionUniform is uniform in [0, 1): in float64 of the upper 53 bits of the first two words, the lower half first, else
	// of the upper UniformBits bits of the first word.
	DistributionUniform
	// DistributionNormal has mean 0 and variance 1: √(-2·log(1-u))·cos(2πv) (Box and Muller), of uniform numbers of 53 bits, u of
	// the first two words and v of the last two.
	DistributionNormal
	// DistributionBernoulli is of bools: true where the uniform float32 number of the block is at least Scalars[0].Re, and so with
	// probability 1 - Scalars[0].Re.
	DistributionBernoulli

	// These are of two operands a and b of float64. Where an element needs more than one block, the upper half of the counter is
	// 1, 2 and so on. What is done with the blocks' words is what package scalar's Sampler does.

	// DistributionGamma has the shape parameter a and the scale b.
	DistributionGamma
	// DistributionBeta has the exponents a and b.
	DistributionBeta
	// DistributionPoisson has the rate a.
	DistributionPoisson
	// DistributionBinomial is of a trials with the probability b.
	DistributionBinomial
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

// CarriedType returns the type in which sums of numbers of type t are carried, so that they are rounded once, at the end.
func CarriedType(t dtype.DType) dtype.DType {
	switch t {
	case dtype.Float32:
		return dtype.Float64
	case dtype.Complex64:
		return dtype.Complex128
	}
	return t
}
