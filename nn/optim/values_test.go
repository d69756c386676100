package optim_test

import (
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
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

// imageNet is a small network with statistics and dropout.
func imageNet(s *nn.Scope, x *nd.Array) *nd.Array {
	h := nn.Convolution(s.Sub("c"), x, 4, []int{3, 3}, nn.ConvolutionOptions{Pad: []int{1}, WithBias: new(false)})
	h = ops.ReLU(nn.BatchNormalization(s.Sub("c"), h))
	return nn.Affine(s.Sub("fc"), nn.Dropout(s, h, 0.5), 3)
}

func images(n int) *nd.Array {
	return ops.Sin(nd.Arange(0, float64(n*2*5*5), 1, dtype.Float32)).Reshape(n, 2, 5, 5)
}
