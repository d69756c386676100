// Package sparse holds matrices that store only some of their elements, the others being zero: by rows ([CSR]), by
// columns ([CSC]), or as a list of places ([COO]), and arrays of which only some rows are stored ([RowSparse]).
//
//	m := sparse.FromDense(x)    // CSR
//	y := sparse.MatMul(m, v)    // a dense product
//
// The stored elements are an ordinary array, Data, and the places are arrays of int64 on the same device. Everything is
// made of the differentiable functions of package ops, so that gradients flow to Data and to dense operands, to any
// order, and runs on every device. Functions wait for the device only where the number of stored elements of a result
// depends on values, and where a constructor checks the places it is given.
//
// A place may be stored twice: the matrix has the sum there. Functions that are not linear add up such elements first.
// Matrices are of numbers, not of bools, and the number of their places, stored or not, must fit an int.
//
// The formats are those of SciPy and cupyx.scipy.sparse; MXNet's names are csr and row_sparse, and its sparse.dot is
// [MatMul].
package sparse
