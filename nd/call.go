package nd

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Call is what a VJP works with, for authors of functions: the values that it claims, the gradients that arrived, and those
// that it is to give.
type Call struct {
	node     *Node
	gy       []*Array
	gx       []*Array
	needs    []bool
	recorded bool
}

// Func returns the name of the function that was recorded, for the errors of a VJP and the arrays it makes.
func (c *Call) Func() Func { return c.node.Func }

// Begin prepares, for the tape, a VJP of n for the gradients of its outputs, nil where none arrived; needs says of which
// inputs gradients are wanted. With recorded the inputs and outputs are known to the tape, so that what the VJP
// computes can be differentiated. One Call serves for many operations, one after the other.
func (c *Call) Begin(n *Node, gy []*Array, needs []bool, recorded bool) {
	c.node, c.gy, c.needs, c.recorded = n, gy, needs, recorded
	c.gx = slices.Grow(c.gx[:0], len(n.in))[:len(n.in)]
	clear(c.gx)
}

// Run calls the operation's VJP.
func (c *Call) Run() { c.node.Op.VJP(c) }

// AddTo adds the gradient of input 0 to gx, a contiguous array of its shape that nobody else reads. It returns
// false, and does nothing, where the operation cannot add in place (see adder).
func (c *Call) AddTo(gx *Array) bool {
	op, ok := c.node.Op.(adder)
	if !ok || c.gy[0] == nil || gx.dtype != c.gy[0].dtype {
		return false
	}
	op.AddTo(c, gx)
	return true
}

// Composed computes the outputs again from the inputs, which it returns too, by differentiable functions; ok is false
// where the operation has no such definition.
func (c *Call) Composed() (in, out []*Array, ok bool) {
	op, ok := c.node.Op.(composer)
	if !ok {
		return nil, nil, false
	}
	for i := range c.node.in {
		in = append(in, c.In(i))
	}
	return in, op.Composed(in), true
}

// In returns input i; nil where it was nil. It panics where the value was overwritten since.
func (c *Call) In(i int) *Array {
	return c.value(&c.node.in[i], c.node.in[i].node, int(c.node.in[i].index), "input", i)
}

// Out returns output i.
func (c *Call) Out(i int) *Array { return c.value(&c.node.out[i], c.node, i, "output", i) }

func (c *Call) value(e *edge, n *Node, index int, what string, i int) *Array {
	if !e.present {
		return nil
	}
	if e.value != nil {
		return e.value
	}
	if e.store == nil {
		panic(c.node.Func.Errorf(nil, "its gradient reads %s %d, which it does not claim", what, i))
	}
	x := e.header(c.node.Tape)
	if e.store.version != e.version {
		panic(c.node.Func.Errorf(nil, "its gradient reads %s %d, %s, which was overwritten by %s after it was recorded",
			what, i, x.describe(), e.store.writer))
	}
	if c.recorded && n != nil {
		x.setNode(n, index)
	}
	return x
}

// Own has the tape own x, which the VJP made of nothing that the tape knows, so that it is released with the rest.
func (c *Call) Own(x *Array) *Array { return c.node.Tape.Arena().Own(x) }

// Shape returns the shape of input i, which need not be claimed. It must not be changed.
func (c *Call) Shape(i int) []int { return c.node.in[i].shape }

// DType returns the dtype of input i.
func (c *Call) DType(i int) dtype.DType { return c.node.in[i].dtype }

// OutShape returns the shape of output i. It must not be changed.
func (c *Call) OutShape(i int) []int { return c.node.out[i].shape }

// Inputs returns the number of inputs.
func (c *Call) Inputs() int { return len(c.node.in) }

// Outputs returns the number of outputs.
func (c *Call) Outputs() int { return len(c.node.out) }

// Gy returns the gradient of output i, or nil where none arrived.
func (c *Call) Gy(i int) *Array { return c.gy[i] }

// Needs reports whether a gradient of input i is wanted.
func (c *Call) Needs(i int) bool { return c.needs[i] }

// SetGx gives the gradient of input i: of its shape and on its device, and converted to its dtype where it differs; nil
// stands for none.
func (c *Call) SetGx(i int, g *Array) {
	e := &c.node.in[i]
	if g != nil {
		g.check(c.node.Func)
		if g.weak != nil || !broadcast.Equal(g.shape, e.shape) || e.store != nil && !e.store.sameDevice(g.store) {
			c.refuseGx(i, g)
		}
		if g.dtype != e.dtype {
			g = g.AsType(e.dtype)
		}
	}
	c.gx[i] = g
}

// refuseGx panics with what is wrong about the gradient of input i.
func (c *Call) refuseGx(i int, g *Array) {
	e := &c.node.in[i]
	why := "is a Scalar: want nd.Full"
	if g.weak == nil {
		why = "has shape " + broadcast.FormatShape(g.shape) + ": want " + broadcast.FormatShape(e.shape)
		if broadcast.Equal(g.shape, e.shape) {
			why = "is on device " + g.store.dev.Name() + ", the input on " + e.store.dev.Name()
		}
	}
	panic(c.node.Func.Errorf([]*Array{g}, "its gradient of input %d %s", i, why))
}

// Gx returns what SetGx was given.
func (c *Call) Gx(i int) *Array { return c.gx[i] }
