package rowops

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/softmax"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// rowBatch is some rows along the last axis of a launch, few enough to stay in the first-level cache, or one long row.
// It is processed in segments: the rows, or pieces of the long row.
type rowBatch[T softmax.Float] struct {
	launch   *device.Launch
	first    int // of the rows
	rows, n  int
	segments int // of equal length
	length   int
	rest     int // the length of one more segment, or 0
	// Per segment: the number that a routine subtracts or multiplies by, the logarithm of its row's total, and the sum
	// that a routine has computed.
	values, logTotals, sums []T
	totals                  []float64 // per row
	buffers                 memory.Scratch
	used                    int // bytes of buffers
}

// batchElements is about how many elements a batch has.
const batchElements = 4096

// forRowBatches calls body for all rows, batch by batch. cost is the cost per element, in nanoseconds.
func forRowBatches[T softmax.Float](l *device.Launch, cost float64, body func(b *rowBatch[T])) {
	strided.EnsureAxis(l)
	strided.SimplifyGroup(l, 0, l.Rank-1)
	n := l.Shape[l.Rank-1]
	if n == 0 {
		return
	}
	atOnce := max(1, batchElements/n)
	if l.Rank > 2 {
		atOnce = 1 // the rows are not equally spaced
	}
	workers.ForRanges(broadcast.Size(l.Shape[:l.Rank-1]), cost*float64(n), func(from, to int) {
		b := newRowBatch[T](l, n, atOnce)
		for b.first = from; b.first < to; b.first += b.rows {
			b.take(min(atOnce, to-b.first))
			body(b)
		}
	})
}

func newRowBatch[T softmax.Float](l *device.Launch, n, atOnce int) *rowBatch[T] {
	segments := max(atOnce, (n+softmax.Longest-1)/softmax.Longest)
	numbers := make([]T, 3*segments)
	return &rowBatch[T]{launch: l, n: n, values: numbers[:segments], logTotals: numbers[segments : 2*segments],
		sums: numbers[2*segments:], totals: make([]float64, atOnce)}
}

// take makes the batch the given number of rows, starting at first.
func (b *rowBatch[T]) take(count int) {
	b.rows, b.used = count, 0
	b.segments, b.length, b.rest = count, b.n, 0
	if b.n > softmax.Longest {
		b.segments, b.length, b.rest = b.n/softmax.Longest, softmax.Longest, b.n%softmax.Longest
	}
}

// operandRows has the address of an operand's rows, and the distance between its segments.
type operandRows[T softmax.Float] struct {
	p     *T
	pitch int
}

// part is count segments of n elements each, starting at segment from.
type part struct{ from, count, n int }

// parts returns the segments of equal length, and the shorter segment that remains.
func (b *rowBatch[T]) parts() []part {
	parts := [...]part{{0, b.segments, b.length}, {b.segments, 1, b.rest}}
	if b.rest > 0 {
		return parts[:]
	}
	return parts[:1]
}

// segment returns the address of a part's segments.
func (s operandRows[T]) segment(p part) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(s.p), p.from*s.pitch*int(unsafe.Sizeof(*s.p))))
}

// operand returns operand k itself if its rows are arrays of T, else memory for them.
func (b *rowBatch[T]) operand(k int) (s operandRows[T], inPlace bool) {
	l := b.launch
	op, v := &l.Operands[k], strided.Within(l, k, 0, l.Rank-1)
	pitch := softmax.Longest
	if b.n <= softmax.Longest {
		pitch = v.Step()
	}
	if op.DType == dtype.Of[T]() && (op.Strides[l.Rank-1] == 1 || b.n == 1) {
		return operandRows[T]{(*T)(v.At(b.first)), pitch}, true
	}
	return b.buffer(), false
}

// buffer returns memory for the rows of the batch.
func (b *rowBatch[T]) buffer() (s operandRows[T]) {
	size := int(unsafe.Sizeof(*s.p))
	b.buffers.Grow(4 * (b.n*len(b.totals)*size + 64))
	p := b.buffers.At(b.used)
	b.used += (b.rows*b.n*size + 63) &^ 63
	return operandRows[T]{(*T)(p), min(b.n, softmax.Longest)}
}

