package nn_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
)

// Gradient descent by the sign, whose steps become smaller, and are no longer than the parameter.
func ExampleNewOptimizer() {
	opt := nn.NewOptimizer(nn.Rule{
		Name:         "SignSgd",
		LearningRate: 0.5,
		States:       []string{"m"},
		Scalars:      []string{"rate"},
		Values: func(scalars []float64, at nn.Step) []float64 {
			return append(scalars, at.LearningRate/float64(at.T))
		},
		Norms: []nn.Norm{{Name: "length", Body: "y = w_old"}},
		Body:  "m = 0.5*m_old + grad; w = w_old - min(rate, length)*sign(m)",
	})
	params := nn.NewScope()
	w := params.Parameter("w", []int{2}, nn.Constant(1), true)
	for range 2 {
		opt.Update(nn.NewGradients(params, map[string]*nd.Array{"w": nd.FromSlice([]float32{3, -2})}))
		fmt.Println(w)
	}
	// Output:
	// [0.5 1.5]
	// [0.25 1.75]
}

func TestRulesAreRefused(t *testing.T) {
	good := nn.Rule{Name: "Mine", Scalars: []string{"rate"}, Body: "w = w_old - rate*grad",
		Values: func(scalars []float64, at nn.Step) []float64 { return append(scalars, at.LearningRate) }}
	for _, c := range []struct {
		want string
		edit func(*nn.Rule)
	}{
		{"want a name", func(r *nn.Rule) { r.Name = "" }},
		{"Values for the scalars", func(r *nn.Rule) { r.Values = nil }},
		{"learning rate -1", func(r *nn.Rule) { r.LearningRate = -1 }},
		{"Decay NaN", func(r *nn.Rule) { r.Decay = math.NaN() }},
		{`"w" cannot be a name`, func(r *nn.Rule) { r.States = []string{"w"} }},
		{`"t" cannot be a name`, func(r *nn.Rule) { r.States = []string{"t"} }},
		{`"rate" cannot be a name`, func(r *nn.Rule) { r.States = []string{"rate"} }},
		{`"a/b" cannot be a name`, func(r *nn.Rule) { r.States = []string{"a/b"} }},
		{`"given_1" cannot be a name`, func(r *nn.Rule) { r.Scalars = []string{"given_1"} }},
		{`output "m" gets no value`, func(r *nn.Rule) { r.States = []string{"m"} }},
		{"the rule Mine", func(r *nn.Rule) { r.Body = "w = w_old - unknown" }},
		{"the rule Mine", func(r *nn.Rule) { r.Norms = []nn.Norm{{Name: "n", Body: "z = grad"}} }},
		{"the norm n reads neither", func(r *nn.Rule) { r.Norms = []nn.Norm{{Name: "n", Body: "y = rate"}} }},
		{"the rule Mine", func(r *nn.Rule) { r.States = []string{"a", "b", "c", "d", "e", "f"} }},
	} {
		r := good
		c.edit(&r)
		refused(t, c.want, func() { nn.NewOptimizer(r) })
	}
	short := good
	short.Values = func(scalars []float64, _ nn.Step) []float64 { return scalars }
	s, g := pair([]float32{1}, []float32{1})
	refused(t, "gave 0 numbers", func() { nn.NewOptimizer(short).Update(g) })
	if got := floats(s.Get("a"))[0]; got != 1 {
		t.Errorf("the parameter became %v", got)
	}
}

func TestRestore(t *testing.T) {
	tr := newTrainer(1)
	tr.train(3)
	state := tr.opt.State(tr.params)
	copied := nn.NewAdam(nn.AdamOptions{Alpha: 0.03})
	if err := copied.Restore(tr.params, state); err != nil {
		t.Fatal(err)
	}
	if got := copied.State(tr.params); len(got) != len(state) || got[0].Array.SharesMemory(state[0].Array) {
		t.Error("want copies of all states")
	}
	s := scopeOf(map[string][]float32{"w": {1, 2}, "v": {1}})
	full := func(v float64) *nd.Array { return nd.Full([]int{2}, v) } // float64, as other systems may save
	opt := nn.NewAdam()
	if err := opt.Restore(s, []nd.Named{{Name: "w/var", Array: full(4)}, {Name: "w/t", Array: nd.Full([]int{1}, 3.0)}, {Name: "w/mean", Array: full(2)}}); err != nil {
		t.Fatal(err)
	}
	got := opt.State(s)
	if len(got) != 3 || got[0].Array.DType() != dtype.Float32 || floats(got[0].Array)[1] != 2 || nd.Value[int](got[2].Array) != 3 {
		t.Errorf("restored %v", got)
	}
	for want, states := range map[string][]nd.Named{
		"belongs to no parameter": {{Name: "x/t", Array: full(1)}},
		"no such state":           {{Name: "w/m", Array: full(1)}},
		`"w/var" is missing`:      {{Name: "w/mean", Array: full(1)}, {Name: "w/t", Array: nd.Full(nil, 1)}},
		`"w/t" is missing`:        {{Name: "w/mean", Array: full(1)}, {Name: "w/var", Array: full(1)}},
		"want one array":          {{Name: "v/mean", Array: full(1)}},
		"fits the parameter":      {{Name: "w/mean", Array: full(1).AsType(dtype.Complex64)}},
		"one number":              {{Name: "w/t", Array: full(1)}},
		"0 updates":               {{Name: "w/t", Array: nd.Full(nil, 0)}},
		"1.5 updates":             {{Name: "w/t", Array: nd.Full(nil, 1.5)}},
		"1e+10 updates":           {{Name: "w/t", Array: nd.Full(nil, 1e10)}},
		"there twice":             {{Name: "w/t", Array: nd.Full(nil, 1)}, {Name: "w/t", Array: nd.Full(nil, 1)}},
	} {
		if err := opt.Restore(s, states); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if len(opt.State(s)) != 3 {
			t.Fatalf("%s: the states changed", want)
		}
	}
}
