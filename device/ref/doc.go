// Package ref is the reference device: the living definition of every kernel.
//
// Each kernel is the obvious loop. An array's elements are read one by one into values of the types that programs compute
// with, the meaning of an operation is one call of [device.Op]'s function in package scalar, and the result is converted
// by package dtype's rules as it is stored. Sums of floats are carried in float64 and rounded once at the end. Nothing
// here is fast; other devices are held to it by package compliance.
//
// Its memory cannot be seen by the host, so that whatever runs on it is known not to follow handles. A block is filled
// with a pattern when it is made and when it is freed; the use of a freed or foreign block panics, and so does every
// access outside a block.
//
// Importing the package registers the device under the name "ref".
package ref
