// Package ndgrad is an n-dimensional array library with gradients: for Go what NumPy and an autograd tape are for
// Python.
//
//   - package nd has the array: dtype, device, strided views, indexing, files, printing;
//   - package nd/ops has the functions, which run immediately, on any device;
//   - package nd/grad records them, and computes gradients of any order;
//   - package nn adds parameters, layers and optimizers.
//
// The default build is pure Go, without cgo. docs/architecture.md describes the packages, and the reasons for their
// structure.
package ndgrad
