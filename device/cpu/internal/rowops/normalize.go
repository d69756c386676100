package rowops

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/normalize"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Normalize reads the values of each mean three times, while they are in the cache: for the mean, for the variance and
// for the result.
func Normalize(l *device.Launch) {
	n := newNormalization(l, 1, 2)
	n.gamma, n.beta = n.view(4), n.view(5)
	n.y, n.x = strided.Of(n.launch, 0), strided.Of(n.launch, 3)
	if n.outputs == 0 {
		return
	}
	switch t := n.x.DType; {
	case n.length == 0 || !n.plain(t, &n.y, &n.x) || !n.plainParameters(t, &n.gamma, &n.beta) || n.mean.DType != t || n.variance.DType != t:
		workers.ForRanges(n.outputs, 8*float64(n.length), n.general)
	case t == dtype.Float32:
		workers.ForRanges(n.outputs, normalizeCost*float64(n.length), func(from, to int) { normalizeRows[float32](n, from, to) })
	default:
		workers.ForRanges(n.outputs, 2*normalizeCost*float64(n.length), func(from, to int) { normalizeRows[float64](n, from, to) })
	}
}

// normalizeCost is the cost of 4 bytes, in nanoseconds.
const normalizeCost = 0.5

// normalization is a Normalize or NormalizeGrad in progress. The values of an output, a point of the kept axes, lie in
// segments along the last axis.
type normalization struct {
	launch         *device.Launch
	kept           int // numbers of axes
	outputs        int
	length         int // values per output
	row            int // values per segment
	y, x           strided.View
	gamma, beta    strided.View // without a base if they are absent
	mean, variance strided.View // over the kept axes
}

// newNormalization merges and reorders the axes. mean and variance are the numbers of these operands.
func newNormalization(l *device.Launch, mean, variance int) *normalization {
	for k := range l.N {
		if l.Operands[k].Memory.IsNil() {
			l.Operands[k].Strides = [device.MaxRank]int{}
		}
	}
	n := &normalization{launch: l}
	n.kept = strided.SimplifyGroup(l, 0, l.Rank-l.Reduced)
	strided.SimplifyGroup(l, n.kept, l.Rank)
	if l.Rank == n.kept { // a segment with one value
		l.Shape[l.Rank] = 1
		for k := range l.N {
			l.Operands[k].Strides[l.Rank] = 0
		}
		l.Rank++
	}
	n.outputs, n.length = broadcast.Size(l.Shape[:n.kept]), broadcast.Size(l.Shape[n.kept:l.Rank])
	n.row = l.Shape[l.Rank-1]
	n.mean, n.variance = strided.Within(l, mean, 0, n.kept), strided.Within(l, variance, 0, n.kept)
	return n
}

// view returns an operand that may be nil memory.
func (n *normalization) view(k int) strided.View {
	if n.launch.Operands[k].Memory.IsNil() {
		return strided.View{}
	}
	return strided.Of(n.launch, k)
}

// plain reports whether operands have floats of one type that are contiguous in the segments.
func (n *normalization) plain(t dtype.DType, operands ...*strided.View) bool {
	ok := t == dtype.Float32 || t == dtype.Float64
	for _, v := range operands {
		ok = ok && v.DType == t && (v.Step() == 1 || n.row == 1)
	}
	return ok
}

// plainParameters is plain for operands that may also be absent, or have one value per segment.
func (n *normalization) plainParameters(t dtype.DType, operands ...*strided.View) bool {
	ok := true
	for _, v := range operands {
		ok = ok && (v.Base == nil || v.DType == t && (v.Step() == 0 || v.Step() == 1 || n.row == 1))
	}
	return ok
}

// varies reports whether a parameter has different values in a segment.
func (n *normalization) varies(v *strided.View) bool {
	return v.Base != nil && v.Step() != 0 && n.row > 1
}

// segmentsAtOnce is how many segments one call sums.
const segmentsAtOnce = 16

// normalizeRows computes some outputs. Several short outputs with one segment each are computed together.
func normalizeRows[T scalar.Float](n *normalization, from, to int) {
	along, pitch := 1, 0
	if n.kept > 0 && n.length == n.row && n.row <= reduce.Longest {
		along, pitch = n.launch.Shape[n.kept-1], n.x.Strides[n.kept-1]
	}
	together := min(segmentsAtOnce, max(1, 2*reduce.Longest/n.row))
	p, rough := parametersOf[T](n), roughness[T]()
	space := memory.TakeScratch(2 * segmentsAtOnce * 8)
	means, variances := memory.Room[T](space, 0, segmentsAtOnce), memory.Room[T](space, segmentsAtOnce*8, segmentsAtOnce)
	for from < to {
		rows := min(together, along-from%along, to-from)
		if n.length == n.row && n.row <= reduce.Longest {
			x := (*T)(n.x.At(from * n.length))
			reduce.Rows(reduce.Sum, &means[0], x, rows, n.row, pitch)
			for i := range rows {
				means[i] /= T(n.length)
			}
			reduce.PairRows(reduce.Deviations, &variances[0], x, &means[0], rows, n.row, pitch, 1)
			for i := range rows {
				variances[i] /= T(n.length)
			}
		} else {
			means[0], variances[0] = momentsOf[T](n, from)
		}
		for i := range rows {
			var rate float64
			if isRough(means[i], variances[i], means[i]*rough) {
				mean, variance, exact := n.moments(from + i)
				means[i], variances[i], rate = T(mean), T(variance), exact
			} else {
				rate = n.rate(float64(variances[i]))
			}
			*(*T)(n.mean.At(from + i)), *(*T)(n.variance.At(from + i)) = means[i], variances[i]
			standardizeOutput(n, p, from+i, means[i], rate, rows)
		}
		from += rows
	}
	p.recycle()
	space.Recycle()
}

