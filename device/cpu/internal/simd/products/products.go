package products

import (
	"math"
	"unsafe"
)

// Float is the type of the elements.
type Float interface{ float32 | float64 }

// Batch is a batch of products c = a·b of M×K and K×N matrices. The elements of the rows of b and c are contiguous. All distances are in
// bytes: of matrices, of rows, and of the columns of a.
type Batch struct {
	Count, M, N, K       int
	A, B, C              unsafe.Pointer
	ANext, ALine, ADepth int
	BNext, BLine         int
	CNext, CLine         int
}

// piece bounds the products of elements of one call: the goroutine can be preempted only between calls.
const piece = 1 << 18

// Multiply computes a batch, in which M, N and K are not 0, and N is at most [MostColumns].
func Multiply[T Float](b *Batch) {
	most := max(1, piece/(b.M*b.N*b.K))
	for done := 0; done < b.Count; done += most {
		part := *b
		part.Count = min(most, b.Count-done)
		part.A, part.B, part.C = unsafe.Add(b.A, done*b.ANext), unsafe.Add(b.B, done*b.BNext), unsafe.Add(b.C, done*b.CNext)
		multiply[T](&part)
	}
}

// plain is Multiply without assembly.
func plain[T Float](b *Batch) {
	size := int(unsafe.Sizeof(*new(T)))
	at := func(base unsafe.Pointer, offset int) *T { return (*T)(unsafe.Add(base, offset)) }
	for i := range b.Count {
		for row := range b.M {
			for column := range b.N {
				var sum T
				for k := range b.K {
					sum = fused(*at(b.A, i*b.ANext+row*b.ALine+k*b.ADepth), *at(b.B, i*b.BNext+k*b.BLine+column*size), sum)
				}
				*at(b.C, i*b.CNext+row*b.CLine+column*size) = sum
			}
		}
	}
}

// fused returns x·y + z, rounded once. A product of float32 is exact in float64, and the sum is rounded to odd before it is rounded
// again.
func fused[T Float](x, y, z T) T {
	if unsafe.Sizeof(x) == 8 {
		return T(math.FMA(float64(x), float64(y), float64(z)))
	}
	product := float64(x) * float64(y)
	sum := product + float64(z)
	if bits := math.Float64bits(sum); bits&1 == 0 && sum-sum == 0 {
		other := sum - product
		if missed := (product - (sum - other)) + (float64(z) - other); missed != 0 {
			if (missed > 0) == (sum > 0) {
				bits++
			} else {
				bits--
			}
			sum = math.Float64frombits(bits)
		}
	}
	return T(sum)
}
