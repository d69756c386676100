package bench

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
)

// fixed returns a case of one function f on the arrays that operands makes.
func fixed(name string, bytes float64, operands func() []*nd.Array, f func(in []*nd.Array) *nd.Array) Case {
	return Case{Name: name, Bytes: bytes, Setup: func() func() *nd.Array {
		in := operands()
		return func() *nd.Array { return f(in) }
	}}
}

// forwardBackward returns a case of f and its gradients with respect to all operands, from a gradient of ones. bytes is the
// minimum memory traffic: the forward pass reads x and writes y, the backward pass reads x and gy and writes gx.
func forwardBackward(name string, bytes float64, operands func() []*nd.Array, f func(in []*nd.Array) *nd.Array) Case {
	return Case{Name: name, Bytes: bytes, Setup: func() func() *nd.Array {
		in := operands()
		tape := grad.NewTape()
		watched, results, seeds := make([]*nd.Array, len(in)), make([]*nd.Array, 1), make([]*nd.Array, 1)
		return func() *nd.Array {
			for i, x := range in {
				watched[i] = tape.Watch(x)
			}
			results[0] = f(watched)
			if seeds[0] == nil {
				seeds[0] = nd.OnesLike(results[0].Detach(), arrayOptions(results[0].DType()))
				tape.Keep(seeds[0])
			}
			_ = tape.VJP(results, seeds, watched...)
			tape.Reset()
			return nil
		}
	}}
}

func networks() (cs []Case) {
	for _, s := range [][2]int{{4096, 1000}, {64, 50000}} {
		rows, columns := s[0], s[1]
		size := fmt.Sprintf("/%dx%d/f32", rows, columns)
		x := func() []*nd.Array { return []*nd.Array{f32(rows, columns)} }
		bytes := 8 * float64(rows*columns)
		cs = append(cs,
			fixed("nn/softmax"+size, bytes, x, func(in []*nd.Array) *nd.Array { return ops.Softmax(in[0]) }),
			fixed("nn/log_softmax"+size, bytes, x, func(in []*nd.Array) *nd.Array { return ops.LogSoftmax(in[0]) }))
	}
	layer := func(in []*nd.Array) *nd.Array { return normalize.LayerNormalization(in[0], in[2], in[1]) }
	layerOperands := func() []*nd.Array { return []*nd.Array{f32(4096, 1024), f32(1, 1024), f32(1, 1024)} }
	batch := func(in []*nd.Array) *nd.Array { return normalize.BatchNormalization(in[0], in[2], in[1], nil, nil) }
	batchOperands := func() []*nd.Array { return []*nd.Array{f32(32, 64, 56, 56), f32(1, 64, 1, 1), f32(1, 64, 1, 1)} }
	const batchBytes = 2 * 4 * 32 * 64 * 56 * 56
	return append(cs,
		fixed("nn/layer_norm/4096x1024/f32", 8*4096*1024, layerOperands, layer),
		forwardBackward("nn/layer_norm_fwdbwd/4096x1024/f32", 5*4*4096*1024, layerOperands, layer),
		fixed("nn/batch_norm_train/32x64x56x56/f32", batchBytes, func() []*nd.Array {
			running := arrayOptions(dtype.Float32)
			return append(batchOperands(), nd.Zeros([]int{1, 64, 1, 1}, running), nd.Ones([]int{1, 64, 1, 1}, running))
		}, func(in []*nd.Array) *nd.Array { return normalize.BatchNormalization(in[0], in[2], in[1], in[3], in[4]) }),
		forwardBackward("nn/batch_norm_fwdbwd/32x64x56x56/f32", 5*batchBytes/2, batchOperands, batch),
		crossEntropy(),
		fixed("nn/dropout/1e6/f32", 8e6, func() []*nd.Array { return []*nd.Array{f32(1e6)} },
			func(in []*nd.Array) *nd.Array { return ops.Dropout(in[0], 0.5, stream) }),
		fixed("nn/ctc_loss/"+ctcSize, 0, ctcOperands, func(in []*nd.Array) *nd.Array { return sequence.CTCLoss(in[0], in[1]) }),
		Case{Name: "nn/ctc_loss_fwdbwd/" + ctcSize, Setup: func() func() *nd.Array {
			labels := ctcOperands()[1]
			return forwardBackward("", 0, func() []*nd.Array { return ctcOperands()[:1] },
				func(in []*nd.Array) *nd.Array { return sequence.CTCLoss(in[0], labels) }).Setup()
		}},
		Case{Name: "nn/quantized_linear/128x1024x1024/i8", Setup: quantizedLinear},
		Case{Name: "nn/attention_fwd/B8_H8_T256_D64/f32", Flops: 4 * 8 * 8 * 256 * 256 * 64, Setup: attention})
}

// stream is the stream from which random cases draw.
var stream = nd.NewRand(1)

func crossEntropy() Case {
	return Case{Name: "nn/cross_entropy_fwdbwd/4096x1000/f32", Bytes: 3 * 4 * 4096 * 1000, Setup: func() func() *nd.Array {
		x, labels, tape := f32(4096, 1000), integers(1000, 4096), grad.NewTape()
		return func() *nd.Array {
			w := tape.Watch(x)
			_ = tape.Gradient(ops.Mean(loss.SoftmaxCrossEntropy(w, labels)), w)
			tape.Reset()
			return nil
		}
	}}
}

const ctcSize = "T200_B16_C64_L40/f32"

// ctcOperands returns scores for 200 time steps, and labels other than the blank.
func ctcOperands() []*nd.Array {
	return []*nd.Array{f32(200, 16, 64), ops.Add(integers(63, 16, 40), 1)}
}

// quantizedLinear has int8 weights, and rounds its input to int8 in each call.
func quantizedLinear() func() *nd.Array {
	x, w := f32(128, 1024), quantize.Symmetric(f32(1024, 1024))
	return func() *nd.Array {
		q := quantize.Symmetric(x)
		y := quantize.FullyConnected(q, w)
		defer q.Values.Release()
		defer y.Values.Release()
		return y.Dequantize()
	}
}

func attention() func() *nd.Array {
	q, k, v := f32(8, 8, 256, 64), f32(8, 8, 256, 64), f32(8, 8, 256, 64)
	return func() *nd.Array { return ops.Attention(q, k, v) }
}
