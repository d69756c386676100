package random_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// counted counts the results of f over the samples, and checks that each share is within five standard deviations.
func counted(t *testing.T, what string, samples int, shares map[string]float64, f func(sample int) string) {
	t.Helper()
	counts := map[string]int{}
	for i := range samples {
		counts[f(i)]++
	}
	for name, count := range counts {
		p := shares[name]
		if want := p * float64(samples); math.Abs(float64(count)-want) > 5*math.Sqrt(want*(1-p)) {
			t.Errorf("%s: %s comes %d times of %d, want some %v", what, name, count, samples, want)
		}
	}
	if len(counts) != len(shares) {
		t.Errorf("%s: %d kinds came, want %d", what, len(counts), len(shares))
	}
}

// texts returns the rows of a matrix as texts.
func texts(x *nd.Array) func(sample int) string {
	rows := nd.ToSlice[int](x.Reshape(x.Dim(0), -1).AsType(dtype.Int64))
	width := len(rows) / x.Dim(0)
	return func(i int) string { return fmt.Sprint(rows[i*width : (i+1)*width]) }
}

// evenly returns the same share for all.
func evenly(names ...string) map[string]float64 {
	shares := map[string]float64{}
	for _, name := range names {
		shares[name] += 1 / float64(len(names))
	}
	return shares
}

func TestAugmentationsAreEvenlyDrawn(t *testing.T) {
	const n = 2000
	x := nd.ArangeInt(1, 4, 1).BroadcastTo(n, 3).Copy() // 1 2 3
	counted(t, "Crop", n, evenly("[1 2]", "[2 3]"), texts(random.Crop(nd.NewRand(1), x, random.CropOptions{Shape: []int{2}})))
	counted(t, "Flip", n, evenly("[1 2 3]", "[3 2 1]"), texts(random.Flip(nd.NewRand(2), x)))
	for mode, want := range map[random.BorderMode][]string{
		"":         {"[1 2 3]", "[1 1 2]", "[2 3 3]", "[1 1 1]", "[3 3 3]"},
		"reflect":  {"[1 2 3]", "[1 1 2]", "[2 3 3]", "[2 1 1]", "[3 3 2]"},
		"constant": {"[1 2 3]", "[9 1 2]", "[2 3 9]", "[9 9 1]", "[3 9 9]"},
	} {
		y := random.Shift(nd.NewRand(3), x, random.ShiftOptions{Shifts: []int{2}, BorderMode: mode, ConstantValue: 9})
		if y.DType() != dtype.Int64 {
			t.Errorf("Shift makes %s of int64", y.DType())
		}
		counted(t, "Shift "+string(mode), n, evenly(want...), texts(y))
	}
	both := nd.ArangeInt(0, 4, 1).Reshape(1, 2, 2).BroadcastTo(n, 2, 2).Copy()
	counted(t, "Flip of two axes", n, evenly("[0 1 2 3]", "[1 0 3 2]", "[2 3 0 1]", "[3 2 1 0]"),
		texts(random.Flip(nd.NewRand(4), both, random.FlipOptions{Axes: ops.Over(1, 2)})))
	// In one row of three elements, a rectangle of area 2 and ratio 1/2 has one row and two columns.
	half := []float64{0.5, 0.5}
	image := nd.Zeros([]int{n, 1, 1, 3}, dtype.Float32)
	erased := random.Erase(nd.NewRand(5), image, random.EraseOptions{AreaRatios: []float64{2.0 / 3, 2.0 / 3}, AspectRatios: half, Replacements: []float64{1, 1}})
	counted(t, "Erase", n, map[string]float64{"[0 0 0]": 0.5, "[1 1 0]": 0.25, "[0 1 1]": 0.25}, texts(erased))
}

func TestEraseOfChannels(t *testing.T) {
	x := nd.Zeros([]int{50, 4, 6, 3})
	o := random.EraseOptions{Prob: new(1.0), Replacements: []float64{1, 2}, N: 2, ChannelLast: true}
	for _, share := range []bool{true, false} {
		o.Share = &share
		y := random.Erase(nd.NewRand(1), x, o)
		erased := ops.NotEqual(y, 0)
		same := ops.ArrayEqual(erased, erased.Index(nd.Ellipsis(), nd.Span(0, 1)).BroadcastTo(erased.Shape()...))
		if same != share {
			t.Errorf("with Share %v the channels are erased alike: %v", share, same)
		}
		if values := nd.Value[float64](ops.Mean(y.Index(nd.Pick(erased)))); math.Abs(values-1.5) > 0.05 {
			t.Errorf("erased elements have the mean %v, want 1.5", values)
		}
	}
}

