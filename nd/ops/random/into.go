package random

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// into calls draw with the shape and the options, unless ops.Into is among them: then the draws have the shape, the dtype and the
// device of its array, and are written there.
func into(fn nd.Func, shape []int, opts []nd.ArrayOption, draw func(shape []int, opts []nd.ArrayOption) *nd.Array) *nd.Array {
	at := slices.IndexFunc(opts, func(o nd.ArrayOption) bool { _, is := o.(ops.Output); return is })
	if at < 0 {
		return draw(shape, opts)
	}
	out := opts[at].(ops.Output).Array()
	fn.CheckWritable(out)
	o := fn.ArrayOptions(slices.Delete(slices.Clone(opts), at, at+1))
	switch {
	case shape != nil && !broadcast.Equal(shape, out.Shape()):
		panic(fn.Errorf([]*nd.Array{out}, "shape %s: want that of Out, or nil", broadcast.FormatShape(shape)))
	case o.DType.Valid() && o.DType != out.DType():
		panic(fn.Errorf([]*nd.Array{out}, "dtype %s: want that of Out", o.DType))
	case o.Device != nil && o.Device != out.Device():
		panic(fn.Errorf([]*nd.Array{out}, "device %s: want that of Out", o.Device.Name()))
	}
	y := draw(out.Shape(), []nd.ArrayOption{nd.ArrayOptions{DType: out.DType(), Device: out.Device()}})
	defer y.Release()
	out.Assign(y)
	return out
}
