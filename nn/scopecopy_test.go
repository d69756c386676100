package nn_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// family is a scope of four parameters in three scopes; one is a statistic, one of another dtype.
func family() *nn.Scope {
	s := nn.NewScope(nn.ScopeOptions{Rand: nd.NewRand(3)})
	s.Parameter("a/w", []int{2, 3}, nn.Constant(1), true)
	s.Parameter("a/b/mean", []int{2}, nn.Constant(2), false)
	s.Set("a/b/v", nd.FromSlice([]float64{1, 2}))
	s.Parameter("c", []int{4}, nn.Constant(3), true)
	return s
}

// ref is a device besides the CPU.
func ref(t *testing.T) device.Device {
	d, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestCopyOfScope(t *testing.T) {
	s := family()
	c := s.Copy()
	if !cmp.Equal(c.Names(), s.Names()) {
		t.Fatalf("names %q, want %q", c.Names(), s.Names())
	}
	for name, p := range s.All() {
		q := c.Param(name)
		assert.Equal(t, q.Value(), p.Value())
		if q.NeedGrad() != p.NeedGrad() || q.Value().DType() != p.Value().DType() || q.Value().SharesMemory(p.Value()) {
			t.Errorf("%s: %s, trained %t, shared %t", name, q.Value().DType(), q.NeedGrad(), q.Value().SharesMemory(p.Value()))
		}
	}
	c.Set("c", nd.Zeros([]int{4}))
	c.Param("a/w").SetNeedGrad(false)
	c.Parameter("d", []int{1}, nil, true)
	if s.Get("c").Float(0) != 3 || !s.Param("a/w").NeedGrad() || s.Get("d") != nil {
		t.Error("what happens to the copy happens to the scope")
	}
	// Parameters to come have the same initial values in both.
	assert.Equal(t, c.Parameter("e", []int{5}, nn.Normal(1), true), s.Parameter("e", []int{5}, nn.Normal(1), true))
}

func TestCopyOfPartsAndViews(t *testing.T) {
	s := family()
	if part := s.Sub("a").Copy(); !cmp.Equal(part.Names(), []string{"w", "b/mean", "b/v"}) || part.Path() != "a" {
		t.Errorf("a copy of %q has %q", part.Path(), part.Names())
	}
	tape := grad.NewTape()
	if s.Watch(tape).Copy().Training() {
		t.Error("a copy of a view is a view")
	}
	given := s.With(map[string]*nd.Array{"c": nd.Zeros([]int{4})})
	if given.Copy().Get("c").Float(0) != 3 {
		t.Error("a copy has what stands in the place of a parameter")
	}
	s.Close("Load")
	refused(t, "Load", func() { s.Copy().Parameter("d", []int{1}, nil, true) })
	c := s.Copy()
	c.Open()
	refused(t, "Load", func() { s.Parameter("d", []int{1}, nil, true) })
}

func TestScopeToDevice(t *testing.T) {
	s, there := family(), ref(t)
	if s.Device().Name() != "cpu" || s.To(s.Device()) != s {
		t.Errorf("on %s, and it moves there", s.Device().Name())
	}
	moved := s.To(there)
	if moved.Device() != there || moved.Sub("a").Device() != there || s.Device() == there {
		t.Errorf("moved to %s", moved.Device().Name())
	}
	for name, p := range moved.All() {
		if p.Value().Device() != there {
			t.Errorf("%s is on %s", name, p.Value().Device().Name())
		}
		assert.Equal(t, p.Value(), s.Param(name).Value())
	}
	if d := moved.Parameter("d", []int{2}, nil, true); d.Device() != there {
		t.Errorf("a new parameter is on %s", d.Device().Name())
	}
	if back := moved.To(s.Device()); back.Get("c").Device() != s.Device() || back.Get("c").SharesMemory(s.Get("c")) {
		t.Error("it does not come back as a copy")
	}
	refused(t, "no device", func() { s.To(nil) })
}

func TestCopyFrom(t *testing.T) {
	s, there := family(), ref(t)
	other := nn.NewScope(nn.ScopeOptions{DType: dtype.Float64, Device: there})
	other.Parameter("c", []int{4}, nn.Constant(7), true) // in another order, of another dtype
	other.Parameter("a/b/v", []int{2}, nn.Constant(8), false)
	other.Parameter("a/b/mean", []int{2}, nn.Constant(9), true)
	other.Parameter("a/w", []int{2, 3}, nn.Constant(10), true)
	before := s.Get("c")
	s.CopyFrom(other)
	for name, want := range map[string]float64{"c": 7, "a/b/v": 8, "a/b/mean": 9, "a/w": 10} {
		if got := s.Get(name); got.Float(make([]int, got.Rank())...) != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if s.Get("c").DType() != dtype.Float32 || before.Float(0) != 7 || s.Param("a/b/mean").NeedGrad() {
		t.Error("dtypes, arrays and what is trained do not stay")
	}
	s.CopyFrom(s)
	if s.Get("c").Float(0) != 7 {
		t.Error("a scope does not copy from itself")
	}

	many, odd := s.Copy(), s.Copy()
	many.Parameter("z", []int{1}, nil, true)
	odd.Sub("a").Clear()
	odd.Parameter("a/w", []int{3, 2}, nil, true)
	s.Set("c", nd.Zeros([]int{4}))
	refused(t, `no "z"`, func() { s.CopyFrom(many) })
	refused(t, `no "z"`, func() { many.CopyFrom(s) })
	refused(t, `"a/w" has another shape`, func() { s.CopyFrom(odd) })
	if s.Get("c").Float(0) != 0 || s.Get("z") != nil {
		t.Error("what is refused was written")
	}
}

func TestWalksOfScopes(t *testing.T) {
	s := family()
	s.Sub("empty") // has no parameters
	if s.Size() != 2*3+2+4 || s.Sub("a/b").Size() != 2 || nn.NewScope().Size() != 0 {
		t.Errorf("%d and %d numbers", s.Size(), s.Sub("a/b").Size())
	}
	var children, scopes, paths []string
	for name, child := range s.Sub("a").Children() {
		children, paths = append(children, name), append(paths, child.Path())
	}
	for name := range s.Scopes() {
		scopes = append(scopes, name)
	}
	if !cmp.Equal(children, []string{"b"}) || !cmp.Equal(paths, []string{"a/b"}) || !cmp.Equal(scopes, []string{"", "a", "a/b"}) {
		t.Errorf("children %q at %q, scopes %q", children, paths, scopes)
	}
	for stop := range 3 {
		n := 0
		for range s.Scopes() {
			if n++; n > stop {
				break
			}
		}
		if n != stop+1 {
			t.Errorf("%d scopes, want %d", n, stop+1)
		}
	}
	for _, child := range s.Watch(grad.NewTape()).Children() {
		if !child.Training() {
			t.Error("children of a view are not of the view")
		}
	}
}
