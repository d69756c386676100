package linalg

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// MatrixPower returns the n-th powers of square matrices: powers of their inverses for negative n, identity matrices
// for 0. Integers stay integers unless n is negative.
//
// Shapes: (…, m, m) gives (…, m, m).
// NumPy: linalg.matrix_power.
func MatrixPower(a *nd.Array, n int) *nd.Array {
	const fn nd.Func = "linalg.MatrixPower"
	fn.Check(a)
	if a.Rank() < 2 {
		panic(fn.Errorf([]*nd.Array{a}, "want matrices: an array of at least two axes"))
	}
	checkSquare(fn, a)
	made := fn.Temporaries(&a)
	defer made.Release()
	count := uint(n)
	if n < 0 {
		a = inverse(fn, matrices(fn, a), true)
		count = -uint(n)
	}
	if n == 0 {
		return made.Keep(made.Own(identity(a.Dim(-1), a)).BroadcastTo(a.Shape()...).Copy())
	}
	var y *nd.Array
	for square := a; ; square = ops.MatMul(square, square) {
		if count&1 != 0 {
			if y == nil {
				y = square
			} else {
				y = ops.MatMul(y, square)
			}
		}
		if count >>= 1; count == 0 {
			return made.Keep(y)
		}
	}
}

// Kron returns the Kronecker product: all of b times every element of a, as blocks. The operand with fewer axes gets
// axes of length 1 in front.
//
// Shapes: (m, n, …) and (p, q, …) give (m·p, n·q, …).
// NumPy: kron.
func Kron(a, b *nd.Array) *nd.Array {
	const fn nd.Func = "linalg.Kron"
	fn.Check(a, b)
	made := fn.Temporaries(&a, &b)
	defer made.Release()
	rank := max(a.Rank(), b.Rank())
	if 2*rank > nd.MaxRank {
		panic(fn.Errorf([]*nd.Array{a, b}, "want at most %d axes", nd.MaxRank/2))
	}
	left, right, shape := make([]int, 2*rank), make([]int, 2*rank), make([]int, rank)
	for k := range rank {
		m, p := lengthOf(a, k-rank), lengthOf(b, k-rank)
		left[2*k], left[2*k+1] = m, 1
		right[2*k], right[2*k+1] = 1, p
		shape[k] = m * p
	}
	a, b = a.Reshape(left...), b.Reshape(right...)
	if rank > 0 && right[2*rank-1] < longRow && a.Size()*b.Size() >= longRow*longRow && !ufunc.Recorded(a, b) {
		// The rows of a block are short: both operands get all elements of the rows of the result.
		left[2*rank-1], right[2*rank-2] = right[2*rank-1], left[2*rank-2]
		a, b = a.BroadcastTo(left...).Contiguous(), b.BroadcastTo(right...).Contiguous()
	}
	return made.Keep(ops.Multiply(a, b).Reshape(shape...))
}

// longRow is the length from which the rows of a block are multiplied one by one.
const longRow = 256

// lengthOf returns the length of an axis counted from the end, or 1 if x does not have that axis.
func lengthOf(x *nd.Array, axis int) int {
	if -axis > x.Rank() {
		return 1
	}
	return x.Dim(axis)
}

// MultiDot returns the product of several matrices, multiplied in the order that needs the fewest operations. The first
// may be a row vector, the last a column vector; their axis is then left out of the result.
// NumPy: linalg.multi_dot. PyTorch: chain_matmul.
func MultiDot(xs ...*nd.Array) *nd.Array {
	const fn nd.Func = "linalg.MultiDot"
	fn.Check(xs...)
	n := len(xs)
	if n < 2 {
		panic(fn.Errorf(xs, "%d arrays: want at least two", n))
	}
	xs = append([]*nd.Array{}, xs...)
	given := make([]**nd.Array, n)
	for i := range xs {
		given[i] = &xs[i]
	}
	made := fn.Temporaries(given...)
	defer made.Release()
	var dropped []int
	if xs[0].Rank() == 1 {
		xs[0], dropped = xs[0].ExpandDims(0), append(dropped, 0)
	}
	if xs[n-1].Rank() == 1 {
		xs[n-1], dropped = xs[n-1].ExpandDims(1), append(dropped, 1)
	}
	sizes := make([]int, 0, n+1)
	for i, x := range xs {
		if x.Rank() != 2 || i > 0 && x.Dim(0) != xs[i-1].Dim(1) {
			panic(fn.Errorf(xs, "array %d has shape %s: it does not fit the array before it", i, broadcast.FormatShape(x.Shape())))
		}
		sizes = append(sizes, x.Dim(0))
	}
	y := multiplyChain(xs, cheapestSplits(append(sizes, xs[n-1].Dim(1))), 0, n-1)
	if dropped != nil {
		y = y.Squeeze(dropped...)
	}
	return made.Keep(y)
}

// cheapestSplits returns where to split each chain of matrices i to j, where matrix k is of size sizes[k] by sizes[k+1]
// (dynamic programming on the length of the chain).
func cheapestSplits(sizes []int) [][]int {
	n := len(sizes) - 1
	cost, split := make([][]float64, n), make([][]int, n)
	for i := range n {
		cost[i], split[i] = make([]float64, n), make([]int, n)
	}
	for length := 1; length < n; length++ {
		for i := 0; i+length < n; i++ {
			j := i + length
			for k := i; k < j; k++ {
				c := cost[i][k] + cost[k+1][j] + float64(sizes[i])*float64(sizes[k+1])*float64(sizes[j+1])
				if k == i || c < cost[i][j] {
					cost[i][j], split[i][j] = c, k
				}
			}
		}
	}
	return split
}

func multiplyChain(xs []*nd.Array, split [][]int, i, j int) *nd.Array {
	if i == j {
		return xs[i]
	}
	k := split[i][j]
	return ops.MatMul(multiplyChain(xs, split, i, k), multiplyChain(xs, split, k+1, j))
}
