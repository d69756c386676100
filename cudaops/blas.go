package cudaops

import (
	"fmt"
	"math"
	"sync"

	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// products holds cuBLAS, if it is found.
type products struct {
	own  bool // do not use cuBLAS: $NDGRAD_CUDA_PRODUCTS is "own"
	once sync.Once
	mu   sync.Mutex // only one goroutine may use the handle at a time
	blas *drv.BLAS  // nil if cuBLAS is not available
	room device.Memory
}

// workspace is the memory in bytes that cuBLAS may use besides the operands. It is fixed, so that results do not depend
// on other memory use.
const workspace = 32 << 20

// opened returns cuBLAS, or nil.
func (p *products) opened(d *Device) *drv.BLAS {
	p.once.Do(func() {
		if p.own {
			return
		}
		blas, err := d.context.NewBLAS(d.stream)
		if err != nil {
			return
		}
		p.room = d.memory.alloc(workspace) // never freed, so that nothing else uses it
		if blas.Fix(address(p.room, 0), workspace) == nil {
			p.blas = blas
		}
	})
	return p.blas
}

// Products returns the name of what computes matrix products: "cuBLAS 12.4.3", or "own kernels".
func (d *Device) Products() string {
	if blas := d.products.opened(d); blas != nil {
		v := blas.Version()
		return fmt.Sprintf("cuBLAS %d.%d.%d", v/10000, v/100%100, v%100)
	}
	return "own kernels"
}

// numberOf returns cuBLAS' numbers for an element type and for the type that sums are carried in.
func numberOf(t dtype.DType) (number, sums int32, ok bool) {
	switch t {
	case dtype.Float16:
		return drv.Real16, drv.Sums32, true
	case dtype.BFloat16:
		return drv.RealB16, drv.Sums32, true
	case dtype.Float32:
		return drv.Real32, drv.Sums32, true
	case dtype.Float64:
		return drv.Real64, drv.Sums64, true
	case dtype.Complex64:
		return drv.Complex32, drv.Sums32, true
	case dtype.Complex128:
		return drv.Complex64, drv.Sums64, true
	}
	return 0, 0, false
}

// multiply computes a MatMul with cuBLAS, and reports whether that is possible: all elements have one type, the
// matrices have a stride of 1, and d has c's type.
func (d *Device) multiply(l *device.Launch) bool {
	axes := l.Rank - 3
	c, a, b := &l.Operands[0], &l.Operands[1], &l.Operands[2]
	number, sums, ok := numberOf(a.DType)
	numberC, _, okC := numberOf(c.DType)
	if !ok || !okC || a.DType != b.DType || c.DType != a.DType && (a.DType.Size() != 2 || c.DType != dtype.Float32) ||
		l.N > 3 && l.Operands[3].DType != c.DType {
		return false
	}
	m, n, k := l.Shape[axes], l.Shape[axes+1], l.Shape[axes+2]
	g := drv.Gemm{Type: number, TypeC: numberC, Compute: sums, K: int32(k)}
	// cuBLAS is column-major: its A is bᵀ and its B is aᵀ, so that its C is cᵀ. If c is stored by columns, they are a,
	// b and c.
	first, second := matrix{2, n, k, b.Strides[axes+1], b.Strides[axes+2]}, matrix{1, k, m, a.Strides[axes+2], a.Strides[axes]}
	result := matrix{0, n, m, c.Strides[axes+1], c.Strides[axes]}
	if !result.isColumnFirst() {
		first, second, result = second.transposed(), first.transposed(), result.transposed()
	}
	g.M, g.N = int32(result.rows), int32(result.columns)
	var okA, okB bool
	g.LDA, g.TransposedA, okA = first.leading()
	g.LDB, g.TransposedB, okB = second.leading()
	ld, transposed, okC := result.leading()
	if g.LDC = ld; !okA || !okB || !okC || transposed != 0 || k == 0 || max(m, n, k) > math.MaxInt32 {
		return false
	}
	batch := batchOf(l, axes)
	calls := 1
	for _, axis := range batch[:max(0, len(batch)-1)] {
		calls *= axis.size
	}
	if calls > 64 { // so many calls take longer than one of our kernels
		return false
	}
	blas := d.products.opened(d)
	if blas == nil {
		return false
	}
	if l.N > 3 {
		d.addend(l)
		g.Beta = 1
	}
	g.A, g.B, g.C = elementAt(&l.Operands[first.of]), elementAt(&l.Operands[second.of]), elementAt(c)
	d.products.mu.Lock()
	defer d.products.mu.Unlock()
	d.multiplyBatch(l.Func, blas, g, batch, [3]int{first.of, second.of, result.of})
	if d.blocking {
		d.waitOrPanic(l.Func)
	}
	return true
}

// matrix is an operand in the form that cuBLAS needs.
type matrix struct {
	of            int // the index of the operand in the launch
	rows, columns int
	down, across  int // strides between rows, and between columns
}

func (x matrix) transposed() matrix { return matrix{x.of, x.columns, x.rows, x.across, x.down} }

// isColumnFirst reports whether a column is contiguous.
func (x matrix) isColumnFirst() bool {
	return (x.down == 1 || x.rows == 1) && (x.across >= x.rows || x.columns == 1)
}

// leading returns the stride between two columns, or between two rows if the rows are contiguous. In that case cuBLAS
// reads the matrix as transposed.
func (x matrix) leading() (ld, transposed int32, ok bool) {
	if !x.isColumnFirst() {
		if x = x.transposed(); !x.isColumnFirst() {
			return 0, 0, false
		}
		transposed = 1
	}
	stride := x.across
	if x.columns == 1 {
		stride = x.rows
	}
	return int32(stride), transposed, stride <= math.MaxInt32
}

// batchAxis is an axis of a batch, with the strides of c, a and b along it.
type batchAxis struct {
	size    int
	strides [3]int
}

// batchOf returns the axes of a batch. Neighbouring axes that can be walked as one are fused.
func batchOf(l *device.Launch, axes int) []batchAxis {
	var joined []batchAxis
	for axis := range axes {
		next := batchAxis{size: l.Shape[axis]}
		for i := range next.strides {
			next.strides[i] = l.Operands[i].Strides[axis]
		}
		if next.size == 1 {
			continue
		}
		if len(joined) > 0 {
			last := &joined[len(joined)-1]
			if together := *last; together.strides == [3]int{next.size * next.strides[0], next.size * next.strides[1], next.size * next.strides[2]} {
				*last = batchAxis{last.size * next.size, next.strides}
				continue
			}
		}
		joined = append(joined, next)
	}
	return joined
}

// multiplyBatch calls cuBLAS once for the last axis of a batch, for every index of the other axes. of says whose
// strides are A's, B's and C's.
func (d *Device) multiplyBatch(fn string, blas *drv.BLAS, g drv.Gemm, batch []batchAxis, of [3]int) {
	if len(batch) < 2 {
		g.Batch = 1
		if len(batch) == 1 {
			g.Batch = int32(batch[0].size)
			g.StrideA, g.StrideB, g.StrideC = int64(batch[0].strides[of[0]]), int64(batch[0].strides[of[1]]), int64(batch[0].strides[of[2]])
		}
		d.check(fn, blas.Multiply(&g))
		return
	}
	outer, size := batch[0], elementSize(g.Type)
	for range outer.size {
		d.multiplyBatch(fn, blas, g, batch[1:], of)
		g.A += drv.Pointer(outer.strides[of[0]] * size)
		g.B += drv.Pointer(outer.strides[of[1]] * size)
		g.C += drv.Pointer(outer.strides[of[2]] * elementSize(g.TypeC))
	}
}

func elementSize(number int32) int {
	switch number {
	case drv.Real16, drv.RealB16:
		return 2
	case drv.Real32:
		return 4
	case drv.Complex64:
		return 16
	}
	return 8
}

// elementAt returns the address of an operand's first element.
func elementAt(o *device.Operand) drv.Pointer {
	return drv.Pointer(address(o.Memory, o.Offset*o.DType.Size()))
}

// addend copies d to c, so that the product is then added to it.
func (d *Device) addend(l *device.Launch) {
	c, added := &l.Operands[0], &l.Operands[3]
	copied := device.NewLaunch()
	defer copied.Recycle()
	copied.Func, copied.N, copied.Outputs = l.Func, 2, 1
	copied.Rank = copy(copied.Shape[:], l.Shape[:l.Rank-1])
	copied.Operands[0], copied.Operands[1] = *c, *added
	if elementAt(c) != elementAt(added) || c.Strides != added.Strides {
		d.Copy(copied)
	}
}
