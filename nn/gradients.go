package nn

import (
	"iter"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Gradients are the gradients of a loss with respect to the trained parameters of a scope, in the order of [Scope.All].
// Scale, WeightDecay and ClipByNorm change them before an optimizer uses them, in the order of the calls; scaling
// and decay are left to the optimizer's own pass over the parameters where they can be. They are valid until the tape is reset.
type Gradients struct{ list []gradient }

// gradient is scale·value + decay·parameter. The value itself may share its memory with other gradients and is never
// written.
type gradient struct {
	name         string
	param        *Param
	value        *nd.Array // nil where no gradient flows
	scale, decay float64
}

// NewGradients returns given gradients of the scope's trained parameters, by their names, for gradients that were averaged
// or accumulated. Parameters that the map lacks have none.
func NewGradients(scope *Scope, values map[string]*nd.Array) *Gradients {
	const fn nd.Func = "nn.NewGradients"
	g := &Gradients{}
	for name, p := range scope.All() {
		if !p.NeedGrad() {
			continue
		}
		value := values[name]
		if value != nil {
			fn.Check(p.value, value)
			if !broadcast.Equal(value.Shape(), p.value.Shape()) {
				panic(fn.Errorf([]*nd.Array{p.value, value}, "the gradient of %q has another shape", p.path))
			}
			value = value.Detach()
		}
		g.list = append(g.list, gradient{name: name, param: p, value: value, scale: 1})
	}
	for name, value := range values {
		if p := scope.Param(name); value != nil && (p == nil || !p.NeedGrad()) {
			panic(fn.Errorf([]*nd.Array{value}, "%q is no trained parameter of the scope", name))
		}
	}
	return g
}

// All yields the names of the trained parameters, and their gradients or nil.
func (g *Gradients) All() iter.Seq2[string, *nd.Array] {
	return func(yield func(string, *nd.Array) bool) {
		for i := range g.list {
			if !yield(g.list[i].name, g.list[i].compute()) {
				return
			}
		}
	}
}

// Get returns the gradient of the parameter of that name; nil where none flows, and where no trained parameter has the
// name.
func (g *Gradients) Get(name string) *nd.Array {
	for i := range g.list {
		if g.list[i].name == name {
			return g.list[i].compute()
		}
	}
	return nil
}

// Scale multiplies the gradients. nnabla scale_grad.
func (g *Gradients) Scale(factor float64) {
	for i := range g.list {
		g.list[i].scale *= factor
		g.list[i].decay *= factor
	}
}

// WeightDecay adds rate times the parameter to every gradient: the gradient of rate/2·Σw². nnabla weight_decay.
func (g *Gradients) WeightDecay(rate float64) {
	for i := range g.list {
		g.list[i].decay += rate
	}
}

// ClipByNorm scales every gradient whose L2 norm is above max down to that norm, each parameter's by itself. nnabla
// clip_grad_by_norm.
func (g *Gradients) ClipByNorm(max float64) {
	const fn nd.Func = "Gradients.ClipByNorm"
	if !(max >= 0) {
		panic(fn.Errorf(nil, "norm %v: want one that is not negative", max))
	}
	for i := range g.list {
		e := &g.list[i]
		if e.value == nil {
			continue
		}
		w := e.param.value
		t := dtype.ComputeType(w.DType())
		norm := fn.NewLike(t.Real(), nil, e.value)
		fn.Reduce(squares.Of(t), roots.Of(t), device.CombineSum, broadcast.AllAxes(w.Rank()), e.scalars(), norm, w, e.value)
		clipped := fn.NewLike(t, w.Shape(), e.value)
		run(fn, clip.Of(t), []float64{e.scale, e.decay, max}, []*nd.Array{clipped}, []*nd.Array{w, e.value, norm})
		norm.Release()
		e.value, e.scale, e.decay = clipped, 1, 0
	}
}

var (
	squares = device.Programs{Source: device.Source{Name: "nn.squares", Inputs: "T w, T g", Scalars: "T scale, T decay", Outputs: "R y",
		Body: "a = abs(scale*g + decay*w); y = a*a"}}
	roots = device.Programs{Source: device.Source{Name: "nn.roots", Inputs: "R x", Outputs: "R y", Body: "sqrt(x)"}}
	clip  = device.Programs{Source: device.Source{Name: "nn.clip", Inputs: "T w, T g, R norm", Scalars: "T scale, T decay, R limit", Outputs: "T y",
		Body: "e = scale*g + decay*w; y = norm > limit ? e*T(limit/norm) : e"}}
	effective = device.Programs{Source: device.Source{Name: "nn.gradient", Inputs: "T w, T g", Scalars: "T scale, T decay", Outputs: "T y",
		Body: "decay == T(0) ? scale*g : scale*g + decay*w"}} // without decay an infinite w must not add 0·∞
)

// compute applies scale and decay, and returns the gradient.
func (e *gradient) compute() *nd.Array {
	if e.value == nil || e.scale == 1 && e.decay == 0 {
		return e.value
	}
	const fn nd.Func = "Gradients.Get"
	w := e.param.value
	y := fn.NewLike(w.DType(), w.Shape(), e.value)
	run(fn, effective.Of(dtype.ComputeType(w.DType())), []float64{e.scale, e.decay}, []*nd.Array{y}, []*nd.Array{w, e.value})
	e.value, e.scale, e.decay = y, 1, 0
	return y
}

// HasNaN reports whether any gradient holds a not-a-number, which waits for the device. nnabla check_nan_grad.
func (g *Gradients) HasNaN() bool { return g.any("Gradients.HasNaN", &notNumber) }

// HasInf reports whether any gradient holds an infinity, which waits for the device. nnabla check_inf_grad.
func (g *Gradients) HasInf() bool { return g.any("Gradients.HasInf", &infinite) }

var (
	notNumber = device.Programs{Source: device.Source{Name: "nn.notNumber", Inputs: "T g", Outputs: "bool y", Body: "isnan(g)"}}
	infinite  = device.Programs{Source: device.Source{Name: "nn.infinite", Inputs: "T g", Outputs: "bool y", Body: "isinf(g)"}}
)

// any reports whether some element of some gradient passes a test.
func (g *Gradients) any(fn nd.Func, test *device.Programs) bool {
	for _, x := range g.All() {
		if x == nil {
			continue
		}
		found := fn.NewLike(dtype.Bool, nil, x)
		fn.Reduce(test.Of(dtype.ComputeType(x.DType())), nil, device.CombineAny, broadcast.AllAxes(x.Rank()), nil, found, x)
		some := nd.Value[bool](found)
		if found.Release(); some {
			return true
		}
	}
	return false
}

// scalars are scale and decay as launch parameters.
func (e *gradient) scalars() []device.Scalar {
	t := dtype.ComputeType(e.param.value.DType())
	return []device.Scalar{nd.Scalar(e.scale).Immediate(t), nd.Scalar(e.decay).Immediate(t)}
}
