package nn_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// plainTransformer computes a transformer without dropout, with the steps first, by basic ops from the parameters of a
// scope.
type plainTransformer struct {
	params *nn.Scope
	heads  int
	act    func(x *nd.Array) *nd.Array
	path   string
}

func (p plainTransformer) get(name string) *nd.Array { return p.params.Get(p.path + name) }

func (p plainTransformer) affine(name string, x *nd.Array) *nd.Array {
	return ops.Add(ops.MatMul(x, p.get(name+"/affine/W")), p.get(name+"/affine/b"))
}

func (p plainTransformer) norm(name string, x *nd.Array) *nd.Array {
	mean, variance := ops.Mean(x, ops.Over(-1).KeepDims()), ops.Var(x, ops.Over(-1).KeepDims())
	y := ops.Divide(ops.Subtract(x, mean), ops.Sqrt(ops.Add(variance, 1e-5)))
	y = ops.Multiply(y, p.get(name+"/layer_normalization/gamma"))
	return ops.Add(y, p.get(name+"/layer_normalization/beta"))
}

// attention adds mask (B, T, S) to the scores.
func (p plainTransformer) attention(name string, query, key, mask *nd.Array) *nd.Array {
	name += "/multi_head_attention/"
	product := func(x *nd.Array, of string) *nd.Array {
		return ops.Add(ops.MatMul(x, p.get(name+of+"_weight")), p.get(name+of+"_bias"))
	}
	q, k, v := product(query, "q"), product(key, "k"), product(key, "v")
	var parts []*nd.Array
	width := q.Dim(2) / p.heads
	for h := range p.heads {
		columns := nd.Span(h*width, (h+1)*width)
		part := func(x *nd.Array) *nd.Array { return x.Index(nd.All(), nd.All(), columns).SwapAxes(0, 1) } // (B, steps, d)
		scores := ops.Multiply(ops.MatMul(part(q), part(k).SwapAxes(1, 2)), 1/math.Sqrt(float64(width)))
		parts = append(parts, ops.MatMul(ops.Softmax(ops.Add(scores, mask)), part(v)).SwapAxes(0, 1))
	}
	return product(ops.Concatenate(parts, ops.Over(2)), "out")
}

func (p plainTransformer) encode(src, mask *nd.Array) *nd.Array {
	p.path += "transformer_encode/"
	h := p.norm("enc_layer_norm1", ops.Add(src, p.attention("src_self_attn", src, src, mask)))
	return p.norm("enc_layer_norm2", ops.Add(h, p.affine("enc_affine2", p.act(p.affine("enc_affine1", h)))))
}

func (p plainTransformer) decode(tgt, memory, self, other *nd.Array) *nd.Array {
	p.path += "transformer_decode/"
	h := p.norm("dec_layer_norm1", ops.Add(tgt, p.attention("tgt_self_attn", tgt, tgt, self)))
	h = p.norm("dec_layer_norm2", ops.Add(h, p.attention("tgt_memory_attn", h, memory, other)))
	return p.norm("dec_layer_norm3", ops.Add(h, p.affine("dec_affine2", p.act(p.affine("dec_affine1", h)))))
}

func (p plainTransformer) transform(src, tgt *nd.Array, layers int, masks [3]*nd.Array) *nd.Array {
	memory, y := src, tgt
	for k := range layers {
		p.path = fmt.Sprintf("transformer/encoder%02d/", k)
		memory = p.encode(memory, masks[0])
	}
	for k := range layers {
		p.path = fmt.Sprintf("transformer/decoder%02d/", k)
		y = p.decode(y, memory, masks[1], masks[2])
	}
	return y
}

// hidden is -Inf at the given flat indices, and 0 elsewhere.
func hidden(shape []int, indices ...int) *nd.Array {
	size := 1
	for _, n := range shape {
		size *= n
	}
	values := make([]float64, size)
	for _, k := range indices {
		values[k] = math.Inf(-1)
	}
	return nd.FromSlice(values, shape...)
}

