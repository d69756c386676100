package bench

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
)

func recurrent() []Case {
	const flops = 50 * 32 * 2 * (256 + 256) * 4 * 256
	operands := func() []*nd.Array {
		return []*nd.Array{f32(50, 32, 256), ops.Multiply(f32(1, 4, 256, 512), 1./16), f32(1, 1, 4, 256)}
	}
	state := nd.Zeros([]int{1, 1, 32, 256}, arrayOptions(dtype.Float32))
	lstm := func(in []*nd.Array) *nd.Array {
		y, h, c := sequence.LSTM(in[0], state, state, in[1], sequence.LayerOptions{Bias: in[2]})
		h.Release()
		c.Release()
		return y
	}
	forward := fixed("rnn/lstm_fwd/T50_B32_I256_H256/f32", 0, operands, lstm)
	forward.Flops = flops
	both := Case{Name: "rnn/lstm_fwdbwd/T50_B32_I256_H256/f32", Flops: 3 * flops, Setup: func() func() *nd.Array {
		in := operands()
		x := in[0] // torch does not compute its gradient
		return forwardBackward("", 0, func() []*nd.Array { return in[1:] }, func(in []*nd.Array) *nd.Array {
			y, _, _ := sequence.LSTM(x, state, state, in[0], sequence.LayerOptions{Bias: in[1]})
			return ops.Sum(y)
		}).Setup()
	}}
	return []Case{forward, both}
}
