package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/softmax"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Attention computes in float64 where operand 0 is that, else in float32. Of each batch keys and values are copied once to
// panels, and the queries are taken some at a time, so that their scores stay in the cache until they are weights.
func (processor) Attention(l *device.Launch) {
	if l.Operands[0].DType == dtype.Float64 {
		attend[float64](l)
	} else {
		attend[float32](l)
	}
}

// attention is a launch. Lines of y, weights, queries and the mask are queries, those of keys and values are keys.
type attention[T softmax.Float] struct {
	m, n, d, e             int
	y, w, q, k, v, mask    matrix
	keepsWeights, isMasked bool
	scale                  T
	queries, blocks        int // how many queries at a time, and how often
}

// scoreBytes is about how much room the scores of the queries at hand take, mostQueries how many these are at most.
const (
	scoreBytes  = 96 << 10
	mostQueries = 96
)

func attend[T softmax.Float](l *device.Launch) {
	batch := l.Rank - 4
	a := attention[T]{
		m: l.Shape[batch], n: l.Shape[batch+1], d: l.Shape[batch+2], e: l.Shape[batch+3], scale: T(l.Scale),
		y: matrixOf(l, 0, batch, 0, 3), q: matrixOf(l, 2, batch, 0, 2), k: matrixOf(l, 3, batch, 1, 2), v: matrixOf(l, 4, batch, 1, 3),
	}
	if a.keepsWeights = !l.Operands[1].Memory.IsNil(); a.keepsWeights {
		a.w = matrixOf(l, 1, batch, 0, 1)
	}
	if a.isMasked = l.N > 5; a.isMasked {
		a.mask = matrixOf(l, 5, batch, 0, 1)
	}
	batches := product(l.Shape[:batch])
	if a.m == 0 || batches == 0 {
		return
	}
	unit, size := gemm.Rows[T](), int(unsafe.Sizeof(a.scale))
	most := max(1, min(mostQueries, scoreBytes/(size*max(a.n, 1)))/unit) * unit
	a.queries = roundUp(ceilDiv(a.m, ceilDiv(a.m, most)), unit)
	a.blocks = ceilDiv(a.m, a.queries)
	cost := float64(a.queries) * float64(a.n) * (float64(a.d+a.e)*floatProductCost(size) + costOfRows(true))
	forRanges(batches*a.blocks, cost, func(from, to int) {
		s := newAttentionRoom(&a)
		for i := from; i < to; i++ {
			s.attend(i/a.blocks, i%a.blocks*a.queries)
		}
		s.recycle()
	})
}

// attentionRoom is what a worker needs: keys and values of the batch at hand in panels, scores of some queries, and the
// largest of each row and the sum of its exponentials.
type attentionRoom[T softmax.Float] struct {
	*attention[T]
	batch                  int // at hand; -1 for none
	keys, values           rightFactor[T]
	scores, lines, numbers *scratch
	pitch                  int // from row to row of scores, in elements
	largest, sums, more    []T
}

func newAttentionRoom[T softmax.Float](a *attention[T]) attentionRoom[T] {
	size := int(unsafe.Sizeof(a.scale))
	s := attentionRoom[T]{attention: a, batch: -1, pitch: roundUp(a.n, 16) + 16}
	s.scores = takeScratch(a.queries * s.pitch * size)
	s.lines = takeScratch(max(a.queries, a.n) * max(a.d, a.e) * size)
	s.numbers = takeScratch(3 * a.queries * size)
	numbers := room[T](s.numbers, 0, 3*a.queries)
	s.largest, s.sums, s.more = numbers[:a.queries], numbers[a.queries:2*a.queries], numbers[2*a.queries:]
	return s
}

func (s *attentionRoom[T]) recycle() {
	s.leave()
	s.scores.recycle()
	s.lines.recycle()
	s.numbers.recycle()
}

// leave gives the panels of a batch back.
func (s *attentionRoom[T]) leave() {
	if s.batch < 0 {
		return
	}
	if s.d > 0 && s.n > 0 {
		s.keys.recycle()
	}
	if s.n > 0 && s.e > 0 {
		s.values.recycle()
	}
}

// enter copies the keys and values of a batch.
func (s *attentionRoom[T]) enter(batch int) {
	if s.batch == batch {
		return
	}
	s.leave()
	s.batch = batch
	if s.d > 0 && s.n > 0 {
		s.keys = packRightFactor[T](s.floats(&s.k, 0, s.n, s.d, false), s.n, s.d)
	}
	if s.n > 0 && s.e > 0 {
		v := s.floats(&s.v, 0, s.n, s.e, false)
		v.line, v.depth = v.depth, v.line
		s.values = packRightFactor[T](v, s.e, s.n)
	}
}

// floats returns n elements of so many lines of an operand where they lie, if they are of type T and, where together is
// set, side by side; else a copy.
func (s *attentionRoom[T]) floats(m *matrix, line, lines, n int, together bool) floatMatrix {
	b, size := m.block(s.batch), int(unsafe.Sizeof(s.scale))
	if m.dtype == typeOf[T]() && (!together || m.depth == 1 || n == 1) {
		return floatMatrix{b.at(line, 0), m.line * size, m.depth * size}
	}
	for i := range lines {
		dtype.Convert(typeOf[T](), s.lines.at(i*n*size), 1, m.dtype, b.at(line+i, 0), m.depth, n)
	}
	return floatMatrix{s.lines.at(0), n * size, size}
}

