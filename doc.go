// Package ndgrad is an n-dimensional array library with gradients: for Go what NumPy and an autograd tape are for
// Python.
//
//   - package nd has the array: dtype, device, stride views, indexing, files, printing;
//   - package nd/ops has the functions, which run at once on any device;
//   - package nd/grad records them, and gives gradients of any order;
//   - package nn adds parameters and layers, and nn/optim optimizers.
//
// The default build is pure Go, without cgo. docs/architecture.md describes the packages, and the reasons for their
// structure.
package ndgrad
