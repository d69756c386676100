package ref

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// total combines values of one type, one after the other.
type total struct {
	combine     device.Combine
	dtype       dtype.DType
	accumulator dtype.DType // the type in which the combination is accumulated
	sum         value
	empty       bool
}

func newTotal(c device.Combine, t dtype.DType) *total {
	return &total{combine: c, dtype: t, accumulator: device.CarriedType(t), empty: true}
}

// add combines a value of type t.carried with the combination so far. The first value becomes the combination.
func (t *total) add(v value) {
	if t.empty {
		t.sum, t.empty = v, false
		return
	}
	t.sum = apply(combining(t.combine), t.accumulator, t.sum, v)
}

// value returns the combination so far in type t.dtype, or the identity if there was no value.
func (t *total) value() value {
	if t.empty {
		return identity(t.combine, t.dtype)
	}
	return convert(t.sum, t.accumulator, t.dtype)
}

// combining returns the opcode that combines two values. All and Any are the opcodes and and or on bools.
func combining(c device.Combine) device.Op {
	switch c {
	case device.CombineSum:
		return device.OpAdd
	case device.CombineProd:
		return device.OpMul
	case device.CombineMax:
		return device.OpMax
	case device.CombineMin:
		return device.OpMin
	case device.CombineFMax:
		return device.OpFMax
	case device.CombineFMin:
		return device.OpFMin
	case device.CombineAll:
		return device.OpAnd
	case device.CombineAny:
		return device.OpOr
	}
	panic("ref: " + c.String() + " combines nothing")
}

// identity returns the value of type t that changes no value it is combined with: 0 for sums, 1 for products, the
// smallest value for Max, the largest for Min. For FMax and FMin of floats it is NaN, the one value that they ignore.
func identity(c device.Combine, t dtype.DType) value {
	switch c {
	case device.CombineSum, device.CombineAny:
		return value{}
	case device.CombineProd, device.CombineAll:
		return value{i: 1, x: 1, z: 1}
	case device.CombineFMax, device.CombineFMin:
		if t.IsInexact() {
			nan := math.NaN()
			return value{x: nan, z: complex(nan, nan)}
		}
	}
	if c == device.CombineMax || c == device.CombineFMax {
		return least(t)
	}
	return greatest(t)
}

func least(t dtype.DType) value {
	inf := math.Inf(-1)
	return value{i: dtype.Info(t).MinInt, x: inf, z: complex(inf, inf)}
}

func greatest(t dtype.DType) value {
	inf := math.Inf(1)
	return value{i: int64(dtype.Info(t).MaxInt), x: inf, z: complex(inf, inf)}
}
