// Package table reads and writes tables of numbers as text, as NumPy's loadtxt and savetxt do: one row per line. It
// knows element types but not arrays.
//
// Errors carry no package prefix: the caller names its function and the file.
package table