func TestTransformerAgainstPlainOps(t *testing.T) {
	src, tgt := waves(4, 2, 6), waves(3, 2, 6)
	causal := hidden([]int{3, 3}, 1, 2, 5)
	padded := nd.FromSlice([]bool{false, false, false, true, false, false, false, false}, 2, 4)
	paddedScores := hidden([]int{2, 1, 4}, 3)
	bias := waves(3, 4)
	none := nd.Scalar(0)
	for _, c := range []struct {
		about string
		o     nn.TransformerOptions
		masks [3]*nd.Array
		act   func(x *nd.Array) *nd.Array
	}{
		{"plain", nn.TransformerOptions{}, [3]*nd.Array{none, none, none}, nil},
		{"causal", nn.TransformerOptions{Causal: true}, [3]*nd.Array{none, causal, none}, nil},
		{"masks", nn.TransformerOptions{SrcKeyPaddingMask: padded, MemoryKeyPaddingMask: padded, MemoryAdditiveMask: bias,
			TgtAdditiveMask: causal, SrcAdditiveMask: hidden([]int{4, 4}, 2, 5)},
			[3]*nd.Array{ops.Add(paddedScores, hidden([]int{4, 4}, 2, 5)), causal, ops.Add(paddedScores, bias)}, nil},
		{"activation", nn.TransformerOptions{TgtKeyPaddingMask: nd.FromSlice([]int{0, 1, 0, 0, 0, 0}, 2, 3)},
			[3]*nd.Array{none, hidden([]int{2, 1, 3}, 1), none}, func(x *nd.Array) *nd.Array { return ops.Tanh(x) }},
	} {
		t.Run(c.about, func(t *testing.T) {
			o := c.o
			o.NumHeads, o.NumEncoderLayers, o.NumDecoderLayers, o.DimFeedforward, o.Activation = 2, new(2), new(2), 5, c.act
			params := float64s()
			nn.Transformer(params, src, tgt, o)
			vary(params)
			if c.act == nil {
				c.act = func(x *nd.Array) *nd.Array { return ops.ReLU(x) }
			}
			plain := plainTransformer{params: params, heads: 2, act: c.act}
			want := plain.transform(src, tgt, 2, c.masks)
			y := nn.Transformer(params, src, tgt, o)
			closeTo(t, "y", y, floats(want), 1e-9)

			tape := grad.NewTape()
			defer tape.Release()
			o.Dropout = new(0.0)
			model := params.Watch(tape)
			plain.params = model
			weights := waves(3, 2, 6)
			got := optim.GradientsOf(model, ops.Sum(ops.Multiply(nn.Transformer(model, src, tgt, o), weights)))
			expected := optim.GradientsOf(model, ops.Sum(ops.Multiply(plain.transform(src, tgt, 2, c.masks), weights)))
			for name := range params.All() {
				closeTo(t, "the gradient of "+name, got.Get(name), floats(expected.Get(name)), 1e-8)
			}

			o.BatchFirst = true
			first := nn.Transformer(params, src.SwapAxes(0, 1), tgt.SwapAxes(0, 1), o)
			closeTo(t, "y with the batch first", first.SwapAxes(0, 1), floats(want), 1e-9)
		})
	}
}

func TestTransformerLayers(t *testing.T) {
	src, tgt := waves(4, 2, 6), waves(3, 2, 6)
	params := float64s()
	encode := nn.TransformerEncodeOptions{DimFeedforward: 5, Causal: true, Dropout: new(0.0)}
	decode := nn.TransformerDecodeOptions{DimFeedforward: 4, Dropout: new(0.0)}
	nn.TransformerEncode(params, src, 3, encode)
	nn.TransformerDecode(params, tgt, src, 2, decode)
	vary(params)
	tanh := func(x *nd.Array) *nd.Array { return ops.Tanh(x) } // without kinks
	encode.Activation, decode.Activation = tanh, tanh
	plain := plainTransformer{params: params, heads: 3, act: tanh}
	closeTo(t, "the encoder", nn.TransformerEncode(params, src, 3, encode),
		floats(plain.encode(src, hidden([]int{4, 4}, 1, 2, 3, 6, 7, 11))), 1e-9)
	plain.heads = 2
	closeTo(t, "the decoder", nn.TransformerDecode(params, tgt, src, 2, decode), floats(plain.decode(tgt, src, nd.Scalar(0), nd.Scalar(0))), 1e-9)
	checkGradients(t, params, func(s *nn.Scope, xs []*nd.Array) *nd.Array {
		return nn.TransformerDecode(s, xs[1], nn.TransformerEncode(s, xs[0], 3, encode), 2, decode)
	}, src, tgt)
}

