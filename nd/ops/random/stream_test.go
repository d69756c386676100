package random_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// drawers are functions of a stream and a device.
func drawers() map[string]func(rng *nd.Rand, o nd.ArrayOptions) *nd.Array {
	shape := []int{30, 40}
	all := map[string]func(rng *nd.Rand, o nd.ArrayOptions) *nd.Array{
		"Integers": func(rng *nd.Rand, o nd.ArrayOptions) *nd.Array { return random.Integers(rng, -5, 1000, shape, o) },
		"huge Integers": func(rng *nd.Rand, o nd.ArrayOptions) *nd.Array {
			return random.Integers(rng, math.MinInt, math.MaxInt/2, shape, o)
		},
		"Bits":        func(rng *nd.Rand, o nd.ArrayOptions) *nd.Array { return random.Bits(rng, shape, o) },
		"Bernoulli":   func(rng *nd.Rand, o nd.ArrayOptions) *nd.Array { return random.Bernoulli(rng, 0.3, shape, o) },
		"Poisson":     func(rng *nd.Rand, o nd.ArrayOptions) *nd.Array { return random.Poisson(rng, 20, shape, o) },
		"Binomial":    func(rng *nd.Rand, o nd.ArrayOptions) *nd.Array { return random.Binomial(rng, 50, 0.3, shape, o) },
		"Geometric":   func(rng *nd.Rand, o nd.ArrayOptions) *nd.Array { return random.Geometric(rng, 0.1, shape, o) },
		"Permutation": func(rng *nd.Rand, o nd.ArrayOptions) *nd.Array { return random.Permutation(rng, 300, o) },
		"Choice": func(rng *nd.Rand, o nd.ArrayOptions) *nd.Array {
			p := nd.FromSlice([]float64{0.5, 0.25, 0.125, 0.125})
			if o.Device != nil {
				p = p.To(o.Device)
			}
			return random.Choice(rng, 4, shape, random.ChoiceOptions{P: p})
		},
	}
	for _, c := range continuous {
		all[c.name] = func(rng *nd.Rand, o nd.ArrayOptions) *nd.Array { return c.draw(rng, shape, o) }
	}
	return all
}

func numbers(x *nd.Array) []float64 { return nd.ToSlice[float64](x.AsType(dtype.Float64)) }

func TestTheDeviceDoesNotMatter(t *testing.T) {
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	for name, draw := range drawers() {
		x, y := draw(nd.NewRand(6), nd.ArrayOptions{}), draw(nd.NewRand(6), nd.ArrayOptions{Device: ref})
		if y.Device() != ref || y.DType() != x.DType() {
			t.Errorf("%s: %s on %s", name, y.DType(), y.Device().Name())
		}
		got, want := numbers(y), numbers(x)
		for i := range want {
			// logarithms of about 1 lose digits
			if d := math.Abs(got[i] - want[i]); d > 1e-14*max(math.Abs(want[i]), 0.1) || x.DType().IsInteger() && d != 0 {
				t.Fatalf("%s: element %d is %v on ref, %v on cpu", name, i, got[i], want[i])
			}
		}
	}
}

func TestTheNumberOfWorkersDoesNotMatter(t *testing.T) {
	for name, draw := range drawers() {
		var want []float64
		for _, count := range []int{1, 2, 5} {
			old := cpu.SetWorkers(count)
			got := numbers(draw(nd.NewRand(6), nd.ArrayOptions{}))
			cpu.SetWorkers(old)
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %d workers draw other numbers", name, count)
			}
		}
	}
}

// Numbers of a stream and of its splits are not more alike than chance allows.
func TestSplitsAreIndependent(t *testing.T) {
	const n = 20000
	r := nd.NewRand(1)
	a, b := r.Split(), r.Split()
	streams := []*nd.Array{random.Normal(r, 0, 1, []int{n}), random.Normal(a, 0, 1, []int{n}), random.Normal(b, 0, 1, []int{n}),
		random.Normal(a.Split(), 0, 1, []int{n}), random.Normal(nd.NewRand(2), 0, 1, []int{n})}
	for i, x := range streams {
		for _, y := range streams[:i] {
			if c := nd.Value[float64](ops.Mean(ops.Multiply(x, y))); math.Abs(c) > 5/math.Sqrt(n) {
				t.Errorf("stream %d: correlation %v", i, c)
			}
		}
	}
	if first := nd.ToSlice[float64](streams[0]); !slices.Equal(first, nd.ToSlice[float64](random.Normal(nd.NewRand(1), 0, 1, []int{n}))) {
		t.Error("splitting changed what the stream itself draws")
	}
}

func TestDrawsOnTheHostGoOn(t *testing.T) {
	r := nd.NewRand(3)
	first, second := numbers(random.Gamma(r, 2, 1, []int{50})), numbers(random.Gamma(r, 2, 1, []int{50}))
	if slices.Equal(first, second) {
		t.Error("two calls drew the same numbers")
	}
	if !slices.Equal(first, numbers(random.Gamma(nd.NewRand(3), 2, 1, []int{50}))) {
		t.Error("the same seed drew other numbers")
	}
}

func TestNormalOf(t *testing.T) {
	mean, std := nd.FromSlice([]float64{-10, 0, 100}), nd.FromSlice([]float64{1, 2}, 2, 1)
	tape := grad.NewTape()
	defer tape.Release()
	m, s := tape.Watch(mean), tape.Watch(std)
	x := random.NormalOf(nd.NewRand(4), m, s, nil)
	z := random.Normal(nd.NewRand(4), 0, 1, []int{2, 3})
	want := ops.Add(ops.Multiply(z, std), mean)
	if !slices.Equal(numbers(x.Detach()), numbers(want)) {
		t.Errorf("drew %v, want %v", x, want)
	}
	gs := tape.Gradient(x, m, s)
	if !slices.Equal(numbers(gs[0]), []float64{2, 2, 2}) || !slices.Equal(numbers(gs[1]), numbers(ops.Sum(z, ops.Over(1)))) {
		t.Errorf("gradients %v and %v", gs[0], gs[1])
	}
	single := random.NormalOf(nd.NewRand(4), mean, nd.Scalar(0.5), []int{4, 3}, dtype.Float32)
	if single.DType() != dtype.Float32 || !slices.Equal(single.Shape(), []int{4, 3}) {
		t.Errorf("%#v", single)
	}
}
