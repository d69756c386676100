// Package sparse holds matrices that store only some of their elements; the other elements are zero. The formats are
// compressed rows ([CSR]), compressed columns ([CSC]), and a list of coordinates ([COO]). A [RowSparse] is an array
// that stores only some of its rows.
//
//	m := sparse.FromDense(x)    // CSR
//	y := sparse.MatMul(m, v)    // a dense product
//
// The stored elements are an ordinary array, Data; their coordinates are arrays of int64 on the same device. Everything
// is composed of the differentiable functions of package ops. So gradients of any order flow to Data and to dense
// operands, and everything runs on every device. Functions wait for the device only if the number of stored elements of
// a result depends on values, or if a constructor checks the given coordinates.
//
// The same coordinates may occur several times: then the matrix has the sum of the elements there. Functions that are
// not linear add up such elements first. Matrices hold numbers, not bools. The number of their elements, stored or not,
// must fit an int.
//
// The formats are those of SciPy and cupyx.scipy.sparse. MXNet names them csr and row_sparse, and its sparse.dot is
// [MatMul].
package sparse
