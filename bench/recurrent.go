package bench

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
)

func recurrent() (cs []Case) {
	state := nd.Zeros([]int{1, 1, 32, 256}, arrayOptions(dtype.Float32))
	layers := []struct {
		name         string
		gates, slots int
		run          func(x, weight, bias *nd.Array) *nd.Array
	}{
		{"lstm", 4, 4, func(x, weight, bias *nd.Array) *nd.Array {
			y, h, c := sequence.LSTM(x, state, state, weight, sequence.LayerOptions{Bias: bias})
			h.Release()
			c.Release()
			return y
		}},
		{"gru", 3, 4, func(x, weight, bias *nd.Array) *nd.Array {
			y, h := sequence.GRU(x, state, weight, sequence.LayerOptions{Bias: bias})
			h.Release()
			return y
		}},
	}
	for _, l := range layers {
		flops := 50 * 32 * 2 * (256 + 256) * float64(l.gates) * 256
		operands := func() []*nd.Array {
			return []*nd.Array{f32(50, 32, 256), ops.Multiply(f32(1, l.gates, 256, 512), 1./16), f32(1, 1, l.slots, 256)}
		}
		forward := fixed("rnn/"+l.name+"_fwd/T50_B32_I256_H256/f32", 0, operands, func(in []*nd.Array) *nd.Array { return l.run(in[0], in[1], in[2]) })
		forward.Flops = flops
		both := Case{Name: "rnn/" + l.name + "_fwdbwd/T50_B32_I256_H256/f32", Flops: 3 * flops, Setup: func() func() *nd.Array {
			in := operands()
			x := in[0] // torch does not compute its gradient
			return forwardBackward("", 0, func() []*nd.Array { return in[1:] }, func(in []*nd.Array) *nd.Array {
				return ops.Sum(l.run(x, in[0], in[1]))
			}).Setup()
		}}
		cs = append(cs, forward, both)
	}
	return cs
}
