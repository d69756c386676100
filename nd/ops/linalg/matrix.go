package linalg

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// matrixType returns the dtype in which operands are computed together: complex if one of them is complex, and in
// single precision if all of them are.
func matrixType(fn nd.Func, xs ...*nd.Array) dtype.DType {
	t := dtype.Float32
	for _, x := range xs {
		switch of := x.DType(); of {
		case dtype.Float16, dtype.BFloat16:
			panic(fn.Errorf(xs, "dtype %s is not supported: convert to float32", of))
		case dtype.Float32, dtype.Complex64, dtype.Complex128:
			t = dtype.Promote(t, of)
		default:
			t = dtype.Promote(t, dtype.Float64)
		}
	}
	return t
}

// matrices checks that an array holds matrices, and converts it to the dtype to compute in.
func matrices(fn nd.Func, a *nd.Array) *nd.Array {
	fn.Check(a)
	if a.Rank() < 2 {
		panic(fn.Errorf([]*nd.Array{a}, "want matrices: an array of at least two axes"))
	}
	return a.AsType(matrixType(fn, a))
}

// checkSquare panics for matrices that are not square.
func checkSquare(fn nd.Func, a *nd.Array) {
	if a.Dim(-1) != a.Dim(-2) {
		panic(fn.Errorf([]*nd.Array{a}, "the last two axes have lengths %d and %d: want square matrices", a.Dim(-2), a.Dim(-1)))
	}
}

// hasEmptyMatrices reports whether each matrix of an array is empty, whatever their number.
func hasEmptyMatrices(a *nd.Array) bool {
	return a.Rank() >= 2 && (a.Dim(-1) == 0 || a.Dim(-2) == 0)
}

// batchOf returns the shape of an array of matrices without its last two axes.
func batchOf(a *nd.Array) []int {
	shape := a.Shape()
	return shape[: len(shape)-2 : len(shape)-2]
}

// sameBatch returns the shape of the batch that two arrays of matrices broadcast to.
func sameBatch(fn nd.Func, a, b *nd.Array) []int {
	batch, err := broadcast.Shapes(batchOf(a), batchOf(b))
	if err != nil {
		panic(fn.Errorf([]*nd.Array{a, b}, "%v", err))
	}
	return batch[:len(batch):len(batch)]
}

// factorisation prepares a launch over a batch of m×n matrices. Its operands are added by write and read.
type factorisation struct {
	nd.Launch
	fn    nd.Func
	like  []*nd.Array // the operands
	batch []int
}

func newFactorisation(fn nd.Func, like *nd.Array, batch []int, m, n int, others ...*nd.Array) *factorisation {
	loop := append(batch, m, n)
	return &factorisation{Launch: fn.Launch(like.Device(), loop), fn: fn, like: append(others, like), batch: batch}
}

// write allocates a result for the batch: numbers, vectors if one length is given, or matrices if two.
func (f *factorisation) write(t dtype.DType, lengths ...int) *nd.Array {
	y := f.fn.NewLike(t, append(f.batch, lengths...), f.like...)
	f.WriteStrides(y, f.strides(y, len(lengths)))
	return y
}

// read adds an operand of matrices, which broadcast to the batch.
func (f *factorisation) read(x *nd.Array) { f.ReadStrides(x, f.strides(x, 2)) }

// strides returns the strides of the batch and two more: those of rows and columns for matrices, one and 0 for vectors, 0 and 0 for numbers.
func (f *factorisation) strides(x *nd.Array, axes int) []int {
	shape, strides := x.Shape(), x.Strides()
	outer := len(shape) - axes
	all, err := broadcast.BroadcastStrides(nil, shape[:outer], strides[:outer], f.batch)
	if err != nil {
		panic(err) // the batch is what the operands broadcast to
	}
	all = append(all, strides[outer:]...)
	for range 2 - axes {
		all = append(all, 0)
	}
	return all
}

func (f *factorisation) run(kernel func(device.Device, *device.Launch)) { f.Run(kernel) }

// transpose exchanges rows and columns; adjoint also conjugates.
func transpose(a *nd.Array) *nd.Array { return a.SwapAxes(-1, -2) }
func adjoint(a *nd.Array) *nd.Array   { return ops.Conj(transpose(a)) }

// identity returns the identity matrix, in the dtype and on the device of another array.
func identity(n int, like *nd.Array) *nd.Array {
	return nd.Identity(n, nd.ArrayOptions{DType: like.DType(), Device: like.Device()})
}

// diagonal returns the diagonal matrices of vectors.
func diagonal(s *nd.Array) *nd.Array {
	one := identity(s.Dim(-1), s)
	defer one.Release()
	return scaleColumns(one, s)
}

// columns returns the columns [from, to) of matrices; rows returns the rows.
func columns(a *nd.Array, from, to int) *nd.Array {
	return a.Index(nd.Ellipsis(), nd.Span(from, to))
}
func rows(a *nd.Array, from, to int) *nd.Array {
	return a.Index(nd.Ellipsis(), nd.Span(from, to), nd.All())
}

// scaleColumns multiplies each column by an element of the vectors s; scaleMatrices multiplies each matrix by one of
// the numbers s.
func scaleColumns(a, s *nd.Array) *nd.Array  { return ops.Multiply(a, s.ExpandDims(-2)) }
func scaleMatrices(a, s *nd.Array) *nd.Array { return ops.Multiply(a, s.ExpandDims(-1, -2)) }

// hermitianPart returns (a + aᴴ)/2.
func hermitianPart(a *nd.Array) *nd.Array {
	return ops.Multiply(ops.Add(a, adjoint(a)), 0.5)
}

// inverseOrZero returns 1/x, and 0 where x is 0.
func inverseOrZero(x *nd.Array) *nd.Array {
	isZero := ops.Equal(x, 0)
	return ops.Where(isZero, 0.0, ops.Reciprocal(ops.Where(isZero, 1.0, x)))
}

// inverseGaps returns 1/(xⱼ - xᵢ) at (i, j), and 0 where the two are equal up to rounding errors.
func inverseGaps(x *nd.Array) *nd.Array {
	gaps := ops.Subtract(x.ExpandDims(-2), x.ExpandDims(-1))
	if x.Dim(-1) == 0 {
		return gaps
	}
	eps := dtype.Info(x.DType()).Eps * float64(8*x.Dim(-1))
	size := ops.Max(ops.Absolute(x.Detach()), ops.Over(-1).KeepDims()).ExpandDims(-1)
	isEqual := ops.LessEqual(ops.Absolute(gaps.Detach()), ops.Multiply(size, eps))
	return inverseOrZero(ops.Where(isEqual, 0.0, gaps))
}

// sumOf adds gradients; missing ones are nil.
func sumOf(gs ...*nd.Array) *nd.Array {
	var sum *nd.Array
	for _, g := range gs {
		switch {
		case g == nil:
		case sum == nil:
			sum = g
		default:
			sum = ops.Add(sum, g)
		}
	}
	return sum
}
