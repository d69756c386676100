package cpu

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// array is an operand of the tests: a contiguous block, seen through strides.
type array struct {
	device.Operand
	bytes []byte
}

// newArray wraps data, which it shows contiguously over a loop.
func newArray[T dtype.Element](data []T, loop ...int) array {
	return newStrided(data, 0, broadcast.Strides(loop))
}

func newStrided[T dtype.Element](data []T, offset int, strides []int) array {
	var zero T
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(data))), len(data)*int(unsafe.Sizeof(zero)))
	m, _ := processor{}.Wrap(bytes)
	a := array{device.Operand{Memory: m, Offset: offset, DType: dtype.Of[T]()}, bytes}
	copy(a.Strides[:], strides)
	return a
}

// raw makes the array one that a program reads by position.
func (a array) raw() array {
	a.Strides = [device.MaxRank]int{}
	a.Len = len(a.bytes) / a.DType.Size()
	return a
}

// launchOf puts a launch together; the first of the operands is the output.
func launchOf(loop []int, operands ...array) *device.Launch {
	l := device.NewLaunch()
	l.Rank, l.N, l.Outputs = len(loop), len(operands), 1
	copy(l.Shape[:], loop)
	for k, a := range operands {
		l.Operands[k] = a.Operand
	}
	return l
}

// compile makes the program of a body with inputs x, y and z of the type, one scalar s, and one output of any type.
func compile(tb testing.TB, t dtype.DType, inputs, output, body string) *device.Program {
	tb.Helper()
	p, err := device.Source{Name: "test", Inputs: inputs, Scalars: "T s", Outputs: output, Body: body}.Compile(
		func(byte) dtype.DType { return t })
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func uniform(n int) []float32 {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	x := make([]float32, n)
	for i := range x {
		x[i] = rng.Float32()*4 - 2
	}
	return x
}

func widened(x []float32) []float64 {
	z := make([]float64, len(x))
	for i, v := range x {
		z[i] = float64(v)
	}
	return z
}
