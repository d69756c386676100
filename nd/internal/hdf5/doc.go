// Package hdf5 reads and writes files in the HDF5 format, as libhdf5 and h5py write them, without knowing arrays.
//
// [Open] walks through the groups of a file and describes its objects. It reads headers only; the elements of a dataset
// are read when they are asked for. [Writer] writes the form that every version since HDF5 1.8 reads.
//
// Nothing in a file is trusted. Every block is read through one function, which checks that the block lies in the file
// and charges its size to a budget in proportion to the size of the file: whatever a malformed file makes the reader do,
// it ends when the budget is spent. Fields are read through a cursor, which fails at the end of its block. A failure
// is a panic of the type failure, which the exported functions turn into an error.
//
// The names of the blocks (TREE, SNOD, OHDR, …) and of the messages are those of the HDF5 File Format Specification.
package hdf5
