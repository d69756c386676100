package sequence

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// lstmLayer is an LSTM on sequences of equal lengths as one operation. Its inputs are the products of the input and its
// weights (T·B, 4H), the weights of the state (4H, H), and the first state and memory (B, H). Its outputs are the
// states and the memories of all time steps (T·B, H) and the gates (T·4·B, H). Only the gradient needs the gates: they
// are nil if nothing is recorded. A time step takes one product and one program, both on cached data. The gradient
// takes a product and two programs per time step, and one large product for the weights.
type lstmLayer struct{ wholeLayer }

// run returns the states of all time steps, and the last state.
func (op lstmLayer) run(in []*nd.Array) (y *nd.Array, last state) {
	y, memories, gates := op.forward(in)
	op.fn.Record(op, in, y, memories, gates)
	at := op.row(op.times - 1)
	last = state{rows(y, at, at+op.batch), rows(memories, at, at+op.batch)}
	release.Unless(memories, last.c)
	release.Unless(gates, nil)
	return y, last
}

// Composed is the definition by differentiable functions.
func (op lstmLayer) Composed(in []*nd.Array) []*nd.Array {
	ys, cs := make([]*nd.Array, op.times), make([]*nd.Array, op.times)
	now, w := state{in[2], in[3]}, cell{fromState: in[1].T()}
	for t := range op.times {
		at := op.row(t)
		now = lstm(nil)(w, rows(in[0], at, at+op.batch), now)
		ys[at/op.batch], cs[at/op.batch] = now.h, now.c
	}
	return []*nd.Array{ops.Concatenate(ys), ops.Concatenate(cs), nil}
}

// lstmStep computes one time step; its gradient is computed in two programs.
const lstmStep = "si = sigmoid(zi); sf = sigmoid(zf); tg = tanh(zg); so = sigmoid(zo); m = sf*c + si*tg; h = so*tanh(m); kept = m"

var (
	lstmInfer = device.Programs{Source: device.Source{Name: "sequence.LSTM",
		Inputs: "T zi, T zf, T zg, T zo, T c", Outputs: "T m, T kept, T h", Body: lstmStep}}
	lstmTrain = device.Programs{Source: device.Source{Name: "sequence.LSTM",
		Inputs: "T zi, T zf, T zg, T zo, T c", Outputs: "T m, T kept, T h, T si, T sf, T tg, T so", Body: lstmStep}}
	lstmOuter = device.Programs{Source: device.Source{Name: "sequence.LSTM",
		Inputs: "T gh, T gc, T m, T so", Outputs: "T gm, T gzo", Body: "r = tanh(m); gm = gc + gh*so*(1 - r*r); gzo = gh*r*so*(1 - so)"}}
	lstmInner = device.Programs{Source: device.Source{Name: "sequence.LSTM",
		Inputs: "T gm, T c, T si, T sf, T tg", Outputs: "T gc, T gzi, T gzf, T gzg",
		Body: "gc = gm*sf; gzi = gm*tg*si*(1 - si); gzf = gm*c*sf*(1 - sf); gzg = gm*si*(1 - tg*tg)"}}
	lstmSum = device.Programs{Source: device.Source{Name: "sequence.LSTM", Inputs: "T a, T b", Outputs: "T y", Body: "a + b"}}
)

// gatesFrom returns the four gates, stacked by rows, from a row on.
func (op lstmLayer) gatesFrom(x *nd.Array, row int) [4]part {
	var p [4]part
	for k := range p {
		p[k] = part{x, row + k*op.batch, 0}
	}
	return p
}

// beside copies four gates that are stacked by rows to rows that hold them side by side.
func (op lstmLayer) beside(dst part, gates *nd.Array) {
	l := op.fn.Launch(gates.Device(), []int{4, op.batch, op.units})
	l.WriteStrides(dst.of, []int{op.units, 4 * op.units, 1})
	l.Operands[0].Offset += dst.row * 4 * op.units
	l.ReadStrides(gates, []int{op.batch * op.units, op.units, 1})
	l.Run(device.Device.Copy)
}

func (op lstmLayer) forward(in []*nd.Array) (y, memories, gates *nd.Array) {
	t := op.times * op.batch
	y, memories = op.matrix(t, op.units, in), op.matrix(t, op.units, in)
	if ufunc.Recorded(in...) {
		gates = op.matrix(4*t, op.units, in)
	}
	weights := strips(in[1].Detach().T(), stripWidth(in[1].Device(), op.units, 128)) // read once per time step
	z, now := op.matrix(4*op.batch, op.units, in), in[3].Detach().Copy()
	h := part{of: in[2]}
	for step := range op.times {
		row := op.row(step)
		op.fromState(part{of: z}, h, weights, 0, 4, part{in[0], row, 0})
		g := op.gatesFrom(z, 0)
		out, p := []part{{of: now}, {memories, row, 0}, {y, row, 0}}, &lstmInfer
		if gates != nil {
			kept := op.gatesFrom(gates, 4*row)
			out, p = append(out, kept[:]...), &lstmTrain
		}
		op.program(p, out, append(g[:], part{of: now}))
		h = part{y, row, 0}
	}
	for _, x := range []*nd.Array{weights, z, now} {
		x.Release()
	}
	return y, memories, gates
}

func (op lstmLayer) VJP(c *nd.Call) {
	in := []*nd.Array{c.In(0), c.In(1), c.In(2), c.In(3)}
	y, memories, gates, gy := c.Out(0), c.Out(1), c.Out(2), c.Gy(0)
	t, width := op.times*op.batch, 4*op.units
	gz, gh, gc := op.matrix(t, width, in), op.matrix(op.batch, op.units, in), nd.ZerosLike(in[3].Detach())
	if gy == nil {
		gy = nd.ZerosLike(y)
	}
	weights := strips(in[1], stripWidth(in[1].Device(), op.units, 64))
	now := op.matrix(4*op.batch, op.units, in) // the gradients of a time step's gates, stacked by rows
	gzs := op.gatesFrom(now, 0)
	later := part{} // the gradients of the gates of the next time step
	for step := op.times - 1; step >= 0; step-- {
		row := op.row(step)
		from := part{gy, row, 0}
		if later.of != nil {
			op.toState(gh, later, weights, from)
			from = part{of: gh}
		}
		if more := c.Gy(1); more != nil {
			op.program(&lstmSum, []part{{of: gc}}, []part{{of: gc}, {more, row, 0}})
		}
		g := op.gatesFrom(gates, 4*row)
		op.program(&lstmOuter, []part{{of: gc}, gzs[3]}, []part{from, {of: gc}, {memories, row, 0}, g[3]})
		before := part{of: in[3]}
		if step > 0 {
			before = part{memories, op.row(step - 1), 0}
		}
		op.program(&lstmInner, []part{{of: gc}, gzs[0], gzs[1], gzs[2]}, []part{{of: gc}, before, g[0], g[1], g[2]})
		later = part{gz, row, 0}
		op.beside(later, now)
	}
	weights.Release()
	now.Release()
	if c.Needs(2) {
		op.product(op.batch, op.units, width, part{of: gh}, later, part{of: in[1]}, part{}, false)
		c.SetGx(2, gh)
	}
	if c.Needs(1) {
		c.SetGx(1, op.weightGradient(in, y, gz))
	}
	c.SetGx(0, gz)
	c.SetGx(3, gc)
}
