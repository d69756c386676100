package nn_test

import (
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// family is a scope with three scopes below it, one of them without parameters.
func family() *nn.Scope {
	s := nn.NewScope()
	s.Parameter("a/W", []int{2, 3}, initializer.Normal(1), true)
	s.Sub("none")
	s.Parameter("b/c/W", []int{4}, initializer.Normal(1), true)
	s.Parameter("b/mean", []int{5}, initializer.Constant(2), false)
	return s
}

func TestScopeCopy(t *testing.T) {
	s := family()
	c := s.Copy()
	if !slices.Equal(c.Names(), s.Names()) || c.Size() != 10 || s.Sub("b").Copy().Size() != 4 {
		t.Fatalf("copied:\n%v", c)
	}
	for name, p := range c.All() {
		was := s.Param(name)
		assert.Equal(t, p.Value(), was.Value())
		if p.NeedGrad() != was.NeedGrad() || p.Value().SharesMemory(was.Value()) {
			t.Errorf("%s: trained %v, or it shares memory", name, p.NeedGrad())
		}
	}
	c.Set("a/W", nd.Zeros([]int{2, 3}))
	c.Parameter("d/W", []int{1}, nil, true)
	if nd.Value[float32](s.Get("a/W").Index(nd.At(0), nd.At(0))) == 0 || s.Param("d/W") != nil {
		t.Errorf("the original has changed")
	}
	// A parameter that is created later has the same values in both scopes.
	assert.Equal(t, s.Parameter("e", []int{3}, initializer.Normal(1), true), c.Parameter("e", []int{3}, initializer.Normal(1), true))
	s.Close("a file")
	assert.Raises(t, "not among", func() { s.Copy().Parameter("f", []int{1}, nil, true) })
}

func TestScopeTo(t *testing.T) {
	s := family()
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	there := s.To(ref)
	if s.To(s.Device()) != s || there.Device() != ref {
		t.Errorf("the device is %v", there.Device().Name())
	}
	there.Parameter("new", []int{1}, nil, true)
	for name, p := range there.All() {
		if p.Value().Device() != ref {
			t.Errorf("%s is on %s", name, p.Value().Device().Name())
		}
	}
	assert.Raises(t, "no device", func() { s.To(nil) })
}

func TestScopeCopyFrom(t *testing.T) {
	s, other := family(), nn.NewScope(nn.ScopeOptions{Rand: nd.NewRand(7)})
	for name, p := range s.All() {
		other.Parameter(name, p.Value().Shape(), initializer.Normal(1), true)
	}
	before := s.Get("a/W").Copy()
	other.Parameter("more", []int{1}, nil, true)
	assert.Raises(t, `has no "more"`, func() { s.CopyFrom(other) })
	assert.Raises(t, `has no "more"`, func() { other.CopyFrom(s) })
	odd := nn.NewScope()
	odd.Parameter("a/W", []int{3, 2}, nil, true)
	assert.Raises(t, "another shape", func() { odd.CopyFrom(s) })
	assert.Equal(t, s.Get("a/W"), before)
	for _, part := range []string{"a", "b"} {
		s.Sub(part).CopyFrom(other.Sub(part))
	}
	for name, p := range s.All() {
		assert.Equal(t, p.Value(), other.Get(name))
	}
}

func TestScopesWithin(t *testing.T) {
	var children, all []string
	for name, child := range family().Children() {
		children = append(children, name)
		if child.Path() != name {
			t.Errorf("the path of %s is %s", name, child.Path())
		}
	}
	for name := range family().Scopes() {
		all = append(all, name)
		if name == "b" {
			break
		}
	}
	if !slices.Equal(children, []string{"a", "b"}) || !slices.Equal(all, []string{"", "a", "b"}) {
		t.Errorf("children %q, scopes %q", children, all)
	}
	all = nil
	for name := range family().Scopes() {
		all = append(all, name)
	}
	if !slices.Equal(all, []string{"", "a", "b", "b/c"}) {
		t.Errorf("scopes %q", all)
	}
}

// A copy of a view has the parameters themselves, and nothing of the view.
func TestScopeCopyOfViews(t *testing.T) {
	s := family()
	if part := s.Sub("b").Copy(); part.Path() != "b" || !slices.Equal(part.Names(), []string{"c/W", "mean"}) {
		t.Errorf("a copy of b is %q with %q", part.Path(), part.Names())
	}
	view := s.Watch(grad.NewTape())
	if view.Copy().Training() {
		t.Error("a copy of a view is a view")
	}
	for name, child := range view.Children() {
		if !child.Training() {
			t.Errorf("the child %s of a view is not of the view", name)
		}
	}
	assert.Equal(t, s.With(map[string]*nd.Array{"b/mean": nd.Zeros([]int{5})}).Copy().Get("b/mean"), s.Get("b/mean"))
	s.Close("a file")
	s.Copy().Open()
	assert.Raises(t, "not among", func() { s.Parameter("f", []int{1}, nil, true) })
}

// Values are converted to the dtype and the device of the parameters, which stay the same arrays.
func TestScopeCopyFromOtherKinds(t *testing.T) {
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	s, other := family(), nn.NewScope(nn.ScopeOptions{DType: dtype.Float64, Device: ref})
	other.Parameter("b/mean", []int{5}, initializer.Constant(9), true) // in another order
	other.Parameter("b/c/W", []int{4}, initializer.Constant(8), true)
	other.Parameter("a/W", []int{2, 3}, initializer.Constant(7), true)
	mean := s.Get("b/mean")
	s.CopyFrom(other)
	s.CopyFrom(s)
	assert.Equal(t, mean, nd.Full([]int{5}, float32(9)))
	assert.Equal(t, s.Get("b/c/W"), nd.Full([]int{4}, float32(8)))
	if s.Param("b/mean").NeedGrad() {
		t.Error("what was not trained is trained")
	}
	assert.Raises(t, "no other scope", func() { s.CopyFrom(nil) })
}
