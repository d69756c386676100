package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// callFlat is the short way for calls on small plain arrays, of which most of the time would go into preparing them. It
// returns nil where the call has to go the usual way: for all else, and for everything that is to be refused.
func (d *elementwise) callFlat(a, b *nd.Array, opts []UfuncOptions) *nd.Array {
	var out *nd.Array
	if len(opts) > 0 {
		if opts[0].Where != nil || opts[0].DType != dtype.Unspecified {
			return nil
		}
		out = opts[0].Out
	}
	form, t := nd.FlatForm(a, b)
	if form < 0 {
		return nil
	}
	f := d.flat[t][form].Load()
	if f == nil {
		f = d.newFlat(t, form)
		d.flat[t][form].Store(f)
	}
	return f.Call(d.fn, out, a, b)
}

// newFlat makes what callFlat runs for operands of dtype t.
func (d *elementwise) newFlat(t dtype.DType, form int) *nd.Flat {
	if d.in != "" || d.scalars != "" || d.loop != nil && d.loop(t) != t {
		return new(nd.Flat)
	}
	p := d.program(t).Bind(uint(form))
	for _, operands := range [][]device.Param{p.Inputs, p.Scalars} {
		for _, param := range operands {
			if param.Type != t {
				return new(nd.Flat)
			}
		}
	}
	return nd.NewFlat(p, p.Outputs[0].Stored)
}
