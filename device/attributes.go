package device

import (
	"math"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Attributes are the parameters of a kernel besides its operands. The zero value of each attribute has its usual
// meaning. [Signatures] says which kernel reads which attributes.
type Attributes struct {
	Program *Program // the function that is computed at each point of the loop
	Post    *Program // the function that is applied to each combined value, or each sum of a product or convolution; nil for none

	Reduced   int     // how many axes of the loop, counted from the last, are combined
	Combine   Combine // how values are combined
	Squares   bool    // squared magnitudes of the values are combined
	AsStored  bool    // the values are combined in the order in which they would be if they were stored first
	Centred   bool    // the values are the differences of input 0 from input 1, its mean up to rounding
	Exclusive bool    // the value at an index does not count for the result at that index
	Eps       float64 // added to the variance
	Scale     float64 // the factor of the products of queries and keys; of a Fourier transform, unless it is 0
	Causal    bool    // a query sees no key with a larger index than its own
	Log       bool    // store the logarithm of the result
	Ignore    int     // the label of rows that do not count
	Blank     int     // the class that stands for no label

	Descending bool // sort from the largest element to the smallest
	Keep       int  // how many elements of each row are stored; 0 for all
	From       int  // the number of the first element that is stored, if Keep says how many
	Partition  bool // all elements are stored, and only element From must be where a sort puts it; Keep does not count
	Right      bool // elements equal to the value count as well

	Axes    [MaxIndices]IndexAxis // the axis that the first index operand indexes, the second, and so on
	Bounds  Bounds                // what an index out of range means
	Fresh   bool                  // the output is new: if an index is out of range, the output may keep arbitrary content
	Cleared bool                  // all of the output is set to 0 first

	Key          [2]uint32    // the key of the stream of random numbers
	Counter      uint64       // the number of the first element in the stream
	Distribution Distribution // the distribution of the random numbers

	Window Window // how windows slide over the input
	Part   Part   // what a convolution computes
	Fast   bool   // errors may be relative to the products of the elements around an element, too

	Kept    *Kept  // where the device may keep what it makes of the weight; nil if nothing may be kept
	Version uint32 // of the weight's elements

	Full         bool // the orthogonal factors are square
	Upper        bool // the upper triangle is read instead of the lower one
	Transposed   bool // use the transpose of the matrix
	UnitDiagonal bool // use ones on the diagonal, whatever is stored there
	Inverse      bool // compute the inverse transform
}

// IndexAxis is an axis of an operand that an index selects from, and that is not an axis of the loop.
type IndexAxis struct {
	Stride int // of the operand along the axis, in elements
	Size   int // of the axis
}

// Window says how the window of a convolution or pooling slides over the last axes of its input. The loop gives the
// number of window points along each axis.
type Window struct {
	Rank     int    // number of axes, 1 to 3
	Size     [3]int // of the input along these axes
	Stride   [3]int // from one position of the window to the next
	Dilation [3]int // from one point of the window to the next
	Before   [3]int // points of padding before the first element
}

// Part says which of its three arrays a convolution computes from the other two.
type Part uint8

// The parts of a convolution.
const (
	PartOutput Part = iota // y, the output
	PartInput              // x, the input: its gradient, if y is the gradient of the output
	PartWeight             // w, the weight: its gradient, if y is the gradient of the output
)

// Combine says how two values become one. All of them except CombineAssign are associative.
type Combine uint8

// The ways to combine. Max and Min of NaN and a number are NaN; FMax and FMin are the number. Complex numbers compare
// by their real parts and, at ties, by their imaginary parts. All and Any apply only to bools. The sum and the maximum
// of bools are Any, their product and their minimum are All.
const (
	CombineAssign Combine = iota // the later value replaces the earlier one; Scatter only
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

// Accepts reports whether values of a compute type can be combined in this way.
func (c Combine) Accepts(t dtype.DType) bool {
	return t.IsBool() || c != CombineAll && c != CombineAny
}

// Bounds says what an index below 0, or not below the size of its axis, means.
type Bounds uint8

// The meanings of such an index. An axis of size 0 has no valid index: the kernel panics, on an asynchronous device
// too, except with BoundsDrop.
const (
	BoundsRaise Bounds = iota // -1 is the last index, and so on down to -size; otherwise the kernel panics with *[IndexError]
	BoundsWrap                // the index modulo the size of the axis
	BoundsClip                // index 0 for a negative index, else the last index
	BoundsDrop                // Gather stores 0, Scatter leaves the element out
	BoundsExact               // the kernel panics with *[IndexError]
)

// Distribution is the distribution from which Random draws.
type Distribution uint8

// The distributions. Each element has its own block of Philox 4x32-10, four words of 32 random bits: the block of the
// 128-bit counter whose lower half is the element's number in the stream, and whose upper half is 0.
const (
	// DistributionBits is for integers: the lowest bits of the first word; for 64-bit dtypes the first two words, the
	// lower half first.
	DistributionBits Distribution = iota
	// DistributionUniform is uniform in [0, 1). float64 uses the upper 53 bits of the first two words, the lower half
	// first; all other types use the upper UniformBits bits of the first word.
	DistributionUniform
	// DistributionNormal has mean 0 and variance 1: √(-2·log(1-u))·cos(2πv) (Box and Muller). u and v are uniform
	// numbers with 53 bits, u from the first two words and v from the last two.
	DistributionNormal
	// DistributionBernoulli is for bools: true if the uniform float32 number of the block is at least Scalars[0].Re,
	// and so with probability 1 - Scalars[0].Re.
	DistributionBernoulli

	// The distributions below have parameters, operands of type float64: a, or a and b, and the last one a, b and c. If
	// an element needs more than one block, the upper half of the counter is 1, 2 and so on. Package scalar's Sampler
	// defines how the blocks' words are used.

	// DistributionGamma has the shape parameter a and the scale b.
	DistributionGamma
	// DistributionBeta has the exponents a and b.
	DistributionBeta
	// DistributionPoisson has the rate a.
	DistributionPoisson
	// DistributionBinomial has a trials with the probability b.
	DistributionBinomial
	// DistributionVonMises has the angle a and the concentration b. It is from -π to π.
	DistributionVonMises
	// DistributionZipf draws k = 1, 2, … with a probability proportional to k to the power -a.
	DistributionZipf
	// DistributionLogSeries draws k = 1, 2, … with a probability proportional to a to the power k, divided by k.
	DistributionLogSeries
	// DistributionHypergeometric draws how many of c balls, drawn from a marked and b other ones, are marked.
	DistributionHypergeometric
)

// BernoulliLeast returns the smallest value of the first 24 bits of a block for which an element of
// DistributionBernoulli is true, for Scalars[0].Re = p from 0 to 1.
func BernoulliLeast(p float64) uint32 { return uint32(math.Ceil(p * (1 << 24))) }

// UniformBits returns how many random bits a uniform number of a type narrower than float64 has: as many as its
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

// CarriedType returns the type in which sums of numbers of type t are accumulated, so that they are rounded once, at
// the end.
func CarriedType(t dtype.DType) dtype.DType {
	switch t {
	case dtype.Float32:
		return dtype.Float64
	case dtype.Complex64:
		return dtype.Complex128
	}
	return t
}
