package cpu

import (
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// MatMul computes in the type of operand 0, or in float32 for the 16-bit floats. How the sums are cut depends on the
// shape alone.
func (processor) MatMul(l *device.Launch) {
	mergeBatch(l)
	batch := l.Rank - 3
	p := matrixProducts.Get().(*matrixProduct)
	defer p.recycle()
	p.m, p.n, p.k = l.Shape[batch], l.Shape[batch+1], l.Shape[batch+2]
	p.batches = product(l.Shape[:batch])
	if p.m == 0 || p.n == 0 || p.batches == 0 {
		return
	}
	p.a = matrixOf(l, 1, batch, 0, 2)
	p.b = matrixOf(l, 2, batch, 1, 2)
	p.c = matrixOf(l, 0, batch, 0, 1)
	if p.adds = l.N > 3; p.adds {
		p.d = matrixOf(l, 3, batch, 0, 1)
	}
	p.dtype = dtype.ComputeType(p.c.dtype)
	switch p.dtype {
	case dtype.Bool:
		p.dtype, p.logical = dtype.Int32, true
		multiply[uint32](p)
	case dtype.Int8, dtype.Uint8:
		multiply[uint8](p)
	case dtype.Int16, dtype.Uint16:
		multiply[uint16](p)
	case dtype.Int32, dtype.Uint32:
		multiply[uint32](p)
	case dtype.Int64, dtype.Uint64:
		multiply[uint64](p)
	case dtype.Float32:
		multiply[float32](p)
	case dtype.Float64:
		multiply[float64](p)
	case dtype.Complex64:
		multiply[complex64](p)
	case dtype.Complex128:
		multiply[complex128](p)
	}
}

// mergeBatch makes the last batch axis part of the rows, where all its matrices have the same right factor: then that is
// packed once.
func mergeBatch(l *device.Launch) {
	for l.Rank > 3 {
		axis := l.Rank - 4
		m := l.Shape[axis+1]
		operands := l.Operands[:l.N]
		if operands[2].Strides[axis] != 0 {
			return
		}
		for k := range operands {
			if s := &operands[k].Strides; k != 2 && s[axis] != m*s[axis+1] {
				return
			}
		}
		l.Shape[axis+1] *= l.Shape[axis]
		copy(l.Shape[axis:], l.Shape[axis+1:l.Rank])
		for k := range operands {
			s := &operands[k].Strides
			copy(s[axis:], s[axis+1:l.Rank])
		}
		l.Rank--
	}
}

// matrixProduct is c[m, n] = Σ a[m, k]·b[k, n] + d[m, n], for each matrix of a batch.
type matrixProduct struct {
	batches, m, n, k int
	a, b, c, d       matrix
	adds             bool        // whether there is a d
	dtype            dtype.DType // of the sums
	logical          bool        // bools: the sums are counted, and what is stored is whether there was a term
}

// matrixProducts are kept from one launch to the next, but not what they refer to.
var matrixProducts = sync.Pool{New: func() any { return new(matrixProduct) }}

func (p *matrixProduct) recycle() {
	*p = matrixProduct{}
	matrixProducts.Put(p)
}

// matrix is an operand of a matrix product. Of a and b, lines are those that the product keeps apart, rows of a and
// columns of b; depth is along k. Of c and d, lines are rows and depth is along n.
type matrix struct {
	batch       view
	dtype       dtype.DType
	size        int
	line, depth int // strides
}

// matrixOf returns an operand; line and depth are its axes behind the batch.
func matrixOf(l *device.Launch, k, batch, line, depth int) matrix {
	op := &l.Operands[k]
	return matrix{
		batch: viewWithin(l, k, 0, batch), dtype: op.DType, size: op.DType.Size(),
		line: op.Strides[batch+line], depth: op.Strides[batch+depth],
	}
}

// block is a part of a matrix.
type block struct {
	*matrix
	base unsafe.Pointer
}

func (m *matrix) block(batch int) block { return block{m, m.batch.at(batch)} }

func (b block) at(line, depth int) unsafe.Pointer {
	return unsafe.Add(b.base, (line*b.line+depth*b.depth)*b.size)
}

// cost returns what a product and sum take, in nanoseconds.
func (p *matrixProduct) cost() float64 {
	switch p.dtype {
	case dtype.Float32, dtype.Float64:
		return floatProductCost(p.dtype.Size())
	case dtype.Complex64, dtype.Complex128:
		return 4 * floatProductCost(p.dtype.Size()/2)
	}
	return productCost
}

// productCost is cost in plain Go.
const productCost = 0.35

// readCost is what a byte takes to come from memory, in nanoseconds: it is all that products of vectors wait for.
const readCost = 0.05

// multiply does all matrices of the batch: several at a time if there are many, else each by several workers.
func multiply[T number](p *matrixProduct) {
	read := float64(p.m*p.k+p.k*p.n) * float64(p.dtype.Size())
	nanoseconds := max(float64(p.m)*float64(p.n)*float64(p.k+8)*p.cost(), read*readCost)
	total := estimate(p.batches, nanoseconds)
	if !sharing(total) {
		for i := range p.batches {
			multiplyOne[T](p, i, false)
		}
		return
	}
	if p.batches > 1 && (p.batches >= 2*workers.count() || !worthWaking(nanoseconds)) {
		multiplyBatch[T](p, nanoseconds)
		return
	}
	for i := range p.batches {
		multiplyOne[T](p, i, true)
	}
}

func multiplyBatch[T number](p *matrixProduct, nanoseconds float64) {
	forRanges(p.batches, nanoseconds, func(from, to int) {
		for i := from; i < to; i++ {
			multiplyOne[T](p, i, false)
		}
	})
}

// target is where sums are made: in c, or in scratch memory where c has another type.
type target[T number] struct {
	base      unsafe.Pointer
	row, step int // strides
}

func (t *target[T]) at(i, j int) *T {
	var zero T
	return (*T)(unsafe.Add(t.base, (i*t.row+j*t.step)*int(unsafe.Sizeof(zero))))
}

// multiplyOne computes one matrix of the batch, and shares the work if shared. The way to do it is chosen by the shape
// alone, and every way adds up along k in the same pieces whether it is shared or not.
func multiplyOne[T number](p *matrixProduct, batch int, shared bool) {
	if p.k > 0 && isa.Current() != isa.Generic {
		switch p.dtype {
		case dtype.Float32:
			multiplyFloats[float32](p, batch, shared)
			return
		case dtype.Float64:
			multiplyFloats[float64](p, batch, shared)
			return
		case dtype.Complex64:
			multiplyComplex[float32](p, batch, shared)
			return
		case dtype.Complex128:
			multiplyComplex[float64](p, batch, shared)
			return
		}
	}
	a, b, c := p.a.block(batch), p.b.block(batch), p.c.block(batch)
	direct := c.dtype == p.dtype && !p.logical && !p.adds
	if direct {
		sumProducts(p, a, b, target[T]{c.base, c.line, c.depth}, shared)
		return
	}
	sums := takeScratch(p.m * p.n * p.dtype.Size())
	sumProducts(p, a, b, target[T]{sums.at(0), p.n, 1}, shared)
	if p.adds {
		addMatrix[T](p, p.d.block(batch), sums)
	}
	for i := range p.m {
		dtype.Convert(c.dtype, c.at(i, 0), c.depth, p.dtype, sums.at(i*p.n*p.dtype.Size()), 1, p.n)
	}
	sums.recycle()
}

// addMatrix adds d to the sums.
func addMatrix[T number](p *matrixProduct, d block, sums *scratch) {
	space := takeScratch(p.n * p.dtype.Size())
	row := room[T](space, 0, p.n)
	for i := range p.m {
		loadLine(p, unsafe.Pointer(&row[0]), d, i, 0, p.n)
		line := room[T](sums, i*p.n*p.dtype.Size(), p.n)
		for j, v := range row {
			line[j] += v
		}
	}
	space.recycle()
}

func sumProducts[T number](p *matrixProduct, a, b block, c target[T], shared bool) {
	switch {
	case p.k == 0:
		var zero T
		for i := range p.m {
			for j := range p.n {
				*c.at(i, j) = zero
			}
		}
	case p.m < tileRows || p.m*p.n*p.k <= 512:
		u := unpacked[T]{p: p, a: a, b: b, c: c}
		u.multiply(shared)
	default:
		multiplyPacked(p, a, b, c, shared)
	}
}
