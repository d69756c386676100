package nd

import (
	"github.com/ndgrad/ndgrad/device"
)

// AddAt returns a copy of x in which value, converted and broadcast, is added to x[ix…]. At least one item of the index
// must be an index array. If an element is indexed several times, all its values are added, in order. The result is
// differentiable in x and value. ops.AddAt is built on this method.
func (fn Func) AddAt(x, value *Array, ix ...Index) *Array {
	x.check(fn)
	x = materialize(x)
	r, value, indices := x.assignment(fn, value, ix)
	defer indices.release()
	return r.added(fn, x, value, indices.ready)
}

// AddAtInPlace is AddAt that writes to x itself, under the rules of [Array.Assign].
func (fn Func) AddAtInPlace(x, value *Array, ix ...Index) {
	fn.CheckWritable(x)
	r, value, indices := x.assignment(fn, value, ix)
	defer indices.release()
	write := func() { r.scatter(fn, device.CombineSum, x, value, indices.ready) }
	if x.node == nil && value.node == nil {
		write()
		return
	}
	x.rewrite(fn, value, write, func(old *Array) {
		fn.Record(addAtOp{r}, append([]*Array{old, value}, indices.ready...), x)
	})
}

// added is AddAt for a resolved index.
func (r region) added(fn Func, x, value *Array, indices []*Array) *Array {
	y := duplicate(fn, x)
	r.scatter(fn, device.CombineSum, y, value, indices)
	if x.node != nil || value.node != nil {
		fn.Record(addAtOp{r}, append([]*Array{x, value}, indices...), y)
	}
	return y
}

type addAtOp struct{ region region }

func (op addAtOp) Traced() any { return op.region.traced(device.CombineSum) }

func (op addAtOp) Claims() Claims { return Claims{In: ^uint64(3)} }

// VJP passes the whole gradient to the array, and the part at the region to the value.
func (op addAtOp) VJP(c *Call) {
	g := c.Gy(0)
	c.SetGx(0, g)
	if c.Needs(1) {
		c.SetGx(1, c.Func().SumTo(op.region.read(c.Func(), g, callIndices(c, 2)), c.Shape(1)))
	}
}
