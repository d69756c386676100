package sequence

import (
	"cmp"
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// CTCDecodeOptions are the options of CTCDecode.
type CTCDecodeOptions struct {
	// InputLengths (B) holds the numbers of time steps of the sequences, which are the first ones; nil means all.
	InputLengths *nd.Array
	// Blank is the class that represents no label; a negative one counts from the last.
	Blank int
	// Beams is the number of label sequences that a beam search continues at each time step; 0 means a greedy search.
	Beams int
}

// CTCDecode returns, for every sequence, the labels that a network trained with [CTCLoss] finds most probable. The
// probabilities of the classes at a time step are Softmax of x.
//
// The greedy search takes the most probable class of each time step (of equal ones the first), merges repeats, and
// removes blanks. It finds the most probable path. But many paths may stand for other labels, which are together more
// probable. The beam search adds up the paths of equal labels as it goes, and continues with the most probable Beams
// label sequences. Its cost is about T·B·Beams·C. (Graves, Supervised Sequence Labelling with Recurrent Neural Networks,
// 2012; Hannun et al., First-Pass Large Vocabulary Continuous Speech Recognition, 2014.)
//
// scores are the logarithms of the probability of the path (greedy), or of the labels, as far as the search has added up
// their paths (beam); with enough beams that is minus CTCLoss. Labels after the last one of a sequence are -1. No
// gradient flows to x. CTCDecode waits for the device that holds x.
//
// Shapes: x (T, B, C); labels (B, T) and lengths (B), int64; scores (B). Without B: (T, C), (T), and 0-d arrays.
func CTCDecode(x *nd.Array, opts ...CTCDecodeOptions) (labels, lengths, scores *nd.Array) {
	const fn nd.Func = "sequence.CTCDecode"
	o := options.Read(fn, opts)
	fn.Check(x)
	in := []*nd.Array{x}
	if x.Rank() < 2 || x.Rank() > 3 || x.DType().IsComplex() {
		panic(fn.Errorf(in, "want real numbers of shape (T, B, C) or (T, C)"))
	}
	if o.Beams < 0 {
		panic(fn.Errorf(in, "Beams is %d: want a number from 1 on, or 0 for a greedy search", o.Beams))
	}
	blank := classOf(fn, in, "Blank", o.Blank)
	batch := x.Shape()[1 : x.Rank()-1]
	d := ctcDecoder{steps: x.Dim(0), classes: x.Dim(-1), blank: blank, beams: o.Beams}
	counts := stepsOf(fn, "InputLengths", x, o.InputLengths, batch, d.steps)

	made := fn.Temporaries(&x)
	defer made.Release()
	x = x.Detach()
	logs := ops.LogSoftmax(x.AsType(dtype.FloatType(x.DType())))
	t := logs.DType()
	if o.Beams == 0 {
		d.best, d.logs = nd.ToSlice[int64](ops.ArgMax(x, ops.Over(-1))), nd.ToSlice[float64](ops.Max(logs, ops.Over(-1)))
	} else {
		d.logs = nd.ToSlice[float64](logs)
	}
	found := make([]int64, len(counts)*d.steps)
	ends, logarithms := make([]int64, len(counts)), make([]float64, len(counts))
	for b, n := range counts {
		row := found[b*d.steps : (b+1)*d.steps]
		path, logarithm := d.decode(b, len(counts), n)
		for k := range row {
			if row[k] = -1; k < len(path) {
				row[k] = path[k]
			}
		}
		ends[b], logarithms[b] = int64(len(path)), logarithm
	}
	labels, lengths = nd.FromSliceOn(x.Device(), found, append(slices.Clone(batch), d.steps)...), nd.FromSliceOn(x.Device(), ends, batch...)
	score := nd.FromSliceOn(x.Device(), logarithms, batch...)
	return labels, lengths, release.Replace(score, score.AsType(t))
}

// hostInts returns the elements of an array of integers on the host; those of uint64 beyond int64 wrap around.
func hostInts(x *nd.Array) []int64 {
	wide := x.AsType(dtype.Int64)
	defer release.Unless(wide, x)
	return nd.ToSlice[int64](wide)
}

// classOf returns the class that an option names, counted from the last if it is negative. in[0] has the classes.
func classOf(fn nd.Func, in []*nd.Array, name string, class int) int {
	classes := in[0].Dim(-1)
	at := class
	if at < 0 {
		at += classes
	}
	if at < 0 || at >= classes {
		panic(fn.Errorf(in, "%s is %d: want one of the %d classes", name, class, classes))
	}
	return at
}

// stepsOf reads the lengths of sequences of x on the host; without lengths, all steps count.
func stepsOf(fn nd.Func, name string, x, lengths *nd.Array, batch []int, steps int) []int {
	counts := make([]int, broadcast.Size(batch))
	if lengths == nil {
		for b := range counts {
			counts[b] = steps
		}
		return counts
	}
	fn.Check(x, lengths)
	in := []*nd.Array{x, lengths}
	if !lengths.DType().IsInteger() || !slices.Equal(lengths.Shape(), batch) {
		panic(fn.Errorf(in, "%s: want integers of shape %s", name, broadcast.FormatShape(batch)))
	}
	plain := lengths.Detach()
	defer plain.Release()
	for b, n := range hostInts(plain) {
		if n < 0 || n > int64(steps) {
			panic(fn.Errorf(in, "%s: sequence %d has length %d, and there are %d steps", name, b, n, steps))
		}
		counts[b] = int(n)
	}
	return counts
}

// ctcDecoder decodes sequences on the host.
type ctcDecoder struct {
	steps, classes, blank, beams int

	best []int64   // greedy: the best class of each time step and sequence
	logs []float64 // log probabilities of the best classes, or for a beam search of all
}

// decode returns the labels of sequence b of a batch, whose length is n, and their score.
func (d *ctcDecoder) decode(b, batch, n int) (labels []int64, score float64) {
	if d.beams > 0 {
		return d.search(b, batch, n)
	}
	before := int64(d.blank)
	for t := range n {
		class := d.best[t*batch+b]
		if class != int64(d.blank) && class != before {
			labels = append(labels, class)
		}
		before, score = class, score+d.logs[t*batch+b]
	}
	return labels, score
}

// prefix is the beginning of a label sequence. There is one prefix for equal labels.
type prefix struct {
	parent *prefix // nil for no labels
	label  int
	longer map[int]*prefix

	blank, other         float64 // the log probabilities of all paths that end in a blank, and of the others
	nextBlank, nextOther float64 // the same, one time step later
	seen                 int     // the number of the time step to which the latter belong
}

// total is the log probability of the labels.
func (p *prefix) total() float64 { return logSum(p.blank, p.other) }

// search is a beam search.
func (d *ctcDecoder) search(b, batch, n int) (labels []int64, score float64) {
	none := math.Inf(-1)
	root := &prefix{label: -1, other: none}
	beam := []*prefix{root}
	for t := range n {
		logs := d.logs[(t*batch+b)*d.classes:][:d.classes]
		var next []*prefix
		visit := func(p *prefix) {
			if p.seen != t+1 {
				p.seen, p.nextBlank, p.nextOther = t+1, none, none
				next = append(next, p)
			}
		}
		for _, p := range beam {
			total := p.total()
			visit(p)
			p.nextBlank = logSum(p.nextBlank, total+logs[d.blank])
			if p.parent != nil {
				p.nextOther = logSum(p.nextOther, p.other+logs[p.label])
			}
			for class, log := range logs {
				if class == d.blank || math.IsInf(log, -1) {
					continue
				}
				from := total
				if class == p.label {
					from = p.blank // between equal labels there is a blank
				}
				if math.IsInf(from, -1) {
					continue
				}
				q := p.extended(class)
				visit(q)
				q.nextOther = logSum(q.nextOther, from+log)
			}
		}
		for _, p := range next {
			p.blank, p.other = p.nextBlank, p.nextOther
		}
		slices.SortStableFunc(next, func(p, q *prefix) int { return cmp.Compare(q.total(), p.total()) })
		beam = next[:min(d.beams, len(next))]
	}
	best := beam[0]
	for p := best; p.parent != nil; p = p.parent {
		labels = append(labels, int64(p.label))
	}
	slices.Reverse(labels)
	return labels, best.total()
}

// extended returns the prefix with another label.
func (p *prefix) extended(label int) *prefix {
	q := p.longer[label]
	if q == nil {
		q = &prefix{parent: p, label: label, blank: math.Inf(-1), other: math.Inf(-1)}
		if p.longer == nil {
			p.longer = map[int]*prefix{}
		}
		p.longer[label] = q
	}
	return q
}

// logSum is log(exp a + exp b).
func logSum(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}