// rate is 1/√(variance + eps).
func (n *normalization) rate(variance float64) float64 { return 1 / math.Sqrt(variance+n.launch.Eps) }

// momentsOf returns the mean and the variance of an output's values.
func momentsOf[T scalar.Float](n *normalization, output int) (mean, variance T) {
	var total float64
	n.eachPiece(output, func(point, rows, length, pitch int) {
		var sums [segmentsAtOnce]T
		reduce.Rows(reduce.Sum, &sums[0], (*T)(n.x.At(point)), rows, length, pitch)
		for _, v := range sums[:rows] {
			total += float64(v)
		}
	})
	mean = T(total / float64(n.length))
	total = 0
	n.eachPiece(output, func(point, rows, length, pitch int) {
		var sums [segmentsAtOnce]T
		reduce.PairRows(reduce.Deviations, &sums[0], (*T)(n.x.At(point)), &mean, rows, length, pitch, 0)
		for _, v := range sums[:rows] {
			total += float64(v)
		}
	})
	return mean, T(total / float64(n.length))
}

// eachPiece iterates over the values of an output: several segments, or pieces of one segment, at once.
func (n *normalization) eachPiece(output int, body func(point, rows, length, pitch int)) {
	axis := n.launch.Rank - 2
	for start, end := output*n.length, (output+1)*n.length; start < end; {
		rows, length, pitch := 1, n.row, 0
		if left := n.row - start%n.row; left < n.row || n.row > reduce.Longest {
			length = min(left, reduce.Longest)
			rows, pitch = min(left/length, segmentsAtOnce), length
		} else if axis >= n.kept {
			down := n.launch.Shape[axis]
			rows, pitch = min(down-start/n.row%down, segmentsAtOnce), n.x.Strides[axis]
		}
		body(start, rows, length, pitch)
		start += rows * length
	}
}

// standardizeOutput stores an output's values. The next output whose moments are not known comes the given number of
// outputs later.
func standardizeOutput[T scalar.Float](n *normalization, p *parameters[T], output int, mean T, rate float64, later int) {
	for point := output * n.length; point < (output+1)*n.length; point += n.row {
		y, x := memory.Slice[T](n.y.At(point), n.row), memory.Slice[T](n.x.At(point), n.row)
		if n.varies(&n.gamma) || n.varies(&n.beta) {
			normalize.Standardize(y, x, p.row(0, point), p.row(1, point), mean, T(rate), later*n.length)
		} else {
			normalize.Center(y, x, mean, T(rate*float64(p.value(0, point))), p.value(1, point))
		}
	}
}

// parameters are gamma and beta as rows.
type parameters[T scalar.Float] struct {
	views  [2]*strided.View
	varies [2]bool
	n      int
	room   *memory.Scratch
}

func parametersOf[T scalar.Float](n *normalization) *parameters[T] {
	p := &parameters[T]{views: [2]*strided.View{&n.gamma, &n.beta}, varies: [2]bool{n.varies(&n.gamma), n.varies(&n.beta)}, n: n.row}
	if p.varies[0] != p.varies[1] {
		p.room = memory.TakeScratch(8 * n.row)
	}
	return p
}

func (p *parameters[T]) recycle() {
	if p.room != nil {
		p.room.Recycle()
	}
}

// value returns a parameter's value for the segment at a point.
func (p *parameters[T]) value(which, point int) T {
	if v := p.views[which]; v.Base != nil {
		return *(*T)(v.At(point))
	}
	return T(1 - which) // gamma is 1 and beta 0
}

// row returns a parameter's values for the segment at a point, when one of the two varies.
func (p *parameters[T]) row(which, point int) []T {
	if p.varies[which] {
		return memory.Slice[T](p.views[which].At(point), p.n)
	}
	row := memory.Room[T](p.room, 0, p.n)
	value := p.value(which, point)
	for i := range row {
		row[i] = value
	}
	return row
}

// general is for all other types and strides; it computes in float64.
func (n *normalization) general(from, to int) {
	space := memory.TakeScratch(3 * strided.BlockLen * 8)
	x, gamma, beta := memory.Room[float64](space, 0, strided.BlockLen), memory.Room[float64](space, strided.BlockLen*8, strided.BlockLen), memory.Room[float64](space, 2*strided.BlockLen*8, strided.BlockLen)
	for output := from; output < to; output++ {
		mean, variance, rate := n.moments(output)
		n.eachBlock(output, func(point, length int) {
			n.x.Load(unsafe.Pointer(&x[0]), dtype.Float64, point, length)
			loadOr(&n.gamma, gamma[:length], 1, point)
			loadOr(&n.beta, beta[:length], 0, point)
			for i, v := range x[:length] {
				x[i] = (v-mean)*rate*gamma[i] + beta[i]
			}
			n.y.Store(unsafe.Pointer(&x[0]), dtype.Float64, point, length)
		})
		n.mean.Store(unsafe.Pointer(&mean), dtype.Float64, output, 1)
		n.variance.Store(unsafe.Pointer(&variance), dtype.Float64, output, 1)
	}
	space.Recycle()
}

// eachBlock iterates over the values of an output in blocks.
func (n *normalization) eachBlock(output int, block func(point, length int)) {
	for start, end := output*n.length, (output+1)*n.length; start < end; start += strided.BlockLen {
		block(start, min(strided.BlockLen, end-start))
	}
}

// loadOr loads a parameter's values, or a number if the parameter is absent.
func loadOr(v *strided.View, dst []float64, number float64, point int) {
	if v.Base != nil {
		v.Load(unsafe.Pointer(&dst[0]), dtype.Float64, point, len(dst))
		return
	}
	for i := range dst {
		dst[i] = number
	}
}
