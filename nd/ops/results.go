package ops

import "github.com/ndgrad/ndgrad/nd"

// callTwo runs a function of two results.
func (d *elementwise) callTwo(in ...*nd.Array) (y, z *nd.Array) {
	d.fn.Check(in...)
	t := d.loopType(UfuncOptions{}, in)
	var room operands
	arrays, values, mask := room.split(d.program(t), nil, in)
	p := d.program(t).Bind(mask)
	shape := room.loop(d.fn, arrays, UfuncOptions{})
	y = d.fn.NewLike(p.Outputs[0].Stored, shape, in...)
	z = d.fn.NewLike(p.Outputs[1].Stored, shape, in...)
	launch(d.fn, p, values, shape, nil, []*nd.Array{y, z}, arrays)
	record(d.fn, p, values, arrays, y, z)
	return y, z
}
