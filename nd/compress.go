package nd

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// maskOf returns the mask if the index is a single bool array of x's shape, else nil.
func (x *Array) maskOf(ix []Index) *Array {
	if len(ix) != 1 || ix[0].kind != indexArray || x.Rank() == 0 {
		return nil
	}
	mask := ix[0].array
	if ix[0].listed && !mask.store.sameDevice(x.store) {
		return nil // region moves it
	}
	if mask.check("Pick"); mask.scalar != nil || !mask.dtype.IsBool() || !broadcast.Equal(mask.shape, x.shape) {
		return nil
	}
	return mask
}

// compress picks the elements of x at which a mask of its shape is true. It waits for the device twice: for the number
// of elements, which is the size of the result.
func (x *Array) compress(fn Func, mask *Array) *Array {
	fn.Check(x, mask)
	launch := func(y *Array) int {
		l := fn.Launch(x.store.dev, x.shape)
		if y == nil {
			l.Skip()
		} else {
			l.WriteStrides(y, make([]int, len(x.shape)))
		}
		l.Read(x)
		l.Read(mask)
		return l.RunCount(device.Device.Compress)
	}
	y := fn.NewLike(x.dtype, []int{launch(nil)}, x, mask)
	launch(y)
	if x.node != nil {
		fn.Record(compressOp{}, []*Array{x, mask}, y)
	}
	return y
}

// compressOp claims the mask.
type compressOp struct{}

func (compressOp) Claims() Claims { return Claims{In: 2} }

// VJP scatters the gradient back to the picked elements.
func (compressOp) VJP(c *Call) {
	zeros := c.Func().NewFilled(c.DType(0), c.Shape(0), 0, c.Gy(0))
	c.SetGx(0, zeros.With(c.Gy(0), Pick(c.In(1))))
}
