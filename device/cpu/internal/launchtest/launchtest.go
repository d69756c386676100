// Package launchtest makes launches for the tests of the kernels.
package launchtest

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Array is an operand of the tests: a contiguous block, seen through strides.
type Array struct {
	device.Operand
	Bytes []byte
}

// New wraps data as an operand that is contiguous over a loop.
func New[T dtype.Element](data []T, loop ...int) Array {
	return NewStrided(data, 0, broadcast.Strides(loop))
}

// NewStrided wraps data as an operand that starts at the element at offset and has these strides.
func NewStrided[T dtype.Element](data []T, offset int, strides []int) Array {
	var zero T
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(data))), len(data)*int(unsafe.Sizeof(zero)))
	m := device.Memory{Handle: unsafe.Pointer(unsafe.SliceData(data)), Size: len(bytes)}
	a := Array{device.Operand{Memory: m, Offset: offset, DType: dtype.Of[T]()}, bytes}
	copy(a.Strides[:], strides)
	return a
}

// Raw marks the array as one that a program reads by index.
func (a Array) Raw() Array {
	a.Strides = [device.MaxRank]int{}
	a.Len = len(a.Bytes) / a.DType.Size()
	return a
}

// Launch builds a launch; the first of the operands is the output.
func Launch(loop []int, operands ...Array) *device.Launch {
	l := device.NewLaunch()
	l.Rank, l.N, l.Outputs = len(loop), len(operands), 1
	copy(l.Shape[:], loop)
	for k, a := range operands {
		l.Operands[k] = a.Operand
	}
	return l
}

// Compile compiles a program with the given body, inputs x, y and z of the input type, one scalar s, and one output of
// any type.
func Compile(tb testing.TB, t dtype.DType, inputs, output, body string) *device.Program {
	tb.Helper()
	p, err := device.Source{Name: "test", Inputs: inputs, Scalars: "T s", Outputs: output, Body: body}.Compile(
		func(byte) dtype.DType { return t })
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// Uniform returns n random numbers between -2 and 2, the same numbers for the same n.
func Uniform(n int) []float32 {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	x := make([]float32, n)
	for i := range x {
		x[i] = rng.Float32()*4 - 2
	}
	return x
}

// Widened returns the numbers as float64.
func Widened(x []float32) []float64 {
	z := make([]float64, len(x))
	for i, v := range x {
		z[i] = float64(v)
	}
	return z
}
