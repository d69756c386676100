package ops

import "github.com/ndgrad/ndgrad/nd"

// Output is the array that receives a result: see [Into].
type Output struct {
	array *nd.Array
	// The data word of an interface would hold a struct of one pointer itself. Then the compiler could not tell the
	// array, which lives on, from structs of options behind other interfaces of the family, and would allocate those.
	_ uintptr
}

// Into makes a function write its result into an array instead of a new one: Subtract(w, d, Into(w)) is w -= d. It sets
// the field Out of the function's options, and can be combined with axes: Sum(x, Over(1), Into(y)).
// NumPy: ufunc (with out).
func Into(out *nd.Array) Output { return Output{array: out} }

// Option is an option that functions of other packages take beside their structs of options: [Axes], [KeptAxes] or
// [Output]. Functions of this package list their options themselves.
type Option interface{ Option() }

// Option marks axes as an option of functions of other packages.
func (a Axes) Option() {}

// Option marks axes as an option of functions of other packages.
func (a KeptAxes) Option() {}

// Option marks an output as an option of functions of other packages.
func (out Output) Option() {}

// ArrayOption marks an output as an option of functions that draw random numbers; other functions that make arrays
// refuse it.
func (out Output) ArrayOption() {}

// Array returns the array that receives the result.
func (out Output) Array() *nd.Array { return out.array }

// UfuncOption is a [UfuncOptions], or [Into].
type UfuncOption interface {
	ufunc(UfuncOptions) UfuncOptions
}

func (o UfuncOptions) ufunc(UfuncOptions) UfuncOptions { return o }
func (out Output) ufunc(o UfuncOptions) UfuncOptions   { o.Out = out.array; return o }

// ProductOption is a [ProductOptions], or [Into].
type ProductOption interface {
	product(ProductOptions) ProductOptions
}

func (o ProductOptions) product(ProductOptions) ProductOptions { return o }
func (out Output) product(o ProductOptions) ProductOptions     { o.Out = out.array; return o }

// TensorDotOption is a [TensorDotOptions], or [Into].
type TensorDotOption interface {
	tensorDot(TensorDotOptions) TensorDotOptions
}

func (o TensorDotOptions) tensorDot(TensorDotOptions) TensorDotOptions { return o }
func (out Output) tensorDot(o TensorDotOptions) TensorDotOptions       { o.Out = out.array; return o }

// RoundOption is a [RoundOptions], or [Into].
type RoundOption interface {
	round(RoundOptions) RoundOptions
}

func (o RoundOptions) round(RoundOptions) RoundOptions { return o }
func (out Output) round(o RoundOptions) RoundOptions   { o.Out = out.array; return o }

// EinsumOption is an [EinsumOptions], or [Into].
type EinsumOption interface {
	einsum(EinsumOptions) EinsumOptions
}

func (o EinsumOptions) einsum(EinsumOptions) EinsumOptions { return o }
func (out Output) einsum(o EinsumOptions) EinsumOptions    { o.Out = out.array; return o }

// Families that take axes too: see axes.go.

func (out Output) reduce(o ReduceOptions) ReduceOptions       { o.Out = out.array; return o }
func (out Output) variance(o VarOptions) VarOptions           { o.Out = out.array; return o }
func (out Output) quantile(o QuantileOptions) QuantileOptions { o.Out = out.array; return o }
func (out Output) arg(o ArgOptions) ArgOptions                { o.Out = out.array; return o }
func (out Output) join(o JoinOptions) JoinOptions             { o.Out = out.array; return o }
func (out Output) trace(o TraceOptions) TraceOptions          { o.Out = out.array; return o }
