package nd

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Call is the environment of a VJP, for authors of functions: it supplies the values that the operation claims and the
// gradients that have arrived, and it takes the gradients that the VJP computes.
type Call struct {
	node     *Node
	gy       []*Array
	gx       []*Array
	needs    []bool
	recorded bool
}

// Func returns the name of the recorded function, for the errors of a VJP and the arrays it makes.
func (c *Call) Func() Func { return c.node.Func }

// Begin prepares the VJP of n, for the tape. gy are the gradients of its outputs, nil if none arrived; needs says which
// inputs need gradients. If recorded is set, the tape knows the inputs and outputs, so that the result of the VJP can
// be differentiated. One Call serves many operations, one after the other.
func (c *Call) Begin(n *Node, gy []*Array, needs []bool, recorded bool) {
	c.node, c.gy, c.needs, c.recorded = n, gy, needs, recorded
	followScope(n.Tape, nil)
	c.gx = slices.Grow(c.gx[:0], len(n.in))[:len(n.in)]
	clear(c.gx)
}

// Run calls the operation's VJP.
func (c *Call) Run() { c.node.Op.VJP(c) }

// AddTo adds the gradient of input 0 to gx, a contiguous array of the input's shape that nobody else reads. It returns
// false and does nothing if the operation cannot add in place (see adder).
func (c *Call) AddTo(gx *Array) bool {
	op, ok := c.node.Op.(adder)
	if !ok || c.gy[0] == nil || gx.dtype != c.gy[0].dtype {
		return false
	}
	op.AddTo(c, gx)
	return true
}

// Composed recomputes the outputs from the inputs with differentiable functions, and returns both. ok is false if the
// operation has no such definition.
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

// In returns input i, or nil if it was nil. It panics if the value was overwritten after it was recorded.
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

// Own makes the tape the owner of x, so that x is released with the rest. It is for an x that the VJP computed from
// arrays unknown to the tape.
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

// Needs reports whether input i needs a gradient.
func (c *Call) Needs(i int) bool { return c.needs[i] }

// SetGx sets the gradient of input i. g must have the input's shape and be on its device; it is converted to the
// input's dtype. Nil means no gradient.
func (c *Call) SetGx(i int, g *Array) {
	e := &c.node.in[i]
	if g != nil {
		g.check(c.node.Func)
		if g.scalar != nil || !broadcast.Equal(g.shape, e.shape) || e.store != nil && !e.store.sameDevice(g.store) {
			c.refuseGx(i, g)
		}
		if g.dtype != e.dtype {
			g = g.AsType(e.dtype)
		}
	}
	c.gx[i] = g
}

// refuseGx panics with an error about the gradient of input i.
func (c *Call) refuseGx(i int, g *Array) {
	e := &c.node.in[i]
	why := "is a Scalar: want nd.Full"
	if g.scalar == nil {
		why = "has shape " + broadcast.FormatShape(g.shape) + ": want " + broadcast.FormatShape(e.shape)
		if broadcast.Equal(g.shape, e.shape) {
			why = "is on device " + g.store.dev.Name() + ", the input on " + e.store.dev.Name()
		}
	}
	panic(c.node.Func.Errorf([]*Array{g}, "its gradient of input %d %s", i, why))
}

// Gx returns the gradient of input i that SetGx received.
func (c *Call) Gx(i int) *Array { return c.gx[i] }
