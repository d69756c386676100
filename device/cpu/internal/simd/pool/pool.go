package pool

// Tap is a point of a window. At is its distance in elements from the start of the window, Position its number in the
// window.
type Tap struct{ At, Position int }

// Combination is the operation that Combine applies to the elements of a window.
type Combination int

// The combinations. The largest element is the first one at a tie, or the first NaN.
const (
	Sums Combination = iota
	Largest
	LargestAt // also stores the positions, which are below 256
)

// piece bounds the number of taps of vectors that one routine call combines. The goroutine can be preempted only
// between calls.
const piece = 1 << 14

// Rows describes the location of results and of their windows: N rows of Length results each. Results of consecutive
// rows begin Apart elements apart, and the positions of LargestAt begin ApartAt elements apart. The windows of the
// first row begin at Start, those of each other row Down elements after those of the row before.
type Rows struct{ N, Length, Start, Down, Apart, ApartAt int }

// inPieces calls do for parts of roughly length results: for several whole rows, or for a piece of one.
func (r Rows) inPieces(length int, do func(r Rows, row, column int)) {
	height := max(1, length/max(r.Length, 1))
	for row := 0; row < r.N; row += height {
		piece := r
		piece.N, piece.Start = min(height, r.N-row), r.Start+row*r.Down
		if r.Length <= length {
			do(piece, row, 0)
			continue
		}
		for column := 0; column < r.Length; column += length {
			piece.Length = min(length, r.Length-column)
			do(piece, row, column)
		}
	}
}

// Combine stores in y the results for the windows of rows. Window i of a row has its taps at x[start+i*stride+tap.At];
// there is at least one tap. at receives positions for LargestAt.
func Combine[T float32 | float64](c Combination, rows Rows, y []T, at []uint8, x []T, stride int, taps []Tap) {
	rows.inPieces(pieceOf(len(taps)), func(r Rows, row, column int) {
		r.Start += column * stride
		own := at
		if c == LargestAt {
			own = at[row*rows.ApartAt+column:]
		}
		combine(c, r, y[row*rows.Apart+column:], own, x, stride, taps)
	})
}

// pieceOf returns how many windows one call combines, given the number of their taps.
func pieceOf(taps int) int { return max(64, piece*8/(taps+8)) }

// plainRows calls plainCombine for rows.
func plainRows[T float32 | float64](c Combination, r Rows, y []T, at []uint8, x []T, stride int, taps []Tap) {
	for row := range r.N {
		own := at
		if c == LargestAt {
			own = at[row*r.ApartAt:]
		}
		plainCombine(c, y[row*r.Apart:][:r.Length], own, x, r.Start+row*r.Down, stride, taps)
	}
}

// plainCombine is the reference for the routines.
func plainCombine[T float32 | float64](c Combination, y []T, at []uint8, x []T, start, stride int, taps []Tap) {
	if c == Sums {
		for i := range y {
			var sum T
			for _, tap := range taps {
				sum += x[start+tap.At]
			}
			y[i] = sum
			start += stride
		}
		return
	}
	for i := range y {
		best, position := x[start+taps[0].At], taps[0].Position
		for _, tap := range taps[1:] {
			if v := x[start+tap.At]; v > best || v != v && best == best {
				best, position = v, tap.Position
			}
		}
		y[i] = best
		if c == LargestAt {
			at[i] = uint8(position)
		}
		start += stride
	}
}

// Spread stores in x, for each element of rows, the sum of the gradients from its windows. Element i*stride+p has the
// taps from ends[p-1] to ends[p]. Each tap adds the gradient g[start+i+tap.At]; if at is not nil, only if the window's
// position in at equals the tap's. There are len(ends) = stride phases p; a row may end within a group of phases.
func Spread[T float32 | float64](rows Rows, x []T, g []T, at []uint8, taps []Tap, ends []int) {
	stride := len(ends)
	rows.inPieces(pieceOf(len(taps))*stride, func(r Rows, row, column int) {
		r.Start += column / stride
		spreadPiece(r, x[row*rows.Apart+column:], g, at, taps, ends)
	})
}

// plainSpread is the reference for the routines.
func plainSpread[T float32 | float64](x []T, g []T, at []uint8, start int, taps []Tap, ends []int) {
	stride, from := len(ends), 0
	for p, end := range ends {
		own := taps[from:end]
		for i, k := p, start; i < len(x); i, k = i+stride, k+1 {
			var sum T
			for _, tap := range own {
				if at == nil || int(at[k+tap.At]) == tap.Position {
					sum += g[k+tap.At]
				}
			}
			x[i] = sum
		}
		from = end
	}
}
