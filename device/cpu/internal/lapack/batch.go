package lapack

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/matmul"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// run calls the function for the element type of an operand.
func (f factorisation) run(k int, f32, f64, c64, c128 func(f factorisation)) {
	switch f.launch.Operands[k].DType {
	case dtype.Float32:
		f32(f)
	case dtype.Float64:
		f64(f)
	case dtype.Complex64:
		c64(f)
	case dtype.Complex128:
		c128(f)
	}
}

// flops returns the nanoseconds of a number of products and sums of an element type, which is how work is estimated.
func flops[T blas.Number](n float64) float64 {
	n *= 2 * matmul.FloatProductCost(int(unsafe.Sizeof(*new(T))))
	if blas.IsComplex[T]() {
		n *= 2
	}
	return n
}

// room is scratch memory that is handed out piece by piece.
type room[T blas.Number] struct {
	scratch *memory.Scratch
	left    []T
}

func takeRoom[T blas.Number](n int) room[T] {
	s := memory.TakeScratch(n * int(unsafe.Sizeof(*new(T))))
	return room[T]{s, memory.Room[T](s, 0, n)}
}

func (r *room[T]) vector(n int) []T {
	v := r.left[:n:n]
	r.left = r.left[n:]
	return v
}

func (r *room[T]) matrix(rows, columns int) blas.Matrix[T] {
	return blas.New(r.vector(rows*columns), rows, columns)
}

// view returns a matrix of the batch in the launch's memory, if its strides are those of a blas.Matrix.
func view[T blas.Number](m *operand, batch, rows, columns int) (a blas.Matrix[T], ok bool) {
	line, step := m.Line, m.Depth
	if rows <= 1 {
		line = max(columns, 1)
	}
	if columns <= 1 {
		step = 1
	}
	a = blas.Matrix[T]{Rows: rows, Columns: columns, Line: line, Step: step}
	if line < 1 || step < 1 || line != 1 && step != 1 {
		return a, false
	}
	if rows > 0 && columns > 0 {
		a.Data = memory.Slice[T](m.Block(batch).Base, (rows-1)*line+(columns-1)*step+1)
	}
	return a, true
}

// load copies a matrix of the batch to dst, whose rows are contiguous; store copies src to one.
func load[T blas.Number](m *operand, batch int, dst blas.Matrix[T]) {
	if src, ok := view[T](m, batch, dst.Rows, dst.Columns); ok {
		blas.Copy(dst, src)
		return
	}
	b := m.Block(batch)
	for i := 0; i < dst.Rows && dst.Columns > 0; i++ {
		dtype.Convert(b.DType, unsafe.Pointer(&dst.Row(i)[0]), 1, b.DType, b.At(i, 0), b.Depth, dst.Columns)
	}
}

func store[T blas.Number](m *operand, batch int, src blas.Matrix[T]) {
	if dst, ok := view[T](m, batch, src.Rows, src.Columns); ok {
		blas.Copy(dst, src)
		return
	}
	b := m.Block(batch)
	for i := 0; i < src.Rows && src.Columns > 0; i++ {
		dtype.Convert(b.DType, b.At(i, 0), b.Depth, b.DType, unsafe.Pointer(&src.Row(i)[0]), 1, src.Columns)
	}
}

// result calls compute with the matrix of the batch that a result is stored in, or with scratch memory of contiguous rows
// that is stored afterwards.
func result[T blas.Number](m *operand, batch, rows, columns int, compute func(y blas.Matrix[T])) {
	if y, ok := view[T](m, batch, rows, columns); ok && y.Step == 1 {
		compute(y)
		return
	}
	r := takeRoom[T](rows * columns)
	y := r.matrix(rows, columns)
	compute(y)
	store(m, batch, y)
	r.scratch.Recycle()
}

// clearBeside sets the elements below the diagonal to 0, or those above it.
func clearBeside[T blas.Number](a blas.Matrix[T], below bool) {
	for i := 0; i < a.Rows && a.Columns > 0; i++ {
		row := a.Row(i)
		if below {
			clear(row[:min(i, a.Columns)])
		} else {
			clear(row[min(i+1, a.Columns):])
		}
	}
}
