package optim

import (
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Mean returns the mean of the gradients that several goroutines computed for the same parameters, after the statements
// about each. It adds them in the order of the arguments, so that the result does not depend on timing. If only some
// arguments have a gradient of a parameter, the others count as zero. The result is valid as long as the first
// argument.
func Mean(gs ...*Gradients) *Gradients {
	const fn nd.Func = "optim.Mean"
	mean := valueless(fn, gs)
	all := make([]*gradient, 0, len(gs))
	for k, e := range mean.list {
		all = all[:0]
		for _, g := range gs {
			if g.list[k].value != nil {
				all = append(all, g.list[k])
			}
		}
		e.value = sum(fn, all)
	}
	mean.Scale(1 / float64(len(gs)))
	return mean
}

// valueless returns gradients without values of the parameters of all gs, and refuses gradients of different parameters.
func valueless(fn nd.Func, gs []*Gradients) *Gradients {
	if len(gs) == 0 {
		panic(fn.Errorf(nil, "no gradients: want those of at least one goroutine"))
	}
	for i, g := range gs {
		g.checkValid(fn)
		if len(g.list) != len(gs[0].list) {
			panic(fn.Errorf(nil, "gradients %d are of %d parameters, want %d as the first", i, len(g.list), len(gs[0].list)))
		}
		for k, e := range g.list {
			if first := gs[0].list[k]; e.param != first.param {
				panic(fn.Errorf(nil, "gradients %d are of other parameters: %q, want %q", i, e.param.Path(), first.param.Path()))
			}
		}
	}
	all := &Gradients{}
	for _, e := range gs[0].list {
		all.list = append(all.list, &gradient{name: e.name, param: e.param})
	}
	return all
}

// sum adds gradients of one parameter in order, in one pass if they are few; it returns nil if there are none.
func sum(fn nd.Func, list []*gradient) *nd.Array {
	if len(list) == 0 {
		return nil
	}
	w := list[0].param.Value()
	t := dtype.ComputeType(w.DType())
	y := fn.NewLike(t, w.Shape(), list[0].value)
	const maxInputs = device.MaxOperands - 2 // inputs per pass, beside the sum so far
	for from := 0; from < len(list); from += maxInputs {
		part := list[from:min(from+maxInputs, len(list))]
		in := make([]*nd.Array, len(part), len(part)+1)
		made := make([]bool, len(part))
		for i, e := range part {
			if in[i] = e.value; len(e.steps) > 0 {
				in[i], made[i] = e.applied(fn, t), true
			}
		}
		if from > 0 {
			in = append(in, y)
		}
		run(fn, sumProgram(len(part), from > 0).Of(t), nil, []*nd.Array{y}, in)
		for i := range made {
			if made[i] {
				in[i].Release()
			}
		}
	}
	return y
}

// applied returns the gradient after all its steps, as a new array.
func (e *gradient) applied(fn nd.Func, dt dtype.DType) *nd.Array {
	var c chain
	c.read(fn, e, len(e.steps), coupled, roomBeside(0, 3))
	y := c.run(fn, e, dt)
	c.releaseTemporaries()
	return y
}

// sumProgram returns the program that adds n inputs, to an earlier sum if more.
func sumProgram(n int, more bool) *device.Programs {
	key := n
	if more {
		key = -n
	}
	if made, ok := shared().sums.Load(key); ok {
		return made.(*device.Programs)
	}
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint("x", i)
	}
	body := strings.Join(names, " + ")
	if more {
		body = "sum + " + body
		names = append(names, "sum")
	}
	made, _ := shared().sums.LoadOrStore(key, &device.Programs{Source: device.Source{
		Name: "optim.sum", Inputs: strings.Join(declared("T ", names, ""), ", "), Outputs: "T y", Body: "y = " + body}})
	return made.(*device.Programs)
}
