package blas

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/matmul"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// Form says in which form operands count. Forms are combined with |.
type Form uint8

const (
	ConjugateLeft  Form = 1 << iota // the left factor is conjugated, or the triangle
	ConjugateRight                  // the right factor is conjugated
	Upper                           // the triangle is the upper one, else the lower one
	UnitDiagonal                    // the diagonal of the triangle is 1, and is not read
	Alone                           // the work is not shared with other workers
)

// AddProduct adds alpha·a·b to c. If alpha is not 1, it copies the smaller factor. c must not overlap the factors.
func AddProduct[T Number](c Matrix[T], alpha T, a, b Matrix[T], form Form) {
	if c.isEmpty() || a.Columns == 0 {
		return
	}
	// The tiles need contiguous rows of c. A single column is better a row: then few lanes of a vector remain unused.
	if !c.hasRows() || c.Columns == 1 && c.Line == 1 {
		c, a, b = c.Transpose(), b.Transpose(), a.Transpose()
		form = form&^(ConjugateLeft|ConjugateRight) | form&ConjugateLeft<<1 | form&ConjugateRight>>1
	}
	work := float64(a.Columns) * matmul.FloatProductCost(size[T]())
	if IsComplex[T]() {
		work *= 2
	}
	p := product[T]{c: c, a: a, b: b, alpha: alpha, form: form}
	p.shared = form&Alone == 0 && workers.Sharing(workers.Estimate(c.Rows*c.Columns, work))
	switch any(alpha).(type) {
	case float32:
		multiplyReal[T, float32](&p)
	case float64:
		multiplyReal[T, float64](&p)
	case complex64:
		multiplyComplex[T, float32](&p)
	case complex128:
		multiplyComplex[T, float64](&p)
	}
	for _, s := range p.copies {
		if s != nil {
			s.Recycle()
		}
	}
}

// product is one call of AddProduct.
type product[T Number] struct {
	c, a, b Matrix[T]
	alpha   T
	form    Form
	shared  bool
	copies  [2]*memory.Scratch
}

// block returns the block of the product in elements of the given size; c and a are read as they are.
func (p *product[T]) block() gemm.Block {
	size := size[T]()
	b := gemm.Block{
		M: p.c.Rows, N: p.c.Columns, K: p.a.Columns,
		A: p.a.address(), ALine: p.a.Line * size, ADepth: p.a.Step * size,
		B: p.b.address(), BDepth: p.b.Line * size,
		C: p.c.address(), CLine: p.c.Line * size,
	}
	b.D, b.DLine = b.C, b.CLine
	return b
}

func multiplyReal[T Number, R gemm.Float](p *product[T]) {
	if p.alpha != 1 {
		if p.a.Rows <= p.b.Columns {
			p.a = p.scaled(p.a)
		} else {
			p.b = p.scaled(p.b)
		}
	}
	b := p.block()
	column := p.b.Step * size[T]()
	if b.N == 1 && b.BDepth == size[T]() {
		column = 0
	} else if b.N == 1 {
		column = size[T]()
	}
	matmul.Multiply[R](&b, column, p.shared)
}

// scaled returns a copy of a factor times alpha, in the order in which the factor lies in memory.
func (p *product[T]) scaled(a Matrix[T]) Matrix[T] {
	across := a.Step != 1 && a.Line == 1
	if across {
		a = a.Transpose()
	}
	s, y := take[T](a.Rows, a.Columns)
	p.copies[0] = s
	CopyScaled(y, p.alpha, a)
	if across {
		return y.Transpose()
	}
	return y
}

// CopyScaled sets dst to alpha·src. They have the same shape, and dst has contiguous rows.
func CopyScaled[T Number](dst Matrix[T], alpha T, src Matrix[T]) {
	if src.hasRows() && !IsComplex[T]() && !dst.isEmpty() {
		scaleRows(dst, alpha, src)
		return
	}
	for i := range dst.Rows {
		row := dst.Row(i)
		for j := range row {
			row[j] = alpha * *src.At(i, j)
		}
	}
}

// multiplyComplex computes the product as one of floats, as package matmul does: each number b of the right factor becomes
// the rows (re b, im b) and (-im b, re b).
func multiplyComplex[T Number, R gemm.Float](p *product[T]) {
	size := size[T]()
	if !p.a.hasRows() || p.form&ConjugateLeft != 0 {
		s, y := take[T](p.a.Rows, p.a.Columns)
		Copy(y, p.a)
		if p.form&ConjugateLeft != 0 {
			conjugate(floats[R](y.Data))
		}
		p.a, p.copies[0] = y, s
	}
	n := p.b.Columns
	s := memory.TakeScratch(2 * p.b.Rows * n * size)
	p.copies[1] = s
	re, im := Parts(p.alpha)
	for k := range p.b.Rows {
		row := memory.Room[R](s, 2*k*n*size, 4*n)
		expand(row, floats[R](p.b.Data[k*p.b.Line:]), 2*p.b.Step, R(re), R(im), p.form&ConjugateRight != 0)
	}
	b := p.block()
	b.N, b.K, b.ADepth, b.B, b.BDepth = 2*b.N, 2*b.K, size/2, s.At(0), n*size
	matmul.Multiply[R](&b, size/2, p.shared)
}

// expand stores alpha·x and then i·alpha·x for complex numbers that are step floats apart.
func expand[R gemm.Float](dst, x []R, step int, re, im R, conj bool) {
	n := len(dst) / 4
	plain, timesI := dst[:2*n], dst[2*n:][:2*n]
	sign := R(1)
	if conj {
		sign = -1
	}
	for j := range n {
		xr, xi := x[j*step], sign*x[j*step+1]
		if im != 0 || re != 1 {
			xr, xi = re*xr-im*xi, re*xi+im*xr
		}
		plain[2*j], plain[2*j+1] = xr, xi
		timesI[2*j], timesI[2*j+1] = -xi, xr
	}
}

// floats returns complex numbers as pairs of floats.
func floats[R gemm.Float, T Number](x []T) []R {
	return unsafe.Slice((*R)(unsafe.Pointer(unsafe.SliceData(x))), 2*len(x))
}

// conjugate conjugates complex numbers.
func conjugate[R gemm.Float](x []R) {
	for i := 1; i < len(x); i += 2 {
		x[i] = -x[i]
	}
}
