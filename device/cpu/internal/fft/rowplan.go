package fft

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	simd "github.com/ndgrad/ndgrad/device/cpu/internal/simd/fft"
)

// rowPlan transforms one row of n = n1·n2 numbers, as a matrix of n1 rows (Bailey 1990): it transforms the columns,
// multiplies by roots of unity, transposes, and transforms the columns again.
type rowPlan[T simd.Float] struct {
	n1, n2        int
	first, second *columnPlan[T]
	// The factors between the two transforms: for each vector of columns, n1 complex vectors. For long rows these would
	// be many: then vectors has only the factors of the first vector of columns, which are multiplied by numbers.
	vectors, numbers []T
	v1, v2           int // vectors in n1 and n2 numbers
	padded           int // n1, rounded up to whole vectors
	stride           int // vectors between the rows of the transposed matrix
	group1, group2   int // how many vectors of columns are transformed at once
}

const (
	largestTable = 1 << 15 // numbers for which all factors are stored
	shortRow     = 1 << 11 // numbers up to which the transposed matrix has memory of its own
	groupBytes   = 128 << 10
)

// newRowPlan returns a plan for n numbers, which has factors n1 and n2.
func newRowPlan[T simd.Float](n1, n2 int) *rowPlan[T] {
	lanes := simd.Lanes[T]()
	n := n1 * n2
	p := &rowPlan[T]{n1: n1, n2: n2, first: newColumnPlan[T](n1), padded: roundUp(n1, lanes)}
	p.second = p.first
	if n2 != n1 {
		p.second = newColumnPlan[T](n2)
	}
	p.v1, p.v2 = p.padded/lanes, roundUp(n2, lanes)/lanes
	p.stride = p.v1
	if p.stride%16 == 0 {
		p.stride++ // rows a large power of two apart share few cache lines
	}
	vector := 2 * lanes * int(unsafe.Sizeof(*new(T)))
	p.group1 = min(p.v2, max(1, groupBytes/(p.padded*vector)))
	p.group2 = min(p.v1, max(1, groupBytes/(n2*vector)))
	tables := p.v2
	if n > largestTable {
		tables = 1
		p.numbers = make([]T, 0, 2*p.padded*p.v2)
		for v := range p.v2 {
			for k := range p.padded {
				re, im := root(k*v*lanes%n, n)
				p.numbers = append(p.numbers, T(re), T(im))
			}
		}
	}
	p.vectors = make([]T, 0, 2*tables*p.padded*lanes)
	for v := range tables {
		for k := range p.padded {
			p.vectors = append(p.vectors, vectorsOf[T](lanes, func(l int) (re, im float64) { return root(k*(v*lanes+l)%n, n) })...)
		}
	}
	return p
}

// size returns how much memory the plan needs, in elements.
func (p *rowPlan[T]) size() int {
	return p.first.size() + p.second.size() + len(p.vectors) + len(p.numbers)
}

