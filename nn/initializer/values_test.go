package initializer_test

import (
	"math"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// refused checks that f panics with an *nd.Error whose text contains want.
func refused(t *testing.T, want string, f func()) {
	t.Helper()
	err := nd.Catch(f)
	if err == nil {
		t.Errorf("nothing was refused, want %q", want)
	} else if !strings.Contains(err.Error(), want) {
		t.Errorf("refused with %q, want %q", err, want)
	}
}

func floats(x *nd.Array) []float64 { return nd.ToSlice[float64](x.AsType(dtype.Float64)) }

func length(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum)
}

func images(n int) *nd.Array {
	return ops.Sin(nd.Arange(0, float64(n*2*5*5), 1, dtype.Float32)).Reshape(n, 2, 5, 5)
}
