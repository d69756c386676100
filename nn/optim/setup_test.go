package optim_test

import (
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// twoParameters returns a scope with the parameters a and b, and gradients of 1.
func twoParameters() (*nn.Scope, *optim.Gradients) {
	s := nn.NewScope()
	ones := map[string]*nd.Array{}
	for _, name := range []string{"a", "b"} {
		s.Set(name, nd.FromSlice([]float32{1, 2}))
		ones[name] = nd.Ones([]int{2})
	}
	return s, optim.NewGradients(s, ones)
}

var bothStates = []string{"a/m", "a/t", "b/m", "b/t"}

func stateNames(o *optim.Optimizer, s *nn.Scope) []string {
	var names []string
	for _, e := range o.State(s) {
		names = append(names, e.Name)
	}
	return names
}

// TestSetup checks that Setup discards states and counts, and gives all parameters new states.
func TestSetup(t *testing.T) {
	s, g := twoParameters()
	o := optim.NewMomentum()
	o.Update(g.Where(func(name string) bool { return name == "a" }))
	o.Setup(s)
	if got := stateNames(o, s); !slices.Equal(got, bothStates) {
		t.Errorf("states %q", got)
	}
	for _, e := range o.State(s) {
		for _, v := range nd.ToSlice[float64](e.Array) {
			if v != 0 {
				t.Errorf("%s: %v, want zeros", e.Name, e.Array)
			}
		}
	}
	if o.Updates() != 0 {
		t.Errorf("%d updates", o.Updates())
	}
}

// TestPrepare checks that Prepare adds the missing states only, and moves no parameter.
func TestPrepare(t *testing.T) {
	s, g := twoParameters()
	o := optim.NewMomentum()
	o.Update(g.Where(func(name string) bool { return name == "a" }))
	a, v := nd.ToSlice[float32](s.Get("a")), nd.ToSlice[float32](o.State(s)[0].Array)
	o.Prepare(s)
	if got := stateNames(o, s); !slices.Equal(got, bothStates) {
		t.Errorf("states %q", got)
	}
	if !slices.Equal(nd.ToSlice[float32](o.State(s)[0].Array), v) || v[0] == 0 || !slices.Equal(nd.ToSlice[float32](s.Get("a")), a) || o.Updates() != 1 {
		t.Error("a parameter, an existing state or the count of updates changed")
	}
}

// TestInitState checks that one parameter gets its initial states, which are the optimizer's own.
func TestInitState(t *testing.T) {
	s, g := twoParameters()
	o := optim.NewMomentum()
	o.Update(g)
	states := o.InitState(s.Param("a"))
	if len(states) != 1 || states[0].Name != "m" || nd.ToSlice[float32](states[0].Array)[0] != 0 {
		t.Errorf("states %v", states)
	}
	if b := o.State(s)[2]; b.Name != "b/m" || nd.ToSlice[float32](b.Array)[0] == 0 {
		t.Errorf("%s of the other parameter is %v", b.Name, b.Array)
	}
	o.Update(g)
	if nd.ToSlice[float32](states[0].Array)[0] == 0 {
		t.Error("the update used another state")
	}
}

// TestSetState checks that updates use and write the given states, and that wrong ones are refused.
func TestSetState(t *testing.T) {
	s, g := twoParameters()
	o, a := optim.NewMomentum(optim.MomentumOptions{LR: 1}), s.Param("a")
	m := nd.FromSlice([]float32{10, 20})
	o.SetState(a, nd.NamedArrays{{Name: "m", Array: m}})
	o.UpdateOne(g, a)
	if w, v := nd.ToSlice[float32](s.Get("a")), nd.ToSlice[float32](m); !slices.Equal(v, []float32{10, 19}) || !slices.Equal(w, []float32{-9, -17}) {
		t.Errorf("the state is %v, the parameter %v", v, w)
	}
	for want, state := range map[string]nd.Named{
		"want one of":           {Name: "v", Array: m},
		"the parameter's shape": {Name: "m", Array: nd.Ones([]int{3}, dtype.Float32)},
		"float32":               {Name: "m", Array: nd.Ones([]int{2})},
	} {
		refused(t, want, func() { o.SetState(a, nd.NamedArrays{state}) })
	}
}

// TestUpdateOne checks that one parameter moves as in Update, and all others stay.
func TestUpdateOne(t *testing.T) {
	s, g := twoParameters()
	whole, all := twoParameters()
	o, other := optim.NewAdam(), optim.NewAdam()
	for range 2 {
		o.UpdateOne(g, s.Param("b"))
		other.Update(all)
	}
	if got, want := nd.ToSlice[float32](s.Get("b")), nd.ToSlice[float32](whole.Get("b")); !slices.Equal(got, want) || want[0] == 1 {
		t.Errorf("b is %v, want %v", got, want)
	}
	if a := nd.ToSlice[float32](s.Get("a")); !slices.Equal(a, []float32{1, 2}) || o.Updates() != 0 {
		t.Errorf("a is %v after %d updates", a, o.Updates())
	}
	refused(t, "none of those", func() { o.UpdateOne(g, whole.Param("a")) })
	o.UpdateOne(optim.NewGradients(s, nil), s.Param("a")) // no gradient: it stays
	if a := nd.ToSlice[float32](s.Get("a")); !slices.Equal(a, []float32{1, 2}) {
		t.Errorf("a is %v without a gradient", a)
	}
}

// TestForget checks that Forget discards the states of some parameters, which then begin anew.
func TestForget(t *testing.T) {
	s, g := twoParameters()
	o := optim.NewMomentum()
	o.Update(g)
	o.Update(g)
	o.Forget(s.Param("a"))
	if got := stateNames(o, s); !slices.Equal(got, bothStates[2:]) || o.Updates() != 2 {
		t.Errorf("states %q after %d updates", got, o.Updates())
	}
	o.Update(g)
	for _, e := range o.State(s) {
		if want := map[string]int{"a/t": 1, "b/t": 3}[e.Name]; want != 0 && nd.Value[int](e.Array) != want {
			t.Errorf("%s: %v, want %d", e.Name, e.Array, want)
		}
	}
}
