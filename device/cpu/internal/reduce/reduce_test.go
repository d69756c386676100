package reduce

import (
	"math"
	"math/big"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestSumIsAccurate sums numbers whose sequential sum in float32 has a far larger error than pairwise summation may
// have.
func TestSumIsAccurate(t *testing.T) {
	p := launchtest.Compile(t, dtype.Float32, "T x", "T out", "x")
	const n = 1 << 20
	data := make([]float32, n)
	exact := new(big.Float).SetPrec(200)
	for i := range data {
		data[i] = 0.1 + float32(i%7)*0.01
		exact.Add(exact, big.NewFloat(float64(data[i])))
	}
	want, _ := exact.Float64()
	for _, c := range []struct {
		name    string
		loop    []int
		strides []int
	}{{"all", []int{n}, []int{1}}, {"one column of two", []int{2, n / 2}, []int{1, 2}}} {
		out := make([]float32, 2)
		strides := []int{0}
		if len(c.loop) == 2 {
			strides = []int{1, 0}
		}
		l := launchtest.Launch(c.loop, launchtest.NewStrided(out, 0, strides), launchtest.NewStrided(data, 0, c.strides))
		l.Program, l.Reduced, l.Combine = p, 1, device.CombineSum
		Reduce(l)
		l.Recycle()
		got := float64(out[0]) + float64(out[1])
		if rel := math.Abs(got-want) / want; rel > 1e-6 {
			t.Errorf("%s: %.9g, want %.9g: off by %g", c.name, got, want, rel)
		}
	}
}

func TestReduceFinishesWithPost(t *testing.T) {
	p := launchtest.Compile(t, dtype.Float64, "T x", "T out", "x*s")
	post, err := device.Source{Name: "post", Inputs: "float64 v", Scalars: "float64 d", Outputs: "float64 out", Body: "sqrt(v)/d"}.Compile(nil)
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{1, 2, 3, 10, 20, 30}
	out := make([]float64, 2)
	l := launchtest.Launch([]int{2, 3}, launchtest.NewStrided(out, 0, []int{1, 0}), launchtest.New(x, 2, 3))
	l.Program, l.Post, l.Reduced, l.Combine = p, post, 1, device.CombineSum
	l.Scalars[0].Re, l.Scalars[1].Re = 6, 2
	Reduce(l)
	l.Recycle()
	if out[0] != 3 || out[1] != math.Sqrt(360)/2 {
		t.Errorf("got %v", out)
	}
}
