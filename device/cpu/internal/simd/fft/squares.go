package fft

import "unsafe"

// SquareRow is the length of the rows of Squares: 8 times squareSide.
const (
	SquareRow  = 64
	squareSide = 8
)

// HasSquares reports whether the current instructions have a routine for Squares.
func HasSquares[T Float]() bool { return hasSquares[T]() }

// wideLanes is how many lanes the factors of Squares and of fronts have: those of AVX-512.
func wideLanes[T Float]() int { return 64 / int(unsafe.Sizeof(*new(T))) }

// squareLane returns which of 8 neighbouring numbers is in a lane.
func squareLane[T Float](l int) int {
	if wideLanes[T]() == squareSide {
		return l/2 + l%2*4
	}
	return l/4*2 + l%2
}

// SquareFactors returns the factors of Squares. root(k) is exp(-2πi·k/64).
func SquareFactors[T Float](root func(k int) (re, im float64)) []T {
	lanes := wideLanes[T]()
	w := make([]T, 2*(squareSide-1)*lanes)
	for i := 1; i < squareSide; i++ {
		for l := range lanes {
			re, im := root(i * squareLane[T](l))
			at := 2*(i-1)*lanes + l
			w[at], w[at+lanes] = T(re), T(im)
		}
	}
	return w
}

// Squares transforms n rows of 64 complex numbers, and multiplies them by scale. Strides are in bytes. y may be x.
func Squares[T Float](n int, x unsafe.Pointer, xStride int, y unsafe.Pointer, yStride int, w []T, swap Swapped, scale T) {
	squares(n, (*T)(x), xStride, (*T)(y), yStride, w, swap, scale)
}

// plainSquares is two passes for each row.
func plainSquares[T Float](n int, x *T, xStride int, y *T, yStride int, w []T, swap Swapped, scale T) {
	lanes := wideLanes[T]()
	re, im := swap.parts(1)
	factors := make([]T, 2*(squareSide-1)*squareSide)
	for l := range lanes {
		for i := range squareSide - 1 {
			at := 2 * (squareLane[T](l)*(squareSide-1) + i)
			factors[at], factors[at+1] = w[2*i*lanes+l], w[(2*i+1)*lanes+l]
		}
	}
	const row = 2 * squareSide
	a, b := make([]T, squareSide*row), make([]T, squareSide*row)
	for i := range n {
		from, to := (*T)(unsafe.Add(unsafe.Pointer(x), i*xStride)), (*T)(unsafe.Add(unsafe.Pointer(y), i*yStride))
		for k := range SquareRow {
			a[2*k+re], a[2*k+im] = *number(from, 2*k), *number(from, 2*k+1)
		}
		plainPass(1, squareSide, squareSide, 1, a, 0, row, b, row-2, 2, factors)
		plainPass(1, squareSide, 1, squareSide, b, 0, row, a, 0, row, nil)
		for k := range SquareRow {
			*number(to, 2*k), *number(to, 2*k+1) = a[2*k+re]*scale, a[2*k+im]*scale
		}
	}
}
