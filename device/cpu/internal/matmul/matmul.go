// Package matmul multiplies matrices: the kernel MatMul, and the products of attention, convolutions and
// factorisations.
//
// Floats use the routines of package gemm (tiled.go; pairs of bfloat16: bfloats.go), batches of small matrices those of package products
// (smallbatch.go), inner products a pairwise sum (dot.go). Complex numbers become one product of floats (complex.go),
// integers and bools one of wider integers or of groups (integers.go). Without vector instructions all is Go code: with
// packed factors (pack.go) or, if packing is not worth it, with the factors in place (unpacked.go).
package matmul

import (
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/elementwise"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// MatMul computes in the type of operand 0, or in float32 for the 16-bit floats. How the sums are split depends only on
// the shape.
func MatMul(l *device.Launch) {
	mergeBatch(l)
	batch := l.Rank - 3
	p := spareProducts.Get().(*Product)
	defer p.recycle()
	p.M, p.N, p.K = l.Shape[batch], l.Shape[batch+1], l.Shape[batch+2]
	p.batches = broadcast.Size(l.Shape[:batch])
	if p.M == 0 || p.N == 0 || p.batches == 0 {
		return
	}
	p.a = MatrixOf(l, 1, batch, 0, 2)
	p.b = MatrixOf(l, 2, batch, 1, 2)
	p.c = MatrixOf(l, 0, batch, 0, 1)
	if p.adds = l.N > 3; p.adds {
		p.d = MatrixOf(l, 3, batch, 0, 1)
	}
	p.DType = dtype.ComputeType(p.c.DType)
	p.findLimits(l.Post)
	switch p.DType {
	case dtype.Bool:
		p.DType, p.logical = dtype.Int32, true
		multiplyBatches[uint32](p)
	case dtype.Int8, dtype.Uint8:
		multiplyBatches[uint8](p)
	case dtype.Int16, dtype.Uint16:
		multiplyBatches[uint16](p)
	case dtype.Int32, dtype.Uint32:
		multiplyBatches[uint32](p)
	case dtype.Int64, dtype.Uint64:
		multiplyBatches[uint64](p)
	case dtype.Float32:
		if !multiplySmall[float32](p) {
			multiplyBatches[float32](p)
		}
	case dtype.Float64:
		if !multiplySmall[float64](p) {
			multiplyBatches[float64](p)
		}
	case dtype.Complex64:
		multiplyBatches[complex64](p)
	case dtype.Complex128:
		multiplyBatches[complex128](p)
	}
	if l.Post != nil && !p.limits.applied() {
		l.ApplyPost(l.Rank-1, elementwise.Elementwise)
	}
}

// mergeBatch makes the last batch axis part of the rows, if all its matrices have the same right factor: then the right
// factor is packed once.
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

// Product is c[m, n] = Σ a[m, k]·b[k, n] + d[m, n], for each matrix of a batch.
type Product struct {
	batches, M, N, K int
	a, b, c, d       Matrix
	adds             bool        // whether d is present
	DType            dtype.DType // the type of the sums
	logical          bool        // bools: the sums are counted, and the stored value says whether the count is nonzero
	limits           *limits     // applied to sums of floats; nil for none
}

// spareProducts are reused by later launches, without references to the operands.
var spareProducts = sync.Pool{New: func() any { return new(Product) }}

func (p *Product) recycle() {
	*p = Product{}
	spareProducts.Put(p)
}

// Matrix is an operand of a matrix product. For a and b, lines are the axis that the product keeps, rows of a and
// columns of b; depth runs along k. For c and d, lines are rows and depth runs along n.
type Matrix struct {
	batch       strided.View
	DType       dtype.DType
	Size        int
	Line, Depth int // strides
}

// MatrixOf returns an operand; line and depth are its axes after the batch axes.
func MatrixOf(l *device.Launch, k, batch, line, depth int) Matrix {
	op := &l.Operands[k]
	return Matrix{
		batch: strided.Within(l, k, 0, batch), DType: op.DType, Size: op.DType.Size(),
		Line: op.Strides[batch+line], Depth: op.Strides[batch+depth],
	}
}

// Block is a matrix of a batch, starting at an element.
type Block struct {
	*Matrix
	Base unsafe.Pointer
}

// Block returns the matrix of a batch.
func (m *Matrix) Block(batch int) Block { return Block{Matrix: m, Base: m.batch.At(batch)} }

// factors returns the factors of a product of the batch. Factors without elements have no addresses but their first.
func (p *Product) factors(batch int) (a, b Block) {
	if p.K == 0 {
		return Block{Matrix: &p.a, Base: p.a.batch.Base}, Block{Matrix: &p.b, Base: p.b.batch.Base}
	}
	return p.a.Block(batch), p.b.Block(batch)
}

// At returns the address of an element.
func (b Block) At(line, depth int) unsafe.Pointer {
	return unsafe.Add(b.Base, (line*b.Line+depth*b.Depth)*b.Size)
}

// cost returns the nanoseconds per product and sum.
func (p *Product) cost() float64 {
	switch p.DType {
	case dtype.Float32, dtype.Float64:
		return FloatProductCost(p.DType.Size())
	case dtype.Complex64, dtype.Complex128:
		return 4 * FloatProductCost(p.DType.Size()/2)
	}
	return IntegerProductCost(p.DType)
}

// IntegerProductCost returns the nanoseconds per product and sum of integers.
func IntegerProductCost(t dtype.DType) float64 {
	if isa.Current() == isa.Generic {
		return ProductCost
	}
	return 3 * FloatProductCost(t.Size())
}

// ProductCost is the nanoseconds per product and sum in Go code.
const ProductCost = 0.35

// readCost is the nanoseconds to read a byte from memory, which determines the time of products of vectors.
const readCost = 0.05

// multiplyBatches computes all matrices of the batch: several at a time if there are many, else each with several
// workers.
func multiplyBatches[T scalar.Number](p *Product) {
	read := float64(p.M*p.K+p.K*p.N) * float64(p.DType.Size())
	nanoseconds := max(float64(p.M)*float64(p.N)*float64(p.K+8)*p.cost(), read*readCost)
	total := workers.Estimate(p.batches, nanoseconds)
	if !workers.Sharing(total) {
		for i := range p.batches {
			multiplyOne[T](p, i, false)
		}
		return
	}
	if p.batches > 1 && (p.batches >= 2*workers.Count() || !workers.WorthWaking(nanoseconds)) {
		shareBatches[T](p, nanoseconds)
		return
	}
	for i := range p.batches {
		multiplyOne[T](p, i, true)
	}
}

func shareBatches[T scalar.Number](p *Product, nanoseconds float64) {
	workers.ForRanges(p.batches, nanoseconds, func(from, to int) {
		for i := from; i < to; i++ {
			multiplyOne[T](p, i, false)
		}
	})
}

// Target is where sums are stored: in c, or in scratch memory if c has another type.
type Target[T scalar.Number] struct {
	Base      unsafe.Pointer
	Row, Step int // strides
}

func (t *Target[T]) at(i, j int) *T {
	var zero T
	return (*T)(unsafe.Add(t.Base, (i*t.Row+j*t.Step)*int(unsafe.Sizeof(zero))))
}

// multiplyOne computes one matrix of the batch, and shares the work if shared is set. The shape alone selects the
// algorithm, and every algorithm sums along k in the same pieces whether the work is shared or not.
func multiplyOne[T scalar.Number](p *Product, batch int, shared bool) {
	if p.K > 0 && isa.Current() != isa.Generic {
		switch p.DType {
		case dtype.Float32:
			if t := p.task(batch); !multiplyBFloats(&t, shared) {
				multiplyElements[float32](&t, shared)
			}
			return
		case dtype.Float64:
			t := p.task(batch)
			multiplyElements[float64](&t, shared)
			return
		case dtype.Complex64:
			multiplyComplex[float32](p, batch, shared)
			return
		case dtype.Complex128:
			multiplyComplex[float64](p, batch, shared)
			return
		default:
			if t := p.task(batch); multiplyIntegers(&t, shared) {
				return
			}
		}
	}
	a, b := p.factors(batch)
	c := p.c.Block(batch)
	inPlace := c.DType == p.DType && !p.logical && !p.adds
	if inPlace {
		MultiplyBlocks(p, a, b, Target[T]{Base: c.Base, Row: c.Line, Step: c.Depth}, shared)
		return
	}
	sums := memory.TakeScratch(p.M * p.N * p.DType.Size())
	MultiplyBlocks(p, a, b, Target[T]{Base: sums.At(0), Row: p.N, Step: 1}, shared)
	if p.adds {
		addMatrix[T](p, p.d.Block(batch), sums)
	}
	for i := range p.M {
		dtype.Convert(c.DType, c.At(i, 0), c.Depth, p.DType, sums.At(i*p.N*p.DType.Size()), 1, p.N)
	}
	sums.Recycle()
}

// addMatrix adds d to the sums.
func addMatrix[T scalar.Number](p *Product, d Block, sums *memory.Scratch) {
	space := memory.TakeScratch(p.N * p.DType.Size())
	row := memory.Room[T](space, 0, p.N)
	for i := range p.M {
		loadLine(p, unsafe.Pointer(&row[0]), d, i, 0, p.N)
		line := memory.Room[T](sums, i*p.N*p.DType.Size(), p.N)
		for j, v := range row {
			line[j] += v
		}
	}
	space.Recycle()
}

// MultiplyBlocks computes c = a·b, and shares the work if shared is set. It uses the shape and the sum type of p. For
// floats and complex numbers it uses Go code.
func MultiplyBlocks[T scalar.Number](p *Product, a, b Block, c Target[T], shared bool) {
	if p.K > 0 && p.DType.IsInteger() && isa.Current() != isa.Generic {
		t := task{
			m: p.M, n: p.N, k: p.K, a: elementsOf(a), b: elementsOf(b), c: elements{c.Base, p.DType, c.Row, c.Step},
			dtype: p.DType, logical: p.logical,
		}
		if multiplyIntegers(&t, shared) {
			return
		}
	}
	switch {
	case p.K == 0:
		var zero T
		for i := range p.M {
			for j := range p.N {
				*c.at(i, j) = zero
			}
		}
	case p.M < TileRows || p.M*p.N*p.K <= 512:
		u := unpacked[T]{p: p, a: a, b: b, c: c}
		u.multiply(shared)
	default:
		multiplyPacked(p, a, b, c, shared)
	}
}

// Distance returns the distance in elements from each matrix of the batch to the next, if it is the same for all.
func (m *Matrix) Distance() (elements int, ok bool) {
	v := &m.batch
	points := 1
	for axis := len(v.Shape) - 1; axis >= 0; axis-- {
		n := v.Shape[axis]
		if n == 1 {
			continue
		}
		if points == 1 {
			elements = v.Strides[axis]
		} else if v.Strides[axis] != elements*points {
			return 0, false
		}
		points *= n
	}
	return elements, true
}
