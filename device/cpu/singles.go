package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/singles"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// singleCost says that the loop of an opcode is better than the interpreter, or does what that cannot, and takes so many
// nanoseconds an element; 0 for other opcodes.
var singleCost [device.OpCount][dtype.Count]float64

// setSingles puts the routines of package singles before the loops in plain Go, which do the rest that they leave.
func setSingles() {
	signed := map[device.Op]singles.Operation{device.OpAdd: singles.Add, device.OpSub: singles.Sub, device.OpMin: singles.MinSigned, device.OpMax: singles.MaxSigned,
		device.OpFMin: singles.MinSigned, device.OpFMax: singles.MaxSigned, device.OpAnd: singles.And, device.OpOr: singles.Or, device.OpXor: singles.Xor,
		device.OpEq: singles.Equal, device.OpNe: singles.NotEqual, device.OpLt: singles.LessSigned, device.OpLe: singles.LessEqualSigned}
	unsigned := map[device.Op]singles.Operation{device.OpAdd: singles.Add, device.OpSub: singles.Sub, device.OpMin: singles.Min, device.OpMax: singles.Max,
		device.OpFMin: singles.Min, device.OpFMax: singles.Max, device.OpAnd: singles.And, device.OpOr: singles.Or, device.OpXor: singles.Xor,
		device.OpEq: singles.Equal, device.OpNe: singles.NotEqual, device.OpLt: singles.Less, device.OpLe: singles.LessEqual}
	bools := map[device.Op]singles.Operation{device.OpAdd: singles.Or, device.OpMul: singles.And, device.OpMin: singles.And, device.OpMax: singles.Or,
		device.OpFMin: singles.And, device.OpFMax: singles.Or, device.OpAnd: singles.And, device.OpOr: singles.Or, device.OpXor: singles.Xor,
		device.OpEq: singles.Equal, device.OpNe: singles.NotEqual, device.OpLt: singles.Less, device.OpLe: singles.LessEqual}
	for t, operations := range map[dtype.DType]map[device.Op]singles.Operation{dtype.Int8: signed, dtype.Uint8: unsigned, dtype.Bool: bools} {
		for op, operation := range operations {
			setSingle(op, t, 1, byteCost, func(dst, a, b unsafe.Pointer, n int) int { return singles.Bytes(operation, dst, a, b, n) })
		}
		for op, exchanged := range map[device.Op]device.Op{device.OpGt: device.OpLt, device.OpGe: device.OpLe} {
			operation := operations[exchanged]
			setSingle(op, t, 1, byteCost, func(dst, a, b unsafe.Pointer, n int) int { return singles.Bytes(operation, dst, b, a, n) })
		}
		bits := byte(0xff)
		if t.IsBool() {
			bits = 1
		}
		setSingle(device.OpNot, t, 1, byteCost, func(dst, a, _ unsafe.Pointer, n int) int { return singles.Not(bits, dst, a, n) })
	}
	setSingle(device.OpMul, dtype.Complex64, 8, 1, singles.Product64)
	setSingle(device.OpMul, dtype.Complex128, 16, 1.5, singles.Product128)
}

const byteCost = 0.05

func setSingle(op device.Op, t dtype.DType, size int, cost float64, most func(dst, a, b unsafe.Pointer, n int) (done int)) {
	rest := loops[op][t]
	loops[op][t] = func(dst, a, b, c unsafe.Pointer, n int) {
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
