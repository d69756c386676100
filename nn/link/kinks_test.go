package link_test

import (
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/link"
)

// TestGradientsAtKinks tests that links have Chainer's gradients at corners and ties.
func TestGradientsAtKinks(t *testing.T) {
	for _, test := range []struct {
		name string
		l    link.Layer
		want []float32
	}{
		{"PReLU", link.PReLU{}, []float32{1, 0.25, 1}},
		{"Maxout", link.Maxout{OutSize: 1, PoolSize: 2, InitialW: initializer.Constant(1)}, []float32{2, 2, 2}},
	} {
		tape := grad.NewTape()
		x := tape.Watch(nd.FromSlice([]float32{0, -1, 1}, 1, 3))
		y := test.l.Apply(nn.NewScope().Watch(tape), x)
		if got := nd.ToSlice[float32](tape.Gradient(y, x)[0].Ravel()); !slices.Equal(got, test.want) {
			t.Errorf("%s: the gradient is %v, want %v", test.name, got, test.want)
		}
	}
}
