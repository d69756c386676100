package reduce

import "github.com/ndgrad/ndgrad/device/internal/scalar"

// Op is what rows of one array are combined with.
type Op int

// The operations. Max and Min give a not-a-number where there is one, FMax and FMin where there is nothing else. Of zeros of
// both signs either may be the largest. Squares and Magnitudes add up x² and |x|; columns do not have them.
const (
	Sum Op = iota
	Prod
	Max
	Min
	FMax
	FMin
	Squares
	Magnitudes
)

// PairOp is what rows of two arrays are combined with.
type PairOp int

// The operations: Σa·b, Σ(a-b)², and that with one b for each row.
const (
	Products PairOp = iota
	Differences
	Deviations
)

// Longest is how long a row may be: from there on callers combine pieces, sums in pairs.
const Longest = 4096

// atOnce is how many elements one call of a routine goes through, more or less: its caller can be preempted between two.
const atOnce = 1 << 15

// Rows combines each of the rows, of n elements, 0 < n <= Longest, and pitch elements apart, to one value in dst.
func Rows[T scalar.Float](op Op, dst, a *T, rows, n, pitch int) {
	for most := rowsAtOnce(n); rows > most; rows -= most {
		rowsPiece(op, dst, a, most, n, pitch)
		dst, a = ahead(dst, most), ahead(a, most*pitch)
	}
	rowsPiece(op, dst, a, rows, n, pitch)
}

// PairRows combines each of the rows of a and b, whose rows are pitchB elements apart, to one value in dst.
func PairRows[T scalar.Float](op PairOp, dst, a, b *T, rows, n, pitch, pitchB int) {
	for most := rowsAtOnce(n); rows > most; rows -= most {
		pairRowsPiece(op, dst, a, b, most, n, pitch, pitchB)
		dst, a, b = ahead(dst, most), ahead(a, most*pitch), ahead(b, most*pitchB)
	}
	pairRowsPiece(op, dst, a, b, rows, n, pitch, pitchB)
}

func rowsAtOnce(n int) int { return max(1, atOnce/n) }

// Columns combines the rows, of n elements, n > 0, and pitch elements apart, into the n values at dst. Eight rows are
// combined in pairs before the result goes into dst.
func Columns[T scalar.Float](op Op, dst, a *T, rows, n, pitch int) {
	for most := max(8, atOnce/n&^7); rows > most; rows -= most {
		columnsPiece(op, dst, a, most, n, pitch)
		a = ahead(a, most*pitch)
	}
	columnsPiece(op, dst, a, rows, n, pitch)
}
