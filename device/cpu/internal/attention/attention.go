// Package attention computes softmax(q·kᵀ + mask)·v (the kernel Attention). It takes some queries at a time, so that
// their scores stay in the cache.
package attention

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/matmul"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/rowops"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/softmax"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Attention computes in float64 if operand 0 is float64, else in float32. For each batch, keys and values are copied
// once to panels. It takes some queries at a time, so that their scores stay in the cache until they are weights.
func Attention(l *device.Launch) {
	if l.Operands[0].DType == dtype.Float64 {
		attend[float64](l)
	} else {
		attend[float32](l)
	}
}

// problem describes a launch. A line of y, weights, the queries and the mask is one query; a line of the keys and
// values is one key.
type problem[T softmax.Float] struct {
	m, n, d, e             int
	y, w, q, k, v, mask    matmul.Matrix
	keepsWeights, isMasked bool
	causal                 bool
	scale                  T
	queries, blocks        int // how many queries per block, and how many blocks
}

// scoreBytes is about how much memory the scores of one block of queries occupy; mostQueries is the largest number of
// queries per block.
const (
	scoreBytes  = 96 << 10
	mostQueries = 96
)

func attend[T softmax.Float](l *device.Launch) {
	batch := l.Rank - 4
	a := problem[T]{
		m: l.Shape[batch], n: l.Shape[batch+1], d: l.Shape[batch+2], e: l.Shape[batch+3], scale: T(l.Scale), causal: l.Causal,
		y: matmul.MatrixOf(l, 0, batch, 0, 3), q: matmul.MatrixOf(l, 2, batch, 0, 2), k: matmul.MatrixOf(l, 3, batch, 1, 2), v: matmul.MatrixOf(l, 4, batch, 1, 3),
	}
	if a.keepsWeights = !l.Operands[1].Memory.IsNil(); a.keepsWeights {
		a.w = matmul.MatrixOf(l, 1, batch, 0, 1)
	}
	if a.isMasked = l.N > 5; a.isMasked {
		a.mask = matmul.MatrixOf(l, 5, batch, 0, 1)
	}
	batches := broadcast.Size(l.Shape[:batch])
	if a.m == 0 || batches == 0 {
		return
	}
	unit, size := gemm.Rows[T](), int(unsafe.Sizeof(a.scale))
	most := max(1, min(mostQueries, scoreBytes/(size*max(a.n, 1)))/unit) * unit
	a.queries = strided.RoundUp(strided.CeilDiv(a.m, strided.CeilDiv(a.m, most)), unit)
	a.blocks = strided.CeilDiv(a.m, a.queries)
	cost := float64(a.queries) * float64(a.n) * (float64(a.d+a.e)*matmul.FloatProductCost(size) + rowops.RowCost(true))
	workers.ForRanges(batches*a.blocks, cost, func(from, to int) {
		s := newWorkspace(&a)
		for i := from; i < to; i++ {
			s.attend(i/a.blocks, i%a.blocks*a.queries)
		}
		s.recycle()
	})
}

// workspace is the memory of one worker: keys and values of the current batch in panels, the scores of some queries,
// and the maximum of each row and the sum of its exponentials.
type workspace[T softmax.Float] struct {
	*problem[T]
	batch                  int            // the current batch; -1 for none
	key, value             unsafe.Pointer // the source of the panels
	keys, values           matmul.RightFactor[T]
	scores, lines, numbers *memory.Scratch
	pitch                  int // distance between rows of scores, in elements
	largest, sums, scratch []T
}

func newWorkspace[T softmax.Float](a *problem[T]) workspace[T] {
	size := int(unsafe.Sizeof(a.scale))
	s := workspace[T]{problem: a, batch: -1, pitch: strided.RoundUp(a.n, 16) + 16}
	s.scores = memory.TakeScratch(a.queries * s.pitch * size)
	s.lines = memory.TakeScratch(max(a.queries, a.n) * max(a.d, a.e) * size)
	s.numbers = memory.TakeScratch(3 * a.queries * size)
	numbers := memory.Room[T](s.numbers, 0, 3*a.queries)
	s.largest, s.sums, s.scratch = numbers[:a.queries], numbers[a.queries:2*a.queries], numbers[2*a.queries:]
	return s
}

