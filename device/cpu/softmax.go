package cpu

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/fold"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Rows are computed in float64 and rounded once, as they are stored. Sums are pairwise.

// Softmax stores exp(x)/Σexp(x), or its logarithm, along the last axis.
func (processor) Softmax(l *device.Launch) {
	forRows(l, 1, 25, func(r *rows, room []float64, row int) {
		x := room[:r.length]
		r.load(x, 1, row)
		if l.Log {
			logSoftmax(x)
		} else {
			softmax(x, nil)
		}
		r.store(x, row)
	})
}

// SoftmaxGrad stores y·(g - Σg·y), or g - exp(y)·Σg where y is the logarithm.
func (processor) SoftmaxGrad(l *device.Launch) {
	cost := 3.0
	if l.Log {
		cost = 25
	}
	forRows(l, 2, cost, func(r *rows, room []float64, row int) {
		y, g := room[:r.length], room[r.length:]
		r.load(y, 1, row)
		r.load(g, 2, row)
		if l.Log {
			total := fold.Total(g)
			for i, v := range y {
				y[i] = g[i] - float64(scalar.Exp(v)*total)
			}
		} else {
			for i, v := range y {
				y[i] = float64(g[i] * v)
			}
			total := fold.Total(y)
			r.load(y, 1, row)
			for i, v := range y {
				y[i] = v * (g[i] - total)
			}
		}
		r.store(y, row)
	})
}

// CrossEntropy stores log Σexp(x) - x[t], and 0 where the label is l.Ignore.
func (processor) CrossEntropy(l *device.Launch) {
	labels := labelsOf(l)
	forRows(l, 1, 25, func(r *rows, room []float64, row int) {
		loss := 0.0
		if t := labels.at(row); t != int64(l.Ignore) {
			x := room[:r.length]
			r.load(x, 1, row)
			label, largest := x[t], maximum(x)
			loss = logSum(x, largest) - (label - largest)
		}
		y := &r.operands[0]
		dtype.Convert(y.dtype, y.at(row), 1, dtype.Float64, unsafe.Pointer(&loss), 1, 1)
	})
}

// CrossEntropyGrad stores (softmax(x) - onehot(t))·g, and 0 in the rows whose label is l.Ignore.
func (processor) CrossEntropyGrad(l *device.Launch) {
	labels := labelsOf(l)
	forRows(l, 1, 25, func(r *rows, room []float64, row int) {
		x := room[:r.length]
		t := labels.at(row)
		if t == int64(l.Ignore) {
			clear(x)
			r.store(x, row)
			return
		}
		var g float64
		gy := &r.operands[3]
		dtype.Convert(dtype.Float64, unsafe.Pointer(&g), 1, gy.dtype, gy.at(row), 1, 1)
		r.load(x, 1, row)
		softmax(x, func(i int, v float64) float64 {
			if int64(i) == t {
				v--
			}
			return v * g
		})
		r.store(x, row)
	})
}

// rows is a kernel that computes row by row along the last axis.
type rows struct {
	launch   *device.Launch
	length   int
	operands [4]view // over the axes but the last
}

// forRows calls body for every row, with room for so many rows. The launch has up to four operands.
func forRows(l *device.Launch, buffers int, cost float64, body func(r *rows, room []float64, row int)) {
	normalize(l)
	r := &rows{launch: l, length: l.Shape[l.Rank-1]}
	for k := range l.N {
		r.operands[k] = viewWithin(l, k, 0, l.Rank-1)
	}
	forRanges(product(l.Shape[:l.Rank-1]), cost*float64(max(r.length, 1)), func(from, to int) {
		buffer := takeScratch(8 * buffers * r.length)
		floats := room[float64](buffer, 0, buffers*r.length)
		for row := from; row < to; row++ {
			body(r, floats, row)
		}
		buffer.recycle()
	})
}

func (r *rows) load(dst []float64, operand, row int) {
	x := &r.operands[operand]
	step := r.launch.Operands[operand].Strides[r.launch.Rank-1]
	dtype.Convert(dtype.Float64, unsafe.Pointer(unsafe.SliceData(dst)), 1, x.dtype, x.at(row), step, r.length)
}

// store writes a row of operand 0.
func (r *rows) store(src []float64, row int) {
	y := &r.operands[0]
	step := r.launch.Operands[0].Strides[r.launch.Rank-1]
	dtype.Convert(y.dtype, y.at(row), step, dtype.Float64, unsafe.Pointer(unsafe.SliceData(src)), 1, r.length)
}

func maximum(x []float64) float64 {
	largest := math.Inf(-1)
	for _, v := range x {
		largest = scalar.Max(largest, v)
	}
	return largest
}

// softmax replaces a row by its softmax, and that by what finish makes of it, if there is such a function.
func softmax(x []float64, finish func(i int, v float64) float64) {
	if len(x) == 0 {
		return
	}
	largest := maximum(x)
	for i, v := range x {
		x[i] = scalar.Exp(v - largest)
	}
	total := fold.Total(x)
	for i, v := range x {
		x[i] = v / total
		if finish != nil {
			x[i] = finish(i, x[i])
		}
	}
}

// leafLen is how many exponentials are added up at once.
const leafLen = 128

func logSoftmax(x []float64) {
	if len(x) == 0 {
		return
	}
	largest := maximum(x)
	total := 0.0
	for start := 0; start < len(x); start += leafLen {
		var terms [leafLen]float64
		n := copy(terms[:], x[start:])
		for i, v := range terms[:n] {
			terms[i] = scalar.Exp(v - largest)
		}
		total += fold.Total(terms[:n])
	}
	total = scalar.Log(total)
	for i, v := range x {
		x[i] = v - largest - total
	}
}

// logSum returns log Σexp(x-largest); x is overwritten.
func logSum(x []float64, largest float64) float64 {
	for i, v := range x {
		x[i] = scalar.Exp(v - largest)
	}
	return scalar.Log(fold.Total(x))
}

// labels is the operand of class numbers, one for each row.
type labels struct{ view }

func (t labels) at(row int) (label int64) {
	dtype.Convert(dtype.Int64, unsafe.Pointer(&label), 1, t.dtype, t.view.at(row), 1, 1)
	return label
}

// labelsOf returns operand 2 and panics with *device.IndexError at the first label that is neither a place of the last
// axis nor the one to ignore.
func labelsOf(l *device.Launch) labels {
	normalize(l)
	t := labels{viewWithin(l, 2, 0, l.Rank-1)}
	size := l.Shape[l.Rank-1]
	for row := range product(l.Shape[:l.Rank-1]) {
		if label := t.at(row); label != int64(l.Ignore) && (label < 0 || label >= int64(size)) {
			panic(&device.IndexError{Index: int(label), Size: size})
		}
	}
	return t
}
