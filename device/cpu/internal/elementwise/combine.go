package elementwise

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// CombineLoop returns the loop that combines values of type t.
func CombineLoop(c device.Combine, t dtype.DType) Loop {
	op := device.OpAdd
	switch c {
	case device.CombineAssign:
		return nil
	case device.CombineProd:
		op = device.OpMul
	case device.CombineMax:
		op = device.OpMax
	case device.CombineMin:
		op = device.OpMin
	case device.CombineFMax:
		op = device.OpFMax
	case device.CombineFMin:
		op = device.OpFMin
	case device.CombineAll:
		op = device.OpAnd
	case device.CombineAny:
		op = device.OpOr
	}
	return LoopOf(op, t)
}

// Identity is the result of combining nothing.
func Identity(c device.Combine, t dtype.DType) device.Scalar {
	limits := dtype.Info(t)
	switch c {
	case device.CombineProd, device.CombineAll:
		return device.Scalar{Re: 1, Int: 1}
	case device.CombineMax, device.CombineFMax:
		if c == device.CombineFMax && t.IsInexact() {
			return device.Scalar{Re: math.NaN(), Im: math.NaN()}
		}
		return device.Scalar{Re: math.Inf(-1), Im: math.Inf(-1), Int: limits.MinInt}
	case device.CombineMin, device.CombineFMin:
		if c == device.CombineFMin && t.IsInexact() {
			return device.Scalar{Re: math.NaN(), Im: math.NaN()}
		}
		return device.Scalar{Re: math.Inf(1), Im: math.Inf(1), Int: int64(limits.MaxInt)}
	}
	return device.Scalar{}
}
