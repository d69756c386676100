package ufunc

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// mayBeFlat reports whether a call may go the short way, that of calls on small plain arrays.
func (o *Options) mayBeFlat() bool {
	return o.Where == nil && o.DType == dtype.Unspecified && o.Casting == 0
}

// flatProgram is what the short way runs for arrays of dtype t; nil where the operands would have to be converted.
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
