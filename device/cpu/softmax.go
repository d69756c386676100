package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/softmax"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Rows are computed in float64 where one of the operands is that, else in float32.

// inDouble reports whether one of the first operands of a launch, so many of them, is of float64.
func inDouble(l *device.Launch, operands int) bool {
	for k := range operands {
		if l.Operands[k].DType == dtype.Float64 {
			return true
		}
	}
	return false
}

// Softmax stores exp(x)/Σexp(x), or its logarithm, along the last axis.
func (processor) Softmax(l *device.Launch) {
	if inDouble(l, 2) {
		softmaxRows[float64](l)
	} else {
		softmaxRows[float32](l)
	}
}

func softmaxRows[T softmax.Float](l *device.Launch) {
	forRowBatches(l, costOfRows(true), func(b *rowBatch[T]) {
		x := b.input(1)
		y, _ := b.operand(0)
		b.largest(x)
		if l.Log {
			b.sumExponentials(y, x)
			b.spread(b.others, func(row int) T { return T(scalar.Log(b.totals[row])) })
			for _, p := range b.parts() {
				softmax.Shift(y.at(p), x.at(p), &b.values[p.from], &b.others[p.from], p.count, p.n, y.pitch, x.pitch)
			}
		} else {
			b.exponentials(y, x)
			b.spread(b.values, func(row int) T { return T(1 / b.totals[row]) })
			b.scale(y)
		}
		b.store(y)
	})
}

// SoftmaxGrad stores y·(g - Σg·y), or g - exp(y)·Σg where y is the logarithm.
func (processor) SoftmaxGrad(l *device.Launch) {
	if inDouble(l, 3) {
		softmaxGradRows[float64](l)
	} else {
		softmaxGradRows[float32](l)
	}
}

func softmaxGradRows[T softmax.Float](l *device.Launch) {
	forRowBatches(l, costOfRows(l.Log), func(b *rowBatch[T]) {
		y, g := b.input(1), b.input(2)
		gx, _ := b.operand(0)
		for _, p := range b.parts() {
			if l.Log {
				reduce.Rows(reduce.Sum, &b.sums[p.from], g.at(p), p.count, p.n, g.pitch)
			} else {
				reduce.PairRows(reduce.Products, &b.sums[p.from], g.at(p), y.at(p), p.count, p.n, g.pitch, y.pitch)
			}
		}
		b.gather()
		b.spread(b.values, func(row int) T { return T(b.totals[row]) })
		for _, p := range b.parts() {
			if l.Log {
				softmax.LessExponentials(gx.at(p), y.at(p), g.at(p), &b.values[p.from], p.count, p.n, gx.pitch, y.pitch, g.pitch)
			} else {
				softmax.Weigh(gx.at(p), y.at(p), g.at(p), &b.values[p.from], p.count, p.n, gx.pitch, y.pitch, g.pitch)
			}
		}
		b.store(gx)
	})
}

// CrossEntropy stores log Σexp(x) - x[t], and 0 where the label is l.Ignore.
func (processor) CrossEntropy(l *device.Launch) {
	checkLabels(l)
	if inDouble(l, 2) {
		crossEntropy[float64](l)
	} else {
		crossEntropy[float32](l)
	}
}

func crossEntropy[T softmax.Float](l *device.Launch) {
	if l.Shape[l.Rank-1] == 0 {
		storeZeros(l)
		return
	}
	forRowBatches(l, costOfRows(true), func(b *rowBatch[T]) {
		x := b.input(1)
		b.largest(x)
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
func (processor) CrossEntropyGrad(l *device.Launch) {
	checkLabels(l)
	if inDouble(l, 2) || l.Operands[3].DType == dtype.Float64 {
		crossEntropyGrad[float64](l)
	} else {
		crossEntropyGrad[float32](l)
	}
}

func crossEntropyGrad[T softmax.Float](l *device.Launch) {
	forRowBatches(l, costOfRows(true), func(b *rowBatch[T]) {
		x := b.input(1)
		gx, _ := b.operand(0)
		b.largest(x)
		b.exponentials(gx, x)
		for i := range b.rows {
			b.totals[i] = b.number(3, i) / b.totals[i]
		}
		b.spread(b.values, func(row int) T { return T(b.totals[row]) })
		b.scale(gx)
		for i := range b.rows {
			if t := b.label(i); t != int64(l.Ignore) {
				*gx.place(b, i, t) -= T(b.number(3, i))
			} else {
				clear(unsafe.Slice(gx.place(b, i, 0), b.n))
			}
		}
		b.store(gx)
	})
}

// place is where an element of a row lies, element what it is.
func (s strip[T]) place(b *rowBatch[T], row int, column int64) *T {
	offset := int(column)
	if b.n <= softmax.Longest {
		offset += row * s.pitch
	}
	return (*T)(unsafe.Add(unsafe.Pointer(s.p), offset*int(unsafe.Sizeof(*s.p))))
}

func (s strip[T]) element(b *rowBatch[T], row int, column int64) T { return *s.place(b, row, column) }

// rowNumber is where operand k has its number of a row.
func (b *rowBatch[T]) rowNumber(k, row int) (p unsafe.Pointer, t dtype.DType) {
	v := viewWithin(b.launch, k, 0, b.launch.Rank-1)
	return v.at(b.first + row), v.dtype
}

// label is the class of a row, which operand 2 says.
func (b *rowBatch[T]) label(row int) (label int64) {
	p, t := b.rowNumber(2, row)
	dtype.Convert(dtype.Int64, unsafe.Pointer(&label), 1, t, p, 1, 1)
	return label
}

// number is what operand k has for a row.
func (b *rowBatch[T]) number(k, row int) (v float64) {
	p, t := b.rowNumber(k, row)
	dtype.Convert(dtype.Float64, unsafe.Pointer(&v), 1, t, p, 1, 1)
	return v
}

func (b *rowBatch[T]) storeNumber(k, row int, v float64) {
	p, t := b.rowNumber(k, row)
	dtype.Convert(t, p, 1, dtype.Float64, unsafe.Pointer(&v), 1, 1)
}

// storeZeros is the loss of rows of no elements, whose labels are all ignored.
func storeZeros(l *device.Launch) {
	y := viewWithin(l, 0, 0, l.Rank-1)
	for row := range product(l.Shape[:l.Rank-1]) {
		zero := 0.0
		dtype.Convert(y.dtype, y.at(row), 1, dtype.Float64, unsafe.Pointer(&zero), 1, 1)
	}
}

// checkLabels panics with *device.IndexError at the first label that is neither a place of the last axis nor the one to
// ignore.
func checkLabels(l *device.Launch) {
	ensureAxis(l)
	v := viewWithin(l, 2, 0, l.Rank-1)
	size := l.Shape[l.Rank-1]
	for row := range product(l.Shape[:l.Rank-1]) {
		var label int64
		dtype.Convert(dtype.Int64, unsafe.Pointer(&label), 1, v.dtype, v.at(row), 1, 1)
		if label != int64(l.Ignore) && (label < 0 || label >= int64(size)) {
			panic(&device.IndexError{Index: int(label), Size: size})
		}
	}
}
