// Package ref is the reference device: the definition of every kernel, as code.
//
// Each kernel is the obvious loop. It reads elements one by one, computes with the functions of package scalar, and
// converts each result as package dtype does when it stores it. Sums of floats are accumulated in float64 and rounded
// once, at the end. Nothing here is fast; package compliance compares other devices with it.
//
// The host cannot see the memory of this device: code that runs on it dereferences no handles, and so runs on other
// devices, too. A block is filled with a pattern when it is allocated and when it is freed. Using a freed block, or
// another device's block, panics, and so does every access outside a block.
//
// Importing the package registers the device under the name "ref".
package ref
