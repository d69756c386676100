package nn

import (
	"fmt"
	"strings"
	"sync"

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
	// mostSteps is the number of steps that one program can carry out.
	mostSteps = 8
	// mostBeside is the number of arrays that these steps can read, apart from the gradient and the parameter.
	mostBeside = 2
)

// Optimizers read gradients in two ways: with weight decay added to them, or with weight decay left out.
const (
	coupled   = 0
	decoupled = 1
)

// chain is a gradient as the input of an elementwise program, which begins with the chain's steps. Its memory is reused
// for the next gradient.
type chain struct {
	value     *nd.Array
	temporary bool // value is an intermediate result
	kinds     uint64
	scalars   []float64
	beside    []*nd.Array // the factors of clips, and noise
	drawn     []*nd.Array // the noise
}

// room is the number of scalars, and of further arrays, that the steps may add to a program.
type room struct{ scalars, beside int }

// amongOthers returns the room in a program that has its own scalars and arrays, the gradient among the arrays.
func amongOthers(scalars, arrays int) room {
	return room{device.MaxScalars - scalars, min(mostBeside, device.MaxOperands-arrays)}
}

// follow makes c the first n steps of a gradient, read coupled or decoupled. If the steps exceed the room in one
// program, the first of them are carried out.
func (c *chain) follow(fn nd.Func, e *gradient, n, reading int, r room) {
	c.restart(e.value, false)
	for k := range e.steps[:n] {
		s := &e.steps[k]
		if s.kind == decayed && reading == decoupled {
			continue
		}
		if len(c.scalars) >= r.scalars || len(c.beside) >= max(1, r.beside) || c.kinds>>(stepBits*(mostSteps-1)) != 0 {
			c.goOn(fn, e)
		}
		c.kinds = c.kinds<<stepBits | uint64(s.kind)
		if s.kind == shrunk {
			c.beside = append(c.beside, s.clip.factor(fn, reading))
			continue
		}
		c.scalars = append(c.scalars, s.by)
		if s.kind == noisy {
			x := s.draw(fn, e.param.value)
			c.beside, c.drawn = append(c.beside, x), append(c.drawn, x)
		}
	}
	if len(c.beside) > r.beside {
		c.goOn(fn, e)
	}
}

// goOn carries out the steps so far, and continues from the result.
func (c *chain) goOn(fn nd.Func, e *gradient) {
	value := c.carryOut(fn, e, dtype.ComputeType(e.param.value.DType()))
	c.end()
	c.restart(value, true)
}

// draw returns the standard normal noise for a parameter.
func (s *step) draw(fn nd.Func, w *nd.Array) *nd.Array {
	stream := *s.noise
	like := nd.ArrayOptions{DType: dtype.ComputeType(w.DType()), Device: w.Device()}
	return fn.Random(&stream, device.DistributionNormal, w.Shape(), like)
}

func (c *chain) restart(value *nd.Array, temporary bool) {
	*c = chain{value: value, temporary: temporary, scalars: c.scalars[:0], beside: c.beside[:0], drawn: c.drawn[:0]}
}

// end releases the intermediate results.
func (c *chain) end() {
	if c.temporary {
		c.value.Release()
	}
	for _, x := range c.drawn {
		x.Release()
	}
	clear(c.beside[:cap(c.beside)])
	clear(c.drawn[:cap(c.drawn)])
	c.value, c.temporary, c.drawn = nil, false, c.drawn[:0]
}

// carryOut returns the result of the steps.
func (c *chain) carryOut(fn nd.Func, e *gradient, dt dtype.DType) *nd.Array {
	w := e.param.value
	y := fn.NewLike(dt, w.Shape(), e.value)
	in := c.operands(nil, w)
	run(fn, kept().effective.of(dtype.ComputeType(w.DType()), c), c.scalars, []*nd.Array{y}, in)
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
	return append(append(in, c.value), c.beside...)
}

// source puts the chain before a source, which reads the chain's result, grad. After the inputs of s come the
// parameter, if a step reads it and s does not, the given gradient, and the further arrays of the steps. The scalars of
// s come after the chain's.
func (c *chain) source(s device.Source) device.Source {
	var body strings.Builder
	var inputs, scalars []string
	if s.Inputs != "" {
		inputs = append(inputs, s.Inputs)
	}
	if first, _, _ := strings.Cut(s.Inputs, ","); c.readsParameter() && first != parameterInput {
		inputs = append(inputs, parameterInput)
	}
	inputs = append(inputs, "T given_grad")
	at := "given_grad"
	for k := mostSteps - 1; k >= 0; k-- {
		kind := stepKind(c.kinds>>(stepBits*k)) & (1<<stepBits - 1)
		if kind == 0 {
			continue
		}
		by, next := fmt.Sprint("given_by_", k), fmt.Sprint("given_", k)
		switch kind {
		case scaled, shrunk:
			fmt.Fprintf(&body, "%s = %s*%s; ", next, by, at)
		case decayed:
			fmt.Fprintf(&body, "%s = %s + %s*w_old; ", next, at, by)
		case signed:
			fmt.Fprintf(&body, "%s = %s + %s*sign(w_old); ", next, at, by)
		case atMost:
			fmt.Fprintf(&body, "%s = min(%s, %s); ", next, at, by)
		case atLeast:
			fmt.Fprintf(&body, "%s = max(%s, %s); ", next, at, by)
		case noisy:
			noise := fmt.Sprint("given_noise_", k)
			inputs = append(inputs, "T "+noise)
			fmt.Fprintf(&body, "%s = %s + %s*%s; ", next, at, by, noise)
		}
		if kind == shrunk {
			inputs = append(inputs, "R "+by)
		} else {
			scalars = append(scalars, "T "+by)
		}
		at = next
	}
	s.Inputs = strings.Join(inputs, ", ")
	if s.Scalars != "" {
		scalars = append(scalars, s.Scalars)
	}
	s.Scalars = strings.Join(scalars, ", ")
	s.Body = body.String() + "grad = " + at + "; " + s.Body
	return s
}

// parameterInput is the first input of programs that read the parameter themselves.
const parameterInput = "T w_old"

// chained are the programs of a source that reads a gradient, one for each sequence of steps before it.
type chained struct {
	source device.Source

	lock sync.Mutex
	made map[uint64]*device.Programs
}

// of returns the program for parameters whose compute type is t.
func (p *chained) of(t dtype.DType, c *chain) *device.Program {
	p.lock.Lock()
	defer p.lock.Unlock()
	ps := p.made[c.kinds]
	if ps == nil {
		if p.made == nil {
			p.made = map[uint64]*device.Programs{}
		}
		ps = &device.Programs{Source: c.source(p.source)}
		p.made[c.kinds] = ps
	}
	return ps.Of(t)
}
