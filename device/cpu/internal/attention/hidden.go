package attention

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/matmul"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/softmax"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// The products of matrices know no hidden keys: 0 times the NaN of a hidden key is NaN, and so is NaN - Inf. Rows with
// such a result, and rows without visible keys, are rare. They are computed again, key by key.

// weighOddRows computes the exponentials of the rows whose sum is NaN again. It leaves 0 for hidden keys, and in a row
// without visible keys only zeros.
func (s *workspace[T]) weighOddRows(from, m, n int) {
	for i, v := range s.sums[:m] {
		if v == v {
			continue
		}
		row := s.row(i, n)
		if math.IsInf(float64(s.largest[i]), -1) {
			clear(row)
			s.sums[i] = 0
		} else if s.isMasked || s.causal {
			s.weigh(row, i, from+i)
		}
	}
}

// weigh computes the exponentials of one row.
func (s *workspace[T]) weigh(row []T, i, query int) {
	n := len(row)
	hidden, mask := s.hidden(query, n)
	q, k := make([]T, s.d), make([]T, s.d)
	s.read(q, &s.q, query)
	for j := range row {
		if row[j] = T(math.Inf(-1)); hidden[j] {
			continue
		}
		s.read(k, &s.k, j)
		var product T
		for c := range q {
			product += T(T(q[c]*s.scale) * k[c])
		}
		if row[j] = product; mask != nil {
			row[j] += mask[j]
		}
	}
	s.exponentials(i, 1, n)
	switch v := s.sums[i]; {
	case v == v:
		return // the exponentials of hidden scores are 0
	case math.IsInf(float64(s.largest[i]), -1):
		clear(row)
		s.sums[i] = 0
	default: // a visible score is NaN or +Inf
		for j := range row {
			if row[j] = T(math.NaN()); hidden[j] {
				row[j] = 0
			}
		}
		s.sums[i] = 1
	}
}

// sumOddRows computes the rows of the result y that have a NaN again, without the values of hidden keys.
func (s *workspace[T]) sumOddRows(y matmul.ByteMatrix, from, m, n int) {
	if !s.isMasked && !s.causal {
		return
	}
	odd := make([]bool, 0, mostQueries)[:m]
	for c := 0; c < s.e; c += softmax.Longest {
		at := (*T)(unsafe.Add(y.At, c*y.Depth))
		reduce.Rows(reduce.Sum, &s.scratch[0], at, m, min(softmax.Longest, s.e-c), y.Line/y.Depth)
		for i, v := range s.scratch[:m] {
			odd[i] = odd[i] || v != v
		}
	}
	for i := range m {
		if odd[i] {
			s.sum(unsafe.Slice((*T)(unsafe.Add(y.At, i*y.Line)), s.e), s.row(i, n), from+i, s.sums[i])
		}
	}
}

// sum computes one row of the result from a row of exponentials and their factor.
func (s *workspace[T]) sum(y, row []T, query int, factor T) {
	hidden, _ := s.hidden(query, len(row))
	value := make([]T, s.e)
	clear(y)
	for j, w := range row {
		if hidden[j] {
			continue
		}
		s.read(value, &s.v, j)
		for c, v := range value {
			y[c] += T(T(w*factor) * v)
		}
	}
}

// row returns the first n scores of a row.
func (s *workspace[T]) row(i, n int) []T {
	return memory.Room[T](s.scores, i*s.pitch*int(unsafe.Sizeof(s.scale)), n)
}

// read reads a line of an operand.
func (s *workspace[T]) read(line []T, m *matmul.Matrix, i int) {
	if len(line) > 0 {
		b := m.Block(s.batch)
		dtype.Convert(dtype.Of[T](), unsafe.Pointer(&line[0]), 1, m.DType, b.At(i, 0), m.Depth, len(line))
	}
}

// hidden reports which of the first n keys are hidden from a query, and returns the query's mask; nil for none.
func (s *workspace[T]) hidden(query, n int) (hidden []bool, mask []T) {
	hidden = make([]bool, n)
	if s.isMasked {
		mask = make([]T, n)
		s.read(mask, &s.mask, query)
		for j, v := range mask {
			hidden[j] = math.IsInf(float64(v), -1)
		}
	}
	if s.causal {
		for j := query + 1; j < n; j++ {
			hidden[j] = true
		}
	}
	return hidden, mask
}
