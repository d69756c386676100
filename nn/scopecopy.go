package nn

import (
	"iter"
	"maps"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// Device returns the device that holds the parameters.
// Chainer: Link.xp.
func (s *Scope) Device() device.Device {
	if d := s.owner.like.Device; d != nil {
		return d
	}
	d, err := device.Get("cpu")
	if err != nil { // package nd registers it
		panic(err)
	}
	return d
}

// Copy returns a scope with copies of all parameters below s, trained or frozen as in s. Changes of one scope do not
// affect the other. The copy of a view is an ordinary scope. [Scope.Replica] shares the trained parameters instead.
// Chainer's Link.copy shares all values.
// Chainer: Link.copy.
func (s *Scope) Copy() *Scope { return s.copied(s.Device()) }

// To returns a [Scope.Copy] whose parameters, including future ones, are on another device, or s itself if s is on that
// device already.
// Chainer: Link.to_cpu, Link.to_gpu.
func (s *Scope) To(d device.Device) *Scope {
	if d == nil {
		panic(nd.Func("Scope.To").Errorf(nil, "no device"))
	}
	if d == s.Device() {
		return s
	}
	return s.copied(d)
}

func (s *Scope) copied(d device.Device) *Scope {
	o := &owner{like: s.owner.like, seed: s.owner.seed, closed: maps.Clone(s.owner.closed)}
	o.like.Device = d
	return &Scope{owner: o, node: s.node.copied(o), path: s.path}
}

func (n *node) copied(o *owner) *node {
	c := &node{name: n.name}
	if p := n.param; p != nil {
		c.param = &Param{path: p.path, value: o.stored(p.value, p.value.DType())}
		c.param.flag.Store(p.flag.Load())
	}
	for _, child := range n.children {
		c.add(child.copied(o))
	}
	return c
}

// CopyFrom sets the parameters below s to the values of those of the same names below other, which may be on any
// device, converted to the dtypes of s. Both must have the same names and shapes, otherwise CopyFrom writes nothing.
// Chainer: Link.copyparams.
func (s *Scope) CopyFrom(other *Scope) {
	const fn nd.Func = "Scope.CopyFrom"
	if other == nil {
		panic(fn.Errorf(nil, "no other scope"))
	}
	for name, p := range s.All() {
		from := other.Param(name)
		if from == nil {
			panic(fn.Errorf([]*nd.Array{p.value}, "the other scope has no %q", name))
		}
		if !broadcast.Equal(p.value.Shape(), from.value.Shape()) {
			panic(fn.Errorf([]*nd.Array{p.value, from.value}, "%q has another shape", name))
		}
	}
	for name, p := range other.All() {
		if s.Param(name) == nil {
			panic(fn.Errorf([]*nd.Array{p.value}, "the scope has no %q", name))
		}
	}
	for name, p := range s.All() {
		layer.Overwrite(p.value, other.Param(name).value)
	}
}

// Size returns the total number of elements of the trained parameters below s.
func (s *Scope) Size() int {
	n := 0
	for _, p := range s.Trained() {
		n += p.value.Size()
	}
	return n
}

// Children yields the scopes directly below s that have parameters, with their names, in order.
// Chainer: Link.children.
func (s *Scope) Children() iter.Seq2[string, *Scope] {
	return func(yield func(string, *Scope) bool) {
		for _, c := range s.node.children {
			if c.param == nil && !c.empty() && !yield(c.name, s.Sub(c.name)) {
				return
			}
		}
	}
}

// Scopes yields s, with the name "", and all scopes below it that have parameters, with their names relative to s. A
// scope comes before the scopes within it.
// Chainer: Link.namedlinks.
func (s *Scope) Scopes() iter.Seq2[string, *Scope] {
	return func(yield func(string, *Scope) bool) { s.scopes("", yield) }
}

func (s *Scope) scopes(path string, yield func(string, *Scope) bool) bool {
	if !yield(path, s) {
		return false
	}
	for name, child := range s.Children() {
		if !child.scopes(join(path, name), yield) {
			return false
		}
	}
	return true
}
