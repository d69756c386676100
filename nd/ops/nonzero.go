package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// Nonzero returns the indices (int64), one array per axis, of the elements that are not 0, in row-major order. It waits
// for the device.
// NumPy: nonzero, where (with one argument).
func Nonzero(x *nd.Array) []*nd.Array { return nd.Func("ops.Nonzero").Nonzero(x) }

// FlatNonzero returns the indices (int64) of the elements of the flattened x that are not 0. It waits for the device.
// NumPy: flatnonzero.
func FlatNonzero(x *nd.Array) *nd.Array {
	const fn nd.Func = "ops.FlatNonzero"
	fn.Check(x)
	flat := x.Ravel()
	defer flat.Release()
	return fn.Nonzero(flat)[0]
}

// ArgWhere returns the indices (int64) of the elements that are not 0, one row each. It waits for the device.
// NumPy: argwhere. PyTorch: nonzero.
func ArgWhere(x *nd.Array) *nd.Array {
	const fn nd.Func = "ops.ArgWhere"
	fn.Check(x)
	if x.Rank() == 0 {
		count := CountNonzero(x)
		defer count.Release()
		return nd.Zeros([]int{nd.Value[int](count), 0}, nd.ArrayOptions{DType: dtype.Int64, Device: x.Device()})
	}
	at := fn.Nonzero(x)
	return release.Operands(Stack(at, Over(1)), at...)
}
