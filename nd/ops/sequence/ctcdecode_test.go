package sequence_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
)

// The probabilities of Graves's example: the best path is all blanks, but most paths stand for the label 1.
func ExampleCTCDecode() {
	x := ops.Log(nd.FromSlice([]float64{0.6, 0.4, 0.6, 0.4}, 2, 2)) // two time steps; class 0 is the blank
	for _, beams := range []int{0, 2} {
		labels, lengths, scores := sequence.CTCDecode(x, sequence.CTCDecodeOptions{Beams: beams})
		fmt.Printf("%v of length %v with probability %.2f\n", labels, lengths, math.Exp(scores.Float()))
	}
	// Output:
	// [-1 -1] of length 0 with probability 0.36
	// [ 1 -1] of length 1 with probability 0.64
}

// The error rate of a recogniser: edits per label of the right texts.
func ExampleEditDistance() {
	found := nd.FromSlice([]int{3, 1, 4, -1, 2, 2, -1, -1}, 2, 4)
	right := nd.FromSlice([]int{3, 4, -1, 2, 5, 2}, 2, 3)
	d := sequence.EditDistance(found, right, sequence.EditDistanceOptions{Padding: new(-1)})
	labels := ops.Sum(ops.NotEqual(right, -1).AsType(dtype.Int64))
	fmt.Println(d, ops.Divide(ops.Sum(d), labels))
	// Output: [1 1] 0.4
}

// pathLabels merges the repeats of a path and removes its blanks.
func pathLabels(path []int, blank int) string {
	text := ""
	for t, class := range path {
		if class != blank && (t == 0 || class != path[t-1]) {
			text += fmt.Sprint(class, " ")
		}
	}
	return text
}

// TestCTCDecodeEnumerates compares both searches with all paths of classes over five time steps, of sequences of several
// lengths. A beam that holds all prefixes finds the most probable labels, and the beam search's score is minus the loss.
func TestCTCDecodeEnumerates(t *testing.T) {
	const times, batch, classes = 5, 4, 3
	x := ops.Multiply(normal(7, times, batch, classes), 2)
	counts := []int{5, 3, 1, 0}
	logs := nd.ToSlice[float64](ops.LogSoftmax(x))
	for _, blank := range []int{0, -1} {
		o := sequence.CTCDecodeOptions{InputLengths: nd.FromSlice(counts), Blank: blank}
		greedy, greedyLengths, greedyScores := sequence.CTCDecode(x, o)
		o.Beams = 1000
		beam, beamLengths, beamScores := sequence.CTCDecode(x, o)
		for b, n := range counts {
			sums := map[string]float64{}
			bestPath, bestLabels, best := math.Inf(-1), "", 0.0
			for way := range int(math.Pow(classes, float64(n))) {
				path, log := make([]int, n), 0.0
				for time := range path {
					path[time] = way % classes
					way /= classes
					log += logs[(time*batch+b)*classes+path[time]]
				}
				text := pathLabels(path, (blank+classes)%classes)
				sums[text] += math.Exp(log)
				if log > bestPath {
					bestPath, bestLabels = log, text
				}
			}
			for _, sum := range sums {
				best = max(best, sum)
			}
			text := func(labels, lengths *nd.Array) (s string) {
				row := nd.ToSlice[int64](labels.Index(nd.At(b)))
				for k, label := range row {
					if k < int(lengths.Float(b)) {
						s += fmt.Sprint(label, " ")
					} else if label != -1 {
						t.Errorf("sequence %d: label %d beyond the length", b, label)
					}
				}
				return s
			}
			if got := text(greedy, greedyLengths); got != bestLabels || math.Abs(greedyScores.Float(b)-bestPath) > 1e-12 {
				t.Errorf("greedy, sequence %d: %q %v, want %q %v", b, got, greedyScores.Float(b), bestLabels, bestPath)
			}
			if got := text(beam, beamLengths); math.Abs(sums[got]-best) > 1e-12 || math.Abs(beamScores.Float(b)-math.Log(best)) > 1e-12 {
				t.Errorf("beam search, sequence %d: %q %v, want probability %v", b, got, beamScores.Float(b), best)
			}
		}
	}
}

// TestCTCDecodeScoresAreLosses: of long sequences the beam search's score is at most minus the loss of the labels that it
// found, grows with the beams, and 64 beams find more probable labels than the greedy search.
func TestCTCDecodeScoresAreLosses(t *testing.T) {
	x := ops.Multiply(normal(8, 40, 3, 12), 3).AsType(dtype.Float32)
	loss := func(labels, lengths *nd.Array) []float64 {
		l := sequence.CTCLoss(x, ops.Maximum(labels, 0), sequence.CTCLossOptions{LabelLengths: lengths})
		return nd.ToSlice[float64](l.AsType(dtype.Float64))
	}
	labels, lengths, _ := sequence.CTCDecode(x)
	greedy := loss(labels, lengths)
	before := slices.Repeat([]float64{math.Inf(-1)}, 3)
	for _, beams := range []int{1, 4, 64} {
		labels, lengths, scores := sequence.CTCDecode(x, sequence.CTCDecodeOptions{Beams: beams})
		if scores.DType() != dtype.Float32 {
			t.Errorf("scores of %s", scores.DType())
		}
		for b, l := range loss(labels, lengths) {
			score := scores.Float(b)
			if score > -l+1e-4 {
				t.Errorf("%d beams, sequence %d: score %v above minus the loss, %v", beams, b, score, -l)
			}
			if beams == 64 && (score < -l-1 || -l < -greedy[b]-1e-4 || score < before[b]) {
				t.Errorf("sequence %d: score %v, minus the loss %v, of the greedy labels %v", b, score, -l, -greedy[b])
			}
			before[b] = score
		}
	}
}

