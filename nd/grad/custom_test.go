package grad_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// scaled returns x·w as a user-defined function with these claims; nil means all.
func scaled(claims *nd.Claims) *grad.Function {
	return &grad.Function{
		Name:    "test.scaled",
		Forward: func(in []*nd.Array) []*nd.Array { return []*nd.Array{ops.Multiply(in[0], in[1])} },
		Backward: func(c *nd.Call) {
			if c.Needs(0) {
				c.SetGx(0, ops.Multiply(c.Gy(0), c.In(1)))
			}
			if c.Needs(1) {
				c.SetGx(1, ops.Multiply(c.Gy(0), c.In(0)))
			}
		},
		Claims: claims,
	}
}

// TestCustomFunctionClaims: values that a function does not read may be overwritten, and the tape does not hold them.
func TestCustomFunctionClaims(t *testing.T) {
	for name, c := range map[string]struct {
		claims   *nd.Claims
		isRead   bool
		retained int64
	}{
		"all":          {nil, true, 3 * 24},
		"its weight":   {&nd.Claims{In: 1 << 1}, false, 24},
		"both factors": {&nd.Claims{In: 0b11}, true, 2 * 24},
	} {
		tape := grad.NewTape()
		x, w := vector(1, 2, 3), tape.Watch(vector(4, 5, 6))
		x0 := tape.Watch(vector(7, 8, 9))
		y := scaled(c.claims).Call(x0, w)[0]
		if needed := tape.Summary().Total().Needed; needed != c.retained {
			t.Errorf("%s: gradients hold %d bytes, want %d", name, needed, c.retained)
		}
		near(t, name, tape.Gradient(y, x0)[0], 4, 5, 6)

		z := scaled(c.claims).Call(x, w)[0]
		nd.Fill(x, 0.5)
		back := func() { tape.Gradient(z, w) }
		switch {
		case c.isRead:
			refused(t, back, "test.scaled", "input 0", "overwritten")
		default:
			refused(t, back, "test.scaled", "input 0", "does not claim")
		}
		tape.Release()
	}
}

// TestCustomFunctionClaimsInSecondOrder: recorded gradients use only claimed values.
func TestCustomFunctionClaimsInSecondOrder(t *testing.T) {
	square := &grad.Function{
		Name:     "test.square",
		Forward:  func(in []*nd.Array) []*nd.Array { return []*nd.Array{ops.Square(in[0])} },
		Backward: func(c *nd.Call) { c.SetGx(0, ops.Multiply(ops.Multiply(c.Gy(0), c.In(0)), 2)) },
		Claims:   &nd.Claims{In: 1},
	}
	f := func(x *nd.Array) *nd.Array { return square.Call(square.Call(x)[0])[0] } // x⁴
	near(t, "12x²", grad.Grad(grad.Grad(f))(vector(1, -2)), 12, 48)
}
