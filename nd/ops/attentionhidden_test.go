package ops_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
)

// attended is the result of an attention, and the gradient of the queries, computed in both ways.
type attended struct{ y, g, recorded *nd.Array }

func attend(q, k, v *nd.Array, o ops.AttentionOptions) attended {
	tape := grad.NewTape()
	w := tape.Watch(q)
	y := ops.Attention(w, tape.Watch(k), tape.Watch(v), o)
	return attended{y.Detach(), tape.Gradient(y, w)[0], tape.GradientRecorded(y, w)[0].Detach()}
}

// TestAttentionHides puts NaN and infinities into one key and its value. They must change neither the results nor the
// gradients of the queries from which the key is hidden, in the kernel and in the recorded definition.
func TestAttentionHides(t *testing.T) {
	const queries, keys, odd = 70, 40, 38
	nan, inf := math.NaN(), math.Inf(1)
	hidden := make([]bool, queries*keys)
	for i := range hidden {
		row, key := i/keys, i%keys
		hidden[i] = key >= odd-1 && row%2 == 0 || row == 4
	}
	hides := nd.FromSlice(hidden, queries, keys)
	for _, dt := range []dtype.DType{dtype.Float64, dtype.Float32, dtype.Float16} {
		q, k, v := opstest.Normal(1, dt, 2, queries, 4), opstest.Normal(2, dt, 2, keys, 4), opstest.Normal(3, dt, 2, keys, 5)
		added := ops.Where(hides, -inf, 0.25).AsType(dt)
		for name, o := range map[string]ops.AttentionOptions{
			"added": {Mask: added}, "bools": {Mask: ops.LogicalNot(hides)}, "added and causal": {Mask: added, Causal: true}, "causal": {Causal: true},
		} {
			plain := attend(q, k, v, o)
			for _, bad := range [][2]float64{{nan, nan}, {nan, 1}, {1, nan}, {inf, -inf}} {
				oddK, oddV := k.Copy(), v.Copy()
				oddK.Assign(nd.Scalar(bad[0]), nd.All(), nd.At(odd), nd.At(1))
				oddV.Assign(nd.Scalar(bad[1]), nd.All(), nd.At(odd), nd.At(3))
				got := attend(q, oddK, oddV, o)
				for row := range queries {
					isHidden := o.Causal && row < odd || o.Mask != nil && hidden[row*keys+odd]
					for what, pair := range map[string][2]*nd.Array{"result": {plain.y, got.y}, "gradient": {plain.g, got.g}, "recorded gradient": {plain.recorded, got.recorded}} {
						x, y := pair[0].Index(nd.All(), nd.At(row)).AsType(dtype.Float64), pair[1].Index(nd.All(), nd.At(row)).AsType(dtype.Float64)
						distance := ops.Max(ops.Absolute(ops.Subtract(x, y))).Float()
						if isHidden && !(distance <= 4e-2) {
							t.Fatalf("%s, %s, %v: the %s of query %d is %v, want %v", dt, name, bad, what, row, y, x)
						}
						if !isHidden && bad[0] != bad[0] && distance == distance {
							t.Fatalf("%s, %s, %v: the %s of query %d, which sees NaN, is %v", dt, name, bad, what, row, y)
						}
					}
				}
			}
		}
	}
}

// TestAttentionOfNoKey: a row of -Inf in an additive mask gives 0, with gradients of 0 to everything, also with dropout.
func TestAttentionOfNoKey(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2, 3, 4}, 2, 2)
	never := math.Inf(-1)
	mask := nd.FromSlice([]float64{never, never, 0, never}, 2, 2)
	for name, o := range map[string]ops.AttentionOptions{"plain": {}, "with dropout": {Dropout: 1e-9, Rand: nd.NewRand(1)}} {
		tape := grad.NewTape()
		q, k, v, m := tape.Watch(x), tape.Watch(x), tape.Watch(x), tape.Watch(mask)
		o.Mask = m
		y := ops.Attention(q, k, v, o)
		opstest.Close(t, y.Detach(), nd.FromSlice([]float64{0, 0, 1, 2}, 2, 2), 1e-6)
		for _, differentiate := range []func(y *nd.Array, xs ...*nd.Array) []*nd.Array{tape.Gradient, tape.GradientRecorded} {
			g := differentiate(y, q, k, v, m)
			for i, want := range [][]float64{{0, 0, 0, 0}, {0, 0, 0, 0}, {1, 1, 0, 0}, {0, 0, 0, 0}} {
				if g[i] == nil {
					t.Errorf("%s: no gradient of operand %d", name, i)
					continue
				}
				opstest.Close(t, g[i].Detach(), nd.FromSlice(want, 2, 2), 1e-6)
			}
		}
		tape.Release()
	}
}

// TestAttentionOfImpossibleScores: if all scores are -Inf without a mask, the result is 0, too.
func TestAttentionOfImpossibleScores(t *testing.T) {
	q, k := nd.FromSlice([]float64{-1, 1}, 2, 1), nd.FromSlice([]float64{math.MaxFloat64, math.MaxFloat64}, 2, 1)
	y := ops.Attention(q, k, nd.Ones([]int{2, 1}), ops.AttentionOptions{Scale: new(4.0)})
	if got := nd.ToSlice[float64](y); got[0] != 0 || got[1] == got[1] {
		t.Errorf("of -Inf and +Inf: %v", got)
	}
}
