package link

import (
	"sync"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// GRU is one step of a gated recurrent unit:
//
//	r = σ(W_r·x + U_r·h),   z = σ(W_z·x + U_z·h),   h̄ = tanh(W·x + U·(r·h)),   h' = (1 - z)·h + z·h̄
//
// W, W_r and W_z, with the parameters W/W (NUnits, NInputs), W/b (NUnits) and so on, and U, U_r and U_z, with U/W
// (NUnits, NUnits), U/b (NUnits) and so on, are [Linear] layers. Here z is the weight of the new state; in [NStepGRU],
// [nn.GRU] and PyTorch z is the weight of the old state.
// Chainer: links.GRU, links.StatelessGRU (in later versions).
type GRU struct {
	NUnits  int
	NInputs int // elements per example, whose axes are flattened; 0: from the first input
	// Init makes the initial weights of the W, InnerInit those of the U; nil means initializer.LeCunNormal(1).
	Init, InnerInit initializer.Initializer
	// BiasInit makes the initial biases of all six; nil means zeros.
	BiasInit initializer.Initializer
}

// Apply returns the output after x (B, …), shape (B, NUnits), from the previous output, h, of the same shape.
// Chainer: links.GRU.__call__.
func (l GRU) Apply(s *nn.Scope, h, x *nd.Array) *nd.Array {
	const fn nd.Func = "GRU.Apply"
	defer s.Span("GRU", h, x)()
	fn.Check(h)
	return l.step(fn, s, x, &nn.State{H: h})
}

// StatefulGRU is a [GRU] with a state. At the beginning of a sequence h' = z·h̄, without the U and their biases.
// Chainer: links.StatefulGRU.
type StatefulGRU struct {
	InSize  int // elements per example, whose axes are flattened; 0: from the first input
	OutSize int // the number of units
	// Init makes the initial weights of the W, InnerInit those of the U; nil means initializer.LeCunNormal(1).
	Init, InnerInit initializer.Initializer
	// BiasInit makes the initial biases of all six; nil means zeros.
	BiasInit initializer.Initializer
}

// Apply updates the state, and returns the output of x (B, …), which is the state's H, shape (B, OutSize). Chainer's
// set_state is &nn.State{H: h}, its reset_state is [nn.State.Reset].
func (l StatefulGRU) Apply(s *nn.Scope, x *nd.Array, st *nn.State) *nd.Array {
	const fn nd.Func = "StatefulGRU.Apply"
	defer s.Span("StatefulGRU", x)()
	g := GRU{NUnits: l.OutSize, NInputs: l.InSize, Init: l.Init, InnerInit: l.InnerInit, BiasInit: l.BiasInit}
	h := g.step(fn, s, x, st)
	st.H = h
	return h
}

// The functions of gates and state, each in one pass.
var (
	gruReset = sync.OnceValue(func() *ops.Kernel {
		return ops.MustKernel("T r, T u, T h", "T y", "y = sigmoid(r + u)*h", ops.KernelOptions{Name: "link.GRU"})
	})
	gruFirst = sync.OnceValue(func() *ops.Kernel {
		return ops.MustKernel("T z, T n", "T y", "y = sigmoid(z)*tanh(n)", ops.KernelOptions{Name: "link.GRU"})
	})
	gruUpdate = sync.OnceValue(func() *ops.Kernel {
		return ops.MustKernel("T z, T uz, T n, T un, T h", "T y", "y = h + sigmoid(z + uz)*(tanh(n + un) - h)",
			ops.KernelOptions{Name: "link.GRU"})
	})
)

// step returns the next state; without a state it skips the U.
func (l GRU) step(fn nd.Func, s *nn.Scope, x *nd.Array, st *nn.State) *nd.Array {
	in, units := inputs(fn, s, x, l.NInputs, l.NUnits), l.NUnits
	st.Check(fn, x, []int{x.Dim(0), units})
	of := func(name string) (w, u layer.Product) {
		w = productOf(s, "W"+name, in, units, l.Init, l.BiasInit)
		return w, productOf(s, "U"+name, units, units, l.InnerInit, l.BiasInit)
	}
	wr, ur := of("_r")
	wz, uz := of("_z")
	wn, un := of("")
	h := st.H
	made := temporaries(fn, []**nd.Array{&x, &h}, &wr, &ur, &wz, &uz, &wn, &un)
	defer made.Release()
	if h == nil {
		return made.Keep(gruFirst().Call(wz.Of(x), wn.Of(x)))
	}
	h = layer.InDType(h, wn.W)
	reset := gruReset().Call(wr.Of(x), ur.Of(h), h)
	return made.Keep(gruUpdate().Call(wz.Of(x), uz.Of(h), wn.Of(x), un.Of(reset), h))
}
