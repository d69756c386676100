package optim

import (
	"regexp"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// norm is a norm that a rule needs. It reads only the arrays that its body names.
type norm struct {
	reads    []int           // indices into the parameter and the states
	gradient bool            // whether it also reads the gradient
	after    stepPrograms    // the programs if it reads the gradient: for a gradient with steps before
	alone    device.Programs // the program if it does not
}

func (n *norm) set(r *Rule, of Norm) {
	names := append([]string{"w"}, r.States...)
	var in []string
	for i, name := range names {
		if mentions(of.Body, name+"_old") {
			n.reads, in = append(n.reads, i), append(in, "T "+name+"_old")
		}
	}
	n.gradient = mentions(of.Body, "grad")
	n.after.source = device.Source{
		Name:    "optim." + r.Name + "." + of.Name,
		Inputs:  strings.Join(in, ", "),
		Scalars: strings.Join(declared("T ", r.Scalars, ""), ", "),
		Outputs: "T value",
		Body:    of.Body + "; value = y",
	}
	n.alone.Source = n.after.source
}

// mentions reports whether a body contains a name.
func mentions(body, name string) bool {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).MatchString(body)
}

// source is the source of the program for a gradient without steps.
func (n *norm) source() device.Source {
	if n.gradient {
		return new(chain).source(n.after.source)
	}
	return n.alone.Source
}

// compute returns the norm for a parameter and its states, a 0-d array on the device.
func (n *norm) compute(fn nd.Func, c *chain, scalars []float64, old []*nd.Array) *nd.Array {
	w := old[0]
	t := dtype.ComputeType(w.DType())
	in := make([]*nd.Array, 0, device.MaxOperands)
	for _, i := range n.reads {
		in = append(in, old[i])
	}
	var program *device.Program
	given := scalarArguments(t, scalars)
	if n.gradient {
		program, given = n.after.of(t, c), append(scalarArguments(t, c.scalars), given...)
		if len(n.reads) > 0 && n.reads[0] == 0 {
			in = append(append(in, c.value), c.extraInputs...)
		} else {
			in = c.operands(in, w)
		}
	} else {
		program = n.alone.Of(t)
	}
	y := fn.NewLike(t.Real(), nil, w)
	fn.SumSquares(program, shared().norms.measure.Of(t.Real()), broadcast.AllAxes(w.Rank()), given, y, in...)
	return y
}
