package optim

import (
	"cmp"
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// LossScaler multiplies losses, so that gradients of 16-bit numbers do not vanish below the smallest, and divides the gradients
// again. It finds the scale itself: updates whose gradients are not finite are left out and make it smaller, a number of good
// ones larger. A loss of float16 overflows from 65536 on, so that its scale stays below.
//
//	g := optim.GradientsOf(model, scaler.Up(loss))
//	if scaler.Down(g) {
//		opt.Update(g)
//	}
type LossScaler struct {
	scale, factor  float64
	interval, good int
}

// LossScalerOptions are the options of [NewLossScaler].
type LossScalerOptions struct {
	Scale    float64 // the scale at first; 0 means 8
	Factor   float64 // by what it changes, above 1; 0 means 2
	Interval int     // after how many good updates it grows; 0 means 2000
}

// NewLossScaler returns a scaler. Its defaults are those of nnabla.experimental.mixed_precision_training's
// DynamicLossScalingUpdater; torch.amp.GradScaler begins at 65536.
func NewLossScaler(opts ...LossScalerOptions) *LossScaler {
	const fn nd.Func = "optim.NewLossScaler"
	o := options.Read(fn, opts)
	s := &LossScaler{scale: cmp.Or(o.Scale, 8), factor: cmp.Or(o.Factor, 2), interval: cmp.Or(o.Interval, 2000)}
	if !(s.scale > 0) || math.IsInf(s.scale, 1) || !(s.factor > 1) || math.IsInf(s.factor, 1) || s.interval < 0 {
		panic(fn.Errorf(nil, "scale %v, factor %v, interval %d: want a scale above 0, a factor above 1 and an interval of some updates",
			s.scale, s.factor, s.interval))
	}
	return s
}

// Scale returns what losses are multiplied by now.
func (s *LossScaler) Scale() float64 { return s.scale }

// Up returns the loss times the scale.
func (s *LossScaler) Up(loss *nd.Array) *nd.Array {
	const fn nd.Func = "LossScaler.Up"
	fn.Check(loss)
	if !loss.DType().IsInexact() {
		panic(fn.Errorf([]*nd.Array{loss}, "want a loss of floats"))
	}
	return ops.Multiply(loss, nd.Scalar(s.scale))
}

// Down divides gradients of a loss that Up scaled by the scale, and reports whether they are finite: only then is the update to
// be taken. It waits for the device, once for all parameters. Statements about the gradients come after it.
func (s *LossScaler) Down(g *Gradients) bool {
	if g.HasInfOrNaN() {
		s.scale, s.good = max(s.scale/s.factor, leastScale), 0
		return false
	}
	g.Scale(1 / s.scale)
	if s.good++; s.good >= s.interval {
		s.scale, s.good = min(s.scale*s.factor, 1/leastScale), 0
	}
	return true
}

// leastScale keeps the scale from vanishing where all gradients are not finite for other reasons.
const leastScale = 1.0 / (1 << 60)

// Archive saves or restores the scale, and how many good updates there were since it changed.
func (s *LossScaler) Archive(a *archive.Archive) {
	a.Float("scale", &s.scale)
	a.Int("good", &s.good)
}
