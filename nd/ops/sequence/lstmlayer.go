package sequence

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// lstmLayer is an LSTM on sequences of equal lengths as one operation. Its inputs are the products of the input and its
// weights (T·B, 4H), the weights of the state (4H, H), and the first state and memory (B, H). Its outputs are the
// states and the memories of all time steps (T·B, H) and the gates (T·4·B, H). Only the gradient needs the gates: they
// are nil if nothing is recorded. A time step takes one product and one program, both on cached data. The gradient
// takes a product and two programs per time step, and one large product for the weights.
type lstmLayer struct {
	times, batch, units int
	reverse             bool
}

// suits reports whether the operation can compute a cell with these arguments.
func (op lstmLayer) suits(in []*nd.Array) bool {
	t := in[0].DType()
	for _, x := range in {
		if x.DType() != t {
			return false
		}
	}
	return (t == dtype.Float32 || t == dtype.Float64) && in[1].Dim(1) == op.units && op.batch > 0 && op.units > 0
}

// run returns the states of all time steps, and the last state.
func (op lstmLayer) run(in []*nd.Array) (y *nd.Array, last state) {
	y, memories, gates := op.forward(in)
	nd.Func("sequence.LSTM").Record(op, in, y, memories, gates)
	at := op.row(op.times - 1)
	last = state{rows(y, at, at+op.batch), rows(memories, at, at+op.batch)}
	release.Unless(memories, last.c)
	release.Unless(gates, nil)
	return y, last
}

