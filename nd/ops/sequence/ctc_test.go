package sequence_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestCTCLossSumsOverAllWays enumerates all paths of classes over five time steps, for all labels of up to three
// classes.
func TestCTCLossSumsOverAllWays(t *testing.T) {
	const times, classes = 5, 3
	x := normal(1, times, classes)
	logs := nd.ToSlice[float64](ops.LogSoftmax(x))
	for blank := range classes {
		sums := map[[4]int]float64{} // the number of labels, and the labels
		for way := range 243 {
			var means [4]int
			sum, last := 0.0, blank
			for time := range times {
				class := way % classes
				way /= classes
				sum += logs[time*classes+class]
				if class != blank && class != last && means[0] < 4 {
					if means[0]++; means[0] < 4 {
						means[means[0]] = class
					}
				}
				last = class
			}
			sums[means] += math.Exp(sum)
		}
		for means, sum := range sums {
			if means[0] == 4 {
				continue
			}
			labels := nd.FromSlice(slices.Clone(means[1 : 1+means[0]]))
			near(t, "loss", sequence.CTCLoss(x, labels, sequence.CTCLossOptions{Blank: blank - classes}), nd.Full(nil, -math.Log(sum)))
		}
	}
}

// TestCTCLossOfLongSequences compares a thousand time steps, with classes that are nearly impossible, in float32 and
// float64.
func TestCTCLossOfLongSequences(t *testing.T) {
	const times, classes, labelled = 1000, 20, 90
	x := ops.Multiply(normal(2, times, 2, classes), 12)
	ramp := ops.Remainder(nd.ArangeInt(0, 2*labelled, 1), classes-1)
	labels := ops.Add(ramp, 1).Reshape(2, labelled)
	narrow := x.AsType(dtype.Float32)
	x = narrow.AsType(dtype.Float64)
	results := func(x *nd.Array) (loss, gx []float64) {
		tape := grad.NewTape()
		defer tape.Release()
		x = tape.Watch(x)
		y := sequence.CTCLoss(x, labels)
		return nd.ToSlice[float64](y.AsType(dtype.Float64)), nd.ToSlice[float64](tape.Gradient(ops.Sum(y), x)[0].AsType(dtype.Float64))
	}
	loss32, g32 := results(narrow)
	loss64, g64 := results(x)
	for i, want := range loss64 {
		if math.Abs(loss32[i]-want) > 1e-6*want || want < 1000 {
			t.Errorf("loss %d is %v, in float64 %v", i, loss32[i], want)
		}
	}
	for i, want := range g64 {
		if !(math.Abs(g32[i]-want) <= 1e-5) {
			t.Fatalf("gradient %d is %v, in float64 %v", i, g32[i], want)
		}
	}
}

func TestCTCLossOfImpossibleLabels(t *testing.T) {
	x := normal(3, 4, 3, 5)
	labels := nd.FromSlice([]int{1, 1, 1, -9, 2, 3, 1, 2, 3}, 3, 3) // 1 1 1 needs five time steps
	lengths, counts := nd.FromSlice([]int{4, 1, 0}), nd.FromSlice([]int32{3, 0, 0})
	o := sequence.CTCLossOptions{InputLengths: lengths, LabelLengths: counts}
	y := nd.ToSlice[float64](sequence.CTCLoss(x, labels, o))
	blank := -nd.Value[float64](ops.LogSoftmax(x).Index(nd.At(0), nd.At(1), nd.At(0)))
	if !math.IsInf(y[0], 1) || math.Abs(y[1]-blank) > 1e-12 || y[2] != 0 {
		t.Errorf("losses are %v, want +Inf, %v and 0", y, blank)
	}
	for _, zero := range []bool{false, true} {
		o.ZeroInfinity = zero
		tape := grad.NewTape()
		w := tape.Watch(x)
		first := tape.GradientRecorded(ops.Sum(sequence.CTCLoss(w, labels, o)), w)[0]
		again := tape.Gradient(ops.Sum(ops.Square(first)), w)[0]
		for _, g := range []*nd.Array{first, again} {
			if s := ops.Sum(ops.Absolute(g.Index(nd.All(), nd.At(0)))); nd.Value[float64](s) != 0 {
				t.Errorf("impossible labels have a gradient: %v", g)
			}
			if s := ops.Sum(ops.Absolute(g.Index(nd.From(1), nd.At(1)))); nd.Value[float64](s) != 0 {
				t.Errorf("time steps beyond the sequence have a gradient: %v", g)
			}
		}
		tape.Release()
	}
	if y := nd.Value[float64](sequence.CTCLoss(x, labels, o).Index(nd.At(0))); y != 0 {
		t.Errorf("with ZeroInfinity the loss is %v", y)
	}
}