func TestCTCDecodeEdges(t *testing.T) {
	none := math.Inf(-1)
	certain := nd.FromSlice([]float64{none, 0, none, none, 0, none, 0, none, none, none, 0, none, none, none, 0}, 5, 3)
	strided := nd.Zeros([]int{5, 6}).Index(nd.All(), nd.From(0).By(2))
	strided.Assign(certain)
	for _, x := range []*nd.Array{certain, strided, certain.AsType(dtype.Float16)} {
		for _, beams := range []int{0, 1, 8} {
			labels, lengths, score := sequence.CTCDecode(x, sequence.CTCDecodeOptions{Beams: beams})
			if got := nd.ToSlice[int64](labels); !slices.Equal(got, []int64{1, 1, 2, -1, -1}) || lengths.Float() != 3 || score.Float() != 0 || score.Rank() != 0 {
				t.Errorf("%d beams: %v, %v, %v", beams, got, lengths, score)
			}
		}
	}
	for _, shape := range [][]int{{0, 2, 3}, {4, 0, 3}} {
		labels, lengths, _ := sequence.CTCDecode(nd.Zeros(shape), sequence.CTCDecodeOptions{Beams: 2})
		if !slices.Equal(labels.Shape(), []int{shape[1], shape[0]}) || !slices.Equal(lengths.Shape(), shape[1:2]) {
			t.Errorf("of %v: shapes %v, %v", shape, labels.Shape(), lengths.Shape())
		}
	}
	tape := grad.NewTape()
	defer tape.Release()
	if _, _, score := sequence.CTCDecode(tape.Watch(certain)); tape.Len() != 1 || score.Float() != 0 {
		t.Errorf("%d operations are recorded", tape.Len())
	}
	x := nd.Zeros([]int{4, 2, 3})
	refuses(t, "want real numbers", func() { sequence.CTCDecode(x.AsType(dtype.Complex64)) })
	refuses(t, "want real numbers", func() { sequence.CTCDecode(nd.Zeros([]int{3})) })
	refuses(t, "Blank is 3: want one of the 3 classes", func() { sequence.CTCDecode(x, sequence.CTCDecodeOptions{Blank: 3}) })
	refuses(t, "Beams is -1", func() { sequence.CTCDecode(x, sequence.CTCDecodeOptions{Beams: -1}) })
	refuses(t, "InputLengths: sequence 1 has length 5, and there are 4 steps", func() {
		sequence.CTCDecode(x, sequence.CTCDecodeOptions{InputLengths: nd.FromSlice([]int{4, 5})})
	})
	refuses(t, "InputLengths: want integers of shape (2,)", func() {
		sequence.CTCDecode(x, sequence.CTCDecodeOptions{InputLengths: nd.FromSlice([]int{4})})
	})
}

func TestEditDistance(t *testing.T) {
	bytesOf := func(text string) *nd.Array { return nd.FromSlice([]byte(text)) }
	for _, c := range []struct {
		x, y string
		want float64
	}{
		{"kitten", "sitting", 3}, {"sunday", "saturday", 3}, {"", "abc", 3}, {"abc", "", 3}, {"", "", 0}, {"abc", "abc", 0},
		{"ab", "ba", 2}, {"intention", "execution", 5}, {"aaaa", "a", 3},
	} {
		for _, pair := range [][2]string{{c.x, c.y}, {c.y, c.x}} {
			d := sequence.EditDistance(bytesOf(pair[0]), bytesOf(pair[1]))
			if d.Rank() != 0 || d.DType() != dtype.Int64 || d.Float() != c.want {
				t.Errorf("%q and %q: %v, want %v", pair[0], pair[1], d, c.want)
			}
		}
	}
	x, y := nd.FromSlice([]int32{1, 2, 3, 9, 9, 9}, 2, 3), nd.FromSlice([]uint8{1, 3, 9, 9}, 2, 2)
	o := sequence.EditDistanceOptions{XLengths: nd.FromSlice([]int{3, 1}), YLengths: nd.FromSlice([]uint8{2, 0})}
	if got := nd.ToSlice[int64](sequence.EditDistance(x, y, o)); !slices.Equal(got, []int64{1, 1}) {
		t.Errorf("with lengths: %v", got)
	}
	if got := nd.ToSlice[int64](sequence.EditDistance(x, y.T(), sequence.EditDistanceOptions{Padding: new(9)})); !slices.Equal(got, []int64{2, 1}) {
		t.Errorf("with padding, of a transposed array: %v", got)
	}
	if got := sequence.EditDistance(nd.Zeros([]int{0, 3}, dtype.Int64), nd.Zeros([]int{0, 5}, dtype.Int64)); got.Size() != 0 {
		t.Errorf("of no sequences: %v", got)
	}
	refuses(t, "want integer labels", func() { sequence.EditDistance(x, y.AsType(dtype.Float32)) })
	refuses(t, "want integer labels", func() { sequence.EditDistance(x, bytesOf("ab")) })
	refuses(t, "want integer labels", func() { sequence.EditDistance(x, nd.Zeros([]int{3, 2}, dtype.Int64)) })
	refuses(t, "YLengths: sequence 0 has length -1", func() {
		sequence.EditDistance(x, y, sequence.EditDistanceOptions{YLengths: nd.FromSlice([]int{-1, 0})})
	})
}
