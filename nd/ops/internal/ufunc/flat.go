package ufunc

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// callFlat is the short way for calls on small plain arrays. It returns nil where the call has to go the usual way.
func (d *Definition) callFlat(a, b *nd.Array, o Options) *nd.Array {
	if o.Where != nil || o.DType != dtype.Unspecified {
		return nil
	}
	return d.flat.Call(d.Fn, o.Out, a, b, d.flatProgram)
}

// flatProgram is what callFlat runs for arrays of dtype t; nil where the operands would have to be converted.
func (d *Definition) flatProgram(t dtype.DType, scalars uint) *device.Program {
	if d.In != "" || d.Scalars != "" || d.Loop != nil && d.Loop(t) != t {
		return nil
	}
	p := d.Program(t).Bind(scalars)
	for _, operands := range [][]device.Param{p.Inputs, p.Scalars} {
		for _, param := range operands {
			if param.Type != t {
				return nil
			}
		}
	}
	return p
}
