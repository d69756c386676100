// Package cpu is the default device: the processor that the program runs on. Importing it registers the device "cpu".
//
// It hands each kernel to the package under internal that has it. Those packages know what a launch means: strides, dtypes,
// and how work is shared. What works on pieces of memory are the families under internal/simd: assembly for AVX-512 and AVX2,
// beside plain Go that runs everywhere and is all there is under the tag purego.
//
// Large kernels are shared among the goroutines of one pool (see [SetWorkers]). Results are the same, bit for bit, on any
// number of processors: package workers says why. Sums are pairwise.
//
// Memory is plain Go memory without pointers. Blocks that are given back serve again, by classes of size; those that are
// not are left to the garbage collector.
package cpu
