package nn

import (
	"regexp"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// measure is a norm that a rule needs. It reads only the arrays that its body names.
type measure struct {
	reads    []int           // indices into the parameter and the states
	gradient bool            // whether it reads the gradient too,
	after    chained         // then the programs for a gradient with steps before
	alone    device.Programs // otherwise the program without a gradient
}

func (m *measure) set(r *Rule, n Norm) {
	names := append([]string{"w"}, r.States...)
	var in []string
	for i, name := range names {
		if mentions(n.Body, name+"_old") {
			m.reads, in = append(m.reads, i), append(in, "T "+name+"_old")
		}
	}
	m.gradient = mentions(n.Body, "grad")
	m.after.source = device.Source{
		Name:    "nn." + r.Name + "." + n.Name,
		Inputs:  strings.Join(in, ", "),
		Scalars: strings.Join(declared("T ", r.Scalars, ""), ", "),
		Outputs: "R square",
		Body:    n.Body + "; magnitude = abs(y); square = magnitude*magnitude",
	}
	m.alone.Source = m.after.source
}

// mentions reports whether a body contains a name.
func mentions(body, name string) bool {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).MatchString(body)
}

// source is the source of the program for a gradient without steps.
func (m *measure) source() device.Source {
	if m.gradient {
		return new(chain).source(m.after.source)
	}
	return m.alone.Source
}

// norm returns the norm for a parameter and its states, a 0-d array on the device.
func (m *measure) norm(fn nd.Func, c *chain, scalars []float64, old []*nd.Array) *nd.Array {
	w := old[0]
	t := dtype.ComputeType(w.DType())
	in := make([]*nd.Array, 0, device.MaxOperands)
	for _, i := range m.reads {
		in = append(in, old[i])
	}
	var program *device.Program
	given := immediates(t, scalars)
	if m.gradient {
		program, given = m.after.of(t, c), append(immediates(t, c.scalars), given...)
		if len(m.reads) > 0 && m.reads[0] == 0 {
			in = append(append(in, c.value), c.beside...)
		} else {
			in = c.operands(in, w)
		}
	} else {
		program = m.alone.Of(t)
	}
	y := fn.NewLike(t.Real(), nil, w)
	fn.Reduce(program, kept().norms.measure.Of(t.Real()), device.CombineSum, broadcast.AllAxes(w.Rank()), given, y, in...)
	return y
}
