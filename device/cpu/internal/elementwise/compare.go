package elementwise

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
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

// comparison returns the loop of a comparison, and nil for other opcodes: > and >= are < and <= with exchanged
// arguments.
func comparison[T scalar.Integer | scalar.Float](op device.Op) Loop {
	switch op {
	case device.OpEq:
		return eqLoop[T]
	case device.OpNe:
		return neLoop[T]
	case device.OpLt:
		return ltLoop[T]
	case device.OpLe:
		return leLoop[T]
	case device.OpGt:
		return func(dst, a, b, c unsafe.Pointer, n int) { ltLoop[T](dst, b, a, c, n) }
	case device.OpGe:
		return func(dst, a, b, c unsafe.Pointer, n int) { leLoop[T](dst, b, a, c, n) }
	}
	return nil
}

// predicate returns the loop of a predicate.
func predicate[T any](f func(T) bool) Loop {
	return func(dst, a, _, _ unsafe.Pointer, n int) {
		z, x := memory.Slice[bool](dst, n), memory.Slice[T](a, n)
		for i := range z {
			z[i] = f(x[i])
		}
	}
}

// predicate2 returns the loop of a predicate of two numbers.
func predicate2[T any](f func(a, b T) bool) Loop {
	return func(dst, a, b, _ unsafe.Pointer, n int) {
		z, x, y := memory.Slice[bool](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
		for i := range z {
			z[i] = f(x[i], y[i])
		}
	}
}

// fillLoop returns the loop of a predicate that does not depend on its argument.
func fillLoop(value bool) Loop {
	return func(dst, _, _, _ unsafe.Pointer, n int) {
		z := memory.Slice[bool](dst, n)
		for i := range z {
			z[i] = value
		}
	}
}

// selectLoopOf returns the loop of OpSelect by the size of the elements.
func selectLoopOf(size int) Loop {
	switch size {
	case 1:
		return selectLoop[uint8]
	case 2:
		return selectLoop[uint16]
	case 4:
		return selectLoop[uint32]
	case 8:
		return selectLoop[uint64]
	}
	return selectLoop[[2]uint64]
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
