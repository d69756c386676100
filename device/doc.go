// Package device says what a device is: memory behind opaque handles, copies, and a small vocabulary of kernels from
// which every function of the library is made.
//
// A kernel receives one *[Launch]: a loop shape, up to twelve operands (memory, offset, strides, dtype), and the kernel's
// attributes. An elementwise function is a [Program]: typed single-assignment code parsed from source text such as
// "x*tanh(log1p(exp(x)))", which a backend interprets, compiles or prints as it likes.
//
// A backend embeds [Base], whose methods panic with *[Unsupported], and registers itself with [Register]. Package
// device/ref is the living definition of every kernel; testing/compliance holds a backend to it.
package device
