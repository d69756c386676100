// Package linalg holds the functions of linear algebra: factorisations, inverses, solutions of linear equations,
// determinants, norms, and the other functions of NumPy's linalg module.
//
// The last two axes of an array are its matrices, and the axes before are a batch of them, as in NumPy. Computation is
// in float32, float64, complex64 or complex128: integers and bools become float64, and 16-bit floats are refused. The
// gradient of complex matrices is ∂L/∂Re + i·∂L/∂Im, as everywhere.
//
// If a factorisation does not exist (of a singular matrix, say, or of one with NaN), the function panics with
// *nd.Error, as for every misuse. To find out, these functions wait for the device. Gradients use the same functions,
// and can be differentiated again to any order.
package linalg
