//go:build !amd64 || purego

package lanes

func width[T Float]() int { return plainWidth }

func subtract[T Float](rows, columns int, c Rows[T], f []T, fRow int, u Rows[T]) {
	plainSubtract(rows, columns, c, f, fRow, u)
}

func divide[T Float](n int, x []T, step int, d []T) { plainDivide(n, x, step, d) }

func largest[T Float](n int, x []T, step int, index []T) { plainLargest(n, x, step, index) }

func exchange[T Float](columns int, x, y []T, step int, index []T, number T) {
	plainExchange(columns, x, y, step, index, number)
}

func outer[T Float](rows int, c []T, cRow int, f []T, fRow int, u []T) {
	plainOuter(rows, c, cRow, f, fRow, u)
}
