package elementwise

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/bytes"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// singleCost says that the loop of an opcode is better than the interpreter, or does what that cannot, and takes so many
// nanoseconds an element; 0 for other opcodes.
var singleCost [device.OpCount][dtype.Count]float64

// setByteRoutines puts the routines of package bytes before the loops in plain Go, which do the rest that they leave.
func setByteRoutines() {
	signed := map[device.Op]bytes.Operation{device.OpAdd: bytes.Add, device.OpSub: bytes.Sub, device.OpMin: bytes.MinSigned, device.OpMax: bytes.MaxSigned,
		device.OpFMin: bytes.MinSigned, device.OpFMax: bytes.MaxSigned, device.OpAnd: bytes.And, device.OpOr: bytes.Or, device.OpXor: bytes.Xor,
		device.OpEq: bytes.Equal, device.OpNe: bytes.NotEqual, device.OpLt: bytes.LessSigned, device.OpLe: bytes.LessEqualSigned}
	unsigned := map[device.Op]bytes.Operation{device.OpAdd: bytes.Add, device.OpSub: bytes.Sub, device.OpMin: bytes.Min, device.OpMax: bytes.Max,
		device.OpFMin: bytes.Min, device.OpFMax: bytes.Max, device.OpAnd: bytes.And, device.OpOr: bytes.Or, device.OpXor: bytes.Xor,
		device.OpEq: bytes.Equal, device.OpNe: bytes.NotEqual, device.OpLt: bytes.Less, device.OpLe: bytes.LessEqual}
	bools := map[device.Op]bytes.Operation{device.OpAdd: bytes.Or, device.OpMul: bytes.And, device.OpMin: bytes.And, device.OpMax: bytes.Or,
		device.OpFMin: bytes.And, device.OpFMax: bytes.Or, device.OpAnd: bytes.And, device.OpOr: bytes.Or, device.OpXor: bytes.Xor,
		device.OpEq: bytes.Equal, device.OpNe: bytes.NotEqual, device.OpLt: bytes.Less, device.OpLe: bytes.LessEqual}
	for t, operations := range map[dtype.DType]map[device.Op]bytes.Operation{dtype.Int8: signed, dtype.Uint8: unsigned, dtype.Bool: bools} {
		for op, operation := range operations {
			setSingle(op, t, 1, byteCost, func(dst, a, b unsafe.Pointer, n int) int { return bytes.Bytes(operation, dst, a, b, n) })
		}
		for op, exchanged := range map[device.Op]device.Op{device.OpGt: device.OpLt, device.OpGe: device.OpLe} {
			operation := operations[exchanged]
			setSingle(op, t, 1, byteCost, func(dst, a, b unsafe.Pointer, n int) int { return bytes.Bytes(operation, dst, b, a, n) })
		}
		bits := byte(0xff)
		if t.IsBool() {
			bits = 1
		}
		setSingle(device.OpNot, t, 1, byteCost, func(dst, a, _ unsafe.Pointer, n int) int { return bytes.Not(bits, dst, a, n) })
	}
	setSingle(device.OpMul, dtype.Complex64, 8, 1, bytes.Product64)
	setSingle(device.OpMul, dtype.Complex128, 16, 1.5, bytes.Product128)
}

const byteCost = 0.05

func setSingle(op device.Op, t dtype.DType, size int, cost float64, most func(dst, a, b unsafe.Pointer, n int) (done int)) {
	rest := Loops[op][t]
	Loops[op][t] = func(dst, a, b, c unsafe.Pointer, n int) {
		done := most(dst, a, b, n)
		if done == n {
			return
		}
		if b != nil {
			b = unsafe.Add(b, done*size)
		}
		rest(unsafe.Add(dst, done*size), unsafe.Add(a, done*size), b, c, n-done)
	}
	singleCost[op][t] = cost
}
