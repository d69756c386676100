package gemm

import "unsafe"

// linePiece bounds the number of elements of a line that one routine call processes.
const linePiece = 4096

// A line is contiguous along k: a row of a, or a column of b. The routines multiply up to lineRows lines of a by
// lineColumns lines of b.
const (
	lineColumns = 4
	lineRows    = 4
)

// MultiplyLines computes a block if the rows of a and the columns of b are contiguous along k. bLine is the stride
// between columns of b. readable is the number of columns that may be read, at least N. MultiplyLines is for few rows,
// few columns or long sums. It adds the terms in another order than Multiply.
func MultiplyLines[T Element](b *Block, bLine, readable int) {
	size := int(unsafe.Sizeof(*new(T)))
	for k := 0; k < b.K; k += linePiece {
		part := *b
		part.K = min(linePiece, b.K-k)
		part.A, part.B = unsafe.Add(b.A, k*size), unsafe.Add(b.B, k*size)
		if k > 0 {
			part.D, part.DLine = b.C, b.CLine
		}
		multiplyLines[T](&part, bLine, readable)
	}
}

// multiplyLines computes four columns at a time. The last four columns overlap the ones before. If fewer than four
// columns are readable, each is computed by itself, as four lines with stride 0.
func multiplyLines[T Element](b *Block, bLine, readable int) {
	columns := lineColumns
	if readable < lineColumns {
		columns = 1
	}
	if b.M == 1 && b.D != b.C && b.N >= lineColumns {
		multiplyLine[T](b, bLine)
		return
	}
	var sums [lineRows * lineColumns]T
	for j := 0; j < b.N; j += columns {
		first := min(j, readable-columns)
		end := min(first+columns, b.N)
		at := unsafe.Add(b.B, first*bLine)
		for i := 0; i < b.M; {
			rows := lineProducts(&sums[0], b.M-i, b.K, unsafe.Add(b.A, i*b.ALine), b.ALine, at, bLine*(columns/lineColumns))
			for r := range rows {
				addLine(b, sums[r*lineColumns:][j-first:end-first], i+r, j)
			}
			i += rows
		}
	}
}

// multiplyLine is multiplyLines for one line of a: the sums are stored where they belong, and d, which is not c, is added to them there.
func multiplyLine[T Element](b *Block, bLine int) {
	size := int(unsafe.Sizeof(*new(T)))
	most := max(1, lineRows*linePiece/b.K) // a routine call reads as many elements of b as with all rows
	for j := 0; j < b.N; {
		first, groups := j, min((b.N-j)/lineColumns, most)
		if groups == 0 {
			first, groups = b.N-lineColumns, 1
		}
		done := lineGroups((*T)(unsafe.Add(b.C, first*size)), b.K, b.A, unsafe.Add(b.B, first*bLine), bLine, groups)
		j = first + done*lineColumns
	}
	if b.D != nil {
		c := unsafe.Slice((*T)(b.C), b.N)
		for j, v := range unsafe.Slice((*T)(b.D), b.N) {
			c[j] += v
		}
	}
}

// addLine stores sums in row i from column j on, plus the elements of d there.
func addLine[T Element](b *Block, sums []T, i, j int) {
	size := int(unsafe.Sizeof(*new(T)))
	c := unsafe.Slice((*T)(unsafe.Add(b.C, i*b.CLine+j*size)), len(sums))
	if b.D == nil {
		copy(c, sums)
		return
	}
	for l, v := range unsafe.Slice((*T)(unsafe.Add(b.D, i*b.DLine+j*size)), len(sums)) {
		c[l] = sums[l] + v
	}
}

// plainLines is the reference for the routines. It computes the products of one line of a with lineColumns lines
// of b.
func plainLines[T Element](sums *T, k int, a, b unsafe.Pointer, bLine int) {
	x, z := unsafe.Slice((*T)(a), k), unsafe.Slice(sums, lineColumns)
	for j := range lineColumns {
		z[j] = plainDot(x, unsafe.Slice((*T)(unsafe.Add(b, j*bLine)), k))
	}
}