func (s *workspace[T]) recycle() {
	s.releaseBatch()
	s.scores.Recycle()
	s.lines.Recycle()
	s.numbers.Recycle()
}

// releaseBatch releases the panels of a batch.
func (s *workspace[T]) releaseBatch() {
	if s.batch < 0 {
		return
	}
	if s.d > 0 && s.n > 0 {
		s.keys.Recycle()
	}
	if s.n > 0 && s.e > 0 {
		s.values.Recycle()
	}
}

// packBatch copies the keys and values of a batch.
func (s *workspace[T]) packBatch(batch int) {
	if s.batch == batch {
		return
	}
	key, value := s.k.Block(batch).At(0, 0), s.v.Block(batch).At(0, 0)
	if s.batch >= 0 && key == s.key && value == s.value { // the panels serve several batches of queries
		s.batch = batch
		return
	}
	s.releaseBatch()
	s.batch, s.key, s.value = batch, key, value
	if s.d > 0 && s.n > 0 {
		s.keys = matmul.PackRightFactor[T](s.floats(&s.k, 0, s.n, s.d, false), s.n, s.d)
	}
	if s.n > 0 && s.e > 0 {
		v := s.floats(&s.v, 0, s.n, s.e, false)
		v.Line, v.Depth = v.Depth, v.Line
		s.values = matmul.PackRightFactor[T](v, s.e, s.n)
	}
}

// floats returns n elements of each of the given lines of an operand, without a copy if they have type T and, if
// together is set, are contiguous; else a copy.
func (s *workspace[T]) floats(m *matmul.Matrix, line, lines, n int, together bool) matmul.ByteMatrix {
	b, size := m.Block(s.batch), int(unsafe.Sizeof(s.scale))
	if m.DType == dtype.Of[T]() && (!together || m.Depth == 1 || n == 1) {
		return matmul.ByteMatrix{At: b.At(line, 0), Line: m.Line * size, Depth: m.Depth * size}
	}
	for i := range lines {
		dtype.Convert(dtype.Of[T](), s.lines.At(i*n*size), 1, m.DType, b.At(line+i, 0), m.Depth, n)
	}
	return matmul.ByteMatrix{At: s.lines.At(0), Line: n * size, Depth: size}
}

// attend computes the results of some queries of a batch, starting at one query.
func (s *workspace[T]) attend(batch, from int) {
	s.packBatch(batch)
	m, size := min(s.queries, s.m-from), int(unsafe.Sizeof(s.scale))
	y := s.y.Block(batch)
	if s.n == 0 {
		for i := range m {
			var zero T
			dtype.Convert(y.DType, y.At(from+i, 0), y.Depth, dtype.Of[T](), unsafe.Pointer(&zero), 0, s.e)
		}
		return
	}
	scores := matmul.ByteMatrix{At: s.scores.At(0), Line: s.pitch * size, Depth: size}
	n := s.n // the keys that the last of these queries sees
	if s.causal {
		n = min(n, from+m)
	}
	s.score(scores, from, m, n)
	if s.causal {
		s.hide(from, n)
	}
	s.exponentials(0, m, n)
	s.weighOddRows(from, m, n)
	if s.e > 0 {
		inPlace := y.DType == dtype.Of[T]() && (y.Depth == 1 || s.e == 1)
		sums := matmul.ByteMatrix{At: s.lines.At(0), Line: s.e * size, Depth: size}
		if inPlace {
			sums = matmul.ByteMatrix{At: y.At(from, 0), Line: y.Line * size, Depth: size}
		}
		values := s.values.First(n)
		values.Multiply(scores, sums, matmul.ByteMatrix{}, m, 0, s.e)
		scaleRows(sums, sums, s.sums[:m], s.e)
		s.sumOddRows(sums, from, m, n)
		if !inPlace {
			s.store(&s.y, from, m, s.e, sums)
		}
	}
	if s.keepsWeights {
		w := scores
		inPlace := s.w.DType == dtype.Of[T]() && (s.w.Depth == 1 || s.n == 1)
		if inPlace {
			w = matmul.ByteMatrix{At: s.w.Block(batch).At(from, 0), Line: s.w.Line * size, Depth: size}
		}
		for i := range m {
			clear(memory.Room[T](s.scores, i*scores.Line, s.n)[n:])
		}
		scaleRows(w, scores, s.sums[:m], s.n)
		if !inPlace {
			s.store(&s.w, from, m, s.n, w)
		}
	}
}

