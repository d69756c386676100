package quant_test

import (
	"crypto/sha256"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
)

// waves are float64 numbers from -1 to 1.
func waves(shape ...int) *nd.Array {
	x := nd.Zeros(shape, dtype.Float64)
	values := make([]float64, x.Size())
	for k := range values {
		values[k] = math.Sin(1.7*float64(k) + 0.3*float64(len(shape)))
	}
	return nd.FromSlice(values, shape...)
}

// float64s returns a scope of float64.
func float64s() *nn.Scope {
	return nn.NewScope(nn.ScopeOptions{DType: dtype.Float64, Rand: nd.NewRand(5)})
}

// closeTo compares with a tolerance.
func closeTo(t *testing.T, what string, got *nd.Array, want []float64, tolerance float64) {
	t.Helper()
	values := floats(got)
	if len(values) != len(want) {
		t.Fatalf("%s: %d elements, want %d", what, len(values), len(want))
	}
	for k, v := range values {
		if math.IsNaN(v) != math.IsNaN(want[k]) || math.Abs(v-want[k]) > tolerance {
			t.Fatalf("%s: element %d is %v, want %v", what, k, v, want[k])
		}
	}
}

// near compares with a tolerance for sums of float64.
func near(t *testing.T, what string, got *nd.Array, want []float64) {
	t.Helper()
	most := 1.
	for _, v := range want {
		most = max(most, math.Abs(v))
	}
	closeTo(t, what, got, want, 1e-11*most)
}

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

func ramp(shape ...int) *nd.Array {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return nd.Arange(0, float64(n), 1, dtype.Float32).Reshape(shape...)

}

// line holds the sizes of a one-dimensional layer.
type line struct{ n, channels, length, outmaps, kernel, pad, stride, dilation, group int }

func (c line) outputs() int { return (c.length+2*c.pad-c.dilation*(c.kernel-1)-1)/c.stride + 1 }

// convolved sums over the channels of a group and the taps, by the definition; w (outmaps, channels/group, kernel).
func (c line) convolved(x, w, b []float64) []float64 {
	in, out, positions := c.channels/c.group, c.outmaps/c.group, c.outputs()
	y := make([]float64, c.n*c.outmaps*positions)
	for n := range c.n {
		for m := range c.outmaps {
			for l := range positions {
				sum := b[m]
				for i := range in {
					for k := range c.kernel {
						if at := l*c.stride + k*c.dilation - c.pad; at >= 0 && at < c.length {
							sum += w[(m*in+i)*c.kernel+k] * x[(n*c.channels+m/out*in+i)*c.length+at]
						}
					}
				}
				y[(n*c.outmaps+m)*positions+l] = sum
			}
		}
	}
	return y
}

// fingerprint is a hash of all values of a scope.
func fingerprint(s *nn.Scope) string {
	h := sha256.New()
	for name, p := range s.All() {
		fmt.Fprintln(h, name, p.Value().DType(), p.Value().Shape(), floats(p.Value()))
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}
