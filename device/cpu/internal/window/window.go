package window

// Tap is a point of a window: where it lies, in elements from the window's place, and its position in the window.
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

// Combine stores in y what the windows give: window i has its taps at x[start+i*stride+tap.At], of which there is at
// least one. at receives positions for LargestAt.
func Combine[T float32 | float64](c Combination, y []T, at []uint8, x []T, start, stride int, taps []Tap) {
	for length := pieceOf(len(taps)); len(y) > length; y = y[length:] {
		combine(c, y[:length], at, x, start, stride, taps)
		start += length * stride
		if c == LargestAt {
			at = at[length:]
		}
	}
	if len(y) > 0 {
		combine(c, y, at, x, start, stride, taps)
	}
}

// pieceOf returns how many windows of so many taps one call combines.
func pieceOf(taps int) int { return max(64, piece*8/(taps+8)) }

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

// Spread stores in x what windows give their elements. Element i*stride+p has the taps from ends[p-1] to ends[p], and for
// each the gradient g[start+i+tap.At]: where at is not nil, only if the window's position there is the tap's. There are
// len(ends) = stride phases p; x may end within a group of them.
func Spread[T float32 | float64](x []T, g []T, at []uint8, start int, taps []Tap, ends []int) {
	stride := len(ends)
	length := pieceOf(len(taps)) * stride
	for ; len(x) > length; x = x[length:] {
		spread(x[:length], g, at, start, taps, ends)
		start += length / stride
	}
	if len(x) > 0 {
		spread(x, g, at, start, taps, ends)
	}
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
