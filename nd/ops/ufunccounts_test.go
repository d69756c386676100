package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func TestUfuncCounts(t *testing.T) {
	for _, c := range []struct {
		f        any
		nin, out int
	}{
		{ops.Sin, 1, 1}, {ops.Modf, 1, 2}, {ops.Frexp, 1, 2}, {ops.UfuncOf(ops.Add), 2, 1}, {ops.DivMod[*nd.Array, *nd.Array], 2, 2},
	} {
		if nin, out := ops.UfuncCounts(c.f); nin != c.nin || out != c.out {
			t.Errorf("%T: %d and %d, want %d and %d", c.f, nin, out, c.nin, c.out)
		}
	}
	for _, f := range []any{nil, 3, func() {}, func(x *nd.Array) int { return 0 }, func(n int) *nd.Array { return nil }} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a %T is accepted", f)
				}
			}()
			ops.UfuncCounts(f)
		}()
	}
}
