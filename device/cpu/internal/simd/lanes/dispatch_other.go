//go:build !(amd64 || arm64) || purego

package lanes

func width[T Float]() int { return plainWidth }

func subtract[T Float](rows, columns int, c Rows[T], f []T, fRow int, u Rows[T]) {
	plainSubtract(rows, columns, c, f, fRow, u)
}

func lu[T Float](m, n int, a Rows[T], step int, pivots []T, columns int, x Rows[T]) {
	plainLU(m, n, a, step, pivots, columns, x)
}

func determinant[T Float](n int, diagonal []T, diagonalStep int, pivots []T, step int, y []T) {
	plainDeterminant(n, diagonal, diagonalStep, pivots, step, y)
}

func cholesky[T Float](n int, a Rows[T], isPositive *uint32) { plainCholesky(n, a, isPositive) }

func substitute[T Float](m, n int, t, x Rows[T], unit bool) { plainSubstitute(m, n, t, x, unit) }

func outer[T Float](rows int, c []T, cRow int, f []T, fRow int, u []T) {
	plainOuter(rows, c, cRow, f, fRow, u)
}

func triangle[T Float](m, n int, t *T, tRow, tColumn int, inverses []T, x *T, xRow int) {
	plainTriangle(m, n, t, tRow, tColumn, inverses, x, xRow)
}

func column[T Float](row, factors, x []T, xRow int, largest *[2 * mostLanes]T) {
	plainColumn(row, factors, x, xRow, largest)
}

func scale[T Float](rows, n int, y []T, yRow int, factor T, x []T, xRow int) {
	plainScale(rows, n, y, yRow, factor, x, xRow)
}

func diagonalise[T Float](n int, a Rows[T], columns int, v Rows[T], limits []T, rotated *uint32) {
	plainDiagonalise(n, a, columns, v, limits, rotated)
}

func orthogonalise[T Float](m, n int, a Rows[T], columns int, u Rows[T], limit *T, rotated *uint32) {
	plainOrthogonalise(m, n, a, columns, u, limit, rotated)
}
