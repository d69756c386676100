// Package traced describes recorded operations to programs that translate them, such as the export of models. An operation
// that can be translated has a method Traced, which returns one of these descriptions. Shapes and dtypes are those of the
// node.
package traced

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// Views and copies.
type (
	// Identity returns its input.
	Identity struct{}
	// Reshape returns the elements in row-major order in the shape of the result.
	Reshape struct{}
	// Broadcast repeats its input to the shape of the result.
	Broadcast struct{}
	// Cast converts to the dtype of the result.
	Cast struct{}
	// SumTo sums over the axes along which the result would be broadcast to the input.
	SumTo struct{}
	// Transpose permutes axes: axis k of the result is axis Perm[k].
	Transpose struct{ Perm []int }
	// View shows elements of its input: View is their layout in a contiguous array of shape Base.
	View struct {
		Base []int
		View broadcast.View
	}
	// ScatterView is the transpose of View: zeros of shape Base, with the input at the elements that the view shows.
	ScatterView struct {
		Base []int
		View broadcast.View
	}
	// Split cuts its input into neighbouring parts along an axis; Drop removes the axis.
	Split struct {
		Axis int
		Drop bool
	}
	// Concat joins its inputs along an axis.
	Concat struct{ Axis int }
)

// Operations with indices. The array comes first, then the values, then the indices.
type (
	// Gather picks elements by index arrays of common shape Index, one for each of Axes. The axes of that shape begin at
	// axis At of the result.
	Gather struct {
		Axes   []int
		At     int
		Index  []int
		Bounds device.Bounds
	}
	// Scatter combines values with the elements that Gather reads.
	Scatter struct {
		Gather
		Combine device.Combine
	}
	// Assign combines a value, which is broadcast, with the elements that a View shows and of which Gather, if it is not
	// nil, picks some.
	Assign struct {
		Base    []int
		View    broadcast.View
		Gather  *Gather
		Combine device.Combine
	}
	// MaskEqual returns the first input where the other two are equal, else 0.
	MaskEqual struct{}
	// Sort returns the elements of x along an axis in order, or the first Keep of them, and their indices.
	Sort struct {
		Axis       int
		Descending bool
		Keep       int
	}
)

// Computations.
type (
	// Program computes elementwise; Scalars are the values of the program's scalars.
	Program struct {
		Program *device.Program
		Scalars []device.Scalar
	}
	// Reduction applies Map, combines over the axes, and applies After, if it is not nil, to the combined values; the scalar
	// of After is the number of values that one of them combines. Squares combines squared magnitudes. Further inputs of
	// After are 1.
	Reduction struct {
		Map, After *device.Program
		Combine    device.Combine
		Squares    bool
		Axes       []int
	}
	// ArgReduction returns the index, int64, of the largest or smallest element of each row of a matrix.
	ArgReduction struct{ Combine device.Combine }
	// Deviation is a variance, or its root, with the divisor N. A second input is the mean.
	Deviation struct {
		Axes []int
		N    float64
		Root bool
	}
	// Scan combines along an axis.
	Scan struct {
		Combine            device.Combine
		Axis               int
		Exclusive, Reverse bool
	}
	// MatMul multiplies matrices; a third input is added.
	MatMul struct{}
	// ProductSum sums the product of its inputs, of common shape Shape, over axes.
	ProductSum struct{ Shape, Axes []int }
	// Softmax along an axis, or its logarithm.
	Softmax struct {
		Axis int
		Log  bool
	}
	// Attention of queries, keys, values and optionally an added mask. The second result is the weights.
	Attention struct {
		Scale  float64
		Causal bool
	}
	// Normalize of x, gamma and beta, of one rank; the results are y, mean and variance.
	Normalize struct {
		Over []int
		Eps  float64
	}
	// Convolve is a part of a convolution: with PartOutput of x (N, G, C, …) and w (G, M, C, …), and optionally a bias
	// (G, M, 1, …), the result (N, G, M, …).
	Convolve struct {
		Part   device.Part
		Window device.Window
	}
	// Pool combines windows of planes: their largest elements, with their positions in the windows, or their sums.
	Pool struct {
		Combine device.Combine
		Window  device.Window
		Kernel  []int
	}
)
