// Package ref is the reference device: the definition of every kernel, as code.
//
// Each kernel is the obvious loop. It reads elements one by one, computes by the functions of package scalar, and converts each
// result as package dtype does when it stores it. Sums of floats are carried in float64 and rounded once, at the end. Nothing here
// is fast; package compliance compares other devices with it.
//
// The host cannot see its memory: code that runs on it does not follow handles, and so runs on other devices, too. A block is
// filled with a pattern when it is made and when it is freed. The use of a block that is freed, or another device's, panics, and
// so does every access outside of a block.
//
// Importing the package registers the device under the name "ref".
package ref
