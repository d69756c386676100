package matmul

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// task is the product of one matrix of a batch, c = a·b + d.
type task struct {
	m, n, k    int
	a, b, c, d elements    // d has no address if it is absent
	dtype      dtype.DType // the type of the sums
	logical    bool        // as in Product
	limits     *limits     // as in Product
}

// elements is an operand of a task. Lines and depth are those of a Matrix, strides are in elements.
type elements struct {
	at          unsafe.Pointer
	dtype       dtype.DType
	line, depth int
}

func elementsOf(b Block) elements { return elements{b.Base, b.DType, b.Line, b.Depth} }

// task returns the task for a matrix of the batch.
func (p *Product) task(batch int) task {
	t := task{
		m: p.M, n: p.N, k: p.K, a: elementsOf(p.a.Block(batch)), b: elementsOf(p.b.Block(batch)), c: elementsOf(p.c.Block(batch)),
		dtype: p.DType, logical: p.logical, limits: p.limits,
	}
	if p.adds {
		t.d = elementsOf(p.d.Block(batch))
	}
	return t
}

// element returns the address of an element.
func (e *elements) element(line, depth int) unsafe.Pointer {
	return unsafe.Add(e.at, (line*e.line+depth*e.depth)*e.dtype.Size())
}

// across reports whether the elements are closer together from line to line than along the depth.
func (e *elements) across() bool { return strided.Magnitude(e.line) < strided.Magnitude(e.depth) }

// turn replaces the task by that of the transposed matrices if the columns of c are contiguous: the routines of package
// gemm need contiguous rows.
func (t *task) turn() {
	if !(t.c.depth != 1 && (t.c.line == 1 || t.n == 1) || t.n == 1 && t.m > 1 && t.c.line == 1) {
		return
	}
	t.a, t.b, t.m, t.n = t.b, t.a, t.n, t.m
	t.c.line, t.c.depth = t.c.depth, t.c.line
	t.d.line, t.d.depth = t.d.depth, t.d.line
}

// ByteMatrix is an operand of a product, with strides in bytes; lines and depth are those of a Matrix.
type ByteMatrix struct {
	At          unsafe.Pointer
	Line, Depth int
}

// factor returns a factor with the given number of lines, converted if it has another type.
func (t *task) factor(e elements, lines int, of dtype.DType, copies **memory.Scratch) ByteMatrix {
	size := of.Size()
	if sameBits(e.dtype, of) {
		return ByteMatrix{At: e.at, Line: e.line * size, Depth: e.depth * size}
	}
	return t.converted(e, lines, of, copies)
}

// converted returns a contiguous copy of a factor, in the order in which the factor lies in memory.
func (t *task) converted(e elements, lines int, of dtype.DType, copies **memory.Scratch) ByteMatrix {
	room := memory.TakeScratch(lines * t.k * of.Size())
	*copies = room
	m := t.contiguous(e, lines, of.Size())
	m.At = room.At(0)
	if e.across() {
		for k := range t.k {
			strided.Convert(of, unsafe.Add(m.At, k*m.Depth), 1, e.dtype, e.element(0, k), e.line, lines)
		}
		return m
	}
	for i := range lines {
		strided.Convert(of, unsafe.Add(m.At, i*m.Line), 1, e.dtype, e.element(i, 0), e.depth, t.k)
	}
	return m
}

// contiguous returns the strides of a contiguous copy of a factor.
func (t *task) contiguous(e elements, lines, size int) ByteMatrix {
	if e.across() {
		return ByteMatrix{Line: size, Depth: lines * size}
	}
	return ByteMatrix{Line: t.k * size, Depth: size}
}

// result is where the sums of a task are stored: in c, or in separate memory.
type result struct {
	sums   dtype.DType
	apart  bool
	copies [2]*memory.Scratch
}

// prepare sets in a block the location of its sums, whose type is as wide as its elements, and what is added to the
// sums.
func (t *task) prepare(whole *gemm.Block, sums dtype.DType) (r result) {
	size := sums.Size()
	r.sums = sums
	whole.M, whole.N = t.m, t.n
	whole.C, whole.CLine = t.c.at, t.c.line*size
	if r.apart = !sameBits(t.c.dtype, sums) || t.c.depth != 1 && t.n > 1; r.apart {
		r.copies[0] = memory.TakeScratch(t.m * t.n * size)
		whole.C, whole.CLine = r.copies[0].At(0), t.n*size
	}
	if t.d.at == nil {
		return r
	}
	whole.D, whole.DLine = t.d.at, t.d.line*size
	if !sameBits(t.d.dtype, sums) || t.d.depth != 1 && t.n > 1 {
		r.copies[1] = memory.TakeScratch(t.m * t.n * size)
		whole.D, whole.DLine = r.copies[1].At(0), t.n*size
		for i := range t.m {
			dtype.Convert(sums, r.copies[1].At(i*t.n*size), 1, t.d.dtype, t.d.element(i, 0), t.d.depth, t.n)
		}
	}
	return r
}

// store converts sums that were stored separately, with other workers if shared is set.
func (r *result) store(t *task, whole *gemm.Block, shared bool) {
	switch {
	case r.apart && shared:
		r.share(*t, *whole)
	case r.apart:
		r.storeRows(t, whole, 0, t.m)
	}
	recycle(r.copies[:])
}

func (r *result) share(t task, whole gemm.Block) {
	of := *r
	workers.ForRanges(t.m, float64(t.n)*packCost, func(from, to int) { of.storeRows(&t, &whole, from, to) })
}

func (r *result) storeRows(t *task, whole *gemm.Block, from, to int) {
	for i := from; i < to; i++ {
		strided.Convert(t.c.dtype, t.c.element(i, 0), t.c.depth, r.sums, unsafe.Add(whole.C, i*whole.CLine), 1, t.n)
	}
}

// sameBits reports whether elements of two types are the same bits: integers of one width wrap in the same way.
func sameBits(a, b dtype.DType) bool {
	return a == b || a.IsInteger() && b.IsInteger() && a.Size() == b.Size()
}

func recycle(copies []*memory.Scratch) {
	for _, s := range copies {
		if s != nil {
			s.Recycle()
		}
	}
}
