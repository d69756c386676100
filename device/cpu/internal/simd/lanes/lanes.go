package lanes

import "math"

// Float is the element type.
type Float interface{ float32 | float64 }

// plainWidth is the number of lanes without vector instructions.
const plainWidth = 4

// Width returns how many matrices lie side by side: the lanes of a vector.
func Width[T Float]() int { return width[T]() }

// Rows are vectors in rows and columns: vector (i, j) begins at element Data[i·Row+j·Column], in elements.
type Rows[T Float] struct {
	Data        []T
	Row, Column int
}

// Subtract subtracts f[i]·u[i][j] from c[i][j], lane by lane, for all rows i and columns j, in this order. c may have a
// distance of 0 between rows, and then gets the sums over the rows. f has its vectors fRow elements apart.
func Subtract[T Float](rows, columns int, c Rows[T], f []T, fRow int, u Rows[T]) {
	if rows > 0 && columns > 0 {
		subtract(rows, columns, c, f, fRow, u)
	}
}

// Divide divides n vectors, which lie step elements apart, by the vector d, except in lanes in which d is 0.
func Divide[T Float](n int, x []T, step int, d []T) {
	if n > 0 {
		divide(n, x, step, d)
	}
}

// Largest stores in index, for every lane, which of n vectors, which lie step elements apart, has the largest absolute
// value. The first NaN counts as the largest, else the first of equal ones.
func Largest[T Float](n int, x []T, step int, index []T) { largest(n, x, step, index) }

// Exchange exchanges the vectors of two rows in the lanes in which index is number. The vectors lie step elements apart.
func Exchange[T Float](columns int, x, y []T, step int, index []T, number int) {
	if columns > 0 {
		exchange(columns, x, y, step, index, T(number))
	}
}

// SubtractOuter subtracts f[i]·u from row i of c. The elements of f lie fRow elements apart, the rows of c cRow elements.
func SubtractOuter[T Float](rows int, c []T, cRow int, f []T, fRow int, u []T) {
	if rows > 0 && len(u) > 0 {
		outer(rows, c, cRow, f, fRow, u)
	}
}

func plainSubtract[T Float](rows, columns int, c Rows[T], f []T, fRow int, u Rows[T]) {
	for i := range rows {
		for j := range columns {
			to, from, factor := c.Data[i*c.Row+j*c.Column:], u.Data[i*u.Row+j*u.Column:], f[i*fRow:]
			for l := range plainWidth {
				to[l] -= factor[l] * from[l]
			}
		}
	}
}

func plainDivide[T Float](n int, x []T, step int, d []T) {
	for i := range n {
		for l := range plainWidth {
			if d[l] != 0 {
				x[i*step+l] /= d[l]
			}
		}
	}
}

func plainLargest[T Float](n int, x []T, step int, index []T) {
	for l := range plainWidth {
		best := math.Abs(float64(x[l]))
		index[l] = 0
		for i := 1; i < n && best == best; i++ {
			if v := math.Abs(float64(x[i*step+l])); !(v <= best) {
				best, index[l] = v, T(i)
			}
		}
	}
}

func plainExchange[T Float](columns int, x, y []T, step int, index []T, number T) {
	for l := range plainWidth {
		for j := 0; j < columns && index[l] == number; j++ {
			x[j*step+l], y[j*step+l] = y[j*step+l], x[j*step+l]
		}
	}
}

func plainOuter[T Float](rows int, c []T, cRow int, f []T, fRow int, u []T) {
	for i := range rows {
		row, factor := c[i*cRow:][:len(u)], f[i*fRow]
		for j, v := range u {
			row[j] -= factor * v
		}
	}
}