// input returns the rows of operand k.
func (b *rowBatch[T]) input(k int) operandRows[T] {
	s, inPlace := b.operand(k)
	if !inPlace {
		b.convert(k, s, func(memory, buffer unsafe.Pointer, from dtype.DType, step int) {
			dtype.Convert(dtype.Of[T](), buffer, 1, from, memory, step, b.n)
		})
	}
	return s
}

// store writes the rows of operand 0, unless they are in the operand already.
func (b *rowBatch[T]) store(s operandRows[T]) {
	if _, inPlace := b.operand(0); !inPlace {
		b.convert(0, s, func(memory, buffer unsafe.Pointer, to dtype.DType, step int) {
			dtype.Convert(to, memory, step, dtype.Of[T](), buffer, 1, b.n)
		})
	}
}

// convert calls body for each row of operand k and its address in a buffer.
func (b *rowBatch[T]) convert(k int, s operandRows[T], body func(memory, buffer unsafe.Pointer, t dtype.DType, step int)) {
	v := strided.Within(b.launch, k, 0, b.launch.Rank-1)
	size := int(unsafe.Sizeof(*s.p))
	for i := range b.rows {
		body(v.At(b.first+i), unsafe.Add(unsafe.Pointer(s.p), i*b.n*size), v.DType, b.launch.Operands[k].Strides[b.launch.Rank-1])
	}
}

// spread gives each segment the number of its row.
func (b *rowBatch[T]) spread(dst []T, number func(row int) T) {
	if b.n <= softmax.Longest {
		for i := range b.rows {
			dst[i] = number(i)
		}
		return
	}
	v := number(0)
	for i := range dst {
		dst[i] = v
	}
}

// addSums adds the sums of each row's segments to totals.
func (b *rowBatch[T]) addSums() {
	if b.n <= softmax.Longest {
		for i := range b.rows {
			b.totals[i] = float64(b.sums[i])
		}
		return
	}
	total := 0.0
	for _, s := range b.sums {
		total += float64(s)
	}
	b.totals[0] = total
}

// findMaxima sets values to the rows' largest elements.
func (b *rowBatch[T]) findMaxima(x operandRows[T]) {
	for _, p := range b.parts() {
		reduce.Rows(reduce.Max, &b.values[p.from], x.segment(p), p.count, p.n, x.pitch)
	}
	if b.n > softmax.Longest {
		var most T
		reduce.Rows(reduce.Max, &most, &b.values[0], 1, len(b.values), len(b.values))
		b.spread(b.values, func(int) T { return most })
	}
}

// nextBatch returns the distance from the rows of this batch to those of the next, if all rows are equally spaced.
func (b *rowBatch[T]) nextBatch(x operandRows[T]) int { return max(b.n, b.rows*x.pitch) }

// exponentials stores e^(x-values) in y, and the sums of the rows in totals.
func (b *rowBatch[T]) exponentials(y, x operandRows[T]) {
	for _, p := range b.parts() {
		softmax.Exponentials(y.segment(p), x.segment(p), &b.values[p.from], &b.sums[p.from], p.count, p.n, y.pitch, x.pitch, b.nextBatch(x))
	}
	b.addSums()
}

// sumExponentials sets totals to the sums of e^(x-values). y is the memory that is written next.
func (b *rowBatch[T]) sumExponentials(y, x operandRows[T]) {
	for _, p := range b.parts() {
		softmax.SumExponentials(y.segment(p), x.segment(p), &b.values[p.from], &b.sums[p.from], p.count, p.n, y.pitch, x.pitch, b.nextBatch(x))
	}
	b.addSums()
}

// scale multiplies the rows by values.
func (b *rowBatch[T]) scale(y operandRows[T]) {
	for _, p := range b.parts() {
		softmax.Scale(y.segment(p), y.segment(p), &b.values[p.from], p.count, p.n, y.pitch, y.pitch)
	}
}

// RowCost returns the nanoseconds per element of a row; exponential says whether an exponential is computed for each
// element.
func RowCost(exponentials bool) float64 {
	switch {
	case isa.Current() == isa.Generic && exponentials:
		return 25
	case isa.Current() == isa.Generic:
		return 3
	case exponentials:
		return 0.6
	}
	return 0.2
}