// row returns the first row of time step t, where t counts in the order of computation.
func (op lstmLayer) row(t int) int {
	if op.reverse {
		t = op.times - 1 - t
	}
	return t * op.batch
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

// part is a block of a matrix from a row and a column on.
type part struct {
	of          *nd.Array
	row, column int
}

// operand adds a part to a launch; axes says for each axis of the loop whether it runs along rows (1) or columns (2).
func operand(add func(*nd.Array, []int), l *nd.Launch, p part, axes ...int) {
	v := p.of.Layout()
	var strides [3]int
	for k, axis := range axes {
		if axis > 0 {
			strides[k] = v.Strides[axis-1]
		}
	}
	add(p.of, strides[:len(axes)])
	l.Operands[l.N-1].Offset += p.row*v.Strides[0] + p.column*v.Strides[1]
}

// product computes c = a·b + d for m rows, n columns and k products each; a nil d.of adds nothing. If turned is set, a
// is passed as aᵀ.
func product(m, n, k int, c, a, b, d part, turned bool) {
	l := nd.Func("sequence.LSTM").Launch(c.of.Device(), []int{m, n, k})
	operand(l.WriteStrides, &l, c, 1, 2, 0)
	if turned {
		operand(l.ReadStrides, &l, a, 2, 0, 1)
	} else {
		operand(l.ReadStrides, &l, a, 1, 0, 2)
	}
	operand(l.ReadStrides, &l, b, 0, 2, 1)
	if d.of != nil {
		operand(l.ReadStrides, &l, d, 1, 2, 0)
	}
	l.Run(device.Device.MatMul)
}

// program runs a program on the rows and columns of a state.
func (op lstmLayer) program(p *device.Programs, out, in []part) {
	l := nd.Func("sequence.LSTM").Launch(out[0].of.Device(), []int{op.batch, op.units})
	l.Program = p.Of(out[0].of.DType())
	for _, x := range out {
		operand(l.WriteStrides, &l, x, 1, 2)
	}
	for _, x := range in {
		operand(l.ReadStrides, &l, x, 1, 2)
	}
	l.Run(device.Device.Elementwise)
}

// gatesFrom returns the four gates, stacked by rows, from a row on.
func (op lstmLayer) gatesFrom(x *nd.Array, row int) [4]part {
	var p [4]part
	for k := range p {
		p[k] = part{x, row + k*op.batch, 0}
	}
	return p
}

// stripWidth returns the width of the strips in which n columns of weights are read: wanted, or half of that, if it
// divides n, otherwise n. Strips serve the caches of a CPU; other devices read all columns at once.
func stripWidth(dev device.Device, n, wanted int) int {
	if dev.Name() != "cpu" {
		return n
	}
	for _, width := range []int{wanted, wanted / 2} {
		if n%width == 0 {
			return width
		}
	}
	return n
}

// strips cuts a matrix into strips of columns, each contiguous in memory, so that its rows do not evict each other from
// the cache. The result is (strips, rows, width).
func strips(x *nd.Array, width int) *nd.Array {
	return x.Reshape(x.Dim(0), -1, width).SwapAxes(0, 1).Contiguous()
}

// fromState writes to z, which holds the gates stacked by rows, the product of a state and its weights, in strips, plus
// the product of the input and its weights, at x.
func (op lstmLayer) fromState(z *nd.Array, h part, weights *nd.Array, x part) {
	n, width := op.units, weights.Dim(2)
	each := n * width // elements of a strip
	l := nd.Func("sequence.LSTM").Launch(z.Device(), []int{4, n / width, op.batch, width, n})
	l.WriteStrides(z, []int{op.batch * n, width, n, 1, 0})
	v := h.of.Layout().Strides
	l.ReadStrides(h.of, []int{0, 0, v[0], 0, v[1]})
	l.Operands[l.N-1].Offset += h.row * v[0]
	l.ReadStrides(weights, []int{n / width * each, each, 0, 1, width})
	v = x.of.Layout().Strides
	l.ReadStrides(x.of, []int{n * v[1], width * v[1], v[0], v[1], 0})
	l.Operands[l.N-1].Offset += x.row * v[0]
	l.Run(device.Device.MatMul)
}

// toState writes to gh the gradient of a state: the product of the gradients of the gates and the weights, in strips,
// plus more.
func (op lstmLayer) toState(gh *nd.Array, gates part, weights *nd.Array, more part) {
	n, width := op.units, weights.Dim(2)
	l := nd.Func("sequence.LSTM").Launch(gh.Device(), []int{n / width, op.batch, width, 4 * n})
	l.WriteStrides(gh, []int{width, n, 1, 0})
	v := gates.of.Layout().Strides
	l.ReadStrides(gates.of, []int{0, v[0], 0, v[1]})
	l.Operands[l.N-1].Offset += gates.row * v[0]
	l.ReadStrides(weights, []int{4 * n * width, 0, 1, width})
	v = more.of.Layout().Strides
	l.ReadStrides(more.of, []int{width * v[1], v[0], v[1], 0})
	l.Operands[l.N-1].Offset += more.row * v[0]
	l.Run(device.Device.MatMul)
}

// beside copies four gates that are stacked by rows to rows that hold them side by side.
func (op lstmLayer) beside(dst part, gates *nd.Array) {
	l := nd.Func("sequence.LSTM").Launch(gates.Device(), []int{4, op.batch, op.units})
	l.WriteStrides(dst.of, []int{op.units, 4 * op.units, 1})
	l.Operands[0].Offset += dst.row * 4 * op.units
	l.ReadStrides(gates, []int{op.batch * op.units, op.units, 1})
	l.Run(device.Device.Copy)
}

func (op lstmLayer) matrix(rows, columns int, in []*nd.Array) *nd.Array {
	return nd.Func("sequence.LSTM").NewLike(in[0].DType(), []int{rows, columns}, in...)
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
		op.fromState(z, h, weights, part{in[0], row, 0})
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
		product(op.batch, op.units, width, part{of: gh}, later, part{of: in[1]}, part{}, false)
		c.SetGx(2, gh)
	}
	if c.Needs(1) {
		c.SetGx(1, op.weightGradient(in, y, gz))
	}
	c.SetGx(0, gz)
	c.SetGx(3, gc)
}

// weightGradient adds up the products of the gradients of the gates and the states before them, for all time steps but
// the first at once.
func (op lstmLayer) weightGradient(in []*nd.Array, y, gz *nd.Array) *nd.Array {
	width := 4 * op.units
	g := part{of: op.matrix(width, op.units, in)}
	first := op.row(0)
	product(width, op.units, op.batch, g, part{gz, first, 0}, part{of: in[2]}, part{}, true)
	if op.times > 1 {
		now, before := part{gz, op.batch, 0}, part{of: y}
		if op.reverse {
			now, before = part{of: gz}, part{y, op.batch, 0}
		}
		product(width, op.units, (op.times-1)*op.batch, g, now, before, g, true)
	}
	return g.of
}
