package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// Nonzero returns, one array an axis, the positions (int64) in row-major order at which x is not 0. It waits for the
// device. numpy.nonzero, and numpy.where with one argument.
func Nonzero(x *nd.Array) []*nd.Array { return nd.Func("ops.Nonzero").Nonzero(x) }

// FlatNonzero returns the positions (int64) at which the flattened x is not 0. It waits for the device. numpy.flatnonzero.
func FlatNonzero(x *nd.Array) *nd.Array {
	const fn nd.Func = "ops.FlatNonzero"
	fn.Check(x)
	flat := x.Ravel()
	defer flat.Release()
	return fn.Nonzero(flat)[0]
}

// ArgWhere returns the positions (int64) at which x is not 0, a row each. It waits for the device. numpy.argwhere,
// torch.nonzero.
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
