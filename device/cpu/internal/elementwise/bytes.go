package elementwise

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/bytes"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// routine is a routine of package bytes that runs before the loop in Go, which computes the rest. It is faster than the
// interpreter, or computes what the interpreter cannot.
type routine struct {
	most func(dst, a, b unsafe.Pointer, n int) (done int)
	size int     // of an element, in bytes
	cost float64 // of an element, in nanoseconds
}

const byteCost = 0.05

// routineOf returns the routine of an opcode by the type of what it reads, or none.
func routineOf(op device.Op, t dtype.DType) routine {
	switch {
	case op == device.OpMul && t == dtype.Complex64:
		return routine{bytes.Product64, 8, 1}
	case op == device.OpMul && t == dtype.Complex128:
		return routine{bytes.Product128, 16, 1.5}
	case op == device.OpAbs && t == dtype.Complex64:
		return routine{bytes.Modulus64, 8, 0.5}
	case op == device.OpAbs && t == dtype.Complex128:
		return routine{bytes.Modulus128, 16, 0.8}
	case t != dtype.Bool && t != dtype.Int8 && t != dtype.Uint8:
		return routine{}
	}
	switch op {
	case device.OpNot:
		bits := byte(0xff)
		if t.IsBool() {
			bits = 1
		}
		return routine{func(dst, a, _ unsafe.Pointer, n int) int { return bytes.Not(bits, dst, a, n) }, 1, byteCost}
	case device.OpGt, device.OpGe: // computed as < and <=, with exchanged arguments
		exchanged := device.OpLt
		if op == device.OpGe {
			exchanged = device.OpLe
		}
		operation, _ := byteOperation(exchanged, t)
		return routine{func(dst, a, b unsafe.Pointer, n int) int { return bytes.Bytes(operation, dst, b, a, n) }, 1, byteCost}
	}
	operation, ok := byteOperation(op, t)
	if !ok {
		return routine{}
	}
	return routine{func(dst, a, b unsafe.Pointer, n int) int { return bytes.Bytes(operation, dst, a, b, n) }, 1, byteCost}
}

// byteOperation returns the operation that an opcode with two arguments performs on one-byte types.
func byteOperation(op device.Op, t dtype.DType) (operation bytes.Operation, ok bool) {
	signed := t == dtype.Int8
	switch op {
	case device.OpEq:
		return bytes.Equal, true
	case device.OpNe:
		return bytes.NotEqual, true
	case device.OpLt:
		return either(signed, bytes.LessSigned, bytes.Less), true
	case device.OpLe:
		return either(signed, bytes.LessEqualSigned, bytes.LessEqual), true
	case device.OpAnd:
		return bytes.And, true
	case device.OpOr:
		return bytes.Or, true
	case device.OpXor:
		return bytes.Xor, true
	case device.OpAdd:
		return either(t.IsBool(), bytes.Or, bytes.Add), true
	case device.OpSub:
		return bytes.Sub, !t.IsBool()
	case device.OpMul:
		return bytes.And, t.IsBool()
	case device.OpMin, device.OpFMin:
		return either(t.IsBool(), bytes.And, either(signed, bytes.MinSigned, bytes.Min)), true
	case device.OpMax, device.OpFMax:
		return either(t.IsBool(), bytes.Or, either(signed, bytes.MaxSigned, bytes.Max)), true
	}
	return 0, false
}

func either(first bool, a, b bytes.Operation) bytes.Operation {
	if first {
		return a
	}
	return b
}

// before returns the loop that runs the routine, and then rest for the elements that it leaves.
func (r routine) before(rest Loop) Loop {
	return func(dst, a, b, c unsafe.Pointer, n int) {
		done := r.most(dst, a, b, n)
		if done == n {
			return
		}
		if done == 0 {
			rest(dst, a, b, c, n)
			return
		}
		if b != nil {
			b = unsafe.Add(b, done*r.size)
		}
		rest(unsafe.Add(dst, done*r.size), unsafe.Add(a, done*r.size), b, c, n-done)
	}
}
