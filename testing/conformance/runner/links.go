package runner

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// linkCase returns the function and the case for a case of a link. The argument method selects that method of the link.
// A result given as text among the arguments becomes the expected value.
func (r *Runner) linkCase(c *golden.Case) (*catalogue.Function, *golden.Case) {
	fn := r.functions[c.Function]
	if !strings.HasPrefix(c.Function, "chainer.links.") {
		return fn, c
	}
	for i, a := range c.Args {
		rest := *c
		rest.Args = slices.Delete(slices.Clone(c.Args), i, i+1)
		switch method, _ := a.Value.(string); {
		case a.Name == "method":
			return r.functions[c.Function+"."+method], &rest
		case a.Name == "tree" && fn != nil && fn.Param("tree") == nil:
			rest.HasExpected, rest.Expected = true, pairs(a.Value)
			return fn, &rest
		}
	}
	return fn, c
}

// pairs formats nested pairs like a link.Tree.
func pairs(v golden.Value) string {
	if list, ok := v.(golden.List); ok && len(list) == 2 {
		return fmt.Sprintf("(%s, %s)", pairs(list[0]), pairs(list[1]))
	}
	return fmt.Sprint(v)
}

// initial calls a link with inputs that fit its sizes, and compares the parameters that it creates with those that the
// case, named NAME.init, expects.
func (r *Runner) initial(fn *catalogue.Function, f *golden.File, c *golden.Case) error {
	want, _ := c.Args.Get("expect")
	parameters, ok := want.(golden.Object)
	if !ok {
		return fmt.Errorf("want expected values in the case")
	}
	given := slices.DeleteFunc(slices.Clone(c.Args), func(a golden.Member) bool { return a.Name == "expect" })
	s := nn.NewScope(nn.ScopeOptions{Device: r.Device})
	if err := r.probe(fn, f, given, s); err != nil {
		return err
	}
	names := s.Names()
	if len(names) != len(parameters) {
		return fmt.Errorf("the link created %q, want %d parameters", names, len(parameters))
	}
	for _, p := range parameters {
		how, _ := p.Value.(golden.Object)
		x := s.Get(p.Name)
		if x == nil {
			return fmt.Errorf("the link created %q, want also %s", names, p.Name)
		}
		if shape, _ := how.Get("shape"); !slices.Equal(x.Shape(), lengths(shape)) {
			return fmt.Errorf("parameter %s: shape %v, want %v", p.Name, x.Shape(), shape)
		}
		if err := asInitialized(realParts(x), how); err != nil {
			return fmt.Errorf("parameter %s: %w", p.Name, err)
		}
	}
	return nil
}

// probe calls a link, with its constructor arguments, in a scope with inputs that fit its sizes.
func (r *Runner) probe(fn *catalogue.Function, f *golden.File, given golden.Object, s *nn.Scope) error {
	args, err := Arguments(f, fn, given, nil)
	if err != nil {
		return err
	}
	for name, x := range probes(fn.Name, given) {
		if p := fn.Param(name); p != nil && !p.HasDefault && args[name] == nil {
			args[name] = x
		}
	}
	_, err = fn.Call(nil, args, catalogue.CallOptions{Device: r.Device, Scope: s})
	return err
}

// probes returns inputs for links with the sizes of a case, by argument name.
func probes(link string, args golden.Object) map[string]any {
	size := func(names ...string) int {
		for _, name := range names {
			if v, ok := args.Get(name); ok {
				if n, ok := v.(*big.Int); ok {
					return int(n.Int64())
				}
			}
		}
		return 1
	}
	zeros := func(shape ...int) *nd.Array { return nd.Zeros(shape, dtype.Float32) }
	label := nd.Zeros([]int{1}, dtype.Int32)
	x := zeros(1, size("n_inputs", "in_size", "n_label", "in_out_size", "size"))
	shape, _ := args.Get("shape")
	if v, ok := args.Get("W_shape"); ok {
		shape = v
	}
	if v, ok := args.Get("size"); ok && shape == nil {
		shape = v
	}
	_, windows := args.Get("ksize")
	switch list := lengths(shape); {
	case link == "chainer.links.EmbedID":
		x = label
	case windows:
		const enough = 16 // enough for any window
		axes := 2
		if _, ok := args.Get("ndim"); ok {
			axes = size("ndim")
		}
		x = zeros(append([]int{1, size("in_channels")}, slices.Repeat([]int{enough}, axes)...)...)
	case len(list) > 0:
		x = zeros(append(slices.Repeat([]int{1}, size("axis")), list...)...)
	}
	return map[string]any{"x": x, "h": zeros(1, size("n_units")), "t": label, "xs": []*nd.Array{x}, "ys": []*nd.Array{label},
		"e1": zeros(1, size("left_size")), "e2": zeros(1, size("right_size"))}
}

// asInitialized checks initial values: a constant, or draws with mean 0 whose mean and standard deviation are right
// within 5 standard errors and which stay within the limits of a uniform distribution.
func asInitialized(values []float64, how golden.Object) error {
	if v, ok := how.Get("constant"); ok {
		constant, _ := golden.Float(v)
		return allBetween(values, constant, constant)
	}
	v, ok := how.Get("std")
	if !ok {
		return nil // not documented
	}
	std, _ := golden.Float(v)
	n, sum, squares := float64(len(values)), 0.0, 0.0
	for _, v := range values {
		sum, squares = sum+v, squares+v*v
	}
	if mean := sum / n; !(math.Abs(mean) <= 5*std/math.Sqrt(n)) {
		return fmt.Errorf("the mean is %v, want 0 within %v", mean, 5*std/math.Sqrt(n))
	}
	if got := math.Sqrt(squares / n); !(math.Abs(got-std) <= 5*std/math.Sqrt(2*n)) {
		return fmt.Errorf("the standard deviation is %v, want %v within %v", got, std, 5*std/math.Sqrt(2*n))
	}
	if kind, _ := how.Get("distribution"); kind == "uniform" {
		return allBetween(values, -std*math.Sqrt(3), std*math.Sqrt(3))
	}
	return nil
}
