package optim_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
)

func TestLossScaler(t *testing.T) {
	s := scopeOf(map[string][]float32{"w": {1, 1}, "v": {1}})
	scaler := optim.NewLossScaler(optim.LossScalerOptions{Scale: 4, Factor: 2, Interval: 2})
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for i, c := range []struct {
		last  float32
		good  bool
		scale float64 // after the update
	}{{1, true, 4}, {1, true, 8}, {inf, false, 4}, {nan, false, 2}, {1, true, 2}, {inf, false, 1}, {1, true, 1}, {1, true, 2}} {
		before := scaler.Scale()
		g := optim.NewGradients(s, map[string]*nd.Array{"w": nd.FromSlice([]float32{1, c.last}), "v": nd.FromSlice([]float32{1})})
		if good := scaler.Down(g); good != c.good || scaler.Scale() != c.scale {
			t.Errorf("update %d: %v and scale %v, want %v and %v", i, good, scaler.Scale(), c.good, c.scale)
		}
		if got := floats(g.Get("v"))[0]; c.good && got != 1/before {
			t.Errorf("update %d: the gradient became %v, want %v", i, got, 1/before)
		}
	}
	for range 2000 { // the scale does not vanish
		scaler.Down(optim.NewGradients(s, map[string]*nd.Array{"v": nd.FromSlice([]float32{nan})}))
	}
	if !(scaler.Scale() > 0) {
		t.Errorf("the scale became %v", scaler.Scale())
	}
	for _, o := range []optim.LossScalerOptions{{Scale: -1}, {Factor: 1}, {Interval: -1}, {Scale: math.NaN()}, {Factor: math.Inf(1)}} {
		refused(t, "want a scale above 0", func() { optim.NewLossScaler(o) })
	}
}

// A gradient below float16's smallest number trains with a scale, and not without.
func TestLossScalerKeepsSmallGradients(t *testing.T) {
	for _, scale := range []float64{1, 32768} {
		s := nn.NewScope(nn.ScopeOptions{DType: dtype.Float16})
		w := s.Parameter("w", []int{1}, initializer.Constant(1), true)
		tape, scaler := grad.NewTape(), optim.NewLossScaler(optim.LossScalerOptions{Scale: scale})
		model := s.Watch(tape)
		small := nd.Full([]int{1}, 1e-4).AsType(dtype.Float16)
		loss := ops.Sum(ops.Multiply(ops.Multiply(model.Get("w"), small), small))
		if g := optim.GradientsOf(model, scaler.Up(loss)); scaler.Down(g) {
			optim.NewSGD(optim.SGDOptions{LR: 1e7}).Update(g)
		}
		if moved := floats(w)[0] != 1; moved != (scale > 1) {
			t.Errorf("with the scale %v, w became %v", scale, w)
		}
		tape.Release()
	}
}
