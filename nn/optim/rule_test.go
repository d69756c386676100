package optim_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// Gradient descent by the sign, with steps that decrease, and that are no longer than the parameter.
func ExampleNewOptimizer() {
	opt := optim.NewOptimizer(optim.Rule{
		Name:         "SignSgd",
		LearningRate: 0.5,
		States:       []string{"m"},
		Scalars:      []string{"rate"},
		Values: func(scalars []float64, at optim.Step) []float64 {
			return append(scalars, at.LearningRate/float64(at.T))
		},
		Norms: []optim.Norm{{Name: "length", Body: "y = w_old"}},
		Body:  "m = 0.5*m_old + grad; w = w_old - min(rate, length)*sign(m)",
	})
	params := nn.NewScope()
	w := params.Parameter("w", []int{2}, initializer.Constant(1), true)
	for range 2 {
		opt.Update(optim.NewGradients(params, map[string]*nd.Array{"w": nd.FromSlice([]float32{3, -2})}))
		fmt.Println(w)
	}
	// Output:
	// [0.5 1.5]
	// [0.25 1.75]
}

func TestRulesAreRefused(t *testing.T) {
	good := optim.Rule{Name: "Mine", Scalars: []string{"rate"}, Body: "w = w_old - rate*grad",
		Values: func(scalars []float64, at optim.Step) []float64 { return append(scalars, at.LearningRate) }}
	for _, c := range []struct {
		want string
		edit func(*optim.Rule)
	}{
		{"want a name", func(r *optim.Rule) { r.Name = "" }},
		{"Values for the scalars", func(r *optim.Rule) { r.Values = nil }},
		{"learning rate -1", func(r *optim.Rule) { r.LearningRate = -1 }},
		{"Decay NaN", func(r *optim.Rule) { r.Decay = math.NaN() }},
		{`"w" cannot be a name`, func(r *optim.Rule) { r.States = []string{"w"} }},
		{`"t" cannot be a name`, func(r *optim.Rule) { r.States = []string{"t"} }},
		{`"rate" cannot be a name`, func(r *optim.Rule) { r.States = []string{"rate"} }},
		{`"a/b" cannot be a name`, func(r *optim.Rule) { r.States = []string{"a/b"} }},
		{`"given_1" cannot be a name`, func(r *optim.Rule) { r.Scalars = []string{"given_1"} }},
		{`output "m" gets no value`, func(r *optim.Rule) { r.States = []string{"m"} }},
		{"the rule Mine", func(r *optim.Rule) { r.Body = "w = w_old - unknown" }},
		{"the rule Mine", func(r *optim.Rule) { r.Norms = []optim.Norm{{Name: "n", Body: "z = grad"}} }},
		{"not a state", func(r *optim.Rule) { r.Initial = map[string]float64{"q": 1} }},
		{"the norm n reads neither", func(r *optim.Rule) { r.Norms = []optim.Norm{{Name: "n", Body: "y = rate"}} }},
		{"the rule Mine", func(r *optim.Rule) { r.States = []string{"a", "b", "c", "d", "e", "f"} }},
	} {
		r := good
		c.edit(&r)
		refused(t, c.want, func() { optim.NewOptimizer(r) })
	}
	short := good
	short.Values = func(scalars []float64, _ optim.Step) []float64 { return scalars }
	s, g := pair([]float32{1}, []float32{1})
	refused(t, "gave 0 numbers", func() { optim.NewOptimizer(short).Update(g) })
	if got := floats(s.Get("a"))[0]; got != 1 {
		t.Errorf("the parameter became %v", got)
	}
}
