package elementwise

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func eqLoop[T scalar.Number](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := memory.Slice[bool](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
	for i := range z {
		z[i] = x[i] == y[i]
	}
}

func neLoop[T scalar.Number](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := memory.Slice[bool](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
	for i := range z {
		z[i] = x[i] != y[i]
	}
}

func ltLoop[T scalar.Integer | scalar.Float](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := memory.Slice[bool](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
	for i := range z {
		z[i] = x[i] < y[i]
	}
}

func leLoop[T scalar.Integer | scalar.Float](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := memory.Slice[bool](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
	for i := range z {
		z[i] = x[i] <= y[i]
	}
}

func isNaNLoop[T scalar.Float](dst, a, _, _ unsafe.Pointer, n int) {
	z, x := memory.Slice[bool](dst, n), memory.Slice[T](a, n)
	for i := range z {
		z[i] = scalar.IsNaN(x[i])
	}
}

// setComparisons gives > and >= the loops of < and <=, with their arguments exchanged.
func setComparisons[T scalar.Integer | scalar.Float](t dtype.DType) {
	Loops[device.OpEq][t] = eqLoop[T]
	Loops[device.OpNe][t] = neLoop[T]
	Loops[device.OpLt][t] = ltLoop[T]
	Loops[device.OpLe][t] = leLoop[T]
	Loops[device.OpGt][t] = func(dst, a, b, c unsafe.Pointer, n int) { ltLoop[T](dst, b, a, c, n) }
	Loops[device.OpGe][t] = func(dst, a, b, c unsafe.Pointer, n int) { leLoop[T](dst, b, a, c, n) }
}

// predicate makes the loop of a predicate.
func predicate[T any](f func(T) bool) Loop {
	return func(dst, a, _, _ unsafe.Pointer, n int) {
		z, x := memory.Slice[bool](dst, n), memory.Slice[T](a, n)
		for i := range z {
			z[i] = f(x[i])
		}
	}
}

// predicate2 makes the loop of a predicate of two numbers.
func predicate2[T any](f func(a, b T) bool) Loop {
	return func(dst, a, b, _ unsafe.Pointer, n int) {
		z, x, y := memory.Slice[bool](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
		for i := range z {
			z[i] = f(x[i], y[i])
		}
	}
}

// fillLoop makes the loop of a predicate that does not depend on its argument.
func fillLoop(value bool) Loop {
	return func(dst, _, _, _ unsafe.Pointer, n int) {
		z := memory.Slice[bool](dst, n)
		for i := range z {
			z[i] = value
		}
	}
}

// selects holds the loop of OpSelect by the size of the elements.
var selects = map[int]Loop{
	1: selectLoop[uint8], 2: selectLoop[uint16], 4: selectLoop[uint32], 8: selectLoop[uint64], 16: selectLoop[[2]uint64],
}

func selectLoop[T any](dst, a, b, c unsafe.Pointer, n int) {
	z, cond, x, y := memory.Slice[T](dst, n), memory.Slice[bool](a, n), memory.Slice[T](b, n), memory.Slice[T](c, n)
	for i := range z {
		v := y[i]
		if cond[i] {
			v = x[i]
		}
		z[i] = v
	}
}
