// Package cpu is the default device: the processor that the program runs on. Importing it registers the device "cpu".
//
// It passes each kernel to the package under internal that implements it. Those packages know what a launch means:
// strides, dtypes, and how work is split. The families under internal/simd work on pieces of memory: assembly for
// AVX-512 and AVX2, beside plain Go that runs everywhere and is the only code under the build tag purego.
//
// Large kernels are split among the goroutines of one pool (see [SetWorkers]). Results are the same, bit for bit, on
// any number of processors: package workers says why. Sums are pairwise.
//
// Memory is ordinary Go memory without pointers. Released blocks are recycled by size class; blocks that are not
// released are left to the GC.
package cpu
