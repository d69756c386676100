package ops

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// ArrayEqualOptions are the options of ArrayEqual.
type ArrayEqualOptions struct {
	// EqualNaN makes NaN equal to NaN.
	EqualNaN bool
}

// ArrayEqual reports whether two arrays have equal shapes and equal elements; their dtypes may differ. It waits for the
// device.
// NumPy: array_equal. PyTorch: equal.
func ArrayEqual(a, b *nd.Array, opts ...ArrayEqualOptions) bool {
	const fn nd.Func = "ops.ArrayEqual"
	fn.Check(a, b)
	o := options.Read(fn, opts)
	if !broadcast.Equal(a.Shape(), b.Shape()) {
		return false
	}
	made := fn.Temporaries(&a, &b)
	defer made.Release()
	same := Equal(a, b)
	if o.EqualNaN {
		same = LogicalOr(same, LogicalAnd(IsNaN(a), IsNaN(b)))
	}
	return nd.Value[bool](All(same))
}

// ArrayEquiv reports whether two arrays broadcast together and all their elements are equal. It waits for the device.
// NumPy: array_equiv.
func ArrayEquiv(a, b *nd.Array) bool {
	nd.Func("ops.ArrayEquiv").Check(a, b)
	if _, err := broadcast.Shapes(a.Shape(), b.Shape()); err != nil {
		return false
	}
	same := Equal(a, b)
	every := All(same)
	defer release.Operands(nil, same, every)
	return nd.Value[bool](every)
}
