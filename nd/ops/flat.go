package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// callFlat is the short way for calls on small plain arrays. It returns nil where the call has to go the usual way.
func (d *elementwise) callFlat(a, b *nd.Array, opts []UfuncOptions) *nd.Array {
	var out *nd.Array
	if len(opts) > 0 {
		if opts[0].Where != nil || opts[0].DType != dtype.Unspecified {
			return nil
		}
		out = opts[0].Out
	}
	return d.flat.Call(d.fn, out, a, b, d.flatProgram)
}

// flatProgram is what callFlat runs for arrays of dtype t; nil where the operands would have to be converted.
func (d *elementwise) flatProgram(t dtype.DType, scalars uint) *device.Program {
	if d.in != "" || d.scalars != "" || d.loop != nil && d.loop(t) != t {
		return nil
	}
	p := d.program(t).Bind(scalars)
	for _, operands := range [][]device.Param{p.Inputs, p.Scalars} {
		for _, param := range operands {
			if param.Type != t {
				return nil
			}
		}
	}
	return p
}