// TestAugmentationsGoBackAsTheyCame uses that the gradient of the squared results is linear in the source elements, so
// that the same draws give it.
func TestAugmentationsGoBackAsTheyCame(t *testing.T) {
	x := random.Normal(nd.NewRand(1), 0, 1, []int{3, 2, 4, 5})
	no := false
	for name, f := range map[string]func(rng *nd.Rand, x *nd.Array) *nd.Array{
		"Crop": func(rng *nd.Rand, x *nd.Array) *nd.Array {
			return random.Crop(rng, x, random.CropOptions{Shape: []int{2, 3}})
		},
		"Flip": func(rng *nd.Rand, x *nd.Array) *nd.Array { return random.Flip(rng, x) },
		"Shift": func(rng *nd.Rand, x *nd.Array) *nd.Array {
			return random.Shift(rng, x, random.ShiftOptions{Shifts: []int{3, 2}, BorderMode: "reflect"})
		},
		"Shift constant": func(rng *nd.Rand, x *nd.Array) *nd.Array {
			return random.Shift(rng, x, random.ShiftOptions{Shifts: []int{3, 2}, BorderMode: "constant"})
		},
		"Erase": func(rng *nd.Rand, x *nd.Array) *nd.Array {
			return random.Erase(rng, x, random.EraseOptions{Prob: new(1.0), Replacements: []float64{0, 0}})
		},
		"AugmentImage": func(rng *nd.Rand, x *nd.Array) *nd.Array {
			return random.AugmentImage(rng, x, random.AugmentImageOptions{MinScale: new(0.5), MaxScale: new(2.0), Angle: 1, FlipLR: true, Contrast: new(2.0)})
		},
	} {
		tape := grad.NewTape()
		w := tape.Watch(x)
		y := f(nd.NewRand(7), w)
		seed := random.Normal(nd.NewRand(2), 0, 1, y.Shape())
		g := tape.VJP([]*nd.Array{y}, []*nd.Array{seed}, w)[0]
		got := nd.Value[float64](ops.Sum(ops.Multiply(g, x))) // <g, x> = <seed, f(x)>: f is linear
		want := nd.Value[float64](ops.Sum(ops.Multiply(seed, f(nd.NewRand(7), x))))
		if math.Abs(got-want) > 1e-10 {
			t.Errorf("%s: the gradient gives %v, the function %v", name, got, want)
		}
		tape.Release()
	}
	tape := grad.NewTape()
	defer tape.Release()
	w := tape.Watch(x)
	y := random.Erase(nd.NewRand(1), w, random.EraseOptions{Prob: new(1.0), STEFineGrained: &no})
	if g := tape.Gradient(ops.Sum(y), w)[0]; !ops.ArrayEqual(g, nd.Ones(x.Shape())) {
		t.Errorf("without STEFineGrained the gradient is %v, want ones", g)
	}
}

func TestAugmentImage(t *testing.T) {
	ramp := ops.Add(ops.Multiply(nd.ArangeInt(0, 9, 1).Reshape(9, 1), 10.0), nd.ArangeInt(0, 9, 1)) // 10·row + column
	images := ramp.AsType(dtype.Float64).Reshape(1, 1, 9, 9).BroadcastTo(400, 1, 9, 9).Copy()
	pick := func(y *nd.Array, row, column int) []float64 {
		return nd.ToSlice[float64](y.Index(nd.All(), nd.At(0), nd.At(row), nd.At(column)).Copy())
	}
	spread := func(what string, values []float64, low, high float64) {
		t.Helper()
		least, most := math.Inf(1), math.Inf(-1)
		for _, v := range values {
			least, most = min(least, v), max(most, v)
		}
		tenth := (high - low) / 10
		if least < low-1e-9 || most > high+1e-9 || least > low+tenth || most < high-tenth {
			t.Errorf("%s is from %v to %v, want from %v to %v", what, least, most, low, high)
		}
	}
	augment := func(o random.AugmentImageOptions) *nd.Array { return random.AugmentImage(nd.NewRand(9), images, o) }
	// A part of three rows and columns begins anywhere.
	spread("a location", pick(augment(random.AugmentImageOptions{Shape: []int{1, 3, 3}}), 0, 0), 0, 66)
	spread("a padded location", pick(augment(random.AugmentImageOptions{Shape: []int{1, 3, 3}, Pad: [2]int{0, 2}}), 0, 0), 0, 68)
	// The centre stays fixed if an image turns, bends or is scaled; a neighbour moves.
	turned := augment(random.AugmentImageOptions{Angle: 0.5})
	if v := pick(turned, 4, 4); slices.Min(v) != 44 || slices.Max(v) != 44 {
		t.Errorf("the centre is from %v to %v, want 44", slices.Min(v), slices.Max(v))
	}
	spread("turned", pick(turned, 4, 6), 44+2*math.Cos(0.5)-20*math.Sin(0.5), 44+2*math.Cos(0.5)+20*math.Sin(0.5))
	spread("bent", pick(augment(random.AugmentImageOptions{Distortion: 0.5}), 4, 6), 44+2+0.25*(math.Exp(-0.5)-1), 44+2+0.25*(math.Exp(0.5)-1))
	values := pick(augment(random.AugmentImageOptions{FlipUD: true, FlipLR: true}), 0, 0)
	counted(t, "flipped", len(values), evenly("0", "8", "80", "88"), func(i int) string { return fmt.Sprint(values[i]) })
	spread("brightness", pick(augment(random.AugmentImageOptions{Brightness: 3}), 2, 1), 18, 24)
	spread("contrast", pick(augment(random.AugmentImageOptions{Contrast: new(2.0), ContrastCenter: 11}), 2, 1), 16, 31)
	noisy := ops.Subtract(augment(random.AugmentImageOptions{Noise: 3}), images)
	if v := nd.Value[float64](ops.Mean(ops.Square(noisy))); math.Abs(v-3) > 0.3 { // the mean of the squares of 0 to 3
		t.Errorf("the noise has the variance %v, want 3", v)
	}
	two := random.AugmentImage(nd.NewRand(1), nd.Zeros([]int{40, 2, 3, 3}), random.AugmentImageOptions{Brightness: 1, BrightnessEach: true})
	if ops.ArrayEqual(two.Index(nd.All(), nd.At(0)), two.Index(nd.All(), nd.At(1))) {
		t.Error("with BrightnessEach channels are alike")
	}
}
