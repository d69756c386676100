package nn_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
)

// Gradient descent by the sign, with steps that decrease, and that are no longer than the parameter.
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
		{"not a state", func(r *nn.Rule) { r.Initial = map[string]float64{"q": 1} }},
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
