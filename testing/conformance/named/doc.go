// Package named has the tests of documented names without a recorded case: of functions that take devices, streams,
// files, random numbers or Go functions. They call the catalogue's rows by the documented names and check what the
// documents say. There is a file for each topic.
//
// Names of CUDA need a GPU or the CPU emulator:
//
//	cudaops/emulator/run ./testing/conformance/named
package named
