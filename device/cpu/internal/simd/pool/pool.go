package pool

// Tap is a point of a window: At is its distance in elements from where the window begins, Position its number in the window.
type Tap struct{ At, Position int }

// Combination is what Combine makes of a window's elements.
type Combination int

// The combinations. The largest element is the first of several, or the first not-a-number.
const (
	Sums Combination = iota
	Largest
	LargestAt // with the positions, which are below 256
)

// piece bounds how many taps of vectors one call of a routine combines: its caller can be preempted between two.
const piece = 1 << 14

// Rows says where results lie, and what they are made of: N rows of Length results each. From row to row, results begin Apart
// elements apart, and the positions of LargestAt ApartAt elements. The first row is made of what begins at Start, each other one
// of what begins Down further than that of the row before.
type Rows struct{ N, Length, Start, Down, Apart, ApartAt int }

// inPieces calls do for parts of about length results: for several whole rows, or for a piece of one.
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

// Combine stores in y what the windows of rows give: window i of a row has its taps at x[start+i*stride+tap.At], of which
// there is at least one. at receives positions for LargestAt.
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

// pieceOf returns how many windows one call combines, by the number of their taps.
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

// plainCombine is the definition of the routines.
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

// Spread stores in x what windows give the elements of rows. Element i*stride+p has the taps from ends[p-1] to ends[p],
// and for each the gradient g[start+i+tap.At]: where at is not nil, only if the window's position there is the tap's. There
// are len(ends) = stride phases p; a row may end within a group of them.
func Spread[T float32 | float64](rows Rows, x []T, g []T, at []uint8, taps []Tap, ends []int) {
	stride := len(ends)
	rows.inPieces(pieceOf(len(taps))*stride, func(r Rows, row, column int) {
		r.Start += column / stride
		spreadPiece(r, x[row*rows.Apart+column:], g, at, taps, ends)
	})
}

// plainSpread is the definition of the routines.
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
