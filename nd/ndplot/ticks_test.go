package ndplot

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		ticker    plot.Ticker
		low, high float64
		want      string
	}{
		{evenTicks{}, 0, 1, "0.0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1.0"},
		{evenTicks{}, -3.1, 3.2, "-3 -2 -1 0 1 2 3"},
		{evenTicks{}, 12, 1013, "200 400 600 800 1000"},
		{evenTicks{}, 0, 3e-7, "0 5e-08 1e-07 1.5e-07 2e-07 2.5e-07 3e-07"},
		{evenTicks{}, 0, 4e9, "0 5e+08 1e+09 1.5e+09 2e+09 2.5e+09 3e+09 3.5e+09 4e+09"},
		{evenTicks{}, 0, 5e-324, ""},
		{evenTicks{}, -math.MaxFloat64, math.MaxFloat64, ""},
		{wholeTicks, -0.5, 2.5, "0 1 2"},
		{wholeTicks, 0, 39, "0 5 10 15 20 25 30 35"},
		{rowTicks{4}, -0.5, 3.5, "0 1 2 3"},
		{rowTicks{30}, -0.5, 29.5, "0 5 10 15 20 25"},
		{roundTicks{}, 0.04, 1.2, "0.05 0.1 0.2 0.5 1"},
		{roundTicks{}, 1e-20, 1e3, "1e-18 1e-15 1e-12 1e-09 1e-06 0.001 1 1e+03"},
	} {
		var labels []string
		for _, tick := range c.ticker.Ticks(c.low, c.high) {
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%T from %v to %v: %s, want %s", c.ticker, c.low, c.high, got, c.want)
		}
	}
	if ticks := (evenTicks{}).Ticks(1e16, 1e16+2); len(ticks) > 12 {
		t.Errorf("%d ticks between neighbours", len(ticks))
	}
	if top := (rowTicks{4}).Ticks(-0.5, 3.5)[0]; top.Label != "0" || top.Value != 3 {
		t.Errorf("row 0 is at %v", top)
	}
}
