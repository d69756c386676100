// Package npy reads and writes NumPy's .npy and .npz formats at the level of bytes: headers, runs of elements,
// archives. It knows element types but not arrays.
//
// An .npy file consists of a magic string, a version, the length of a header, the header (a Python dict literal with
// the keys descr, fortran_order and shape) and the elements. An .npz file is a zip archive of .npy files.
//
// Elements are passed in the byte order of the host and in the order of the file (Fortran order stays Fortran order);
// bools are 0 or 1. Byte orders are resolved at run time, so that every platform runs the same code.
//
// The package trusts no size that a file declares: it allocates memory as data arrive. The parser of the header accepts
// only the expected literal; nothing is evaluated.
//
// Errors carry no package prefix: the caller names its function and the file.
package npy
