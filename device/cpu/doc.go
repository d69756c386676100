// Package cpu is the default device: the processor that the program runs on.
//
// The kernels of this package know what a launch means: strides, dtypes, and how work is shared. What works on pieces of
// memory are the packages under internal, by family: assembly for AVX-512 and AVX2, beside plain Go that runs everywhere
// and is all there is under the tag purego. An elementwise program becomes threaded code of such routines; where it has an
// opcode or a type that they do not know, it runs in blocks of about a thousand elements, one loop per opcode and type.
//
// Large kernels are shared among the goroutines of one pool (see [SetWorkers]). Results are the same, bit for bit, on any
// number of processors: pool.go says why. Sums are pairwise.
//
// Memory is plain Go memory without pointers. Blocks that are given back serve again, by classes of size; those that are
// not are left to the garbage collector.
//
// Importing the package registers the device under the name "cpu".
package cpu
