package normalize_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
)

// TestAxesAlone compares axes by themselves with the same axes as a field of the options, and refuses an axis out of range.
func TestAxesAlone(t *testing.T) {
	x, u := opstest.Normal(1, dtype.Float64, 3, 4), opstest.Normal(2, dtype.Float64, 4)
	g := ops.Absolute(u)
	for name, c := range map[string]struct {
		alone func(axes ops.Axes) *nd.Array
		field *nd.Array
	}{
		"LayerNormalization": {
			func(axes ops.Axes) *nd.Array { return normalize.LayerNormalization(x, nil, nil, axes) },
			normalize.LayerNormalization(x, nil, nil, normalize.LayerNormalizationOptions{BatchAxis: ops.Over(1)}),
		},
		"WeightStandardization": {
			func(axes ops.Axes) *nd.Array { return normalize.WeightStandardization(x, axes) },
			normalize.WeightStandardization(x, normalize.WeightStandardizationOptions{ChannelAxis: ops.Over(1)}),
		},
		"WeightNormalization": {
			func(axes ops.Axes) *nd.Array { return normalize.WeightNormalization(x, g, axes) },
			normalize.WeightNormalization(x, g, normalize.WeightNormalizationOptions{Axis: ops.Over(1)}),
		},
		"SpectralNorm": {
			func(axes ops.Axes) *nd.Array { return normalize.SpectralNorm(x, u.Copy(), axes) },
			normalize.SpectralNorm(x, u.Copy(), normalize.SpectralNormOptions{Axis: ops.Over(1)}),
		},
	} {
		t.Run(name, func(t *testing.T) {
			opstest.Close(t, c.alone(ops.Over(1)), c.field, 0)
			opstest.Close(t, c.alone(ops.Over(-1)), c.field, 0)
			opstest.Refuses(t, "axis 2", func() { c.alone(ops.Over(2)) })
		})
	}
	opstest.Refuses(t, "axes [0 1]: want one", func() { normalize.WeightNormalization(x, g, ops.Over(0, 1)) })
}
