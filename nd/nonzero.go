package nd

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Nonzero returns the indices (int64) of the elements of x that are not zero or false, in row-major order, as one array
// per axis. It waits for the device, because the number of these elements is part of the result's shape.
// NumPy: nonzero.
func (fn Func) Nonzero(x *Array) []*Array {
	x.check(fn)
	if x.scalar != nil || x.Rank() == 0 {
		panic(fn.Errorf([]*Array{x}, "nonzero of a 0-d array: Reshape it to (1,)"))
	}
	flat := fn.NewLike(dtype.Int64, []int{x.Size()}, x)
	l := fn.Launch(x.store.dev, x.shape)
	l.WriteStrides(flat, make([]int, len(x.shape)))
	l.Read(x)
	count := l.RunCount(device.Device.Nonzero)
	found := flat.header(fn, broadcast.View{Shape: []int{count}, Strides: []int{1}})
	defer flat.Release()
	defer found.Release()
	if len(x.shape) == 1 {
		return []*Array{duplicate(fn, found)}
	}
	all := make([]*Array, len(x.shape))
	all[0] = duplicate(fn, found)
	for k := len(x.shape) - 1; k > 0; k-- {
		rest := all[0]
		all[0], all[k] = unravelled(fn, rest, x.shape[k])
		rest.Release()
	}
	return all
}

var unravel = device.Programs{Source: device.Source{Name: "unravel", Inputs: "int64 at", Scalars: "int64 size",
	Outputs: "int64 rest, int64 y", Body: "rest = at / size; y = at - rest*size"}}

// unravelled divides indices by the size of an axis: it returns the quotients, and the remainders.
func unravelled(fn Func, at *Array, size int) (rest, y *Array) {
	rest, y = fn.NewLike(dtype.Int64, at.shape, at), fn.NewLike(dtype.Int64, at.shape, at)
	l := fn.Launch(at.store.dev, at.shape)
	l.Program = unravel.Of(dtype.Int64)
	l.Scalars[0] = device.Scalar{Int: int64(size)}
	l.Write(rest)
	l.Write(y)
	l.Read(at)
	l.Run(device.Device.Elementwise)
	return rest, y
}
