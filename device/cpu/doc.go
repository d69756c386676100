// Package cpu is the default device: the processor that the program runs on.
//
// An elementwise program runs in blocks of about a thousand elements, one loop per opcode and type, so that all its
// intermediate values stay in the first-level cache. The loops stand in one table, indexed by opcode and type; whatever
// is faster for one of them takes its place there.
//
// Large kernels are shared among the goroutines of one pool (see [SetWorkers]). How work is cut never depends on how
// many there are, and partial results are combined in a fixed order: results are the same, bit for bit, on any number
// of processors. Sums are pairwise.
//
// Memory is plain Go memory without pointers, and the garbage collector decides about its end.
//
// Importing the package registers the device under the name "cpu".
package cpu
