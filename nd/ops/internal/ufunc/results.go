package ufunc

import "github.com/ndgrad/ndgrad/nd"

// CallTwo runs a function of two results.
func (d *Definition) CallTwo(in ...*nd.Array) (y, z *nd.Array) {
	d.Fn.Check(in...)
	t := d.LoopType(Options{}, in)
	var room Operands
	arrays, values, mask := room.Split(d.Program(t), nil, in)
	p := d.Program(t).Bind(mask)
	shape := room.Loop(d.Fn, arrays, Options{})
	y = d.Fn.NewLike(p.Outputs[0].Stored, shape, in...)
	z = d.Fn.NewLike(p.Outputs[1].Stored, shape, in...)
	Launch(d.Fn, p, values, shape, nil, []*nd.Array{y, z}, arrays)
	Record(d.Fn, p, values, arrays, y, z)
	ReleaseLoaded(arrays, in)
	return y, z
}
