package nn_test

import (
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
)

func TestCheckParameter(t *testing.T) {
	s := nn.NewScope()
	s.Set("a/b/w", nd.Zeros([]int{2}))
	s.Sub("a/empty")
	closed := nn.NewScope()
	closed.Set("a/w", nd.Zeros([]int{2}))
	closed.Sub("a").Close("a file")
	for _, c := range []struct {
		scope *nn.Scope
		name  string
		shape []int
		want  string // "" if nothing is wrong
	}{
		{s, "a/b/w", []int{2}, ""},
		{s, "a/new/w", []int{3}, ""},
		{s, "a/empty", []int{3}, ""},
		{s.Sub("a"), "b/w", []int{2}, ""},
		{s, "a/b/w", []int{1, 2}, `the parameter "a/b/w" has shape (2,), not (1, 2)`},
		{s.Sub("a"), "b/w", nil, `the parameter "a/b/w" has shape (2,), not ()`},
		{s, "a/b", []int{2}, `"a/b" is a scope, not a parameter`},
		{s, "a/b/w/x", []int{2}, `"a/b/w/x": "a/b/w" is a parameter, not a scope`},
		{s, "", []int{2}, `"" cannot be the name of a parameter`},
		{s, "a//w", []int{2}, `"a//w" cannot be the name of a parameter`},
		{s, "../w", []int{2}, `"../w" cannot be the name of a parameter`},
		{closed, "a/w", []int{2}, ""},
		{closed, "b", []int{2}, ""},
		{closed, "a/v", []int{2}, `"a/v" is not among the parameters that a file brought; Scope.Open allows new ones`},
	} {
		names := len(c.scope.Names())
		err := c.scope.CheckParameter(c.name, c.shape)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q of shape %v: %v, want %q", c.name, c.shape, err, c.want)
		}
		if len(c.scope.Names()) != names {
			t.Errorf("%q was created", c.name)
		}
	}
}
