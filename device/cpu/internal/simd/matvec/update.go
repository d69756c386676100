package matvec

// Update subtracts f[i]·v + g[i]·w from row i of a matrix, and stores in sums the inner products of the new rows with x. The rows have len(x)
// elements, at most piece, and are stride elements apart, from a[0] on; there are len(sums) of them. A reduction that changes the
// matrix in each step and then multiplies it with a vector reads it once a step.
func Update[T Float](sums, a []T, stride int, f, v, g, w, x []T) {
	n := len(x)
	if n > piece {
		panic("matvec: a row is too long")
	}
	if n == 0 {
		clear(sums)
		return
	}
	f, g, v, w = f[:len(sums)], g[:len(sums)], v[:n], w[:n]
	for rows := max(1, work/n); len(sums) > rows; a = a[rows*stride:] {
		updatePiece(sums[:rows], a[:(rows-1)*stride+n], stride, f, v, g, w, x)
		sums, f, g = sums[rows:], f[rows:], g[rows:]
	}
	if len(sums) > 0 {
		updatePiece(sums, a[:(len(sums)-1)*stride+n], stride, f, v, g, w, x)
	}
}

// plainUpdate is the reference for the routines of Update.
func plainUpdate[T Float](sums, a []T, stride int, f, v, g, w, x []T) {
	for i := range sums {
		row := a[i*stride:][:len(x)]
		p, q := f[i], g[i]
		for j, y := range row {
			row[j] = y - p*v[j] - q*w[j]
		}
		sums[i] = plainDot(row, x)
	}
}
