package nn

import (
	"iter"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// Scope is a tree of named parameters, such as "fc1/affine/W", in the order of their first use. Parametric functions
// take a scope and create their parameters in it. If they are called again with the same scope, they find the
// parameters: sharing a scope shares weights.
//
// A function that gets a scope as NewScope returns it evaluates: it reads parameters and statistics, never writes them,
// and draws nothing at random. Training uses a view of the scope that [Scope.Watch] returns. Functions that behave
// differently in training do so with this view. Views share the parameters of their scope; [Scope.Fixed] and
// [Scope.With] return further views.
//
// Use a Scope from one goroutine. When all parameters exist, several goroutines may evaluate with it. To train in
// several goroutines, give each a [Scope.Replica].
type Scope struct {
	owner *owner
	node  *node
	path  string // the path of node from the root; empty for the root
	view  view
}

// ScopeOptions define the dtype, device and initial values of a scope's parameters.
type ScopeOptions struct {
	// DType is the dtype of new parameters; by default float32.
	DType dtype.DType
	// Device holds the parameters; by default the CPU.
	Device device.Device
	// Rand seeds the initial values, by one number drawn from it; nil means nd.NewRand(0). The stream of a parameter
	// follows from that number and the parameter's path, so that the order of creation has no effect.
	Rand *nd.Rand
}

// owner is the part that all views of one tree share.
type owner struct {
	like   nd.ArrayOptions
	seed   uint64
	closed closures
}

// NewScope returns an empty scope.
func NewScope(opts ...ScopeOptions) *Scope {
	const fn nd.Func = "nn.NewScope"
	o := options.Read(fn, opts)
	if !o.DType.Valid() {
		o.DType = dtype.Float32
	}
	if !o.DType.IsInexact() {
		panic(fn.Errorf(nil, "parameters of dtype %s: want a float or complex dtype", o.DType))
	}
	if o.Rand == nil {
		o.Rand = nd.NewRand(0)
	}
	return &Scope{
		owner: &owner{like: nd.ArrayOptions{DType: o.DType, Device: o.Device}, seed: o.Rand.Uint64()},
		node:  &node{},
	}
}

// Path returns the scope's name from the root; the root's name is empty.
func (s *Scope) Path() string { return s.path }

// DType returns the dtype of new parameters.
func (s *Scope) DType() dtype.DType { return s.owner.like.DType }

// Sub returns the scope of that name within s, a view of the same tree: Sub("a").Sub("b") is Sub("a/b"), and Sub("") is s
// itself.
func (s *Scope) Sub(name string) *Scope {
	const fn nd.Func = "Scope.Sub"
	at, path := s.node, s.path
	for _, part := range split(fn, name) {
		at = at.enter(fn, join(path, part), part)
		path = join(path, part)
	}
	if at.param != nil {
		panic(fn.Errorf([]*nd.Array{at.param.value}, "%q is a parameter, not a scope", path))
	}
	return &Scope{owner: s.owner, node: at, path: path, view: s.view}
}

// Parameter returns the parameter of that name. The first call creates it, with the given shape, and the scope's dtype
// and device. Its values are the result of initial, or zeros if initial is nil. Later calls check the shape, and ignore
// initial.
//
// needGrad says whether optimizers train the parameter; a function updates its statistics itself, so that they are not
// trained. The first call decides; later calls change nothing: see [Param.SetNeedGrad]. In a view that computes in
// another dtype (the option Compute of [Scope.Watch]) the result has that dtype if needGrad is true.
func (s *Scope) Parameter(name string, shape []int, initial initializer.Initializer, needGrad bool) *nd.Array {
	const fn nd.Func = "Scope.Parameter"
	at := s.nodeFor(fn, name)
	p := at.param
	if p == nil {
		p = s.owner.create(fn, s.full(name), shape, initial)
		at.param = p
	} else if !broadcast.Equal(p.value.Shape(), shape) {
		panic(fn.Errorf([]*nd.Array{p.value}, "the parameter %q is used here with shape %s: "+ownScope, p.path, broadcast.FormatShape(shape)))
	}
	p.decide(needGrad)
	x := s.array(p)
	if needGrad {
		x = s.toCompute(p, x)
	}
	return x
}

// ownScope is the remedy in the error about a name that stands for two parameters.
const ownScope = "if another layer has it already, give each a scope of its own by Scope.Sub"

// Value returns an array of the scope that is never trained, such as a batch count or a running mean. It has initial's
// dtype, and starts as a copy of initial. Later calls check the shape. Functions may write to it only if
// [Scope.Training] is true.
func (s *Scope) Value(name string, initial *nd.Array) *nd.Array {
	const fn nd.Func = "Scope.Value"
	fn.Check(initial)
	at := s.nodeFor(fn, name)
	switch p := at.param; {
	case p == nil:
		path := s.full(name)
		s.owner.closed.check(fn, path)
		at.param = &Param{path: path, value: s.owner.stored(initial, initial.DType())}
	case !broadcast.Equal(p.value.Shape(), initial.Shape()):
		panic(fn.Errorf([]*nd.Array{p.value, initial}, "the value %q has another shape: "+ownScope, p.path))
	}
	at.param.decide(false)
	return s.array(at.param)
}

// full returns the path of a name in s from the root.
func (s *Scope) full(name string) string { return join(s.path, strings.Trim(name, "/")) }

// nodeFor returns the node for a parameter of that name, and creates it if it does not exist.
func (s *Scope) nodeFor(fn nd.Func, name string) *node {
	parts := split(fn, name)
	if len(parts) == 0 {
		panic(fn.Errorf(nil, "a parameter needs a name"))
	}
	if found := s.node.find(name); found != nil && found.param != nil {
		return found
	}
	at, path := s.node, s.path
	for _, part := range parts {
		at = at.enter(fn, join(path, part), part)
		path = join(path, part)
	}
	if !at.empty() {
		panic(fn.Errorf(nil, "%q is a scope, not a parameter", path))
	}
	return at
}

// create makes a parameter. The result of initial is copied, because it may be shared, or belong to an arena.
func (o *owner) create(fn nd.Func, path string, shape []int, initial initializer.Initializer) *Param {
	o.closed.check(fn, path)
	if initial == nil {
		return &Param{path: path, value: nd.Zeros(shape, o.like)}
	}
	x := initial(o.stream(path), shape, o.like)
	if x == nil || !broadcast.Equal(x.Shape(), shape) {
		panic(fn.Errorf([]*nd.Array{x}, "the initializer of %q made an array of another shape than %s", path, broadcast.FormatShape(shape)))
	}
	return &Param{path: path, value: o.stored(x, o.like.DType)}
}

// stored copies x to the scope's device.
func (o *owner) stored(x *nd.Array, dt dtype.DType) *nd.Array {
	y := nd.Empty(x.Shape(), nd.ArrayOptions{DType: dt, Device: o.like.Device})
	layer.Overwrite(y, x)
	return y
}

// stream returns the random numbers of the parameter at a path. Its seed is FNV-1a of the path, mixed with the scope's
// seed.
func (o *owner) stream(path string) *nd.Rand {
	hash := uint64(14695981039346656037)
	for k := range len(path) {
		hash = (hash ^ uint64(path[k])) * 1099511628211
	}
	return nd.NewRand(hash ^ o.seed).Split()
}

// Get returns the parameter of that name, in its own dtype, or nil if it does not exist.
func (s *Scope) Get(name string) *nd.Array {
	if p := s.Param(name); p != nil {
		return s.array(p)
	}
	return nil
}

// Param returns the [Param] of that name, or nil if it does not exist.
func (s *Scope) Param(name string) *Param {
	if at := s.node.find(name); at != nil {
		return at.param
	}
	return nil
}

// Set sets the parameter of that name to the values of x, converted to its dtype; x must have its shape. If the
// parameter does not exist, Set creates it, with x's dtype. It is then trained unless the function that first uses it
// says otherwise.
func (s *Scope) Set(name string, x *nd.Array) {
	const fn nd.Func = "Scope.Set"
	fn.Check(x)
	if x.IsScalar() {
		x = x.Copy()
	}
	at := s.nodeFor(fn, name)
	if at.param == nil {
		path := s.full(name)
		s.owner.closed.check(fn, path)
		at.param = &Param{path: path, value: s.owner.stored(x, x.DType())}
		return
	}
	if p := at.param; broadcast.Equal(p.value.Shape(), x.Shape()) {
		layer.Overwrite(p.value, x)
	} else {
		panic(fn.Errorf([]*nd.Array{p.value, x}, "the parameter %q has another shape", p.path))
	}
}

// All yields the parameters below s in the order of creation, those of one scope together. Names are relative to s.
func (s *Scope) All() iter.Seq2[string, *Param] {
	return func(yield func(string, *Param) bool) { s.node.walk("", yield) }
}

// Trained yields the parameters of All that are trained.
func (s *Scope) Trained() iter.Seq2[string, *Param] {
	return func(yield func(string, *Param) bool) {
		for name, p := range s.All() {
			if p.NeedGrad() && !yield(name, p) {
				return
			}
		}
	}
}

// Names returns the names of the parameters below s, in the order of All.
func (s *Scope) Names() []string {
	var names []string
	for name := range s.All() {
		names = append(names, name)
	}
	return names
}

// Clear removes all parameters below s, and opens s as [Scope.Open] does.
func (s *Scope) Clear() {
	s.node.children, s.node.byName, s.node.param = nil, nil, nil
	s.Open()
}
