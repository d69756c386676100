package sequence

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// gruLayer is a GRU on sequences of equal lengths as one operation. Its inputs are the products of the input and its weights
// (T·B, 3H), the weights of the state (3H, H), the first state (B, H) and, if there is one, the bias of the candidate's product
// (H). Its outputs are the states of all time steps (T·B, H) and, for each, the gates r, z and n and the candidate's product u
// (T·4·B, H), which only the gradient needs: nil if nothing is recorded.
type gruLayer struct{ wholeLayer }

// run returns the states of all time steps, and the last state.
func (op gruLayer) run(in []*nd.Array) (y *nd.Array, last state) {
	y, gates := op.forward(in)
	op.fn.Record(op, in, y, gates)
	at := op.row(op.times - 1)
	last = state{h: rows(y, at, at+op.batch)}
	release.Unless(gates, nil)
	return y, last
}

// Composed is the definition by differentiable functions.
func (op gruLayer) Composed(in []*nd.Array) []*nd.Array {
	ys := make([]*nd.Array, op.times)
	now, w := state{h: in[2]}, cell{fromState: in[1].T()}
	if len(in) > 3 {
		w.candidate = in[3]
	}
	for t := range op.times {
		at := op.row(t)
		now = gru(w, rows(in[0], at, at+op.batch), now)
		ys[at/op.batch] = now.h
	}
	return []*nd.Array{ops.Concatenate(ys), nil}
}

// gruStep computes one time step.
const gruStep = "sr = sigmoid(zr); sz = sigmoid(zz); tn = tanh(zn + sr*u); y = tn + sz*(h - tn); next = y"

var (
	gruInfer = device.Programs{Source: device.Source{Name: string(gruName),
		Inputs: "T zr, T zz, T zn, T u, T h", Outputs: "T y, T next", Body: gruStep}}
	gruTrain = device.Programs{Source: device.Source{Name: string(gruName),
		Inputs: "T zr, T zz, T zn, T u, T h", Outputs: "T y, T next, T sr, T sz, T tn, T su", Body: gruStep + "; su = u"}}
	// gc is the gradient of the state before that does not flow through the weights.
	gruGradient = device.Programs{Source: device.Source{Name: string(gruName),
		Inputs: "T gy, T more, T r, T z, T n, T u, T h", Outputs: "T gc, T gzr, T gzz, T gu, T gzn",
		Body: "g = gy + more; gc = g*z; gzn = g*(1 - z)*(1 - n*n); gu = gzn*r; gzr = gzn*u*r*(1 - r); gzz = g*(h - n)*z*(1 - z)"}}
)

func (op gruLayer) forward(in []*nd.Array) (y, gates *nd.Array) {
	t := op.times * op.batch
	y = op.matrix(t, op.units, in)
	if ufunc.Recorded(in...) {
		gates = op.matrix(4*t, op.units, in)
	}
	weights := strips(in[1].Detach().T(), stripWidth(in[1].Device(), op.units, 128)) // read once per time step
	z, now, candidate := op.matrix(3*op.batch, op.units, in), in[2].Detach().Copy(), part{}
	if len(in) > 3 {
		candidate.of = in[3].Detach().BroadcastTo(op.batch, op.units)
	}
	for step := range op.times {
		row := op.row(step)
		x, h := part{in[0], row, 0}, part{of: now}
		gate := func(k int) part { return part{z, k * op.batch, 0} }
		op.fromState(gate(0), h, weights, 0, 2, x)
		op.fromState(gate(2), h, weights, 2, 1, candidate)
		out, p := []part{{y, row, 0}, h}, &gruInfer
		if gates != nil {
			p = &gruTrain
			for k := range 4 {
				out = append(out, part{gates, 4*row + k*op.batch, 0})
			}
		}
		x.column = 2 * op.units
		op.program(p, out, []part{gate(0), gate(1), x, gate(2), h})
	}
	for _, x := range []*nd.Array{weights, z, now, candidate.of} {
		if x != nil {
			x.Release()
		}
	}
	return y, gates
}

func (op gruLayer) VJP(c *nd.Call) {
	in := make([]*nd.Array, c.Inputs())
	for k := range in {
		in[k] = c.In(k)
	}
	y, gates, gy := c.Out(0), c.Out(1), c.Gy(0)
	t, width := op.times*op.batch, 3*op.units
	gz, gn := op.matrix(t, width, in), op.matrix(t, op.units, in) // gz has the gradient of u as its third gate
	gh, gc := op.matrix(op.batch, op.units, in), nd.ZerosLike(in[2].Detach())
	weights := strips(in[1], stripWidth(in[1].Device(), op.units, 64))
	for step := op.times - 1; step >= 0; step-- {
		row := op.row(step)
		from := part{gy, row, 0}
		if step < op.times-1 {
			op.toState(gh, part{gz, op.row(step + 1), 0}, weights, from)
			from = part{of: gh}
		}
		before := part{of: in[2]}
		if step > 0 {
			before = part{y, op.row(step - 1), 0}
		}
		saved := []part{from, {of: gc}}
		for k := range 4 {
			saved = append(saved, part{gates, 4*row + k*op.batch, 0})
		}
		op.program(&gruGradient, []part{{of: gc}, {gz, row, 0}, {gz, row, op.units}, {gz, row, 2 * op.units}, {gn, row, 0}}, append(saved, before))
	}
	weights.Release()
	if c.Needs(2) {
		op.product(op.batch, op.units, width, part{of: gh}, part{gz, op.row(0), 0}, part{of: in[1]}, part{of: gc}, false)
		c.SetGx(2, gh)
	}
	if c.Needs(1) {
		c.SetGx(1, op.weightGradient(in, y, gz))
	}
	third := gz.Index(nd.All(), nd.From(2*op.units))
	if len(in) > 3 && c.Needs(3) {
		c.SetGx(3, ops.Sum(third, ops.Over(0)))
	}
	third.Assign(gn)
	c.SetGx(0, gz)
	third.Release()
	gc.Release()
	gn.Release()
}
