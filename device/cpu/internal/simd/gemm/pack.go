package gemm

import "unsafe"

// SizeA returns the size of a packed a in bytes.
func SizeA[T Element](m, k int) int {
	rows := Height(m, Rows[T]())
	return (m + rows - 1) / rows * panelA[T](rows, k)
}

// panelA returns the size of a panel of a in bytes. It includes one spare vector at the end, because the routines store
// whole vectors.
func panelA[T Element](rows, k int) int {
	return (rows*k + formOf[T]().lanes) * int(unsafe.Sizeof(*new(T)))
}

// SizeB returns the size of a packed b in bytes.
func SizeB[T Element](n, k int) int {
	size, columns := int(unsafe.Sizeof(*new(T))), Columns[T]()
	return (n + columns - 1) / columns * columns * k * size
}

// packDepth is the number of steps along k that are copied at a time if the columns are contiguous. The processor's
// prefetcher follows no more memory streams at once.
const packDepth = 16

// PackA copies a to room, which has SizeA bytes, and makes b refer to the copy. The copy has one panel per tile. For
// each step along k, a panel holds the elements of the tile's rows side by side.
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

// UsePackedA makes b refer to a copy that PackA made of the same rows and steps of a.
func UsePackedA[T Element](b *Block, room unsafe.Pointer) {
	size, rows := int(unsafe.Sizeof(*new(T))), Height(b.M, Rows[T]())
	b.A, b.ALine, b.ADepth, b.APanel = room, size, rows*size, panelA[T](rows, b.K)
}

// PackB copies n columns of b, at most the width of a panel, to a panel of k rows. Strides are in bytes; line is the
// distance between columns.
func PackB[T Element](panel, b unsafe.Pointer, line, depth, n, k int) {
	packPanel[T](panel, Columns[T]()*int(unsafe.Sizeof(*new(T))), b, line, depth, n, k)
}

// packPanel copies n lines to a panel of k rows; row is the stride between rows of the panel. In each row, memory after
// the n elements may be overwritten up to the end of a vector, unless it belongs to an earlier row.
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

// plainCopyPanel copies rows of n elements. The routines also write after a row, up to the end of a vector.
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
