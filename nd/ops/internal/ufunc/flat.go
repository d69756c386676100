package ufunc

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// mayBeFlat reports whether the options allow the fast path for small contiguous arrays.
func (o *Options) mayBeFlat() bool {
	return o.Where == nil && o.DType == dtype.Unspecified && o.Casting == 0
}

// flatProgram returns the program of the fast path for arrays of dtype t, or nil if the operands need a conversion.
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
