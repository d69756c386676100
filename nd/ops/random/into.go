package random

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// outputOptions returns the array of ops.Into among the options, or nil. The draws have its shape, dtype and device, which the others
// of the call may repeat.
func outputOptions(fn nd.Func, shape []int, opts []nd.ArrayOption) *nd.Array {
	at := slices.IndexFunc(opts, func(o nd.ArrayOption) bool { _, is := o.(ops.Output); return is })
	if at < 0 {
		return nil
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
	return out
}

// likeOf returns the options of arrays like out.
func likeOf(out *nd.Array) nd.ArrayOptions {
	return nd.ArrayOptions{DType: out.DType(), Device: out.Device()}
}

// written writes the draws y to out, and releases them.
func written(out, y *nd.Array) *nd.Array {
	out.Assign(y)
	y.Release()
	return out
}
