package grad

import "github.com/ndgrad/ndgrad/nd"

// Grad returns a function that computes the gradient of the sum of f. The gradient has the shape of the argument; it is
// zero if f does not depend on the argument. Grad can be nested, as ValueAndGrad can: Grad(Grad(f)) is the second
// derivative of a function of one number, and of an elementwise function.
//
//go:noinline
func Grad(f func(x *nd.Array) *nd.Array) func(x *nd.Array) *nd.Array {
	both := ValueAndGrad(func(xs ...*nd.Array) *nd.Array { return f(xs[0]) })
	return func(x *nd.Array) *nd.Array {
		y, gs := both(x)
		if n, _ := x.Node(); n == nil {
			y.Release() // nested, y may be an array that f has from elsewhere
		}
		return gs[0]
	}
}

// ValueAndGrad returns a function that computes f(xs…) and the gradients of its sum. Called with recorded arrays, it
// records its operations, so that it can be nested to any order; otherwise its results are unrecorded.
//
//go:noinline
func ValueAndGrad(f func(xs ...*nd.Array) *nd.Array) func(xs ...*nd.Array) (y *nd.Array, gs []*nd.Array) {
	return func(xs ...*nd.Array) (*nd.Array, []*nd.Array) {
		ys, pull := VJP(func(xs ...*nd.Array) []*nd.Array { return []*nd.Array{f(xs...)} }, xs...)
		return ys[0], pull(nil)
	}
}

// VJP computes f(xs…), and returns a function that maps gradients of the results (nil: ones) to gradients of xs. An
// argument that f does not depend on gets zeros. Called with recorded arrays, VJP records its operations.
func VJP(f func(xs ...*nd.Array) []*nd.Array, xs ...*nd.Array) (ys []*nd.Array, pull func(gys []*nd.Array) []*nd.Array) {
	if t := tapeOf(xs); t != nil {
		watched := make([]*nd.Array, len(xs))
		for i, x := range xs {
			if watched[i] = x; tapeOf(xs[i:i+1]) == nil {
				watched[i] = t.Watch(x)
			}
		}
		ys = f(watched...)
		return ys, func(gys []*nd.Array) []*nd.Array { return filled(t.VJPRecorded(ys, gys, watched...), xs) }
	}
	t := NewTape()
	watched := t.watchAll(xs)
	inner := f(watched...)
	for _, y := range inner {
		ys = append(ys, t.unrecorded(y))
	}
	return ys, func(gys []*nd.Array) []*nd.Array {
		mark := t.arena.Mark()
		gxs := t.keepAll(t.VJP(inner, gys, watched...))
		t.arena.ReleaseSince(mark, nil, nil) // so that repeated pulls do not accumulate memory
		return filled(gxs, xs)
	}
}

// JVP returns f(x) and the derivative of f in direction v: the Jacobian J times v. It makes two backward passes,
// because Jv is the gradient of ⟨Jᵀu, v⟩ with respect to u.
func JVP(f func(x *nd.Array) *nd.Array, x, v *nd.Array) (y, jv *nd.Array) {
	checkDirection("grad.JVP", x, v)
	t := NewTape()
	defer t.Release()
	w := t.Watch(x)
	y = f(w)
	zeros := zerosLike(y)
	defer zeros.Release()
	u := t.Watch(zeros)
	gx := t.VJPRecorded([]*nd.Array{y}, []*nd.Array{u}, w)[0]
	return t.unrecorded(y), t.derivative(gx, v, u, y)
}

// derivative returns the gradient of ⟨g, v⟩ with respect to x. If ⟨g, v⟩ does not depend on x, or g is nil, it returns
// zeros like y, which has x's shape.
func (t *Tape) derivative(g, v, x, y *nd.Array) *nd.Array {
	if g != nil {
		if d := t.VJP([]*nd.Array{g}, []*nd.Array{v}, x)[0]; d != nil {
			return t.Keep(d)
		}
	}
	return zerosLike(y)
}

// checkDirection refuses a v that is not a direction for x.
func checkDirection(fn nd.Func, x, v *nd.Array) {
	fn.Check(x, v)
	if why := unlike(v, x); why != "" {
		panic(fn.Errorf([]*nd.Array{x, v}, "the direction v %s", why))
	}
}

// Jacobian returns the derivatives of every element of f(x) with respect to every element of x: an array of shape
// y.Shape() + x.Shape().
func Jacobian(f func(x *nd.Array) *nd.Array, x *nd.Array) *nd.Array {
	t := NewTape()
	defer t.Release()
	w := t.Watch(x)
	y := f(w)
	n := y.Size()
	rows := nd.Zeros([]int{n, x.Size()}, nd.ArrayOptions{DType: x.DType(), Device: x.Device()})
	for i := range n {
		seed := nd.Zeros([]int{n}, nd.ArrayOptions{DType: y.DType(), Device: y.Device()})
		seed.Assign(nd.Scalar(1), nd.At(i))
		gy := seed.Reshape(y.Shape()...)
		seed.Release()
		if g := t.VJP([]*nd.Array{y}, []*nd.Array{gy}, w)[0]; g != nil {
			rows.Assign(g.Reshape(-1), nd.At(i))
		}
		gy.Release()
	}
	defer rows.Release() // the view holds the memory
	return rows.Reshape(append(y.Shape(), x.Shape()...)...)
}

// Hessian returns the second derivatives of the sum of f(x): an array of shape x.Shape() + x.Shape().
func Hessian(f func(x *nd.Array) *nd.Array, x *nd.Array) *nd.Array {
	return Jacobian(Grad(f), x)
}

// HVP returns the product of the Hessian of the sum of f at x with v, without computing the Hessian.
func HVP(f func(x *nd.Array) *nd.Array, x, v *nd.Array) *nd.Array {
	checkDirection("grad.HVP", x, v)
	t := NewTape()
	defer t.Release()
	w := t.Watch(x)
	return t.derivative(t.GradientRecorded(f(w), w)[0], v, w, x)
}

// tapeOf returns the tape that knows one of the arrays, if any.
func tapeOf(xs []*nd.Array) *Tape {
	for _, x := range xs {
		if n, _ := x.Node(); n != nil {
			if t, ok := n.Tape.(*Tape); ok {
				return t
			}
		}
	}
	return nil
}

// watchAll watches each of xs.
func (t *Tape) watchAll(xs []*nd.Array) []*nd.Array {
	out := make([]*nd.Array, len(xs))
	for i, x := range xs {
		out[i] = t.Watch(x)
	}
	return out
}

// keepAll removes gradients from the tape, so that they outlive it.
func (t *Tape) keepAll(gs []*nd.Array) []*nd.Array {
	for _, g := range gs {
		if g != nil {
			t.Keep(g)
		}
	}
	return gs
}

// unrecorded returns an unrecorded header on x that the tape does not release.
func (t *Tape) unrecorded(x *nd.Array) *nd.Array { return t.Keep(x.Detach()) }

// filled returns gs with zeros for missing gradients.
func filled(gs, xs []*nd.Array) []*nd.Array {
	for i, g := range gs {
		if g == nil {
			gs[i] = zerosLike(xs[i])
		}
	}
	return gs
}

// zerosLike returns zeros that no arena owns.
func zerosLike(x *nd.Array) *nd.Array {
	return nd.Zeros(x.Shape(), nd.ArrayOptions{DType: x.DType(), Device: x.Device()})
}
