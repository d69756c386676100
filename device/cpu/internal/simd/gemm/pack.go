package gemm

import "unsafe"

// SizeA returns how many bytes a packed a takes.
func SizeA[T Element](m, k int) int {
	rows := Height(m, Rows[T]())
	return (m + rows - 1) / rows * panelA[T](rows, k)
}

// panelA returns how many bytes a panel of a takes. There is a vector of spare room at the end, as the routines store whole
// vectors.
func panelA[T Element](rows, k int) int {
	return (rows*k + formOf[T]().lanes) * int(unsafe.Sizeof(*new(T)))
}

// SizeB returns how many bytes a packed b takes.
func SizeB[T Element](n, k int) int {
	size, columns := int(unsafe.Sizeof(*new(T))), Columns[T]()
	return (n + columns - 1) / columns * columns * k * size
}

// packDepth is how many steps along k are copied at a time where the elements of a column lie side by side: the processor
// follows no more streams of memory at once.
const packDepth = 16

// PackA copies a to room for SizeA bytes, and makes b refer to the copy: a panel for each tile, with the elements of its
// rows side by side.
func PackA[T Element](b *Block, room unsafe.Pointer) {
	from := *b
	UsePackedA[T](b, room)
	rows, steps := b.ADepth/b.ALine, b.K
	if from.ALine == b.ALine {
		steps = packDepth
	}
	for k := 0; k < b.K; k += steps {
		for i := 0; i < b.M; i += rows {
			dst, src := unsafe.Add(room, i/rows*b.APanel+k*b.ADepth), unsafe.Add(from.A, i*from.ALine+k*from.ADepth)
			packPanel[T](dst, b.ADepth, src, from.ALine, from.ADepth, min(rows, b.M-i), min(steps, b.K-k))
		}
	}
}

// UsePackedA makes b refer to a copy of a that PackA has made of the same rows and steps.
func UsePackedA[T Element](b *Block, room unsafe.Pointer) {
	size, rows := int(unsafe.Sizeof(*new(T))), Height(b.M, Rows[T]())
	b.A, b.ALine, b.ADepth, b.APanel = room, size, rows*size, panelA[T](rows, b.K)
}

// PackB copies n columns of b, no more than a panel has, to a panel of k rows. Strides are in bytes; line is that from
// column to column.
func PackB[T Element](panel, b unsafe.Pointer, line, depth, n, k int) {
	packPanel[T](panel, Columns[T]()*int(unsafe.Sizeof(*new(T))), b, line, depth, n, k)
}

// packPanel copies n lines to a panel of k rows, with that stride from row to row. What is behind n in a row may be
// overwritten, to the end of a vector, if it is not part of a row before.
func packPanel[T Element](panel unsafe.Pointer, row int, src unsafe.Pointer, line, depth, n, k int) {
	switch size := int(unsafe.Sizeof(*new(T))); {
	case line == size:
		copyPanel[T](panel, row, src, depth, n, k)
	case depth == size:
		turn[T](panel, row, src, line, n, k)
	default:
		plainPanel[T](panel, row, src, line, depth, n, k)
	}
}

// plainPanel copies elements one by one.
func plainPanel[T Element](panel unsafe.Pointer, stride int, b unsafe.Pointer, line, depth, n, k int) {
	for i := range k {
		row := unsafe.Slice((*T)(unsafe.Add(panel, i*stride)), n)
		for j := range row {
			row[j] = *(*T)(unsafe.Add(b, i*depth+j*line))
		}
	}
}

// plainCopyPanel copies rows of n elements. The routines also write what is behind, to the end of a vector.
func plainCopyPanel[T Element](dst unsafe.Pointer, dstLine int, src unsafe.Pointer, srcLine, n, rows int) {
	for i := range rows {
		copy(unsafe.Slice((*T)(unsafe.Add(dst, i*dstLine)), n), unsafe.Slice((*T)(unsafe.Add(src, i*srcLine)), n))
	}
}

// plainTurn copies n lines of k elements to the columns of dst.
func plainTurn[T Element](dst unsafe.Pointer, dstLine int, src unsafe.Pointer, line, k, n int) {
	size := int(unsafe.Sizeof(*new(T)))
	for i := range k {
		row := unsafe.Slice((*T)(unsafe.Add(dst, i*dstLine)), n)
		for j := range row {
			row[j] = *(*T)(unsafe.Add(src, i*size+j*line))
		}
	}
}
