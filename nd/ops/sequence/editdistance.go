package sequence

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// EditDistanceOptions are the options of EditDistance.
type EditDistanceOptions struct {
	// XLengths and YLengths (B) hold the numbers of labels of the sequences, which are the first ones; nil means all.
	XLengths, YLengths *nd.Array
	// Padding is a label that is none: the labels of a sequence without lengths are those before its first Padding. Nil
	// means that there is no such label.
	Padding *int
}

// EditDistance returns, for every pair of label sequences, the least number of labels to insert, to remove or to replace
// that makes one of them the other (Levenshtein's distance). The sum of the distances, divided by the number of labels
// of the right sequences, is the label error rate of a recogniser. EditDistance waits for the device that holds the
// labels.
//
// Shapes: x (B, L) and y (B, M), of integers; the result (B), int64. Without B: (L), (M), and the result is a 0-d array.
func EditDistance(x, y *nd.Array, opts ...EditDistanceOptions) *nd.Array {
	const fn nd.Func = "sequence.EditDistance"
	o := options.Read(fn, opts)
	fn.Check(x, y)
	in := []*nd.Array{x, y}
	if x.Rank() < 1 || x.Rank() > 2 || y.Rank() != x.Rank() || !broadcast.Equal(x.Shape()[:x.Rank()-1], y.Shape()[:x.Rank()-1]) ||
		!x.DType().IsInteger() || !y.DType().IsInteger() {
		panic(fn.Errorf(in, "want integer labels (B, L) and (B, M), or (L) and (M)"))
	}
	batch := x.Shape()[:x.Rank()-1]
	xs := labelsOf(fn, "XLengths", x, o.XLengths, batch, o.Padding)
	ys := labelsOf(fn, "YLengths", y, o.YLengths, batch, o.Padding)
	distances := make([]int64, len(xs))
	for b := range xs {
		distances[b] = editDistance(xs[b], ys[b])
	}
	return nd.FromSliceOn(x.Device(), distances, batch...)
}

// labelsOf reads sequences of labels on the host.
func labelsOf(fn nd.Func, name string, x, lengths *nd.Array, batch []int, padding *int) [][]int64 {
	steps := x.Dim(-1)
	counts := stepsOf(fn, name, x, lengths, batch, steps)
	all := hostInts(x)
	sequences := make([][]int64, len(counts))
	for b, n := range counts {
		sequences[b] = all[b*steps:][:n]
		if padding != nil && lengths == nil {
			if end := slices.Index(sequences[b], int64(*padding)); end >= 0 {
				sequences[b] = sequences[b][:end]
			}
		}
	}
	return sequences
}

// editDistance is the distance of two sequences, row by row of the table of the distances of their beginnings.
func editDistance(x, y []int64) int64 {
	row := make([]int64, len(y)+1) // the distances from the first labels of x to all beginnings of y
	for j := range row {
		row[j] = int64(j)
	}
	for i, label := range x {
		diagonal := row[0]
		row[0] = int64(i + 1)
		for j, other := range y {
			replaced := diagonal
			if label != other {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(y)]
}
