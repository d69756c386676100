package conv

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/copying"
	"github.com/ndgrad/ndgrad/device/cpu/internal/matmul"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// matrixElements limits the part of the matrix of windows that is built at once, so that it stays in a cache.
const (
	matrixElements = 1 << 17
	fewestColumns  = 64
	mostColumns    = 1024
)

// columnsFor returns for how many output pixels windows with the given number of rows are laid out at once.
func columnsFor(rows int) int {
	return max(fewestColumns, min(matrixElements/max(rows, 1), mostColumns))
}

// im2colCost is the cost per element of the matrix of windows, in nanoseconds.
const im2colCost = 0.8

// gemmTime estimates the time of a matrix product, in nanoseconds.
func (q *convolution) gemmTime(m, n, k int) float64 {
	cost := matmul.ProductCost
	if q.dtype.IsInteger() {
		cost = matmul.IntegerProductCost(q.dtype)
	}
	return float64(n) * float64(k) * (float64(m)*cost + im2colCost)
}

// eachTask runs tasks that write to different memory: several at a time if there are many, else each with several
// workers.
func eachTask(tasks int, nanoseconds float64, do func(task int, shared bool)) {
	if tasks < 2*workers.Count() && workers.WorthWaking(nanoseconds) {
		for task := range tasks {
			do(task, true)
		}
		return
	}
	workers.ForRanges(tasks, nanoseconds, func(from, to int) {
		for task := from; task < to; task++ {
			do(task, false)
		}
	})
}

// forRanges is ForRanges for work within a task.
func forRanges(n int, nanoseconds float64, shared bool, body func(from, to int)) {
	if shared {
		workers.ForRanges(n, nanoseconds, body)
		return
	}
	body(0, n)
}

// windowMatrix returns the matrix of windows as the factor of a product: rows [begin, end), width output pixels
// starting at one. The matrix lies in space, or in the input if the input itself is that matrix.
func windowMatrix[T scalar.Number](q *convolution, space *memory.Scratch, n, g, begin, end, from, width int, shared bool) (rows, columns int, b matmul.Block) {
	if q.inPlace {
		step, _ := q.x.flat(3)
		m := &matmul.Matrix{DType: q.x.dtype, Size: q.x.dtype.Size()}
		return q.x.strides[2], step, matmul.Block{Matrix: m, Base: q.x.plus(n*q.x.strides[0] + g*q.x.strides[1] + begin*q.x.strides[2] + from*step)}
	}
	dst := memory.Room[T](space, 0, (end-begin)*width)
	forRanges(end-begin, float64(width)*im2colCost, shared, func(first, last int) {
		im2col(q, dst[first*width:], n, g, begin+first, begin+last, from, width)
	})
	return width, 1, matmul.Block{Matrix: &matmul.Matrix{DType: q.x.dtype, Size: q.x.dtype.Size()}, Base: space.At(0)}
}

// spaceFor allocates the memory that windowMatrix needs.
func (q *convolution) spaceFor(rows, width int) *memory.Scratch {
	if q.inPlace {
		return memory.TakeScratch(0)
	}
	return memory.TakeScratch(rows * width * q.x.dtype.Size())
}

// weights returns the weight of a group as a factor whose lines are output channels or, if transposed, taps.
func (q *convolution) weights(g int, transposed bool) matmul.Block {
	step, _ := q.w.flat(2)
	m := &matmul.Matrix{DType: q.w.dtype, Size: q.w.dtype.Size(), Line: q.w.strides[1], Depth: step}
	if transposed {
		m.Line, m.Depth = m.Depth, m.Line
	}
	return matmul.Block{Matrix: m, Base: q.w.at(g, 0, 0)}
}

// outputByGEMM multiplies the weight of each group by windows. The windows have the type of the input, which may be
// narrower than that of the sums.
func outputByGEMM[T scalar.Number](q *convolution) {
	switch {
	case q.x.dtype == q.dtype:
		multiplyWindows[T, T](q)
	case q.x.dtype.Size() == 1:
		multiplyWindows[T, uint8](q)
	default:
		multiplyWindows[T, uint16](q)
	}
}

func multiplyWindows[T, W scalar.Number](q *convolution) {
	columns := columnsFor(q.depth)
	blocks := (q.pixels + columns - 1) / columns
	step, _ := q.y.flat(3)
	eachTask(q.n*q.g*blocks, q.gemmTime(q.m, min(columns, q.pixels), q.depth), func(task int, shared bool) {
		from, g, n := task%blocks*columns, task/blocks%q.g, task/blocks/q.g
		width := min(columns, q.pixels-from)
		space := q.spaceFor(q.depth, width)
		row, column, b := windowMatrix[W](q, space, n, g, 0, q.depth, from, width, shared)
		b.Line, b.Depth = column, row
		p := &matmul.Product{M: q.m, N: width, K: q.depth, DType: q.dtype}
		y := q.y.plus(n*q.y.strides[0] + g*q.y.strides[1] + from*step)
		matmul.MultiplyBlocks(p, q.weights(g, false), b, matmul.Target[T]{Base: y, Row: q.y.strides[2], Step: step}, shared)
		space.Recycle()
	})
}

