package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// multiplyComplex does one matrix of the batch as a product of floats: the numbers of a and c are pairs of floats as they
// lie in memory, and each number b of the right factor stands for the rows (re b, im b) and (-im b, re b).
func multiplyComplex[T gemm.Float](p *matrixProduct, batch int, shared bool) {
	size := p.dtype.Size()
	var copies [4]*scratch
	a := p.inRows(p.a.block(batch), p.m, p.k, &copies[0])
	pairs := p.pairs(p.b.block(batch), &copies[1])
	result := p.c.block(batch)
	c := floatMatrix{result.base, result.line * size, size}
	apart := result.dtype != p.dtype || result.depth != 1 && p.n > 1
	if apart {
		copies[2] = takeScratch(p.m * p.n * size)
		c = floatMatrix{copies[2].at(0), p.n * size, size}
	}
	whole := gemm.Block{
		M: p.m, N: 2 * p.n, K: 2 * p.k, A: a.at, ALine: a.line, ADepth: size / 2, B: pairs, BDepth: p.n * size, C: c.at, CLine: c.line,
	}
	if p.adds {
		d := p.inRows(p.d.block(batch), p.m, p.n, &copies[3])
		whole.D, whole.DLine = d.at, d.line
	}
	multiplyBlock[T](&whole, size/2, shared)
	if apart {
		for i := range p.m {
			dtype.Convert(result.dtype, result.at(i, 0), result.depth, p.dtype, unsafe.Add(c.at, i*c.line), 1, p.n)
		}
	}
	for _, s := range copies {
		if s != nil {
			s.recycle()
		}
	}
}

// inRows returns m rows of n numbers, copied where they do not lie side by side or are of another type.
func (p *matrixProduct) inRows(b block, m, n int, copies **scratch) floatMatrix {
	size := p.dtype.Size()
	if b.dtype == p.dtype && (b.depth == 1 || n == 1) {
		return floatMatrix{b.base, b.line * size, size}
	}
	*copies = takeScratch(m * n * size)
	for i := range m {
		dtype.Convert(p.dtype, (*copies).at(i*n*size), 1, b.dtype, b.at(i, 0), b.depth, n)
	}
	return floatMatrix{(*copies).at(0), n * size, size}
}

// pairs returns the right factor as floats.
func (p *matrixProduct) pairs(b block, copies **scratch) unsafe.Pointer {
	size := p.dtype.Size()
	line := p.n * size
	*copies = takeScratch(2 * p.k * line)
	for k := range p.k {
		row, turned := (*copies).at(2*k*line), (*copies).at((2*k+1)*line)
		dtype.Convert(p.dtype, row, 1, b.dtype, b.at(0, k), b.line, p.n)
		if p.dtype == dtype.Complex64 {
			turnNumbers(elements[float32](turned, 2*p.n), elements[float32](row, 2*p.n))
		} else {
			turnNumbers(elements[float64](turned, 2*p.n), elements[float64](row, 2*p.n))
		}
	}
	return (*copies).at(0)
}

// turnNumbers multiplies complex numbers by i.
func turnNumbers[T gemm.Float](dst, src []T) {
	dst = dst[:len(src)]
	for i := 0; i+1 < len(src); i += 2 {
		dst[i], dst[i+1] = -src[i+1], src[i]
	}
}
