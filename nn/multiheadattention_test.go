package nn_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// attended computes multi-head attention by its formula, with the steps first.
func attended(s *nn.Scope, query, key, value *nd.Array, o nn.MultiHeadAttentionOptions) (y, weights []float64) {
	get := func(name string) []float64 {
		if p := s.Get("multi_head_attention/" + name); p != nil {
			return floats(p)
		}
		return nil
	}
	product := func(x []float64, w, b string, columns int) []float64 {
		m, bias := get(w), get(b)
		rows := len(m) / columns
		out := make([]float64, len(x)/rows*columns)
		for i := range out {
			r, c := i/columns, i%columns
			if bias != nil {
				out[i] = bias[c]
			}
			for k := range rows {
				out[i] += x[r*rows+k] * m[k*columns+c]
			}
		}
		return out
	}
	shapeOf := func(w string) int { return s.Get("multi_head_attention/" + w).Dim(1) }
	e, v, out := shapeOf("q_weight"), shapeOf("v_weight"), shapeOf("out_weight")
	steps, batch, seen := query.Dim(0), query.Dim(1), key.Dim(0)
	q := product(floats(query), "q_weight", "q_bias", e)
	k, vs := product(floats(key), "k_weight", "k_bias", e), product(floats(value), "v_weight", "v_bias", v)
	own := seen
	if more := get("attn_bias_k"); more != nil {
		seen++
		for range batch {
			k, vs = append(k, more...), append(vs, get("attn_bias_v")...)
		}
	}
	n := o.NumHeads
	joined := make([]float64, steps*batch*v)
	for b := range batch {
		for h := range n {
			for i := range steps {
				scores := make([]float64, seen)
				sum := 0.0
				for j := range seen {
					for c := range e / n {
						scores[j] += q[(i*batch+b)*e+h*e/n+c] * k[(j*batch+b)*e+h*e/n+c]
					}
					scores[j] /= math.Sqrt(float64(e / n))
					if j < own {
						if o.AdditiveMask != nil {
							scores[j] += floats(o.AdditiveMask)[i*own+j]
						}
						if o.Causal && j > i || o.KeyPaddingMask != nil && floats(o.KeyPaddingMask)[b*own+j] != 0 {
							scores[j] = math.Inf(-1)
						}
					}
					scores[j] = math.Exp(scores[j])
					sum += scores[j]
				}
				for j, p := range scores {
					weights = append(weights, p/sum)
					for c := range v / n {
						joined[(i*batch+b)*v+h*v/n+c] += p / sum * vs[(j*batch+b)*v+h*v/n+c]
					}
				}
			}
		}
	}
	return product(joined, "out_weight", "out_bias", out), weights
}

func TestMultiHeadAttentionAgainstLoops(t *testing.T) {
	query, key, value := waves(3, 2, 4), waves(5, 2, 3), waves(5, 2, 6)
	never := math.Inf(-1)
	additive := nd.FromSlice([]float64{0, never, 0, 1, 0, 0.5, 0, 0, never, 0, 0, 0, -1, 0, never}, 3, 5)
	padding := nd.FromSlice([]bool{false, false, true, false, false, false, true, false, true, false}, 2, 5)
	numbers := nd.FromSlice([]int{0, 0, 0, 0, 1, 0, 1, 1, 1, 0}, 2, 5)
	for _, c := range []struct {
		about string
		o     nn.MultiHeadAttentionOptions
	}{
		{"plain", nn.MultiHeadAttentionOptions{}},
		{"dimensions", nn.MultiHeadAttentionOptions{KEmbedDim: 6, VEmbedDim: 8, OutDim: 3}},
		{"no bias", nn.MultiHeadAttentionOptions{WithBias: new(false)}},
		{"causal", nn.MultiHeadAttentionOptions{Causal: true}},
		{"additive mask", nn.MultiHeadAttentionOptions{AdditiveMask: additive}},
		{"padding", nn.MultiHeadAttentionOptions{KeyPaddingMask: padding}},
		{"padding of numbers", nn.MultiHeadAttentionOptions{KeyPaddingMask: numbers, KEmbedDim: 2}},
		{"all masks", nn.MultiHeadAttentionOptions{KeyPaddingMask: padding, AdditiveMask: additive, Causal: true}},
		{"attention bias", nn.MultiHeadAttentionOptions{AddAttnBias: true, VEmbedDim: 4}},
		{"causal with attention bias", nn.MultiHeadAttentionOptions{AddAttnBias: true, Causal: true}},
		{"all", nn.MultiHeadAttentionOptions{AddAttnBias: true, Causal: true, KeyPaddingMask: padding, AdditiveMask: additive}},
	} {
		t.Run(c.about, func(t *testing.T) {
			c.o.NumHeads = 2
			s := float64s()
			nn.MultiHeadAttention(s, query, key, value, c.o)
			vary(s)
			want, weights := attended(s, query, key, value, c.o)
			closeTo(t, "y", nn.MultiHeadAttention(s, query, key, value, c.o), want, 1e-10)
			y, w := nn.MultiHeadAttentionWithWeights(s, query, key, value, c.o)
			closeTo(t, "y with weights", y, want, 1e-10)
			closeTo(t, "the weights", w, weights, 1e-10)

			checkGradients(t, s, func(s *nn.Scope, xs []*nd.Array) *nd.Array {
				return nn.MultiHeadAttention(s, xs[0], xs[1], xs[2], c.o)
			}, query, key, value)

			first := c.o
			first.BatchFirst = true
			turned := func(x *nd.Array) *nd.Array { return x.SwapAxes(0, 1) }
			y = nn.MultiHeadAttention(s, turned(query), turned(key), turned(value), first)
			closeTo(t, "y with the batch first", turned(y), want, 1e-10)
			y, w = nn.MultiHeadAttentionWithWeights(s, turned(query), turned(key), turned(value), first)
			closeTo(t, "y with weights, the batch first", turned(y), want, 1e-10)
			closeTo(t, "the weights, the batch first", w, weights, 1e-10)
		})
	}
}

