package rowops

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/softmax"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// CrossEntropy stores log Σexp(x) - x[t], and 0 if the label is l.Ignore.
func CrossEntropy(l *device.Launch) {
	checkLabels(l)
	if inDouble(l, 2) {
		crossEntropy[float64](l)
	} else {
		crossEntropy[float32](l)
	}
}

func crossEntropy[T softmax.Float](l *device.Launch) {
	if l.Shape[l.Rank-1] == 0 {
		storeZeroLosses(l)
		return
	}
	forRowBatches(l, RowCost(true), func(b *rowBatch[T]) {
		x := b.input(1)
		b.findMaxima(x)
		b.sumExponentials(x, x)
		for i := range b.rows {
			loss := 0.0
			if t := b.label(i); t != int64(l.Ignore) {
				loss = scalar.Log(b.totals[i]) - (float64(x.element(b, i, t)) - float64(b.values[i]))
			}
			b.storeNumber(0, i, loss)
		}
	})
}

// CrossEntropyGrad stores (softmax(x) - onehot(t))·g, and 0 in the rows whose label is l.Ignore.
func CrossEntropyGrad(l *device.Launch) {
	checkLabels(l)
	if inDouble(l, 2) || l.Operands[3].DType == dtype.Float64 {
		crossEntropyGrad[float64](l)
	} else {
		crossEntropyGrad[float32](l)
	}
}

func crossEntropyGrad[T softmax.Float](l *device.Launch) {
	forRowBatches(l, RowCost(true), func(b *rowBatch[T]) {
		x := b.input(1)
		gx, _ := b.operand(0)
		b.findMaxima(x)
		b.exponentials(gx, x)
		for i := range b.rows {
			b.totals[i] = b.number(3, i) / b.totals[i]
		}
		b.spread(b.values, func(row int) T { return T(b.totals[row]) })
		b.scale(gx)
		for i := range b.rows {
			if t := b.label(i); t != int64(l.Ignore) {
				*gx.at(b, i, t) -= T(b.number(3, i))
			} else {
				clear(unsafe.Slice(gx.at(b, i, 0), b.n))
			}
		}
		b.store(gx)
	})
}

// at returns the address of an element of a row.
func (s operandRows[T]) at(b *rowBatch[T], row int, column int64) *T {
	offset := int(column)
	if b.n <= softmax.Longest {
		offset += row * s.pitch
	}
	return (*T)(unsafe.Add(unsafe.Pointer(s.p), offset*int(unsafe.Sizeof(*s.p))))
}

// element returns an element of a row.
func (s operandRows[T]) element(b *rowBatch[T], row int, column int64) T {
	return *s.at(b, row, column)
}

// rowNumber returns the address of operand k's number for a row.
func (b *rowBatch[T]) rowNumber(k, row int) (p unsafe.Pointer, t dtype.DType) {
	v := strided.Within(b.launch, k, 0, b.launch.Rank-1)
	return v.At(b.first + row), v.DType
}

// label returns the class of a row, from operand 2.
func (b *rowBatch[T]) label(row int) (label int64) {
	p, t := b.rowNumber(2, row)
	dtype.Convert(dtype.Int64, unsafe.Pointer(&label), 1, t, p, 1, 1)
	return label
}

// number returns operand k's number for a row.
func (b *rowBatch[T]) number(k, row int) (v float64) {
	p, t := b.rowNumber(k, row)
	dtype.Convert(dtype.Float64, unsafe.Pointer(&v), 1, t, p, 1, 1)
	return v
}

func (b *rowBatch[T]) storeNumber(k, row int, v float64) {
	p, t := b.rowNumber(k, row)
	dtype.Convert(t, p, 1, dtype.Float64, unsafe.Pointer(&v), 1, 1)
}

// storeZeroLosses stores the loss of empty rows, whose labels are all ignored.
func storeZeroLosses(l *device.Launch) {
	y := strided.Within(l, 0, 0, l.Rank-1)
	for row := range broadcast.Size(l.Shape[:l.Rank-1]) {
		zero := 0.0
		dtype.Convert(y.DType, y.At(row), 1, dtype.Float64, unsafe.Pointer(&zero), 1, 1)
	}
}

// checkLabels panics with *device.IndexError at the first label that is neither an index of the last axis nor the label
// to ignore.
func checkLabels(l *device.Launch) {
	strided.EnsureAxis(l)
	v := strided.Within(l, 2, 0, l.Rank-1)
	size := l.Shape[l.Rank-1]
	for row := range broadcast.Size(l.Shape[:l.Rank-1]) {
		var label int64
		dtype.Convert(dtype.Int64, unsafe.Pointer(&label), 1, v.DType, v.At(row), 1, 1)
		if label != int64(l.Ignore) && (label < 0 || label >= int64(size)) {
			panic(&device.IndexError{Index: int(label), Size: size})
		}
	}
}
