package initializer_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// A kernel of 200 outputs from 10 channels of 3 by 5 has 150 inputs per output.
func TestFans(t *testing.T) {
	const in, out, scale = 150, 200, 0.5
	for name, c := range map[string]struct {
		initial func(scale float64) initializer.Initializer
		std     float64
		uniform bool
	}{
		"LeCunNormal":   {initializer.LeCunNormal, math.Sqrt(1.0 / in), false},
		"GlorotNormal":  {initializer.GlorotNormal, math.Sqrt(2.0 / (in + out)), false},
		"HeNormal":      {initializer.HeNormal, math.Sqrt(2.0 / in), false},
		"LeCunUniform":  {initializer.LeCunUniform, math.Sqrt(1.0 / in), true},
		"GlorotUniform": {initializer.GlorotUniform, math.Sqrt(2.0 / (in + out)), true},
		"HeUniform":     {initializer.HeUniform, math.Sqrt(2.0 / in), true},
	} {
		x := initially([]int{200, 10, 3, 5}, c.initial(scale), nn.ScopeOptions{DType: dtype.Float64, Rand: nd.NewRand(1)})
		values, want := floats(x), scale*c.std
		n := float64(len(values))
		if got := length(values) / math.Sqrt(n); math.Abs(got-want) > 5*want/math.Sqrt(2*n) {
			t.Errorf("%s: the standard deviation is %v, want %v", name, got, want)
		}
		largest := 0.0
		for _, v := range values {
			largest = max(largest, math.Abs(v))
		}
		if limit := want * math.Sqrt(3); c.uniform != (largest <= limit) {
			t.Errorf("%s: the largest draw is %v, and %v the limit of uniform ones", name, largest, limit)
		}
		for _, shape := range [][]int{nil, {4}} {
			refused(t, "initializer."+name, func() { initially(shape, c.initial(1)) })
		}
		if got := initially([]int{3, 0}, c.initial(1)); got.Size() != 0 {
			t.Errorf("%s: %v of no inputs", name, got)
		}
	}
}