func TestMultiHeadAttentionParameters(t *testing.T) {
	x := waves(3, 2, 4).AsType(dtype.Float32)
	s := nn.NewScope()
	y := nn.MultiHeadAttention(s, x, x, waves(3, 2, 6), nn.MultiHeadAttentionOptions{NumHeads: 2, AddAttnBias: true,
		ParamInit: map[string]initializer.Initializer{"q_bias": initializer.Constant(3)}})
	const want = `parameter                         shape      dtype    count  trained
multi_head_attention/q_weight     (4, 4)     float32  16     yes
multi_head_attention/k_weight     (4, 4)     float32  16     yes
multi_head_attention/v_weight     (6, 6)     float32  36     yes
multi_head_attention/out_weight   (6, 6)     float32  36     yes
multi_head_attention/q_bias       (4,)       float32  4      yes
multi_head_attention/k_bias       (4,)       float32  4      yes
multi_head_attention/v_bias       (6,)       float32  6      yes
multi_head_attention/out_bias     (6,)       float32  6      yes
multi_head_attention/attn_bias_k  (1, 1, 4)  float32  4      yes
multi_head_attention/attn_bias_v  (1, 1, 6)  float32  6      yes
10 parameters, 134 elements, 134 of them trained, 536 bytes
`
	if got := s.String(); got != want {
		t.Errorf("the parameters are\n%s", got)
	}
	if y.DType() != dtype.Float32 || !cmp.Equal(y.Shape(), []int{3, 2, 6}) {
		t.Errorf("the result is %s of shape %v", y.DType(), y.Shape())
	}
	for name, limit := range map[string]float64{"q_weight": math.Sqrt(6. / 8), "out_weight": math.Sqrt(6. / 12),
		"attn_bias_k": math.Sqrt(6. / 5), "attn_bias_v": math.Sqrt(6. / 7), "k_bias": 0} {
		largest := 0.0
		for _, v := range floats(s.Get("multi_head_attention/" + name)) {
			largest = max(largest, math.Abs(v))
		}
		if largest > limit || largest < limit/3 {
			t.Errorf("%s is initially up to %v, want nearly %v", name, largest, limit)
		}
	}
	if got := floats(s.Get("multi_head_attention/q_bias")); !cmp.Equal(got, []float64{3, 3, 3, 3}) {
		t.Errorf("q_bias is %v", got)
	}
}

func TestMultiHeadAttentionDrawsInTrainingAlone(t *testing.T) {
	x := waves(4, 2, 6)
	o := nn.MultiHeadAttentionOptions{NumHeads: 3, Dropout: 0.5}
	params := float64s()
	y, weights := nn.MultiHeadAttentionWithWeights(params, x, x, x, o)
	closeTo(t, "the evaluation without weights", nn.MultiHeadAttention(params, x, x, x, o), floats(y), 1e-12)
	before := fingerprint(params)

	tape := grad.NewTape()
	defer tape.Release()
	refused(t, "WatchOptions", func() { nn.MultiHeadAttention(params.Watch(tape), x, x, x, o) })
	model := params.Watch(tape, nn.WatchOptions{Rand: nd.NewRand(4)})
	_, dropped := nn.MultiHeadAttentionWithWeights(model, x, x, x, o)
	zeros, all := 0, floats(weights)
	for k, v := range floats(dropped) {
		if v == 0 {
			zeros++
		} else if math.Abs(v-2*all[k]) > 1e-12 {
			t.Fatalf("the weight %v became %v", all[k], v)
		}
	}
	if n := len(all); zeros < n/4 || zeros > 3*n/4 {
		t.Errorf("%d of %d weights are 0, want about half", zeros, n)
	}
	first := nn.MultiHeadAttention(params.Watch(tape, nn.WatchOptions{Rand: nd.NewRand(4)}), x, x, x, o)
	again := nn.MultiHeadAttention(params.Watch(tape, nn.WatchOptions{Rand: nd.NewRand(4)}), x, x, x, o)
	closeTo(t, "the same draws", first, floats(again), 0)
	if cmp.Equal(floats(first), floats(y)) {
		t.Error("training drops nothing")
	}
	if fingerprint(params) != before {
		t.Error("the parameters changed")
	}
}

