package link

import (
	"sync"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// StatefulPeepholeLSTM is one step of a long short-term memory whose gates see the memory. With the gates a, i, f and o
// of each unit in x·Uᵀ + b + h·Lᵀ,
//
//	c' = tanh(a)·σ(i + c·Pᵢᵀ) + c·σ(f + c·P_fᵀ),   h' = tanh(c')·σ(o + c'·Pₒᵀ)
//
// Its parameters are those of [LSTM], and peep_i/W, peep_f/W and peep_o/W (OutSize, OutSize).
//
// Source: F. Gers and J. Schmidhuber, Recurrent Nets that Time and Count, 2000.
// Chainer: links.StatefulPeepholeLSTM.
type StatefulPeepholeLSTM struct {
	InSize  int // elements per example, whose axes are flattened; 0: from the first input
	OutSize int // the number of units
}

// The new memory from the gates, and the output from the memory and the output gate, each in one pass.
var (
	peepMemory = sync.OnceValue(func() *ops.Kernel {
		return ops.MustKernel("T a, T i, T f, T pi, T pf, T c", "T y", "y = tanh(a)*sigmoid(i + pi) + sigmoid(f + pf)*c",
			ops.KernelOptions{Name: "link.StatefulPeepholeLSTM"})
	})
	peepOutput = sync.OnceValue(func() *ops.Kernel {
		return ops.MustKernel("T o, T po, T c", "T h", "h = sigmoid(o + po)*tanh(c)", ops.KernelOptions{Name: "link.StatefulPeepholeLSTM"})
	})
)

// Apply updates the state, and returns the output of x (B, …), which is the state's H, shape (B, OutSize). A nil C or H
// means zeros. Chainer's reset_state is [nn.State.Reset].
// Chainer: links.StatefulPeepholeLSTM.__call__.
func (l StatefulPeepholeLSTM) Apply(s *nn.Scope, x *nd.Array, st *nn.State) *nd.Array {
	const fn nd.Func = "StatefulPeepholeLSTM.Apply"
	defer s.Span("StatefulPeepholeLSTM", x)()
	in, units := inputs(fn, s, x, l.InSize, l.OutSize), l.OutSize
	st.Check(fn, x, []int{x.Dim(0), units})
	up, across := LSTM{OutSize: units}.parameters(s, in)
	peepI, peepF, peepO := lateralOf(s, "peep_i", units, units, nil), lateralOf(s, "peep_f", units, units, nil), lateralOf(s, "peep_o", units, units, nil)
	h, c := st.H, st.C
	made := temporaries(fn, []**nd.Array{&x, &h, &c}, &up, &across, &peepI, &peepF, &peepO)
	defer made.Release()
	all := up.Of(x)
	if h != nil {
		all = ops.Add(all, across.Of(h))
	}
	all = all.Reshape(x.Dim(0), units, 4)
	gate := func(k int) *nd.Array { return all.Index(nd.All(), nd.All(), nd.At(k)) }
	c = layer.OrZeros(fn, made, c, up.W, x.Dim(0), units)
	c = peepMemory().Call(gate(0), gate(1), gate(2), peepI.Of(c), peepF.Of(c), c)
	h = peepOutput().Call(gate(3), peepO.Of(c), c)
	st.C, st.H = made.Keep(c), made.Keep(h)
	return st.H
}
