package nn_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
)

// TestAxesAlone compares axes by themselves with the same axes as a field of the options, and refuses an axis out of range.
func TestAxesAlone(t *testing.T) {
	x := ramp(2, 3, 4)
	for name, c := range map[string]struct {
		alone func(s *nn.Scope, axes ops.Axes) *nd.Array
		field func(s *nn.Scope) *nd.Array
	}{
		"BatchNormalization": {
			func(s *nn.Scope, axes ops.Axes) *nd.Array { return nn.BatchNormalization(s, x, axes) },
			func(s *nn.Scope) *nd.Array {
				return nn.BatchNormalization(s, x, nn.BatchNormalizationOptions{Axes: ops.Over(2)})
			},
		},
		"LayerNormalization": {
			func(s *nn.Scope, axes ops.Axes) *nd.Array { return nn.LayerNormalization(s, x, axes) },
			func(s *nn.Scope) *nd.Array {
				return nn.LayerNormalization(s, x, nn.LayerNormalizationOptions{BatchAxis: ops.Over(2)})
			},
		},
		"WeightNormalization": {
			func(s *nn.Scope, axes ops.Axes) *nd.Array { return nn.WeightNormalization(s, x, axes) },
			func(s *nn.Scope) *nd.Array {
				return nn.WeightNormalization(s, x, nn.WeightNormalizationOptions{Axis: ops.Over(2)})
			},
		},
		"SpectralNorm": {
			func(s *nn.Scope, axes ops.Axes) *nd.Array { return nn.SpectralNorm(s, x, axes) },
			func(s *nn.Scope) *nd.Array { return nn.SpectralNorm(s, x, nn.SpectralNormOptions{Axis: ops.Over(2)}) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got, want := floats(c.alone(nn.NewScope(), ops.Over(2))), floats(c.field(nn.NewScope())); !cmp.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
			refused(t, "axis 3", func() { c.alone(nn.NewScope(), ops.Over(3)) })
		})
	}
}
