// Package device defines what a device is: memory behind opaque handles, copies, and a small vocabulary of kernels from
// which every function of the library is built.
//
// A kernel gets one *[Launch]: the shape of a loop, up to twelve operands (memory, offset, strides, dtype), and
// attributes. [Kernels] says what each kernel computes, [Signatures] which operands and attributes it takes. An
// elementwise function is a [Program]: code compiled from source text such as "x*tanh(log1p(exp(x)))", which a backend
// interprets, compiles or prints.
//
// A backend embeds [Base], whose kernels panic with *[Unsupported], and registers itself with [Register]. Package
// device/ref defines every kernel in code; testing/compliance tests backends against it.
package device
