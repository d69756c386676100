package matmul

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// multiplyComplex computes one matrix of the batch as a product of floats. The numbers of a and c are pairs of floats,
// as they lie in memory. Each number b of the right factor becomes the rows (re b, im b) and (-im b, re b), that is b
// and b·i.
func multiplyComplex[T gemm.Float](p *Product, batch int, shared bool) {
	size := p.DType.Size()
	var copies [4]*memory.Scratch
	a := p.inRows(p.a.Block(batch), p.M, p.K, &copies[0])
	pairs := p.realPairs(p.b.Block(batch), &copies[1])
	result := p.c.Block(batch)
	c := ByteMatrix{At: result.Base, Line: result.Line * size, Depth: size}
	apart := result.DType != p.DType || result.Depth != 1 && p.N > 1
	if apart {
		copies[2] = memory.TakeScratch(p.M * p.N * size)
		c = ByteMatrix{At: copies[2].At(0), Line: p.N * size, Depth: size}
	}
	whole := gemm.Block{
		M: p.M, N: 2 * p.N, K: 2 * p.K, A: a.At, ALine: a.Line, ADepth: size / 2, B: pairs, BDepth: p.N * size, C: c.At, CLine: c.Line,
	}
	if p.adds {
		d := p.inRows(p.d.Block(batch), p.M, p.N, &copies[3])
		whole.D, whole.DLine = d.At, d.Line
	}
	multiplyBlock[T](&whole, size/2, shared)
	if apart {
		for i := range p.M {
			dtype.Convert(result.DType, result.At(i, 0), result.Depth, p.DType, unsafe.Add(c.At, i*c.Line), 1, p.N)
		}
	}
	for _, s := range copies {
		if s != nil {
			s.Recycle()
		}
	}
}

// inRows returns m rows of n numbers, copied if they are not contiguous or have another type.
func (p *Product) inRows(b Block, m, n int, copies **memory.Scratch) ByteMatrix {
	size := p.DType.Size()
	if b.DType == p.DType && (b.Depth == 1 || n == 1) {
		return ByteMatrix{At: b.Base, Line: b.Line * size, Depth: size}
	}
	*copies = memory.TakeScratch(m * n * size)
	for i := range m {
		dtype.Convert(p.DType, (*copies).At(i*n*size), 1, b.DType, b.At(i, 0), b.Depth, n)
	}
	return ByteMatrix{At: (*copies).At(0), Line: n * size, Depth: size}
}

// realPairs returns the right factor as floats.
func (p *Product) realPairs(b Block, copies **memory.Scratch) unsafe.Pointer {
	size := p.DType.Size()
	line := p.N * size
	*copies = memory.TakeScratch(2 * p.K * line)
	for k := range p.K {
		row, timesI := (*copies).At(2*k*line), (*copies).At((2*k+1)*line)
		dtype.Convert(p.DType, row, 1, b.DType, b.At(0, k), b.Line, p.N)
		if p.DType == dtype.Complex64 {
			multiplyByI(memory.Slice[float32](timesI, 2*p.N), memory.Slice[float32](row, 2*p.N))
		} else {
			multiplyByI(memory.Slice[float64](timesI, 2*p.N), memory.Slice[float64](row, 2*p.N))
		}
	}
	return (*copies).At(0)
}

// multiplyByI multiplies complex numbers by i.
func multiplyByI[T gemm.Float](dst, src []T) {
	dst = dst[:len(src)]
	for i := 0; i+1 < len(src); i += 2 {
		dst[i], dst[i+1] = -src[i+1], src[i]
	}
}
