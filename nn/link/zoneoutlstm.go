package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// StatefulZoneoutLSTM is an [LSTM] with zoneout: in each training step, randomly drawn units keep their memory, and
// others their output. In evaluation all units use the expected values: c' is CRatio·c + (1 - CRatio) times the new
// memory, h' likewise. Its parameters are LSTM's.
//
// Source: D. Krueger et al., Zoneout: Regularizing RNNs by Randomly Preserving Hidden Activations, 2016.
// Chainer: links.StatefulZoneoutLSTM (in later versions).
type StatefulZoneoutLSTM struct {
	InSize  int // elements per example, whose axes are flattened; 0: from the first input
	OutSize int // the number of units
	// CRatio and HRatio are the probabilities that an element of the memory, or of the output, keeps its value; nil
	// means 0.5.
	CRatio, HRatio *float64
}

// Apply updates the state, and returns the output of x (B, …), which is the state's H, shape (B, OutSize). In training
// it draws from [nn.Scope.Rand].
func (l StatefulZoneoutLSTM) Apply(s *nn.Scope, x *nd.Array, st *nn.State) *nd.Array {
	const fn nd.Func = "StatefulZoneoutLSTM.Apply"
	defer s.Span("StatefulZoneoutLSTM", x)()
	in := inputs(fn, s, x, l.InSize, l.OutSize)
	keepC, keepH := valueOr(l.CRatio, 0.5), valueOr(l.HRatio, 0.5)
	if !(keepC >= 0 && keepC <= 1 && keepH >= 0 && keepH <= 1) {
		panic(fn.Errorf([]*nd.Array{x}, "CRatio %v, HRatio %v: want probabilities from 0 to 1", keepC, keepH))
	}
	shape := []int{x.Dim(0), l.OutSize}
	st.Check(fn, x, shape)
	var rng *nd.Rand
	if s.Training() && max(keepC, keepH) > 0 {
		rng = s.Rand()
	}
	up, across := LSTM{OutSize: l.OutSize}.parameters(s, in)
	h, c := st.H, st.C
	made := temporaries(fn, []**nd.Array{&x, &h, &c}, &up, &across)
	defer made.Release()
	gates := up.Of(x)
	if h != nil {
		gates = ops.Add(gates, across.Of(h))
	}
	h, c = layer.OrZeros(fn, made, h, up.W, shape...), layer.OrZeros(fn, made, c, up.W, shape...)
	newC, newH := sequence.LSTMGates(c, gates)
	c, h = zoneout(fn, c, newC, keepC, rng), zoneout(fn, h, newH, keepH, rng)
	st.C, st.H = made.Keep(c), made.Keep(h)
	return st.H
}

// zoneout moves elements from old to next, except those that keep their value. rng draws these; a nil rng gives the
// expected values.
func zoneout(fn nd.Func, old, next *nd.Array, keep float64, rng *nd.Rand) *nd.Array {
	switch {
	case keep == 0:
		return next
	case rng != nil:
		return ops.Where(fn.Coins(rng, keep, next.Shape(), next), next, old)
	}
	return ops.Add(next, ops.Multiply(ops.Subtract(old, next), keep))
}