func TestCTCLossGradients(t *testing.T) {
	x := normal(4, 5, 2, 3)
	labels, lengths := nd.FromSlice([]int{0, 0, 1, 0}, 2, 2), nd.FromSlice([]int{5, 4})
	f := func(xs ...*nd.Array) *nd.Array {
		return sequence.CTCLoss(xs[0], labels, sequence.CTCLossOptions{Blank: -1, InputLengths: lengths})
	}
	gradcheck.Check(t, f, x)
	gradcheck.CheckSecondOrder(t, f, x)
}

func TestCTCLossRefuses(t *testing.T) {
	x, labels := normal(5, 4, 2, 3), nd.FromSlice([]int{1, 2}, 2, 1)
	refuses(t, "integer labels", func() { sequence.CTCLoss(x, normal(1, 2, 1)) })
	refuses(t, "integer labels", func() { sequence.CTCLoss(x, nd.FromSlice([]int{1, 2})) })
	refuses(t, "one of the 3 classes", func() { sequence.CTCLoss(x, labels, sequence.CTCLossOptions{Blank: 3}) })
	refuses(t, "integer lengths", func() { sequence.CTCLoss(x, labels, sequence.CTCLossOptions{LabelLengths: nd.FromSlice([]int{1})}) })
	const operands = " [operands: float64(4, 2, 3) int64(2, 1)]"
	refuses(t, "sequence.CTCLoss: InputLengths[1] is 5: want a number of time steps from 0 to 4"+operands, func() {
		sequence.CTCLoss(x, labels, sequence.CTCLossOptions{InputLengths: nd.FromSlice([]int{4, 5})})
	})
	refuses(t, "sequence.CTCLoss: LabelLengths[0] is -1: want a number of labels from 0 to 1"+operands, func() {
		sequence.CTCLoss(x, labels, sequence.CTCLossOptions{LabelLengths: nd.FromSlice([]int{-1, 1})})
	})
	refuses(t, "sequence.CTCLoss: labels[1, 0] is 3: want one of the classes 0 to 2"+operands, func() { sequence.CTCLoss(x, nd.FromSlice([]int{1, 3}, 2, 1)) })
	// Only a label that counts is refused.
	some := sequence.CTCLossOptions{LabelLengths: nd.FromSlice([]int{0, 1})}
	refuses(t, "labels[1, 0] is 7", func() { sequence.CTCLoss(x, nd.FromSlice([]int{9, 7}, 2, 1), some) })
	one, list := normal(5, 4, 3), nd.FromSlice([]int{1})
	refuses(t, "InputLengths is 9: want a number of time steps from 0 to 4", func() {
		sequence.CTCLoss(one, list, sequence.CTCLossOptions{InputLengths: nd.FromSlice([]int32{9}).Reshape()})
	})
}

// TestCTCLossOfPaddedLabels compares labels that end before padding with their numbers.
func TestCTCLossOfPaddedLabels(t *testing.T) {
	x := normal(5, 6, 4, 3)
	labels := nd.FromRows([][]int64{{1, 2, 0}, {2, 0, 2}, {0, 1, 1}, {2, 1, 2}})
	counts := sequence.CTCLossOptions{LabelLengths: nd.FromSlice([]int64{2, 1, 0, 3})}
	near(t, "padded by the blank", sequence.CTCLoss(x, labels, sequence.CTCLossOptions{Padding: new(0)}), sequence.CTCLoss(x, labels, counts))
	last := ops.Subtract(labels, 1)
	counts.Blank = -1
	want := sequence.CTCLoss(x, ops.Maximum(last, 0), counts)
	for _, dt := range []dtype.DType{dtype.Int8, dtype.Int32, dtype.Int64} {
		near(t, "padded by no class", sequence.CTCLoss(x, last.AsType(dt), sequence.CTCLossOptions{Padding: new(-1), Blank: -1}), want)
	}
	near(t, "padding beyond the dtype", sequence.CTCLoss(x, labels.AsType(dtype.Uint8), sequence.CTCLossOptions{Padding: new(-1), Blank: -1}),
		sequence.CTCLoss(x, labels, sequence.CTCLossOptions{Blank: -1}))
	alone := x.Index(nd.All(), nd.At(0))
	near(t, "one sequence", sequence.CTCLoss(alone, labels.Index(nd.At(0)), sequence.CTCLossOptions{Padding: new(0)}),
		sequence.CTCLoss(alone, labels.Index(nd.At(0), nd.Until(2))))
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
		return sequence.CTCLoss(xs[0], labels, sequence.CTCLossOptions{Padding: new(0)})
	}, x)
	none := sequence.CTCLoss(x, nd.Zeros([]int{4, 0}, dtype.Int64), sequence.CTCLossOptions{Padding: new(0)})
	near(t, "no labels", none, sequence.CTCLoss(x, nd.Zeros([]int{4, 0}, dtype.Int64)))
	counts.Padding = new(0)
	var e *nd.Error
	if err := nd.Catch(func() { sequence.CTCLoss(x, labels, counts) }); !errors.As(err, &e) || e.Func != "sequence.CTCLoss" {
		t.Errorf("both Padding and LabelLengths: %v", err)
	}
}
