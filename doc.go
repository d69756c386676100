// Package ndgrad is an n-dimensional array library with gradients: what NumPy and a tape are to Python, for Go.
//
//   - package nd has the array: dtype, device, stride views, indexing, files, printing;
//   - package nd/ops has the functions, which run at once on any device;
//   - package nd/grad records them, and gives gradients of any order;
//   - package nn adds parameters and layers, and nn/optim optimizers.
//
// The default build is pure Go, without cgo. docs/architecture.md says what lives where, and why.
package ndgrad
