package nn

import (
	"sync/atomic"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// program is an elementwise function of several outputs, written once: of type T, the parameter's, and R, its real type.
type program struct {
	source device.Source
	made   [dtype.Count]atomic.Pointer[device.Program]
}

// of returns the program for parameters of dtype t.
func (p *program) of(t dtype.DType) *device.Program {
	t = dtype.ComputeType(t)
	if made := p.made[t].Load(); made != nil {
		return made
	}
	made, err := p.source.Compile(func(letter byte) dtype.DType {
		if letter == 'R' {
			return t.Real()
		}
		return t
	})
	if err != nil {
		panic(err) // the sources are compiled by the tests
	}
	p.made[t].CompareAndSwap(nil, made)
	return p.made[t].Load()
}

// run computes the outputs from the inputs, element by element. An output may be one of the inputs.
func (p *program) run(fn string, t dtype.DType, scalars []float64, out, in []*nd.Array) {
	l := nd.NewLaunch(fn, out[0].Device(), out[0].Shape())
	l.Program = p.of(t)
	for i, v := range scalars {
		l.Scalars[i] = nd.Scalar(v).Immediate(l.Program.Scalars[i].Type)
	}
	for _, y := range out {
		l.Write(y)
	}
	for _, x := range in {
		l.Read(x)
	}
	l.Run(device.Device.Elementwise)
}
