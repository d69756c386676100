package nn_test

import (
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// A moving average of the weights is evaluated, while the weights themselves are trained.
func ExampleScope_With() {
	x := nd.FromSlice([]float32{0, 1, 2, 3}, 4, 1)
	t := nd.FromSlice([]float32{1, 3, 5, 7}, 4, 1) // 2x + 1
	lossOf := func(params *nn.Scope) *nd.Array { return ops.Mean(loss.SquaredError(nn.Affine(params, x, 1), t)) }

	params, average := nn.NewScope(), map[string]*nd.Array{}
	opt := optim.NewSGD(optim.SGDOptions{LR: 0.05})
	tape := grad.NewTape()
	for range 60 {
		model := params.Watch(tape)
		opt.Update(optim.GradientsOf(model, lossOf(model)))
		tape.Reset()
		for name, p := range params.All() {
			if average[name] == nil {
				average[name] = p.Value().Copy()
			}
			average[name] = ops.LinearInterpolate(nd.Scalar(0.9), average[name], p.Value())
		}
	}
	fmt.Printf("%.2f %.2f\n", params.Get("affine/W"), params.With(average).Get("affine/W"))
	fmt.Println(lossOf(params.With(average)).Float() < 0.1)
	// Output:
	// [[2.02]] [[2.03]]
	// true
}

// The Hessian of a model's loss times a direction, without computing the Hessian.
func ExampleScope_With_hessian() {
	x, t := nd.FromSlice([]float32{1, 2, 3, 4}, 4, 1), nd.FromSlice([]float32{1, 3, 2, 5}, 4, 1)
	params := nn.NewScope()
	lossOf := func(params *nn.Scope) *nd.Array { return ops.Mean(loss.SquaredError(nn.Affine(params, x, 1), t)) }
	lossOf(params) // makes the parameters

	tape := grad.NewTape()
	defer tape.Release()
	var names []string
	var weights, direction []*nd.Array
	watched := map[string]*nd.Array{}
	for name, p := range params.All() {
		watched[name] = tape.Watch(p.Value())
		names, weights, direction = append(names, name), append(weights, watched[name]), append(direction, nd.OnesLike(p.Value()))
	}
	gradients := tape.GradientRecorded(lossOf(params.With(watched)), weights...)
	for i, product := range tape.VJP(gradients, direction, weights...) {
		fmt.Println(names[i], product) // 2·mean(x² + x) and 2·mean(x + 1)
	}
	// Output:
	// affine/W [[20.]]
	// affine/b [7.]
}

// TestWithTakesTheArrays trains through a training step, and checks where the arrays of a view are visible.
func TestWithTakesTheArrays(t *testing.T) {
	x := nd.FromSlice([]float32{1, 2}, 2, 1)
	params := nn.NewScope()
	layer := params.Sub("fc")
	lossOf := func(params *nn.Scope) *nd.Array { return ops.Sum(ops.Square(nn.Affine(params.Sub("fc"), x, 1))) }
	lossOf(params)
	params.Set("fc/affine/W", nd.Full([]int{1, 1}, 1))
	params.Set("fc/affine/b", nd.Zeros([]int{1}))

	// loss(w) = 5w², so that one step of 0.01 leads to 0.9w, where the loss has the gradient 0.9·9w.
	tape := grad.NewTape()
	defer tape.Release()
	model := params.Watch(tape)
	w := model.Get("fc/affine/W")
	step := tape.GradientRecorded(lossOf(model), w)[0]
	after := model.With(map[string]*nd.Array{"fc/affine/W": ops.Subtract(w, ops.Multiply(step, 0.01))})
	outer := lossOf(after)
	if got := tape.Gradient(outer, w)[0].Float(); got < 8.099 || got > 8.101 {
		t.Errorf("through a step the gradient is %v, want 8.1", got)
	}
	if got := optim.GradientsOf(after, outer).Get("fc/affine/b"); got == nil {
		t.Error("the parameter that was not given is not watched any more")
	}

	given := nd.Full([]int{1, 1}, float32(3))
	view := layer.With(map[string]*nd.Array{"affine/W": given})
	if view.Get("affine/W") != given || view.Sub("affine").Get("W") != given || layer.Get("affine/W") == given {
		t.Error("the view, and only that, has the array")
	}
	if again := view.With(map[string]*nd.Array{"affine/b": nd.Ones([]int{1})}); again.Get("affine/W") != given {
		t.Error("a view of a view forgets the array")
	}
	if view.Param("affine/W").Value() == given || view.Watch(tape).Get("affine/W") != given {
		t.Error("the parameter itself, and what is watched, stay as they are")
	}
	refused(t, "no parameter", func() { params.With(map[string]*nd.Array{"fc/affine/V": given}) })
	refused(t, "no parameter", func() { params.With(map[string]*nd.Array{"fc": given}) })
	refused(t, "another shape", func() { params.With(map[string]*nd.Array{"fc/affine/b": given}) })
	refused(t, "nil", func() { params.With(map[string]*nd.Array{"fc/affine/b": nil}) })
}
