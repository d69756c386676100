package ref_test

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// bytesOf returns elements as bytes.
func bytesOf[T dtype.Element](elements []T) []byte {
	if len(elements) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&elements[0])), len(elements)*dtype.Of[T]().Size())
}

// in is an operand with the given elements, in row-major order over the loop.
func in[T dtype.Element](d *ref.Device, elements ...T) device.Operand {
	m := d.Alloc(len(elements) * dtype.Of[T]().Size())
	d.CopyIn(m, 0, bytesOf(elements))
	return device.Operand{Memory: m, DType: dtype.Of[T]()}
}

// out is an operand for n elements.
func out[T dtype.Element](d *ref.Device, n int) device.Operand { return in(d, make([]T, n)...) }

// elements formats the elements of an operand, so that NaNs and negative zeros can be compared.
func elements[T dtype.Element](d *ref.Device, o device.Operand) string {
	values := make([]T, o.Memory.Size/dtype.Of[T]().Size())
	d.CopyOut(bytesOf(values), o.Memory, 0)
	return strings.Trim(fmt.Sprint(values), "[]")
}

// over gives an operand these strides over the loop.
func over(o device.Operand, strides ...int) device.Operand {
	copy(o.Strides[:], strides)
	return o
}

// dense gives operands the contiguous strides of the loop's shape.
func dense(shape []int, operands ...device.Operand) []device.Operand {
	for k := range operands {
		operands[k] = over(operands[k], broadcast.Strides(shape)...)
	}
	return operands
}

// launch returns a launch over a shape with one output.
func launch(shape []int, operands ...device.Operand) *device.Launch {
	l := device.NewLaunch()
	l.Rank = copy(l.Shape[:], shape)
	l.N = copy(l.Operands[:], operands)
	l.Outputs = 1
	return l
}

func compile(t *testing.T, src device.Source, types map[byte]dtype.DType) *device.Program {
	t.Helper()
	p, err := src.Compile(func(letter byte) dtype.DType { return types[letter] })
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func expect(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %s, want %s", what, got, want)
	}
}

// panicOf returns what f panics with.
func panicOf(f func()) (e any) {
	defer func() { e = recover() }()
	f()
	return nil
}
