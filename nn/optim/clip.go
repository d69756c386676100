package optim

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// ClipByNorm scales each gradient whose L2 norm is above max down to that norm, each parameter separately.
// NNabla: clip_grad_by_norm.
func (g *Gradients) ClipByNorm(max float64) {
	checkLimit("Gradients.ClipByNorm", max)
	for _, e := range g.list {
		g.shrink(max, &shared().norms, e)
	}
}

// ClipByGlobalNorm scales all gradients down by one common factor if their joint L2 norm is above max, so that their
// direction stays. The norm stays on the device. It is computed when the first of the gradients is used. So clip first
// if WeightDecay or Lasso was stated before and several optimizers move groups of Where: otherwise the norm reads
// parameters that have moved. PyTorch's clip_grad_norm_ adds 1e-6 to the norm.
// PyTorch: nn.utils.clip_grad_norm_. Chainer: optimizer.GradientClipping.
func (g *Gradients) ClipByGlobalNorm(max float64) {
	checkLimit("Gradients.ClipByGlobalNorm", max)
	g.shrink(max, &shared().norms, g.list...)
}

// ClipByValue clamps each element of the gradients to the range -max to max. It refuses complex gradients.
// PyTorch: nn.utils.clip_grad_value_.
func (g *Gradients) ClipByValue(max float64) {
	const fn nd.Func = "Gradients.ClipByValue"
	checkLimit(fn, max)
	g.clamp(fn, -max, max)
}

// ClipByRange clamps each element of the gradients to the range lower to upper. It refuses complex gradients.
// Chainer: optimizer.GradientHardClipping (in later versions).
func (g *Gradients) ClipByRange(lower, upper float64) {
	const fn nd.Func = "Gradients.ClipByRange"
	if !(lower <= upper) {
		panic(fn.Errorf(nil, "from %v to %v: want limits in order", lower, upper))
	}
	g.clamp(fn, lower, upper)
}

func (g *Gradients) clamp(fn nd.Func, lower, upper float64) {
	g.wantReal(fn, "complex numbers have no order")
	for _, e := range g.list {
		e.steps = append(e.steps, step{kind: atMost, by: upper}, step{kind: atLeast, by: lower})
	}
}

// wantReal refuses gradients of complex parameters, and says why.
func (g *Gradients) wantReal(fn nd.Func, why string) {
	for _, e := range g.list {
		if w := e.param.Value(); e.value != nil && w.DType().IsComplex() {
			panic(fn.Errorf([]*nd.Array{w}, "the parameter %q: %s", e.param.Path(), why))
		}
	}
}

// ClipByGlobalValue scales all gradients down by one common factor if their largest magnitude is above max, so that
// their direction stays.
func (g *Gradients) ClipByGlobalValue(max float64) {
	checkLimit("Gradients.ClipByGlobalValue", max)
	g.shrink(max, &shared().largest, g.list...)
}

func checkLimit(fn nd.Func, max float64) {
	if !(max >= 0) {
		panic(fn.Errorf(nil, "limit %v: want a limit that is not negative", max))
	}
}

// Norm returns the joint L2 norm of all gradients. It waits for the device.
// Chainer: Optimizer.compute_grads_norm.
func (g *Gradients) Norm() float64 {
	const fn nd.Func = "Gradients.Norm"
	members := membersOf(g.list)
	if len(members) == 0 {
		return 0
	}
	by := &shared().norms
	norm := by.total(fn, members, coupled, &by.measure, nil)
	defer norm.Release()
	return nd.Value[float64](norm)
}

// clip is a statement about several gradients, as they were at that time: they share a factor that takes a joint size
// of theirs to a limit.
type clip struct {
	by      *reduction
	limit   float64
	members []member
	factors [2]*nd.Array // by how gradients are read, coupled or decoupled; nil until first needed
}

// member is a gradient after the given number of steps.
type member struct {
	*gradient
	steps int
}

