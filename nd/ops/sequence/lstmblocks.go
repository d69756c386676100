package sequence

import (
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// LSTMBlocks is LSTMGates for gates in blocks: axis 1 of x holds one block for each kind of gate. order holds the
// letters of the blocks in their order, such as "iofg" for input, output, forget and the candidate. c' = σ(f)·c +
// σ(i)·tanh(g), h = σ(o)·tanh(c').
//
// Shapes: c (B, N), x (B, 4, N); the results (B, N).
func LSTMBlocks(c, x *nd.Array, order string) (cNext, h *nd.Array) {
	const fn nd.Func = "sequence.LSTMBlocks"
	fn.Check(c, x)
	in := []*nd.Array{c, x}
	op := lstmBlocks{}
	for k := range op.block {
		if op.block[k] = strings.IndexByte(order, "ifgo"[k]); op.block[k] < 0 || len(order) != len(op.block) {
			panic(fn.Errorf(in, "order %q: want each of the letters i, f, g and o once", order))
		}
	}
	if c.Rank() != 2 || x.Rank() != 3 || !broadcast.Equal(x.Shape(), []int{c.Dim(0), 4, c.Dim(1)}) {
		panic(fn.Errorf(in, "want a memory of shape (B, N), and gates of shape (B, 4, N)"))
	}
	checkNumbers(fn, in...)
	if !op.suits(c, x) {
		made := fn.Temporaries(&c, &x)
		defer made.Release()
		y := op.Composed([]*nd.Array{c, x})
		return made.Keep(y[0]), made.Keep(y[1])
	}
	cNext, h = fn.NewLike(c.DType(), c.Shape(), in...), fn.NewLike(c.DType(), c.Shape(), in...)
	l := op.launch(fn, c)
	l.Write(cNext)
	l.Write(h)
	if !ufunc.Recorded(in...) {
		l.Program = blocksInfer.Of(c.DType())
		op.each(x, l.ReadStrides, l.Launch)
		l.Read(c)
		l.Run(device.Device.Elementwise)
		return cNext, h
	}
	open := fn.NewLike(c.DType(), x.Shape(), in...)
	l.Program = blocksTrain.Of(c.DType())
	op.each(open, l.WriteStrides, l.Launch)
	op.each(x, l.ReadStrides, l.Launch)
	l.Read(c)
	l.Run(device.Device.Elementwise)
	fn.Record(op, in, cNext, h, open)
	open.Release() // the tape keeps it
	return cNext, h
}

// lstmBlocks is LSTMBlocks as one operation, with one pass for the results and one for the gradients. Its third output
// holds the activated gates, which only the gradient needs.
type lstmBlocks struct {
	block [4]int // the blocks of the gates i, f, g and o
}

var (
	blocksInfer = device.Programs{Source: device.Source{Name: "sequence.LSTMBlocks",
		Inputs: "T zi, T zf, T zg, T zo, T c", Outputs: "T m, T h",
		Body: "m = sigmoid(zf)*c + sigmoid(zi)*tanh(zg); h = sigmoid(zo)*tanh(m)"}}
	blocksTrain = device.Programs{Source: device.Source{Name: "sequence.LSTMBlocks",
		Inputs: "T zi, T zf, T zg, T zo, T c", Outputs: "T m, T h, T i, T f, T g, T o",
		Body: "i = sigmoid(zi); f = sigmoid(zf); g = tanh(zg); o = sigmoid(zo); m = f*c + i*g; h = o*tanh(m)"}}
	blocksGradient = device.Programs{Source: device.Source{Name: "sequence.LSTMBlocks",
		Inputs: "T gm, T gh, T i, T f, T g, T o, T c", Outputs: "T gc, T gzi, T gzf, T gzg, T gzo",
		Body: "r = tanh(f*c + i*g); all = gm + gh*o*(1 - r*r); gc = all*f; gzo = gh*r*o*(1 - o); " +
			"gzi = all*g*i*(1 - i); gzf = all*c*f*(1 - f); gzg = all*i*(1 - g*g)"}}
)

// suits reports whether the programs support these arguments.
func (op lstmBlocks) suits(c, x *nd.Array) bool {
	t := c.DType()
	return x.DType() == t && (t == dtype.Float32 || t == dtype.Float64) && c.Size() > 0 && !c.IsScalar() && !x.IsScalar()
}

// launch begins a loop over the units.
func (op lstmBlocks) launch(fn nd.Func, c *nd.Array) nd.Launch {
	return fn.Launch(c.Device(), c.Shape())
}

// each adds the blocks of the gates i, f, g and o of x to a launch.
func (op lstmBlocks) each(x *nd.Array, add func(*nd.Array, []int), l *device.Launch) {
	s := x.Layout().Strides
	for _, k := range op.block {
		add(x, []int{s[0], s[2]})
		l.Operands[l.N-1].Offset += k * s[1]
	}
}

// Claims says that the results are not read. Composed reads the gates before their activation.
func (op lstmBlocks) Claims() nd.Claims { return nd.Claims{In: 0b11, Out: 1 << 2} }

func (op lstmBlocks) VJP(call *nd.Call) {
	fn, c, open := call.Func(), call.In(0), call.Out(2)
	gc, gx := fn.NewLike(c.DType(), c.Shape(), c), fn.NewLike(c.DType(), call.Shape(1), c)
	l := op.launch(fn, c)
	l.Program = blocksGradient.Of(c.DType())
	l.Write(gc)
	op.each(gx, l.WriteStrides, l.Launch)
	for k := range 2 {
		if gy := call.Gy(k); gy != nil {
			l.Read(gy)
		} else {
			l.Read(fn.NewFilled(c.DType(), nil, 0, c))
		}
	}
	op.each(open, l.ReadStrides, l.Launch)
	l.Read(c)
	l.Run(device.Device.Elementwise)
	call.SetGx(0, gc)
	call.SetGx(1, gx)
}

// Composed is the definition by differentiable functions.
func (op lstmBlocks) Composed(in []*nd.Array) []*nd.Array {
	block := func(k int) *nd.Array { return in[1].Index(nd.All(), nd.At(op.block[k])) }
	return append(gates().CallMany(block(0), block(1), block(2), block(3), in[0]), nil)
}
