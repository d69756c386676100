// Package table reads and writes tables of numbers as text, as numpy.loadtxt and numpy.savetxt do: a row a line. It knows element
// types and no arrays.
//
// Errors carry no package prefix: the caller names its function and the file.
package table
