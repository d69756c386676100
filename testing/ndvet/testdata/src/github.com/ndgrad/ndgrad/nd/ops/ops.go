// Package ops stands for the library's: its functions are declared as there, and do nothing.
package ops

import "github.com/ndgrad/ndgrad/nd"

type (
	UfuncOptions struct {
		Out   *nd.Array
		Where *nd.Array
	}
	ReduceOptions struct {
		Axes []int
		Out  *nd.Array
	}
	JoinOptions    struct{ Out *nd.Array }
	ProductOptions struct{ Out *nd.Array }
	PairOptions    struct{ Out [2]*nd.Array }
	Kernel         struct{ name string }
	Axes           []int
	Output         struct{ array *nd.Array }

	Option        interface{ Option() }
	UfuncOption   interface{ ufunc() UfuncOptions }
	ReduceOption  interface{ reduce() ReduceOptions }
	JoinOption    interface{ join() JoinOptions }
	ProductOption interface{ product() ProductOptions }
)

func Add[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array      { return nil }
func Subtract[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array { return nil }
func Multiply[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array { return nil }
func Less[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array     { return nil }
func Tanh(x *nd.Array, opts ...UfuncOption) *nd.Array                   { return nil }
func ReLU(x *nd.Array, opts ...UfuncOption) *nd.Array                   { return nil }
func Square(x *nd.Array, opts ...UfuncOption) *nd.Array                 { return nil }
func Sqrt(x *nd.Array, opts ...UfuncOption) *nd.Array                   { return nil }
func Sum(x *nd.Array, opts ...ReduceOption) *nd.Array                   { return nil }
func Mean(x *nd.Array, opts ...ReduceOption) *nd.Array                  { return nil }
func MatMul(a, b *nd.Array, opts ...ProductOption) *nd.Array            { return nil }
func AddN(xs ...*nd.Array) *nd.Array                                    { return nil }
func DivMod[A, B nd.Operand](a A, b B, opts ...PairOptions) (quotient, remainder *nd.Array) {
	return nil, nil
}
func Where[A, B nd.Operand](condition *nd.Array, a A, b B) *nd.Array { return nil }
func Concatenate(xs []*nd.Array, opts ...JoinOption) *nd.Array       { return nil }

func (o UfuncOptions) ufunc() UfuncOptions       { return o }
func (o ProductOptions) product() ProductOptions { return o }
func (o ReduceOptions) reduce() ReduceOptions    { return o }
func (a Axes) reduce() ReduceOptions             { return ReduceOptions{Axes: a} }
func (o JoinOptions) join() JoinOptions          { return o }

func (out Output) ufunc() UfuncOptions     { return UfuncOptions{Out: out.array} }
func (out Output) reduce() ReduceOptions   { return ReduceOptions{Out: out.array} }
func (out Output) product() ProductOptions { return ProductOptions{Out: out.array} }

func Over(axes ...int) Axes     { return axes }
func Into(out *nd.Array) Output { return Output{out} }

func (k *Kernel) Call(args ...*nd.Array) *nd.Array { return nil }
