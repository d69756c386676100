// Package blas has matrices in memory and what factorisations do with them: products, triangular systems of equations,
// transposed copies and vectors.
//
//   - [Matrix] is a view: rows, columns, and a stride for each. [Matrix.Part] and [Matrix.Transpose] are views of the same
//     memory. Elements are float32, float64, complex64 or complex128.
//   - [AddProduct] computes C += α·A·B with the tiles of package gemm. A and B may be transposed views, and may be
//     conjugated.
//   - [Substitute] and [SubstituteRight] compute T⁻¹·X and X·T⁻¹ for a triangle T of a matrix, recursively, with products;
//     [InvertLower] computes the inverse of a triangle.
//   - [Copy] and [CopyScaled] copy matrices, transposed if the strides say so.
//   - [Dot], [Axpy], [Scale] and [Divide] are the operations on contiguous vectors; [SubtractRows], [SubtractOuter] and [Dots]
//     those of a vector and a few rows.
//
// Products share their work with other workers if that is worth it, unless the form has [Alone]. The results are the same
// bits for any number of workers, because package matmul fixes how sums are split by the shapes.
package blas