// membersOf returns the gradients as they are now, without the empty ones.
func membersOf(list []*gradient) []member {
	var members []member
	for _, e := range list {
		if e.value != nil && e.value.Size() > 0 {
			members = append(members, member{e, len(e.steps)})
		}
	}
	return members
}

// shrink gives gradients a common factor.
func (g *Gradients) shrink(limit float64, by *reduction, list ...*gradient) {
	c := &clip{by: by, limit: limit, members: membersOf(list)}
	for _, m := range c.members {
		m.gradient.steps = append(m.gradient.steps, step{kind: shrunk, clip: c})
	}
}

// factor returns the number that the members are multiplied by, a 0-d array on the device. It is computed once, before
// the first member moves its parameter.
func (c *clip) factor(fn nd.Func, reading int) *nd.Array {
	if c.factors[reading] == nil {
		f := c.by.total(fn, c.members, reading, &c.by.factor, []float64{c.limit})
		c.factors[reading] = f
		if !c.readsDecay() {
			c.factors[1-reading] = f
		}
	}
	return c.factors[reading]
}

// readsDecay reports whether weight decay occurs, so that it matters how the gradients are read.
func (c *clip) readsDecay() bool {
	for _, m := range c.members {
		for _, s := range m.gradient.steps[:m.steps] {
			if s.kind == decayed || s.kind == shrunk && s.clip.readsDecay() {
				return true
			}
		}
	}
	return false
}

// total measures gradients together and returns the result of post, a 0-d array. It first measures several gradients
// one by one.
func (r *reduction) total(fn nd.Func, members []member, reading int, post *device.Programs, given []float64) *nd.Array {
	var c chain
	first, t := members[0].value, realType(members)
	y := fn.NewLike(t, nil, first)
	if len(members) == 1 {
		r.reduce(fn, &c, members[0], reading, post.Of(t), given, y)
		return y
	}
	parts := fn.NewLike(t, []int{len(members)}, first)
	for i, m := range members {
		part := parts.Index(nd.At(i))
		r.reduce(fn, &c, m, reading, r.ofPart(t), nil, part)
		part.Release()
	}
	r.launch(fn, shared().identity.Of(t), post.Of(t), []int{0}, scalarArguments(t, given), y, parts)
	parts.Release()
	return y
}

// ofPart returns the final function of the total of one of several gradients, or nil.
func (r *reduction) ofPart(t dtype.DType) *device.Program {
	if r.squares {
		return r.measure.Of(t)
	}
	return nil
}

func (r *reduction) launch(fn nd.Func, p, post *device.Program, axes []int, scalars []device.Scalar, y *nd.Array, in ...*nd.Array) {
	if r.squares {
		fn.SumSquares(p, post, axes, scalars, y, in...)
	} else {
		fn.Reduce(p, post, r.combine, axes, scalars, y, in...)
	}
}

// realType is the dtype for the measures of gradients of several dtypes.
func realType(members []member) dtype.DType {
	t := dtype.Float32
	for _, m := range members {
		if dtype.ComputeType(m.param.Value().DType()).Real() == dtype.Float64 {
			t = dtype.Float64
		}
	}
	return t
}

// reduce measures one gradient.
func (r *reduction) reduce(fn nd.Func, c *chain, m member, reading int, post *device.Program, given []float64, y *nd.Array) {
	w := m.param.Value()
	t := dtype.ComputeType(w.DType())
	c.read(fn, m.gradient, m.steps, reading, roomBeside(len(given), 4))
	scalars := append(scalarArguments(t, c.scalars), scalarArguments(t.Real(), given)...)
	in := c.operands(nil, w)
	r.launch(fn, r.each.of(t, c), post, broadcast.AllAxes(w.Rank()), scalars, y, in...)
	c.releaseTemporaries()
}

// scalarArguments returns numbers as launch parameters of programs that compute in t.
func scalarArguments(t dtype.DType, values []float64) []device.Scalar {
	scalars := make([]device.Scalar, len(values))
	for i, v := range values {
		scalars[i] = device.ScalarOf(v, t)
	}
	return scalars
}