func TestTransformerParameters(t *testing.T) {
	x := waves(2, 1, 8)
	params := nn.NewScope()
	y := nn.Transformer(params, x, x)
	if y.DType() != dtype.Float32 {
		t.Errorf("of float64 a model of float32 makes %s", y.DType())
	}
	shapes := map[string][]int{
		"transformer/encoder00/transformer_encode/src_self_attn/multi_head_attention/q_weight":    {8, 8},
		"transformer/encoder05/transformer_encode/enc_layer_norm1/layer_normalization/beta":       {1, 1, 8},
		"transformer/encoder05/transformer_encode/enc_affine1/affine/W":                           {8, 2048},
		"transformer/decoder00/transformer_decode/tgt_self_attn/multi_head_attention/q_weight":    {8, 8},
		"transformer/decoder00/transformer_decode/tgt_memory_attn/multi_head_attention/v_bias":    {8},
		"transformer/decoder05/transformer_decode/dec_layer_norm3/layer_normalization/gamma":      {1, 1, 8},
		"transformer/decoder05/transformer_decode/dec_affine2/affine/W":                           {2048, 8},
		"transformer/decoder05/transformer_decode/tgt_memory_attn/multi_head_attention/out_bias":  {8},
		"transformer/encoder01/transformer_encode/src_self_attn/multi_head_attention/attn_bias_k": nil,
	}
	for name, want := range shapes {
		p := params.Get(name)
		if (p == nil) != (want == nil) || p != nil && !cmp.Equal(p.Shape(), want) {
			t.Errorf("%s is %v, want one of shape %v", name, p, want)
		}
	}
	if got := len(params.Names()); got != 6*16+6*26 {
		t.Errorf("there are %d parameters", got)
	}
	biased := nn.NewScope()
	none := nn.TransformerOptions{AddAttnBias: true, NumEncoderLayers: new(1), NumDecoderLayers: new(0), NumHeads: 1}
	got := nn.Transformer(biased, x, x, none)
	if len(biased.Names()) != 18 || !cmp.Equal(floats(got), floats(x)) {
		t.Errorf("without a decoder %d parameters, and the result is %v", len(biased.Names()), got)
	}
}

func TestTransformerDrawsInTrainingAlone(t *testing.T) {
	x := waves(3, 2, 8)
	o := nn.TransformerOptions{NumEncoderLayers: new(1), NumDecoderLayers: new(1), DimFeedforward: 6}
	params := nn.NewScope()
	tape := grad.NewTape()
	defer tape.Release()
	refused(t, "WatchOptions", func() { nn.Transformer(params.Watch(tape), x, x, o) })
	if len(params.Names()) != 0 {
		t.Errorf("refused calls created %q", params.Names())
	}
	y := floats(nn.Transformer(params, x, x, o))
	before := fingerprint(params)
	train := func() *nd.Array {
		return nn.Transformer(params.Watch(tape, nn.WatchOptions{Rand: nd.NewRand(2)}), x, x, o)
	}
	trained := train()
	closeTo(t, "the same draws", train(), floats(trained), 0)
	if cmp.Equal(floats(trained), y) {
		t.Error("training drops nothing")
	}
	closeTo(t, "the evaluation after training", nn.Transformer(params, x, x, o), y, 0)
	o.Dropout = new(0.0)
	closeTo(t, "training without dropout", nn.Transformer(params.Watch(tape), x, x, o), y, 1e-6)
	if fingerprint(params) != before {
		t.Error("the parameters changed")
	}
}

func TestTransformerRefusals(t *testing.T) {
	s, x := nn.NewScope(), waves(3, 2, 8)
	with := func(o nn.TransformerOptions) func() { return func() { nn.Transformer(s, x, x, o) } }
	refused(t, "heads of 8 and 8 features", with(nn.TransformerOptions{NumHeads: 3}))
	refused(t, "-1 heads", with(nn.TransformerOptions{NumHeads: -1}))
	refused(t, "-2 layers", with(nn.TransformerOptions{NumEncoderLayers: new(-2)}))
	refused(t, "width -1", with(nn.TransformerOptions{DimFeedforward: -1}))
	refused(t, "probability 1.5", with(nn.TransformerOptions{Dropout: new(1.5)}))
	refused(t, "additive mask", with(nn.TransformerOptions{MemoryAdditiveMask: waves(2, 3)}))
	refused(t, "padding mask", with(nn.TransformerOptions{TgtKeyPaddingMask: waves(3, 2)}))
	refused(t, "batch along axis 1", func() { nn.Transformer(s, x, waves(3, 1, 8)) })
	refused(t, "as many features", func() { nn.Transformer(s, x, waves(3, 2, 16)) })
	refused(t, "0 heads", func() { nn.TransformerEncode(s, x, 0) })
	refused(t, "three axes", func() { nn.TransformerDecode(s, x, waves(3, 2), 2) })
	if len(s.Names()) != 0 {
		t.Errorf("refused calls created %q", s.Names())
	}
}