// attend computes what some queries of a batch attend to, from one on.
func (s *attentionRoom[T]) attend(batch, from int) {
	s.enter(batch)
	m, size := min(s.queries, s.m-from), int(unsafe.Sizeof(s.scale))
	y := s.y.block(batch)
	if s.n == 0 {
		for i := range m {
			var zero T
			dtype.Convert(y.dtype, y.at(from+i, 0), y.depth, typeOf[T](), unsafe.Pointer(&zero), 0, s.e)
		}
		return
	}
	scores := floatMatrix{s.scores.at(0), s.pitch * size, size}
	s.score(scores, from, m)
	s.exponentials(m)
	if s.e > 0 {
		inPlace := y.dtype == typeOf[T]() && (y.depth == 1 || s.e == 1)
		sums := floatMatrix{s.lines.at(0), s.e * size, size}
		if inPlace {
			sums = floatMatrix{y.at(from, 0), y.line * size, size}
		}
		s.values.multiply(scores, sums, floatMatrix{}, m, 0, s.e)
		scaleRows(sums, sums, s.sums[:m], s.e)
		if !inPlace {
			s.store(&s.y, from, m, s.e, sums)
		}
	}
	if s.keepsWeights {
		w := scores
		inPlace := s.w.dtype == typeOf[T]() && (s.w.depth == 1 || s.n == 1)
		if inPlace {
			w = floatMatrix{s.w.block(batch).at(from, 0), s.w.line * size, size}
		}
		scaleRows(w, scores, s.sums[:m], s.n)
		if !inPlace {
			s.store(&s.w, from, m, s.n, w)
		}
	}
}

// store converts m lines of n elements to an operand.
func (s *attentionRoom[T]) store(to *matrix, from, m, n int, x floatMatrix) {
	b := to.block(s.batch)
	for i := range m {
		dtype.Convert(b.dtype, b.at(from+i, 0), b.depth, typeOf[T](), unsafe.Add(x.at, i*x.line), 1, n)
	}
}

// score multiplies m queries by all keys and the scale, and adds the mask.
func (s *attentionRoom[T]) score(scores floatMatrix, from, m int) {
	mask, size := floatMatrix{}, scores.depth
	switch {
	case s.isMasked:
		// A copy of the mask takes the place of the scores, which may be added to.
		b := s.mask.block(s.batch)
		mask = floatMatrix{b.at(from, 0), s.mask.line * size, size}
		if s.mask.dtype != typeOf[T]() || s.mask.depth != 1 && s.n > 1 || s.d == 0 {
			mask = scores
			for i := range m {
				dtype.Convert(typeOf[T](), unsafe.Add(scores.at, i*scores.line), 1, b.dtype, b.at(from+i, 0), b.depth, s.n)
			}
		}
	case s.d == 0:
		clear(room[byte](s.scores, 0, m*scores.line))
	}
	if s.d == 0 {
		return
	}
	q, scaled := s.floats(&s.q, from, m, s.d, true), floatMatrix{s.lines.at(0), s.d * size, size}
	for i := range m {
		s.more[i] = s.scale
	}
	scaleRows(scaled, q, s.more[:m], s.d)
	s.keys.multiply(scaled, scores, mask, m, 0, s.n)
}

// scaleRows stores the rows of x, of n elements each, times factors.
func scaleRows[T softmax.Float](dst, x floatMatrix, factors []T, n int) {
	size := int(unsafe.Sizeof(factors[0]))
	for from := 0; from < n; from += softmax.Longest {
		to, at := (*T)(unsafe.Add(dst.at, from*size)), (*T)(unsafe.Add(x.at, from*size))
		softmax.Scale(to, at, &factors[0], len(factors), min(softmax.Longest, n-from), dst.line/size, x.line/size)
	}
}

// exponentials makes of m rows of scores e^(s-t), t being the largest one of a row, and of sums what their sums are to be
// divided by.
func (s *attentionRoom[T]) exponentials(m int) {
	at := func(from int) *T { return (*T)(s.scores.at(from * int(unsafe.Sizeof(s.scale)))) }
	for from := 0; from < s.n; from += softmax.Longest {
		n := min(softmax.Longest, s.n-from)
		reduce.Rows(reduce.Max, &s.more[0], at(from), m, n, s.pitch)
		for i, v := range s.more[:m] {
			if from > 0 {
				v = max(v, s.largest[i])
			}
			s.largest[i] = v
		}
	}
	clear(s.sums)
	for from := 0; from < s.n; from += softmax.Longest {
		n := min(softmax.Longest, s.n-from)
		softmax.Exponentials(at(from), at(from), &s.largest[0], &s.more[0], m, n, s.pitch, s.pitch, 0)
		for i, v := range s.more[:m] {
			s.sums[i] += v
		}
	}
	for i, v := range s.sums[:m] {
		s.sums[i] = 1 / v
	}
}
