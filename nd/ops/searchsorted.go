package ops

import (
	"fmt"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// SearchOptions are the options of SearchSorted.
type SearchOptions struct {
	// Right finds the last possible index for values equal to elements, instead of the first.
	Right bool
	// Sorter holds the indices of the elements in increasing order, as ArgSort returns them, for an array that is not
	// sorted itself. It has the shape of that array. Its indices do not count from the end.
	Sorter *nd.Array
}

// SearchSorted returns (int64), for every value, the first index in a sorted array at which the value can be inserted
// without breaking the order. NaNs belong at the end. If the sorted array has several axes, every row is searched for
// the values in the same row. No gradient flows.
//
// Shapes: sorted (n) and values (…); or (B…, n) and (B…, m).
// NumPy: searchsorted. NNabla: searchsorted.
func SearchSorted(sorted, values *nd.Array, opts ...SearchOptions) *nd.Array {
	const fn nd.Func = "ops.SearchSorted"
	fn.Check(sorted, values)
	if sorted.Rank() == 0 {
		panic(fn.Errorf([]*nd.Array{sorted, values}, "want a sorted array of at least one axis"))
	}
	o := options.Read(fn, opts)
	if p := o.Sorter; p != nil {
		fn.Check(sorted, p)
		if !broadcast.Equal(p.Shape(), sorted.Shape()) || !p.DType().IsInteger() {
			panic(fn.Errorf([]*nd.Array{sorted, p}, "want a Sorter of integers of the array's shape"))
		}
		given := []*nd.Array{sorted, p}
		defer argument.Explain(fn, given, func() []argument.Bounds {
			return []argument.Bounds{{Name: "Sorter", Values: p, Low: 0, High: given[0].Dim(-1) - 1, Want: fmt.Sprintf("an index from 0 to %d", given[0].Dim(-1)-1)}}
		})
		detached := sorted.Detach()
		at := p.AsType(dtype.Int64)
		negative := Less(at, 0)
		exact := Where(negative, sorted.Dim(-1), at) // which TakeAlongAxis refuses
		sorted = release.Operands(TakeAlongAxis(detached, exact, Over(-1)), detached, negative, exact)
		release.Unless(at, p)
		defer sorted.Release()
	}
	if values.IsScalar() {
		values = values.Copy()
	}
	rows := sorted.Rank() - 1
	if rows > 0 && (values.Rank() != rows+1 || !broadcast.Equal(values.Shape()[:rows], sorted.Shape()[:rows])) {
		panic(fn.Errorf([]*nd.Array{sorted, values}, "want rows of values for the rows of the sorted array"))
	}
	t := ufunc.CommonType([]*nd.Array{sorted, values})
	row, v := sorted.Detach(), values.Detach()
	row, v = release.Replace(row, row.AsType(t)), release.Replace(v, v.AsType(t))
	defer row.Release()
	defer v.Release()
	strides := make([]int, values.Rank())
	copy(strides, row.Strides()[:rows])
	y := fn.NewLike(dtype.Int64, values.Shape(), sorted, values)
	l := fn.Launch(y.Device(), values.Shape())
	l.Right = o.Right
	l.Axes[0] = device.IndexAxis{Stride: row.Strides()[rows], Size: row.Dim(-1)}
	l.Write(y)
	l.ReadStrides(row, strides)
	l.Read(v)
	l.Run(device.Device.SearchSorted)
	return y
}
