package catalogue

import (
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var compareBig = cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 })

func TestParseSignature(t *testing.T) {
	s, err := parseSignature("a.b.c(x, /, axis=None, *, eps=1e-5, n=-1, pad=(0, 0), modes=['a,b', \"c\"], dtype=numpy.float32, end=float, style={'a': 'x, y', 'n': None}, on=True, *xs, **kw)")
	if err != nil {
		t.Fatal(err)
	}
	if s.name != "a.b.c" {
		t.Errorf("name %q", s.name)
	}
	integer := func(v int64) any { return big.NewInt(v) }
	want := []Param{
		{Name: "x"},
		{Name: "axis", HasDefault: true},
		{Name: "eps", HasDefault: true, Default: 1e-5},
		{Name: "n", HasDefault: true, Default: integer(-1)},
		{Name: "pad", HasDefault: true, Default: []any{integer(0), integer(0)}},
		{Name: "modes", HasDefault: true, Default: []any{"a,b", "c"}},
		{Name: "dtype", HasDefault: true, Default: "float32"},
		{Name: "end", HasDefault: true, Default: "float"},
		{Name: "style", HasDefault: true, Default: map[string]any{"a": "x, y", "n": nil}},
		{Name: "on", HasDefault: true, Default: true},
		{Name: "xs", HasDefault: true, Default: []any{}, Stars: 1},
		{Name: "kw", HasDefault: true, Default: []any{}, Stars: 2},
	}
	if d := cmp.Diff(want, s.params, cmp.AllowUnexported(Param{}), compareBig); d != "" {
		t.Error(d)
	}
}

func TestParseSignatureWithoutArguments(t *testing.T) {
	s, err := parseSignature("f()")
	if err != nil || len(s.params) != 0 {
		t.Errorf("%v, %v", s, err)
	}
}

func TestParseSignatureRefuses(t *testing.T) {
	for _, text := range []string{"", "f", "f(x", "(x)", "f(1x)", "f(x, x)", "f(x=)", "f(x='a)", "f(x=1..2)", "f(x=<object>)", "f(x y)", "f(x={1: 2})", "f(x={'a'})"} {
		if s, err := parseSignature(text); err == nil {
			t.Errorf("%q was read as %v", text, s)
		}
	}
}
