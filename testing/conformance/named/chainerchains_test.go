package named_test

import (
	"iter"
	"maps"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// in makes a call use the parameters of a scope, in an evaluation.
func in(s *nn.Scope) catalogue.CallOptions { return catalogue.CallOptions{Scope: s, Evaluation: true} }

func namesOf[V any](all iter.Seq2[string, V]) []string {
	var names []string
	for name := range all {
		names = append(names, name)
	}
	return names
}

// TestChainerLink makes a link with the parameters W, l1/b and l1/deep/c and the persistent value n.
func TestChainerLink(t *testing.T) {
	s := one[*nn.Scope](t, "chainer.Link")
	w := one[*nd.Array](t, "chainer.Link.add_param", "W", []int{2}, with{"initializer": 3}, in(s))
	equal(t, "W", w, []float32{3, 3})
	call(t, "chainer.Link.add_param", "b", []int{1}, with{"initializer": 1}, in(s.Sub("l1")))
	call(t, "chainer.Link.add_param", "c", []int{1}, in(s.Sub("l1").Sub("deep")))
	call(t, "chainer.Link.add_persistent", "n", nd.FromSlice([]int64{7}), in(s))

	type links = iter.Seq2[string, *nn.Scope]
	equal(t, "children", namesOf(one[links](t, "chainer.Link.children", in(s))), []string{"l1"})
	lists := func(name string) {
		equal(t, name, namesOf(one[links](t, name, in(s))), []string{"", "l1", "l1/deep"})
		equal(t, name+" without itself", namesOf(one[links](t, name, true, in(s))), []string{"l1", "l1/deep"})
	}
	lists("chainer.Link.links")
	lists("chainer.Link.namedlinks")
	type params = iter.Seq2[string, *nn.Param]
	equal(t, "params", namesOf(one[params](t, "chainer.Link.params", in(s))), []string{"W", "l1/b", "l1/deep/c"})
	for name, p := range one[params](t, "chainer.Link.namedparams", in(s)) {
		equal(t, name, p.Value(), s.Get(name))
	}

	zeros := one[*optim.Gradients](t, "chainer.Link.zerograds", in(s))
	equal(t, "a gradient", zeros.Get("W"), []float32{0, 0})
	equal(t, "gradients", namesOf(zeros.All()), []string{"W", "l1/b", "l1/deep/c"})

	c := one[*nn.Scope](t, "chainer.Link.copy", in(s))
	s.Set("W", vector(4, 5))
	equal(t, "the copy's W", c.Get("W"), []float32{3, 3})
	serialized := func(s *nn.Scope) archive.Object {
		return archive.Func(func(a *archive.Archive) { call(t, "chainer.Link.serialize", a, in(s)) })
	}
	restore(t, saved(t, serialized(s)), serialized(c))
	equal(t, "W from the file", c.Get("W"), []float32{4, 5})
	equal(t, "the persistent value from the file", c.Get("n"), []int64{7})
}

func TestChainerLinkOnDevices(t *testing.T) {
	s := nn.NewScope()
	s.Set("W", vector(1, 2))
	moved := one[*nn.Scope](t, "chainer.Link.to_gpu", reference(t), in(s))
	equal(t, "the device", one[device.Device](t, "chainer.Link.xp", in(moved)) == reference(t), true)
	equal(t, "W", moved.Get("W"), []float64{1, 2})
	back := one[*nn.Scope](t, "chainer.Link.to_cpu", in(moved))
	equal(t, "the device", one[device.Device](t, "chainer.Link.xp", in(back)) == s.Device(), true)
	equal(t, "W", back.Get("W"), []float64{1, 2})
}

func TestChainerChains(t *testing.T) {
	s := one[*nn.Scope](t, "chainer.Chain")
	child := one[*nn.Scope](t, "chainer.Chain.add_link", "l1", with{"link": link.Linear{OutSize: 1}}, in(s))
	link.Linear{OutSize: 1, InitialW: initializer.Constant(2)}.Apply(child, vector(3).Reshape(1, 1))
	equal(t, "a child's parameter", one[*nn.Scope](t, "chainer.Chain.__getitem__", "l1", in(s)).Get("W"), []float32{2})
	equal(t, "the chain's parameters", s.Names(), []string{"l1/W", "l1/b"})

	list := one[link.Sequential](t, "chainer.ChainList", link.Linear{OutSize: 3})
	longer := one[link.Sequential](t, "chainer.ChainList.add_link", list, link.F(ops.ReLU))
	equal(t, "the length", one[int](t, "chainer.ChainList.__len__", longer), 2)
	equal(t, "the first child", one[link.Layer](t, "chainer.ChainList.__getitem__", longer, 0), link.Linear{OutSize: 3})
	second := one[link.Layer](t, "chainer.ChainList.__getitem__", longer, 1)
	if _, ok := second.(link.Func); !ok {
		t.Errorf("the second child is a %T", second)
	}
	equal(t, "results", longer.Apply(nn.NewScope(), nd.Ones([]int{2, 4})).Shape(), []int{2, 3})
}

func TestChainerFunctionSet(t *testing.T) {
	s := one[*nn.Scope](t, "chainer.FunctionSet")
	one[*nn.Scope](t, "chainer.FunctionSet.__getitem__", "l1", in(s)).Set("W", vector(1, 2))
	s.Set("l2/W", vector(3))
	for name, p := range one[iter.Seq2[string, *nn.Param]](t, "chainer.FunctionSet.parameters", in(s)) {
		equal(t, name, p.Value(), map[string][]float64{"l1/W": {1, 2}, "l2/W": {3}}[name])
	}
	g := optim.NewGradients(s, map[string]*nd.Array{"l1/W": vector(5, 6), "l2/W": vector(7)})
	grads := maps.Collect(one[iter.Seq2[string, *nd.Array]](t, "chainer.FunctionSet.gradients", g))
	equal(t, "a gradient", grads["l1/W"], []float64{5, 6})
	equal(t, "names", slices.Sorted(maps.Keys(grads)), []string{"l1/W", "l2/W"})
}

// TestChainerOptimizers updates w by a rule of one's own, w - rate·(g + m) with m = g/2 + m, after a hook that doubles
// the gradient.
func TestChainerOptimizers(t *testing.T) {
	rule := optim.Rule{Name: "Mine", LearningRate: 0.5, States: []string{"m"}, Scalars: []string{"rate"},
		Values: func(scalars []float64, at optim.Step) []float64 { return append(scalars, at.LearningRate) },
		Body:   "m = grad/2 + m_old; w = w_old - rate*(grad + m)"}
	trains := func(o *optim.Optimizer, update, hooks string) {
		t.Helper()
		s := nn.NewScope()
		s.Set("w", vector(10))
		step := func(want float64) {
			t.Helper()
			g := optim.NewGradients(s, map[string]*nd.Array{"w": vector(1)})
			call(t, hooks, func(g *optim.Gradients) { g.Scale(2) }, g)
			call(t, hooks, nil, g) // without hooks
			call(t, update, o, g)
			equal(t, update, s.Get("w"), []float64{want})
		}
		step(10 - 0.5*(2+1))
		step(8.5 - 0.5*(2+2))
	}
	trains(one[*optim.Optimizer](t, "chainer.Optimizer", rule), "chainer.Optimizer.update", "chainer.Optimizer.call_hooks")
	trains(one[*optim.Optimizer](t, "chainer.GradientMethod", rule), "chainer.GradientMethod.update", "chainer.GradientMethod.call_hooks")
	rule.Body = "w = nonsense"
	refused(t, "nonsense", "chainer.GradientMethod", rule)
}
