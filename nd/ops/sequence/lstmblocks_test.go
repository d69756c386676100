package sequence_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func sigma(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func TestLSTMBlocks(t *testing.T) {
	const rows, units = 3, 5
	wide := normal(2, rows, 6, units)
	for _, x := range []*nd.Array{wide.Index(nd.All(), nd.Span(1, 5)), normal(3, units, 4, rows).Transpose(2, 1, 0)} {
		c := normal(1, units, rows).T()
		for _, order := range []string{"iofg", "ifgo", "gofi"} {
			at := func(b, u int, letter rune) float64 {
				for k, l := range order {
					if l == letter {
						return nd.Value[float64](x, b, k, u)
					}
				}
				return math.NaN()
			}
			cNext, h := sequence.LSTMBlocks(c, x, order)
			var memories, outputs []float64
			for b := range rows {
				for u := range units {
					m := sigma(at(b, u, 'f'))*nd.Value[float64](c, b, u) + sigma(at(b, u, 'i'))*math.Tanh(at(b, u, 'g'))
					memories, outputs = append(memories, m), append(outputs, sigma(at(b, u, 'o'))*math.Tanh(m))
				}
			}
			near(t, "memory "+order, cNext, nd.FromSlice(memories, rows, units))
			near(t, "output "+order, h, nd.FromSlice(outputs, rows, units))
		}
		for k := range 3 {
			f := func(xs ...*nd.Array) *nd.Array {
				c, h := sequence.LSTMBlocks(xs[0], xs[1], "iofg")
				return []*nd.Array{c, h, ops.Concatenate([]*nd.Array{c, h})}[k]
			}
			gradcheck.Check(t, f, c, x)
			gradcheck.CheckSecondOrder(t, f, c, x)
		}
	}
}

func TestLSTMBlocksOfOtherArguments(t *testing.T) {
	c, x := normal(1, 2, 3), normal(2, 2, 4, 3)
	want, _ := sequence.LSTMBlocks(c.AsType(dtype.Float32), x.AsType(dtype.Float32), "iofg")
	mixed, _ := sequence.LSTMBlocks(c.AsType(dtype.Float32), x, "iofg")
	if mixed.DType() != dtype.Float64 || math.Abs(ops.Sum(ops.Subtract(mixed, want)).Float()) > 1e-5 {
		t.Errorf("of two dtypes %v, want about %v", mixed, want)
	}
	tape := grad.NewTape()
	defer tape.Reset()
	half := tape.Watch(x.AsType(dtype.Float16))
	_, h := sequence.LSTMBlocks(c.AsType(dtype.Float16), half, "iofg")
	if g := tape.Gradient(ops.Sum(h), half)[0]; h.DType() != dtype.Float16 || g.DType() != dtype.Float16 {
		t.Errorf("of float16 %s with gradient %s", h.DType(), g.DType())
	}
	if _, h := sequence.LSTMBlocks(nd.Zeros([]int{0, 3}), nd.Zeros([]int{0, 4, 3}), "iofg"); h.Size() != 0 {
		t.Errorf("of no rows %v", h)
	}
	for _, order := range []string{"", "ifg", "iffg", "ifgoi", "abcd"} {
		refuses(t, "each of the letters i, f, g and o once", func() { sequence.LSTMBlocks(c, x, order) })
	}
	refuses(t, "gates of shape (B, 4, N)", func() { sequence.LSTMBlocks(c, x.Reshape(2, 12), "iofg") })
	refuses(t, "no meaning for dtype complex128", func() { sequence.LSTMBlocks(c.AsType(dtype.Complex128), x, "iofg") })
}
