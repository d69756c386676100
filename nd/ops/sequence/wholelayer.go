package sequence

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// wholeLayer is what lstmLayer and gruLayer have in common: a recurrent layer on sequences of equal lengths as one operation,
// whose time steps work on cached data, with one large product for the gradient of the weights.
type wholeLayer struct {
	fn                         nd.Func
	times, batch, units, gates int
	reverse                    bool
}

// The names of the functions whose layers are whole operations.
const (
	lstmName nd.Func = "sequence.LSTM"
	gruName  nd.Func = "sequence.GRU"
)

// wholeOf returns the name for a plain step with the given number of gates; it is empty if there is no operation for it.
func wholeOf(gates int) nd.Func {
	switch gates {
	case 3:
		return gruName
	case 4:
		return lstmName
	}
	return ""
}

// suits reports whether the operation can compute a cell with these arguments: the products of the input and its weights, the
// weights of the state, and others.
func (op wholeLayer) suits(in []*nd.Array) bool {
	t := in[0].DType()
	for _, x := range in {
		if x.DType() != t {
			return false
		}
	}
	return (t == dtype.Float32 || t == dtype.Float64) && in[1].Dim(1) == op.units && op.batch > 0 && op.units > 0
}

// row returns the first row of time step t, where t counts in the order of computation.
func (op wholeLayer) row(t int) int {
	if op.reverse {
		t = op.times - 1 - t
	}
	return t * op.batch
}

func (op wholeLayer) matrix(rows, columns int, in []*nd.Array) *nd.Array {
	return op.fn.NewLike(in[0].DType(), []int{rows, columns}, in...)
}

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
func (op wholeLayer) product(m, n, k int, c, a, b, d part, turned bool) {
	l := op.fn.Launch(c.of.Device(), []int{m, n, k})
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
func (op wholeLayer) program(p *device.Programs, out, in []part) {
	l := op.fn.Launch(out[0].of.Device(), []int{op.batch, op.units})
	l.Program = p.Of(out[0].of.DType())
	for _, x := range out {
		operand(l.WriteStrides, &l, x, 1, 2)
	}
	for _, x := range in {
		operand(l.ReadStrides, &l, x, 1, 2)
	}
	l.Run(device.Device.Elementwise)
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

// fromState writes to z the products of a state and its weights, in strips, for some of the gates: stacked by rows, plus x, whose
// rows hold them side by side. A nil x.of adds nothing.
func (op wholeLayer) fromState(z, h part, weights *nd.Array, gate, gates int, x part) {
	n, width := op.units, weights.Dim(2)
	each := n * width // elements of a strip
	l := op.fn.Launch(z.of.Device(), []int{gates, n / width, op.batch, width, n})
	l.WriteStrides(z.of, []int{op.batch * n, width, n, 1, 0})
	l.Operands[0].Offset += z.row * n
	v := h.of.Layout().Strides
	l.ReadStrides(h.of, []int{0, 0, v[0], 0, v[1]})
	l.Operands[1].Offset += h.row * v[0]
	l.ReadStrides(weights, []int{n / width * each, each, 0, 1, width})
	l.Operands[2].Offset += gate * n / width * each
	if x.of != nil {
		v = x.of.Layout().Strides
		l.ReadStrides(x.of, []int{n * v[1], width * v[1], v[0], v[1], 0})
		l.Operands[3].Offset += x.row * v[0]
	}
	l.Run(device.Device.MatMul)
}

// toState writes to gh the gradient of a state: the product of the gradients of the gates, side by side, and the weights, in
// strips, plus more.
func (op wholeLayer) toState(gh *nd.Array, gates part, weights *nd.Array, more part) {
	n, width := op.units, weights.Dim(2)
	l := op.fn.Launch(gh.Device(), []int{n / width, op.batch, width, op.gates * n})
	l.WriteStrides(gh, []int{width, n, 1, 0})
	v := gates.of.Layout().Strides
	l.ReadStrides(gates.of, []int{0, v[0], 0, v[1]})
	l.Operands[1].Offset += gates.row * v[0]
	l.ReadStrides(weights, []int{op.gates * n * width, 0, 1, width})
	v = more.of.Layout().Strides
	l.ReadStrides(more.of, []int{width * v[1], v[0], v[1], 0})
	l.Operands[3].Offset += more.row * v[0]
	l.Run(device.Device.MatMul)
}

// weightGradient adds up the products of the gradients of the gates and the states before them, for all time steps but
// the first at once.
func (op wholeLayer) weightGradient(in []*nd.Array, y, gz *nd.Array) *nd.Array {
	width := op.gates * op.units
	g := part{of: op.matrix(width, op.units, in)}
	first := op.row(0)
	op.product(width, op.units, op.batch, g, part{gz, first, 0}, part{of: in[2]}, part{}, true)
	if op.times > 1 {
		now, before := part{gz, op.batch, 0}, part{of: y}
		if op.reverse {
			now, before = part{of: gz}, part{y, op.batch, 0}
		}
		op.product(width, op.units, (op.times-1)*op.batch, g, now, before, g, true)
	}
	return g.of
}
