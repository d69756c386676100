package optim

import (
	"fmt"
	"strings"
	"sync"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// stepPrograms are the programs of a source that reads a gradient, one for each sequence of steps before it.
type stepPrograms struct {
	source device.Source

	lock sync.Mutex
	made map[uint64]*device.Programs
}

// of returns the program for parameters whose compute type is t.
func (p *stepPrograms) of(t dtype.DType, c *chain) *device.Program {
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

// source puts the chain before a source, which reads the chain's result, grad. The inputs of s come first. Then follow
// the parameter, if a step reads it and s does not, the given gradient, and the further arrays of the steps. The
// scalars of s come after the chain's.
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
	for k := maxSteps - 1; k >= 0; k-- {
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

// run computes the outputs from the inputs, element by element. An output may be one of the inputs.
func run(fn nd.Func, p *device.Program, scalars []float64, out, in []*nd.Array) {
	l := fn.Launch(out[0].Device(), out[0].Shape())
	l.Program = p
	for i, v := range scalars {
		l.Scalars[i] = device.ScalarOf(v, l.Program.Scalars[i].Type)
	}
	for _, y := range out {
		l.Write(y)
	}
	for _, x := range in {
		l.Read(x)
	}
	l.Run(device.Device.Elementwise)
}