// inputByGEMM multiplies the transposed weight by the output, and adds each product to the input element from which its
// window element comes.
func inputByGEMM[T scalar.Number](q *convolution) {
	columns := columnsFor(q.depth)
	step, _ := q.y.flat(3)
	eachTask(q.n*q.g, q.gemmTime(q.m, q.pixels, q.depth), func(task int, shared bool) {
		g, n := task%q.g, task/q.g
		if !q.inPlace {
			plane := float64(q.inSize[0]) * float64(q.inSize[1]) * float64(q.inSize[2])
			forRanges(q.c, plane*copying.CopyCost, shared, func(from, to int) { zeroPlanes[T](q, n, g, from, to) })
		}
		for from := 0; from < q.pixels; from += columns {
			width := min(columns, q.pixels-from)
			y := &matmul.Matrix{DType: q.dtype, Size: q.dtype.Size(), Line: step, Depth: q.y.strides[2]}
			b := matmul.Block{Matrix: y, Base: q.y.plus(n*q.y.strides[0] + g*q.y.strides[1] + from*step)}
			p := &matmul.Product{M: q.depth, N: width, K: q.m, DType: q.dtype}
			if q.inPlace {
				along, _ := q.x.flat(3)
				x := q.x.plus(n*q.x.strides[0] + g*q.x.strides[1] + from*along)
				matmul.MultiplyBlocks(p, q.weights(g, true), b, matmul.Target[T]{Base: x, Row: q.x.strides[2], Step: along}, shared)
				continue
			}
			space := q.spaceFor(q.depth, width)
			products := memory.Room[T](space, 0, q.depth*width)
			if q.m < matmul.TileRows && step == 1 { // sums of few terms are faster to compute row by row
				addFilters(q, products, b.Base, g, width)
			} else {
				matmul.MultiplyBlocks(p, q.weights(g, true), b, matmul.Target[T]{Base: space.At(0), Row: width, Step: 1}, shared)
			}
			forRanges(q.c, float64(q.taps*width)*im2colCost, shared, func(first, last int) {
				col2im(q, products, n, g, first, last, from, width)
			})
			space.Recycle()
		}
	})
}

// addFilters sets the rows of a matrix of windows to the sums over the filters of a group, each times its weight; y is
// the address of the pixels of the first filter.
func addFilters[T scalar.Number](q *convolution, rows []T, y unsafe.Pointer, g, width int) {
	step, _ := q.w.flat(2)
	clear(rows)
	for m := range q.m {
		pixels := memory.Slice[T](unsafe.Add(y, m*q.y.strides[2]*q.dtype.Size()), width)
		weights := (*T)(q.w.at(g, m, 0))
		for r := range q.depth {
			matmul.Axpy(rows[r*width:][:width], pixels, *memory.Advance(weights, r*step))
		}
	}
}

// Sizes of the pieces of a weight's gradient: rows of windows per task, and the desired number of tasks.
const (
	weightRows  = 256
	weightTasks = 8
)

// weightByGEMM multiplies the output by windows. If the weight alone does not give enough tasks, the batch is split
// into parts, whose sums are added at the end.
func weightByGEMM[T scalar.Number](q *convolution) {
	rows := max(1, weightRows/q.taps) * q.taps
	blocks := (q.depth + rows - 1) / rows
	parts := max(1, min(q.n, (weightTasks+q.g*blocks-1)/(q.g*blocks)))
	size := q.g * q.m * q.depth
	rest := memory.TakeScratch((parts - 1) * size * q.dtype.Size())
	sumsOf := func(part int) []T {
		if part == 0 {
			return memory.Slice[T](q.w.base, size)
		}
		return memory.Room[T](rest, 0, (parts-1)*size)[(part-1)*size:][:size]
	}
	perTask := q.gemmTime(q.m, min(rows, q.depth), q.pixels) * float64(q.n) / float64(parts)
	eachTask(parts*q.g*blocks, perTask, func(task int, shared bool) {
		begin, g, part := task%blocks*rows, task/blocks%q.g, task/blocks/q.g
		s := weightSums[T]{q: q, g: g, begin: begin, end: min(begin+rows, q.depth)}
		s.sums = sumsOf(part)[g*q.m*q.depth+begin:]
		s.add(q.n*part/parts, q.n*(part+1)/parts, shared)
	})
	for part := 1; part < parts; part++ {
		matmul.Axpy(sumsOf(0), sumsOf(part), 1)
	}
	rest.Recycle()
}

// weightSums are the gradients of the rows [begin, end) of the windows for the output channels of a group.
type weightSums[T scalar.Number] struct {
	q             *convolution
	g, begin, end int
	sums          []T // of the first output channel from begin on; those of the other channels follow
}

// add sums over examples.
func (s *weightSums[T]) add(from, to int, shared bool) {
	q, rows := s.q, s.end-s.begin
	columns := columnsFor(rows)
	step, _ := q.y.flat(3)
	for i := range q.m {
		clear(s.sums[i*q.depth:][:rows])
	}
	space := q.spaceFor(rows, min(columns, q.pixels))
	products := memory.TakeScratch(q.m * rows * q.dtype.Size())
	for n := from; n < to; n++ {
		for at := 0; at < q.pixels; at += columns {
			width := min(columns, q.pixels-at)
			row, column, b := windowMatrix[T](q, space, n, s.g, s.begin, s.end, at, width, shared)
			b.Line, b.Depth = row, column
			y := &matmul.Matrix{DType: q.dtype, Size: q.dtype.Size(), Line: q.y.strides[2], Depth: step}
			a := matmul.Block{Matrix: y, Base: q.y.plus(n*q.y.strides[0] + s.g*q.y.strides[1] + at*step)}
			p := &matmul.Product{M: q.m, N: rows, K: width, DType: q.dtype}
			matmul.MultiplyBlocks(p, a, b, matmul.Target[T]{Base: products.At(0), Row: rows, Step: 1}, shared)
			for i := range q.m {
				matmul.Axpy(s.sums[i*q.depth:][:rows], memory.Room[T](products, 0, q.m*rows)[i*rows:][:rows], 1)
			}
		}
	}
	space.Recycle()
	products.Recycle()
}
