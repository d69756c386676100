package optim

import (
	"cmp"
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// LossScaler multiplies losses, so that 16-bit gradients do not underflow, and divides the gradients again. It finds
// the scale itself: an update whose gradients are not finite is skipped and reduces the scale; a number of good updates
// raises it. A float16 loss overflows from 65536 on, so that its scale stays below.
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
	Scale    float64 // the initial scale; 0 means 8
	Factor   float64 // the factor of each change, above 1; 0 means 2
	Interval int     // the number of good updates until the scale grows; 0 means 2000
}

// NewLossScaler returns a scaler. Its defaults are NNabla's. PyTorch's GradScaler begins at 65536.
// PyTorch: amp.GradScaler. NNabla: experimental.mixed_precision_training.DynamicLossScalingUpdater.
func NewLossScaler(opts ...LossScalerOptions) *LossScaler {
	const fn nd.Func = "optim.NewLossScaler"
	o := options.Read(fn, opts)
	s := &LossScaler{scale: cmp.Or(o.Scale, 8), factor: cmp.Or(o.Factor, 2), interval: cmp.Or(o.Interval, 2000)}
	if !(s.scale > 0) || math.IsInf(s.scale, 1) || !(s.factor > 1) || math.IsInf(s.factor, 1) || s.interval < 0 {
		panic(fn.Errorf(nil, "scale %v, factor %v, interval %d: want a scale above 0, a factor above 1 and an interval of at least 1 update",
			s.scale, s.factor, s.interval))
	}
	return s
}

// Scale returns the current factor of losses.
func (s *LossScaler) Scale() float64 { return s.scale }

// Up returns the loss times the scale.
func (s *LossScaler) Up(loss *nd.Array) *nd.Array {
	const fn nd.Func = "LossScaler.Up"
	fn.Check(loss)
	if !loss.DType().IsInexact() {
		panic(fn.Errorf([]*nd.Array{loss}, "want a loss of floats"))
	}
	return ops.Multiply(loss, s.scale)
}

// Down divides gradients of a loss that Up scaled by the scale, and reports whether they are finite. Update only if it
// returns true. It waits for the device, once for all parameters. Make statements about the gradients after Down.
func (s *LossScaler) Down(g *Gradients) bool {
	if g.any("LossScaler.Down", &shared().unbounded) {
		s.scale, s.good = max(s.scale/s.factor, minScale), 0
		return false
	}
	g.Scale(1 / s.scale)
	if s.good++; s.good >= s.interval {
		s.scale, s.good = min(s.scale*s.factor, 1/minScale), 0
	}
	return true
}

// minScale bounds the scale from below if gradients stay non-finite for other reasons.
const minScale = 1.0 / (1 << 60)

// Archive saves or restores the scale, and the number of good updates since it last changed.
func (s *LossScaler) Archive(a *archive.Archive) {
	a.Float("scale", &s.scale)
	a.Int("good", &s.good)
}
