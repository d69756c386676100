package cudaops

import (
	"sync"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// reduceGuarded computes sums, chooses the scale of the values of each, computes the sums of the scaled values, and
// applies Post to them. The host does not wait for the first sums, and so never knows that no scale is needed.
func (d *Device) reduceGuarded(l *device.Launch) {
	kept := l.Rank - l.Reduced
	outputs := broadcast.Size(l.Shape[:kept])
	if outputs == 0 {
		return
	}
	plain, scaled := l.Program.Terms(l.Squares, false), l.Program.Terms(l.Squares, true)
	t := plain.Outputs[0].Type
	size := t.Size()
	sums, scales, units := d.scratch(l.Func, outputs*size), d.scratch(l.Func, outputs*size), d.scratch(l.Func, outputs*size)
	defer sums.free()
	defer scales.free()
	defer units.free()
	perOutput := func(x *device.Operand, s scratch, t dtype.DType) {
		*x = device.Operand{Memory: s.memory, DType: t}
		broadcast.AppendStrides(x.Strides[:0], l.Shape[:kept])
	}
	sum := func(p *device.Program) {
		r := device.NewLaunch()
		r.Func, r.Rank, r.Shape, r.Scalars = l.Func, l.Rank, l.Shape, l.Scalars
		r.Program, r.Combine, r.Reduced = p, l.Combine, l.Reduced
		r.N, r.Outputs = 1+len(p.Inputs), 1
		copy(r.Operands[1:l.N], l.Operands[1:l.N])
		perOutput(&r.Operands[0], sums, t)
		if r.N > l.N {
			perOutput(&r.Operands[l.N], scales, t.Real())
		}
		d.Reduce(r)
		r.Recycle()
	}
	sum(plain)
	if t.IsInexact() {
		choice := device.NewLaunch()
		choice.Func, choice.Program, choice.Rank, choice.N, choice.Outputs = l.Func, chooseScale(t, l.Squares), 1, 3, 2
		choice.Shape[0] = outputs
		for k, s := range []scratch{scales, units, sums} {
			of := t.Real()
			if k == 2 {
				of = t
			}
			choice.Operands[k] = device.Operand{Memory: s.memory, DType: of}
			choice.Operands[k].Strides[0] = 1
		}
		by := device.ScalesOf(t, l.Squares)
		for k, v := range []float64{by.Up, by.Least, by.Down} {
			choice.Scalars[k] = device.Scalar{Re: v}
		}
		d.Elementwise(choice)
		choice.Recycle()
		sum(scaled)
	}
	post := device.NewLaunch()
	post.Func, post.Program, post.Rank, post.Shape, post.N, post.Outputs = l.Func, l.Post, kept, l.Shape, 3, 1
	copy(post.Scalars[:], l.Scalars[len(l.Program.Scalars):])
	post.Operands[0] = l.Operands[0]
	perOutput(&post.Operands[1], sums, t)
	perOutput(&post.Operands[2], units, t.Real())
	if !t.IsInexact() { // sums of integers wrap
		post.Program, post.N = l.Post.ForUnit1(), 2
	}
	d.Elementwise(post)
	post.Recycle()
}

// scaleChoices are the programs that choose scales, for sums and for sums of squares.
var scaleChoices = sync.OnceValue(func() [2]*device.Programs {
	source := func(inRange string) *device.Programs {
		return &device.Programs{Source: device.Source{Name: "scale", Inputs: "T x", Scalars: "R up, R least, R down", Outputs: "R scale, R unit",
			Body: "scale = isfinite(x) ? " + inRange + " : down; unit = 1 / scale"}}
	}
	return [2]*device.Programs{source("R(1)"), source("(x < least ? up : R(1))")}
})

func chooseScale(t dtype.DType, squares bool) *device.Program {
	if squares {
		return scaleChoices()[1].Of(t)
	}
	return scaleChoices()[0].Of(t)
}