// apply transforms n complex numbers from x to y, which may be x. With sharing, workers share the row.
func (p *rowPlan[T]) apply(x, y unsafe.Pointer, swap simd.Swapped, scale T, sharing bool) {
	lanes := simd.Lanes[T]()
	vector := 2 * lanes
	size := int(unsafe.Sizeof(*new(T)))
	// The transposed matrix of a long row goes to y, if it has no padding: each group of columns of the second half then
	// ends where it came from.
	stride, turned := p.v1, []T(nil)
	if n := p.n1 * p.n2; n > shortRow && p.v1*lanes == p.n1 && p.v2*lanes == p.n2 && uintptr(y)%64 == 0 && apart(x, y, 2*n*size) {
		turned = memory.Slice[T](y, 2*n)
	} else {
		stride = p.stride
		room := memory.TakeScratch(p.v2*lanes*stride*vector*size + 64)
		defer room.Recycle()
		turned = memory.Slice[T](aligned(room.At(0)), p.v2*lanes*stride*vector)
	}
	direct := direct(x, y, p.n1*p.n2*2*size)
	each[T](p.v2, p.group1, sharing, p.n1, func(from, to int) {
		var buffers buffers[T]
		a, b := buffers.take(p.padded * (to - from))
		c := to - from
		done := p.first.load(min(p.n2-from*lanes, c*lanes), unsafe.Add(x, 2*from*lanes*size), p.n2, a, swap, direct)
		z := p.first.between(done, len(p.first.passes), c, a, c, a, b)
		clear(z[p.n1*c*vector : p.padded*c*vector])
		for v := range c {
			w, u := p.vectors, []T(nil)
			if p.numbers != nil {
				u = p.numbers[2*(from+v)*p.padded:]
			} else {
				w = w[(from+v)*p.padded*vector:]
			}
			simd.Turn(p.n1, z[v*vector:], c, w, u, turned[(from+v)*lanes*stride*vector:], stride)
		}
		buffers.recycle()
	})
	each[T](p.v1, p.group2, sharing, p.n2, func(from, to int) {
		var buffers buffers[T]
		c := to - from
		a, b := buffers.take(p.n2 * c)
		p.second.store(0, min(p.n1-from*lanes, c*lanes), turned[from*vector:], stride, a, b, unsafe.Add(y, 2*from*lanes*size), p.n1, swap, scale, direct)
		buffers.recycle()
	})
}

// apart reports whether two blocks share no memory.
func apart(x, y unsafe.Pointer, bytes int) bool {
	a, b := uintptr(x), uintptr(y)
	return a+uintptr(bytes) <= b || b+uintptr(bytes) <= a
}

// each calls body for ranges of at most group vectors. n is the length of a transform.
func each[T simd.Float](vectors, group int, sharing bool, n int, body func(from, to int)) {
	groups := (vectors + group - 1) / group
	run := func(first, last int) {
		for g := first; g < last; g++ {
			body(g*group, min((g+1)*group, vectors))
		}
	}
	inPieces(groups, vectorCost*columnCost[T](n)*float64(group), sharing, run)
}

// vectorCost is the time of a unit of columnCost, in nanoseconds.
const vectorCost = 4

// buffers are two buffers of complex vectors.
type buffers[T simd.Float] struct{ room *memory.Scratch }

func (b *buffers[T]) take(vectors int) (x, y []T) {
	n := 2 * vectors * simd.Lanes[T]()
	bytes := n * int(unsafe.Sizeof(*new(T)))
	b.room = memory.TakeScratch(2*bytes + 128 + 64)
	at := aligned(b.room.At(0))
	return memory.Slice[T](at, n), memory.Slice[T](unsafe.Add(at, bytes+128), n)
}

func (b *buffers[T]) recycle() { b.room.Recycle() }

// aligned returns the next address that is a multiple of 64.
func aligned(p unsafe.Pointer) unsafe.Pointer { return unsafe.Add(p, -uintptr(p)&63) }

// The estimate of splitOf does not know that longer columns than cachedColumn leave the caches, and that workers share few groups of
// columns if there are fewer vectors than fewestVectors. So such a split counts as slower by a factor, unless the whole row is always cached.
const (
	cachedColumn  = 2048
	fewestVectors = 8
	alwaysCached  = 4096
	unfit         = 1.025
)

// splitOf returns factors of n with which rowPlan is fast, and an estimate of its time.
func splitOf[T simd.Float](n int) (n1, n2 int, cost float64) {
	lanes := simd.Lanes[T]()
	for d := 2; d*d <= n; d++ {
		if n%d != 0 {
			continue
		}
		for _, a := range [2]int{d, n / d} {
			b := n / a
			va, vb := roundUp(a, lanes)/lanes, roundUp(b, lanes)/lanes
			c := columnCost[T](a)*float64(vb) + columnCost[T](b)*float64(va) + 4*float64(a*vb+b*va)/2 + 40
			if n > alwaysCached && (max(a, b) > cachedColumn || min(va, vb) < fewestVectors) {
				c *= unfit
			}
			if n1 == 0 || c < cost {
				n1, n2, cost = a, b, c
			}
		}
	}
	return n1, n2, cost
}
