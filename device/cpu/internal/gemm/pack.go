package gemm

import "unsafe"

// SizeA returns how many bytes a packed a takes.
func SizeA[T Float](m, k int) int { return m * packedLine(k*int(unsafe.Sizeof(*new(T)))) }

// SizeB returns how many bytes a packed b takes.
func SizeB[T Float](n, k int) int {
	size, columns := int(unsafe.Sizeof(*new(T))), Columns[T]()
	return (n + columns - 1) / columns * columns * k * size
}

// packedLine keeps rows of so many bytes from lying on the same sets of the cache.
func packedLine(bytes int) int { return (bytes+63)&^63 + 64 }

// PackA copies a, row by row, to room for SizeA bytes, and makes b refer to the copy.
func PackA[T Float](b *Block, room unsafe.Pointer) {
	size := int(unsafe.Sizeof(*new(T)))
	line := packedLine(b.K * size)
	if b.ALine == size && b.ADepth != size {
		turnColumns[T](b, room, line)
		b.A, b.ALine, b.ADepth = room, line, size
		return
	}
	for i := range b.M {
		dst := unsafe.Slice((*T)(unsafe.Add(room, i*line)), b.K)
		src := unsafe.Add(b.A, i*b.ALine)
		if b.ADepth == size {
			copy(dst, unsafe.Slice((*T)(src), b.K))
			continue
		}
		for k := range dst {
			dst[k] = *(*T)(unsafe.Add(src, k*b.ADepth))
		}
	}
	b.A, b.ALine, b.ADepth = room, line, size
}

// PackB copies n columns of b, no more than a panel has, to a panel of k rows. Strides are in bytes; line is that from
// column to column.
func PackB[T Float](panel, b unsafe.Pointer, line, depth, n, k int) {
	size, columns := int(unsafe.Sizeof(*new(T))), Columns[T]()
	switch {
	case line == size:
		copyPanel[T](panel, columns*size, b, depth, n, k)
	case depth == size:
		turnPanel[T](panel, b, line, n, k)
	default:
		plainPanel[T](panel, b, line, depth, n, k)
	}
}

// plainPanel copies elements one by one.
func plainPanel[T Float](panel, b unsafe.Pointer, line, depth, n, k int) {
	columns := Columns[T]()
	for i := range k {
		row := unsafe.Slice((*T)(unsafe.Add(panel, i*columns*int(unsafe.Sizeof(*new(T))))), n)
		for j := range row {
			row[j] = *(*T)(unsafe.Add(b, i*depth+j*line))
		}
	}
}

// plainCopyPanel copies rows of n elements. The routines also write what is behind, to the end of a vector.
func plainCopyPanel[T Float](dst unsafe.Pointer, dstLine int, src unsafe.Pointer, srcLine, n, rows int) {
	for i := range rows {
		copy(unsafe.Slice((*T)(unsafe.Add(dst, i*dstLine)), n), unsafe.Slice((*T)(unsafe.Add(src, i*srcLine)), n))
	}
}

// plainTurn copies n lines of k elements to the columns of dst.
func plainTurn[T Float](dst unsafe.Pointer, dstLine int, src unsafe.Pointer, line, k, n int) {
	size := int(unsafe.Sizeof(*new(T)))
	for i := range k {
		row := unsafe.Slice((*T)(unsafe.Add(dst, i*dstLine)), n)
		for j := range row {
			row[j] = *(*T)(unsafe.Add(src, i*size+j*line))
		}
	}
}
