package optim

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// step is a pending statement about a gradient.
type step struct {
	kind  stepKind
	by    float64  // the factor, the rate of decay, the limit of each element, or the deviation of noise
	clip  *clip    // the source of a common factor
	noise *nd.Rand // the source of noise, the same at every read of the gradient
}

type stepKind uint64

const (
	scaled  stepKind = iota + 1 // g·by
	decayed                     // g + by·w
	signed                      // g + by·sign(w)
	atMost                      // each element at most by
	atLeast                     // each element at least by
	shrunk                      // g·(the factor of clip)
	noisy                       // g + by·(standard normal noise)

	stepBits = 3
	// maxSteps is the number of steps that one program can carry out.
	maxSteps = 8
	// maxExtraInputs is the number of arrays that these steps can read, apart from the gradient and the parameter.
	maxExtraInputs = 2
)

// Optimizers read gradients in two ways: with weight decay added to them, or with weight decay left out.
const (
	coupled   = 0
	decoupled = 1
)

// chain is a gradient as the input of an elementwise program, which begins with the chain's steps. Its memory is reused
// for the next gradient.
type chain struct {
	value       *nd.Array
	temporary   bool // value is an intermediate result
	kinds       uint64
	scalars     []float64
	extraInputs []*nd.Array // the factors of clips, and noise
	drawn       []*nd.Array // the noise
}

// room is the number of scalars, and of further arrays, that the steps may add to a program.
type room struct{ scalars, extraInputs int }

// roomBeside returns the room in a program that has its own scalars and arrays, the gradient among the arrays.
func roomBeside(scalars, arrays int) room {
	return room{device.MaxScalars - scalars, min(maxExtraInputs, device.MaxOperands-arrays)}
}

// read makes c the first n steps of a gradient, read coupled or decoupled. If the steps exceed the room in one program,
// the first of them are carried out.
func (c *chain) read(fn nd.Func, e *gradient, n, reading int, r room) {
	c.restart(e.value, false)
	for k := range e.steps[:n] {
		c.add(fn, e, &e.steps[k], reading, r)
	}
	if len(c.extraInputs) > r.extraInputs {
		c.flush(fn, e)
	}
}

// add appends a step of a gradient to the chain.
func (c *chain) add(fn nd.Func, e *gradient, s *step, reading int, r room) {
	if s.kind == decayed && reading == decoupled {
		return
	}
	if len(c.scalars) >= r.scalars || len(c.extraInputs) >= max(1, r.extraInputs) || c.kinds>>(stepBits*(maxSteps-1)) != 0 {
		c.flush(fn, e)
	}
	c.kinds = c.kinds<<stepBits | uint64(s.kind)
	if s.kind == shrunk {
		c.extraInputs = append(c.extraInputs, s.clip.factor(fn, reading))
		return
	}
	c.scalars = append(c.scalars, s.by)
	if s.kind == noisy {
		x := s.draw(fn, e.param.Value())
		c.extraInputs, c.drawn = append(c.extraInputs, x), append(c.drawn, x)
	}
}

// flush carries out the steps so far, and continues from the result.
func (c *chain) flush(fn nd.Func, e *gradient) {
	value := c.run(fn, e, dtype.ComputeType(e.param.Value().DType()))
	c.releaseTemporaries()
	c.restart(value, true)
}

// draw returns the standard normal noise for a parameter.
func (s *step) draw(fn nd.Func, w *nd.Array) *nd.Array {
	stream := *s.noise
	like := nd.ArrayOptions{DType: dtype.ComputeType(w.DType()), Device: w.Device()}
	return fn.Random(&stream, device.DistributionNormal, w.Shape(), like)
}

func (c *chain) restart(value *nd.Array, temporary bool) {
	*c = chain{value: value, temporary: temporary, scalars: c.scalars[:0], extraInputs: c.extraInputs[:0], drawn: c.drawn[:0]}
}

// releaseTemporaries releases the intermediate results.
func (c *chain) releaseTemporaries() {
	if c.temporary {
		c.value.Release()
	}
	for _, x := range c.drawn {
		x.Release()
	}
	clear(c.extraInputs[:cap(c.extraInputs)])
	clear(c.drawn[:cap(c.drawn)])
	c.value, c.temporary, c.drawn = nil, false, c.drawn[:0]
}

// run returns the result of the steps.
func (c *chain) run(fn nd.Func, e *gradient, dt dtype.DType) *nd.Array {
	w := e.param.Value()
	y := fn.NewLike(dt, w.Shape(), e.value)
	in := c.operands(nil, w)
	run(fn, shared().effective.of(dtype.ComputeType(w.DType()), c), c.scalars, []*nd.Array{y}, in)
	return y
}

// readsParameter reports whether a step reads the parameter.
func (c *chain) readsParameter() bool {
	for kinds := c.kinds; kinds != 0; kinds >>= stepBits {
		if kind := stepKind(kinds) & (1<<stepBits - 1); kind == decayed || kind == signed {
			return true
		}
	}
	return false
}

// operands appends the inputs of the chain, for a program that does not read the parameter itself.
func (c *chain) operands(in []*nd.Array, w *nd.Array) []*nd.Array {
	if c.readsParameter() {
		in = append(in, w)
	}
	return append(append(in, c.value), c.extraInputs...)
}
