package ufunc

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// PairOptions are the options of a call with two results.
type PairOptions struct {
	Out     [2]*nd.Array
	Where   *nd.Array
	DType   dtype.DType
	Casting dtype.Casting
}

// CallTwo runs a function with two results.
func (d *Definition) CallTwo(o PairOptions, in ...*nd.Array) (y, z *nd.Array) {
	d.Fn.Check(in...)
	t := d.LoopType(Options{DType: o.DType, Casting: o.Casting}, in)
	var room Operands
	arrays, values, mask := room.Split(d.Program(t), nil, in)
	p := d.Program(t).Bind(mask)
	shape := room.Loop(d.Fn, arrays, Options{})
	y = d.Fn.NewLike(p.Outputs[0].Stored, shape, in...)
	z = d.Fn.NewLike(p.Outputs[1].Stored, shape, in...)
	Launch(d.Fn, p, values, shape, nil, []*nd.Array{y, z}, arrays)
	if o.Casting != dtype.CastUnsafe || t.IsInexact() || linked(arrays) { // as in Run
		Record(d.Fn, p, values, arrays, y, z)
	}
	ReleaseLoaded(arrays, in)
	if len(arrays) == 0 && o == (PairOptions{}) {
		return asScalar(y), asScalar(z)
	}
	if o.Where == nil && o.Out == [2]*nd.Array{} {
		return y, z
	}
	return d.chooseAndAssign(o, y, z)
}

// chooseAndAssign chooses the results by Where, and assigns them to the given Outs. It writes nothing before both are
// checked: the Outs may be arguments, or share memory.
func (d *Definition) chooseAndAssign(o PairOptions, results ...*nd.Array) (y, z *nd.Array) {
	for k, out := range o.Out {
		made := results[k]
		if o.Where != nil {
			checkWhere(d.Fn, o.Where, results)
			old := out
			if old == nil {
				old = nd.Scalar(0)
			}
			results[k] = Choose(o.Where, made, old)
			made.Release()
		}
		if out == nil {
			continue
		}
		d.Fn.Check(results[k], out)
		d.Fn.CheckWritable(out)
		if shape, err := broadcast.Shapes(results[k].Shape(), out.Shape()); err != nil || !broadcast.Equal(shape, out.Shape()) {
			panic(d.Fn.Errorf([]*nd.Array{results[k], out}, "the result has shape %s, Out %s: Out cannot be broadcast",
				broadcast.FormatShape(results[k].Shape()), broadcast.FormatShape(out.Shape())))
		}
		plain := Options{Casting: o.Casting}
		if rule := plain.casting(); !dtype.CanCast(results[k].DType(), out.DType(), rule) {
			panic(castError(d.Fn, []*nd.Array{results[k], out}, results[k].DType(), out.DType(), rule))
		}
	}
	for k, out := range o.Out {
		if out != nil {
			out.Assign(results[k])
			results[k].Release()
			results[k] = out
		}
	}
	return results[0], results[1]
}
