// Package linalg holds the functions of linear algebra: factorisations, inverses and solutions of linear equations,
// determinants, norms, and what NumPy's linalg module adds to them.
//
// The last two axes of an array are its matrices, and the axes before are a batch of them, as in NumPy. Computation is in
// float32, float64, complex64 or complex128: integers and bools become float64, and 16-bit floats are refused. The gradient of
// complex matrices is ∂L/∂Re + i·∂L/∂Im, as everywhere.
//
// A factorisation that does not exist (of a singular matrix, say, or of one with not-a-numbers) panics with *nd.Error as
// every misuse does, so that these functions wait for the device. Gradients are made of the same functions, and can be
// differentiated again to any order.
package linalg
