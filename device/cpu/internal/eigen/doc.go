// Package eigen computes eigenvalues and singular values of single matrices.
//
//   - Symmetric and Hermitian matrices: [Hermitian] reduces the matrix to a tridiagonal one by reflections, a block of rows
//     at a time (tridiagonal.go). Its eigenvectors come from divide and conquer (divide.go, merge.go) with the secular
//     equation (secular.go), small parts by the QL algorithm (ql.go). The reflections are applied to them in blocks
//     (reflections.go).
//
// Matrices are views of package blas. The reductions read a matrix once per step, with the passes of package matvec; all
// other work on matrices is products. The results do not depend on the number of workers: products have this property, and
// everything else is computed by one worker, or row by row.
package eigen
