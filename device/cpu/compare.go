package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func eqLoop[T number](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := elements[bool](dst, n), elements[T](a, n), elements[T](b, n)
	for i := range z {
		z[i] = x[i] == y[i]
	}
}

func neLoop[T number](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := elements[bool](dst, n), elements[T](a, n), elements[T](b, n)
	for i := range z {
		z[i] = x[i] != y[i]
	}
}

func ltLoop[T scalar.Integer | scalar.Float](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := elements[bool](dst, n), elements[T](a, n), elements[T](b, n)
	for i := range z {
		z[i] = x[i] < y[i]
	}
}

func leLoop[T scalar.Integer | scalar.Float](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := elements[bool](dst, n), elements[T](a, n), elements[T](b, n)
	for i := range z {
		z[i] = x[i] <= y[i]
	}
}

func isNaNLoop[T scalar.Float](dst, a, _, _ unsafe.Pointer, n int) {
	z, x := elements[bool](dst, n), elements[T](a, n)
	for i := range z {
		z[i] = scalar.IsNaN(x[i])
	}
}

// setComparisons gives > and >= the loops of < and <=, with their arguments exchanged.
func setComparisons[T scalar.Integer | scalar.Float](t dtype.DType) {
	loops[device.OpEq][t] = eqLoop[T]
	loops[device.OpNe][t] = neLoop[T]
	loops[device.OpLt][t] = ltLoop[T]
	loops[device.OpLe][t] = leLoop[T]
	loops[device.OpGt][t] = func(dst, a, b, c unsafe.Pointer, n int) { ltLoop[T](dst, b, a, c, n) }
	loops[device.OpGe][t] = func(dst, a, b, c unsafe.Pointer, n int) { leLoop[T](dst, b, a, c, n) }
}

// test makes the loop of a predicate.
func test[T any](f func(T) bool) loop {
	return func(dst, a, _, _ unsafe.Pointer, n int) {
		z, x := elements[bool](dst, n), elements[T](a, n)
		for i := range z {
			z[i] = f(x[i])
		}
	}
}

// compare makes the loop of a predicate of two numbers.
func compare[T any](f func(a, b T) bool) loop {
	return func(dst, a, b, _ unsafe.Pointer, n int) {
		z, x, y := elements[bool](dst, n), elements[T](a, n), elements[T](b, n)
		for i := range z {
			z[i] = f(x[i], y[i])
		}
	}
}

// fillLoop makes the loop of a predicate that does not depend on its argument.
func fillLoop(value bool) loop {
	return func(dst, _, _, _ unsafe.Pointer, n int) {
		z := elements[bool](dst, n)
		for i := range z {
			z[i] = value
		}
	}
}

// selects holds the loop of OpSelect by the size of the elements.
var selects = map[int]loop{
	1: selectLoop[uint8], 2: selectLoop[uint16], 4: selectLoop[uint32], 8: selectLoop[uint64], 16: selectLoop[[2]uint64],
}

func selectLoop[T any](dst, a, b, c unsafe.Pointer, n int) {
	z, cond, x, y := elements[T](dst, n), elements[bool](a, n), elements[T](b, n), elements[T](c, n)
	for i := range z {
		v := y[i]
		if cond[i] {
			v = x[i]
		}
		z[i] = v
	}
}