// If a step sees no key, its attention is 0, and all gradients are finite.
func TestMultiHeadAttentionOfNothing(t *testing.T) {
	x := waves(2, 1, 2)
	o := nn.MultiHeadAttentionOptions{NumHeads: 1, Causal: true, KeyPaddingMask: nd.FromSlice([]int{1, 0}, 1, 2)}
	y := floats(nn.MultiHeadAttention(nn.NewScope(), x, x, x, o))
	if y[0] != 0 || y[1] != 0 || !(y[2] != 0) {
		t.Errorf("of a padded first step: %v", y)
	}
	o = nn.MultiHeadAttentionOptions{NumHeads: 1, KeyPaddingMask: nd.FromSlice([]int{1, 1}, 1, 2)}
	for _, attend := range []func(s *nn.Scope, x *nd.Array) *nd.Array{
		func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.MultiHeadAttention(s, x, x, x, o) },
		func(s *nn.Scope, x *nd.Array) *nd.Array {
			y, _ := nn.MultiHeadAttentionWithWeights(s, x, x, x, o)
			return y
		},
	} {
		tape := grad.NewTape()
		w := tape.Watch(x)
		y := attend(nn.NewScope().Watch(tape), w)
		for k, v := range append(floats(y), floats(tape.GradientRecorded(y, w)[0])...) {
			if v != 0 {
				t.Errorf("with every key padded, number %d of result and gradient is %v", k, v)
			}
		}
		tape.Release()
	}
	empty := nd.Zeros([]int{2, 0, 12})
	if got := nn.MultiHeadAttention(nn.NewScope(), empty, empty, empty).Shape(); !cmp.Equal(got, []int{2, 0, 12}) {
		t.Errorf("of no examples: shape %v", got)
	}
}

func TestMultiHeadAttentionRefusals(t *testing.T) {
	s, x := nn.NewScope(), waves(3, 2, 4)
	with := func(o nn.MultiHeadAttentionOptions) func() {
		return func() {
			if o.NumHeads == 0 {
				o.NumHeads = 2
			}
			nn.MultiHeadAttention(s, x, x, x, o)
		}
	}
	refused(t, "three axes", func() { nn.MultiHeadAttention(s, x, x, waves(3, 4)) })
	refused(t, "batch along axis 1", func() { nn.MultiHeadAttention(s, x, waves(3, 1, 4), x) })
	refused(t, "batch along axis 0", func() {
		nn.MultiHeadAttention(s, x, waves(2, 2, 4), x, nn.MultiHeadAttentionOptions{BatchFirst: true})
	})
	refused(t, "as many steps", func() { nn.MultiHeadAttention(s, x, x, waves(4, 2, 4)) })
	refused(t, "real numbers", func() { nn.MultiHeadAttention(s, x, x, x.AsType(dtype.Complex128)) })
	refused(t, "12 heads of 4", func() { nn.MultiHeadAttention(s, x, x, x) })
	refused(t, "-1 heads", with(nn.MultiHeadAttentionOptions{NumHeads: -1}))
	refused(t, "4 and 3 features", with(nn.MultiHeadAttentionOptions{VEmbedDim: 3}))
	refused(t, "additive mask", with(nn.MultiHeadAttentionOptions{AdditiveMask: waves(3, 4)}))
	refused(t, "real numbers", with(nn.MultiHeadAttentionOptions{AdditiveMask: nd.Tri(3, 3, 0, dtype.Bool)}))
	refused(t, "padding mask of shape (2, 3)", with(nn.MultiHeadAttentionOptions{KeyPaddingMask: waves(3, 2)}))
	refused(t, "probability 2", with(nn.MultiHeadAttentionOptions{Dropout: 2}))
	refused(t, `ParamInit of "W"`, with(nn.MultiHeadAttentionOptions{ParamInit: map[string]initializer.Initializer{"W": nil}}))
	if len(s.Names()) != 0 {
		t.Errorf("refused calls created %q", s.Names())
	}
}