// store converts m lines of n elements to an operand.
func (s *workspace[T]) store(to *matmul.Matrix, from, m, n int, x matmul.ByteMatrix) {
	b := to.Block(s.batch)
	for i := range m {
		dtype.Convert(b.DType, b.At(from+i, 0), b.Depth, dtype.Of[T](), unsafe.Add(x.At, i*x.Line), 1, n)
	}
}

// score multiplies m queries by the first n keys and the scale, and adds the mask.
func (s *workspace[T]) score(scores matmul.ByteMatrix, from, m, n int) {
	mask, size := matmul.ByteMatrix{}, scores.Depth
	switch {
	case s.isMasked:
		// Products are added to the mask itself, or to a copy of the mask that lies at the location of the scores.
		b := s.mask.Block(s.batch)
		mask = matmul.ByteMatrix{At: b.At(from, 0), Line: s.mask.Line * size, Depth: size}
		if s.mask.DType != dtype.Of[T]() || s.mask.Depth != 1 && n > 1 || s.d == 0 {
			mask = scores
			for i := range m {
				dtype.Convert(dtype.Of[T](), unsafe.Add(scores.At, i*scores.Line), 1, b.DType, b.At(from+i, 0), b.Depth, n)
			}
		}
	case s.d == 0:
		clear(memory.Room[byte](s.scores, 0, m*scores.Line))
	}
	if s.d == 0 {
		return
	}
	q, scaled := s.floats(&s.q, from, m, s.d, true), matmul.ByteMatrix{At: s.lines.At(0), Line: s.d * size, Depth: size}
	for i := range m {
		s.scratch[i] = s.scale
	}
	scaleRows(scaled, q, s.scratch[:m], s.d)
	s.keys.Multiply(scaled, scores, mask, m, 0, n)
}

// hide sets the scores of keys that a query does not see to -Inf. It looks at the first n keys and the queries starting
// at from.
func (s *workspace[T]) hide(from, n int) {
	for i := range max(n-from, 0) {
		row := memory.Room[T](s.scores, i*s.pitch*int(unsafe.Sizeof(s.scale)), n)[from+i+1:]
		for k := range row {
			row[k] = T(math.Inf(-1))
		}
	}
}

// scaleRows stores the rows of x, with n elements each, times factors.
func scaleRows[T softmax.Float](dst, x matmul.ByteMatrix, factors []T, n int) {
	size := int(unsafe.Sizeof(factors[0]))
	for from := 0; from < n; from += softmax.Longest {
		to, at := (*T)(unsafe.Add(dst.At, from*size)), (*T)(unsafe.Add(x.At, from*size))
		softmax.Scale(to, at, &factors[0], len(factors), min(softmax.Longest, n-from), dst.Line/size, x.Line/size)
	}
}

// exponentials replaces m rows of n scores, from one row on, by e^(s-t), where t is the largest score of the row, and
// each sum by the factor of its row.
func (s *workspace[T]) exponentials(row, m, n int) {
	at := func(from int) *T { return (*T)(s.scores.At((row*s.pitch + from) * int(unsafe.Sizeof(s.scale)))) }
	largest, sums := s.largest[row:row+m], s.sums[row:row+m]
	for from := 0; from < n; from += softmax.Longest {
		part := min(softmax.Longest, n-from)
		reduce.Rows(reduce.Max, &s.scratch[0], at(from), m, part, s.pitch)
		for i, v := range s.scratch[:m] {
			if from > 0 {
				v = max(v, largest[i])
			}
			largest[i] = v
		}
	}
	clear(sums)
	for from := 0; from < n; from += softmax.Longest {
		part := min(softmax.Longest, n-from)
		softmax.Exponentials(at(from), at(from), &largest[0], &s.scratch[0], m, part, s.pitch, s.pitch, 0)
		for i, v := range s.scratch[:m] {
			sums[i] += v
		}
	}
	for i, v := range sums {
		sums[i] = 1 / v
	}
}
